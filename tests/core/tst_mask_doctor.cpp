// SPDX-License-Identifier: GPL-3.0-or-later
// The mask doctor: mistakes planted in ten masks at several sizes, each to be named with its first wrong cell, and no
// alarm where there is none.
#include <QTest>
#include <ctime>
#include <random>

#include "core/masks/closest_mask.h"
#include "core/masks/mask_doctor.h"
#include "core/masks/mask_layers.h"
#include "planted_masks.h"
#include "support.h"

using namespace headscope;

using namespace headscope::planted;

namespace {

Result<MaskDiagnosis> check(const BitMatrix& mask, const Tokens& tokens, const char* meant = nullptr) {
    return diagnose({mask, tokens.bytes()}, meant ? std::optional(parse_mask(meant).value()) : std::nullopt);
}

QString said(const MaskDiagnosis& diagnosis) {
    QStringList sentences;
    for (const Sentence& sentence : explain(diagnosis)) sentences << QString::fromStdString(sentence.str());
    return sentences.join(QStringLiteral(". "));
}

}  // namespace

class TestMaskDoctor : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyPlantedMistakeIsNamedWithItsFirstWrongCell() {
        int planted = 0;
        for (const Subject& subject : kSubjects)
            for (const Subject::Mistake& mistake : subject.mistakes)
                for (const Tokens& tokens : kTokens) {
                    const BitMatrix right = cells(tokens.size, subject.right(tokens)),
                                    given = cells(tokens.size, mistake.rule(tokens));
                    if (given == right) continue;  // causal masks the rows of padding that comes first
                    const auto diagnosis = check(given, tokens, subject.expression);
                    const QString where = QStringLiteral("%1 at %2, %3")
                                              .arg(QLatin1String(subject.expression))
                                              .arg(tokens.size)
                                              .arg(QLatin1String(mistake.says));
                    QVERIFY2(diagnosis && diagnosis->mistake, qPrintable(where));
                    QVERIFY2(diagnosis->mistake->mistake == mistake.mistake &&
                                 said(*diagnosis).contains(QLatin1String(mistake.says)),
                             qPrintable(where + QStringLiteral(": ") + said(*diagnosis)));
                    std::int64_t wrong = 0;
                    std::optional<paint::Cell> first;
                    for (std::int64_t i = 0; i < tokens.size; ++i)
                        for (std::int64_t j = 0; j < tokens.size; ++j) {
                            if (right.at(i, j) == given.at(i, j)) continue;
                            ++wrong;
                            if (!first) first = paint::Cell{i, j};
                        }
                    QCOMPARE(diagnosis->wrong, wrong);
                    QCOMPARE(diagnosis->first_wrong->query, first->query);
                    QCOMPARE(diagnosis->first_wrong->key, first->key);
                    QCOMPARE(diagnosis->first_is_allowed, given.at(first->query, first->key));
                    QVERIFY(said(*diagnosis)
                                .contains(QStringLiteral("First wrong cell: query %1, key %2 is")
                                              .arg(first->query)
                                              .arg(first->key)));
                    ++planted;
                }
        qInfo("%d planted mistakes", planted);
        QVERIFY(planted >= 160);
    }

    /// With and without the meaning.
    void noAlarmOnRightMasks() {
        int checked = 0;
        for (const Subject& subject : kSubjects)
            for (const Tokens& tokens : kTokens) {
                const BitMatrix right = cells(tokens.size, subject.right(tokens));
                const auto stated = check(right, tokens, subject.expression);
                QVERIFY(stated && stated->equal() && !stated->mistake && !stated->first_wrong);
                QCOMPARE(said(*stated),
                         QStringLiteral("Equal: every cell is as %1 says").arg(QLatin1String(subject.expression)));
                const auto found = check(right, tokens);
                QVERIFY2(found && found->equal(), subject.expression);
                QCOMPARE(said(*found),
                         QStringLiteral("This is %1").arg(QString::fromStdString(short_text(found->meant))));
                QVERIFY(BitMatrix(found->meant, tokens.bytes()) == right);
                ++checked;
            }
        QCOMPARE(checked, 48);
    }

    void theClosestExpressionIsTheOneThatPeopleWrite() {
        const Tokens tokens{40, 6};
        for (const Subject& subject : kSubjects) {
            const auto found = check(cells(40, subject.right(tokens)), tokens);
            QVERIFY(found);
            QCOMPARE(QString::fromStdString(short_text(found->meant)), QLatin1String(subject.expression));
        }
    }

    /// Three hundred expressions of one to three layers: nearly all are found from their cells alone, and what is found
    /// always has the cells that it is said to have.
    void randomExpressionsAreFound() {
        std::mt19937 random(9);
        const auto pick = [&](int most) { return static_cast<int>(random() % static_cast<unsigned>(most)); };
        const auto layer = [&]() -> std::string {
            const int n = 1 + pick(5);
            switch (pick(8)) {
                case 0:
                    return fmt::format("local:{}:{}", n, pick(4));
                case 1:
                    return fmt::format("block:{}", n + 1);
                case 2:
                    return fmt::format("documents:{}:{}", n + 2, 2 + pick(6));
                case 3:
                    return fmt::format("local:{}:{}+global:{}", n, n, 1 + pick(2));
                case 4:
                    return fmt::format("causal+prefix:{}", n);
                case 5:
                    return fmt::format("strided:{}", n + 1);
                case 6:
                    return fmt::format("local:{}:0+global:1", n);
                default:
                    return fmt::format("documents:{}:{}:{}", n, n + 1, 3);
            }
        };
        int found = 0, count = 0;
        QStringList missed;
        for (; count < 300; ++count) {
            std::string text = layer();
            if (pick(2)) text = "causal," + text;
            if (pick(3) == 0) text += "," + layer();
            const Tokens tokens{20 + pick(30), pick(2) ? pick(8) : 0, pick(2) == 1};
            if (tokens.padding > 0) text = "padding," + text;
            const BitMatrix mask(parse_mask(text).value(), tokens.bytes());
            const auto diagnosis = check(mask, tokens);
            QVERIFY2(diagnosis, text.c_str());
            const BitMatrix said_to_be(diagnosis->meant, tokens.bytes());
            QVERIFY(diagnosis->wrong_cells == (said_to_be ^ mask));
            found += diagnosis->equal();
            if (!diagnosis->equal()) missed << QString::fromStdString(text) + u' ' + said(*diagnosis);
            QVERIFY(check(mask, tokens, text.c_str())->equal());
        }
        qInfo("%d of %d found", found, count);
        QVERIFY2(100 * found >= 90 * count, qPrintable(missed.join(u'\n')));
    }

    /// The inverse of an expression and its transpose are named without its being stated.
    void theInverseIsNamedWithoutAMeaning() {
        const Tokens tokens{24};
        for (const char* expression : {"causal", "causal,local:3:0", "documents:5:2:6", "block:4", "causal+prefix:3"}) {
            const BitMatrix right(parse_mask(expression).value(), tokens.bytes());
            const auto diagnosis = check(right.inverted(), tokens);
            QVERIFY(diagnosis && diagnosis->mistake);
            QCOMPARE(QString::fromStdString(short_text(diagnosis->meant)), QLatin1String(expression));
            QCOMPARE(diagnosis->mistake->mistake, MaskMistake::Inverted);
            QVERIFY(
                said(*diagnosis).startsWith(QStringLiteral("The closest expression is ") + QLatin1String(expression)));
        }
        const auto transposed = check(cells(24, [](auto i, auto j) { return kPrefix(j, i); }), tokens);
        QVERIFY(transposed && transposed->mistake);
        QCOMPARE(transposed->mistake->mistake, MaskMistake::Transposed);
    }

    /// A few wrong cells hide no expression.
    void aFewWrongCellsAreCounted() {
        std::mt19937 random(5);
        const Tokens tokens{48, 6};
        for (const Subject& subject : kSubjects)
            for (int round = 0; round < 5; ++round) {
                BitMatrix given = cells(48, subject.right(tokens));
                for (int n = 0; n < 4; ++n) {
                    const auto i = static_cast<std::int64_t>(random() % 48),
                               j = static_cast<std::int64_t>(random() % 48);
                    given.set(i, j, !given.at(i, j));
                }
                const auto wrong = differing_cells(given, cells(48, subject.right(tokens)));
                const auto stated = check(given, tokens, subject.expression), found = check(given, tokens);
                QVERIFY(stated && found);
                QCOMPARE(stated->wrong, wrong);
                QVERIFY2(found->wrong <= wrong, qPrintable(QLatin1String(subject.expression) + u' ' + said(*found)));
            }
    }

    /// Another expression than the stated one.
    void whatTheMaskIsInstead() {
        const auto diagnosis = check(cells(20, kWindow), {20}, "causal,documents:5:2:6");
        QVERIFY(diagnosis && !diagnosis->mistake && diagnosis->is_instead);
        QVERIFY(
            said(*diagnosis).startsWith(QStringLiteral("The mask is causal,local:3:0, not causal,documents:5:2:6")));
    }

    void oneWrongCellIsNoShift() {
        const Tokens tokens{20};
        for (const paint::Cell at : {paint::Cell{19, 0}, paint::Cell{0, 19}, paint::Cell{7, 3}, paint::Cell{19, 19}}) {
            BitMatrix given = cells(20, causal);
            given.set(at.query, at.key, !given.at(at.query, at.key));
            const auto diagnosis = check(given, tokens, "causal");
            QVERIFY(diagnosis && !diagnosis->mistake && diagnosis->wrong == 1);
            QVERIFY(said(*diagnosis).startsWith(QStringLiteral("One of 400 cells differs")));
        }
    }

    /// Of 3 queries and 8 keys: the queries are the last tokens.
    void theCornerOfARectangle() {
        const auto rule = [](std::int64_t queries, std::int64_t keys, std::int64_t offset) {
            BitMatrix mask(queries, keys);
            for (std::int64_t i = 0; i < queries; ++i)
                for (std::int64_t j = 0; j < keys; ++j) mask.set(i, j, j <= i + offset);
            return mask;
        };
        const auto meant = parse_mask("causal").value();
        for (const auto& [queries, keys] : {std::pair<std::int64_t, std::int64_t>{3, 8}, {8, 3}, {1, 70}}) {
            const auto right = diagnose({rule(queries, keys, keys - queries)}, meant);
            QVERIFY(right && right->equal());
            const auto wrong = diagnose({rule(queries, keys, 0)}, meant);
            QVERIFY(wrong && wrong->mistake);
            QCOMPARE(wrong->mistake->mistake, MaskMistake::Corner);
            QVERIFY(said(*wrong).contains(QStringLiteral("upper-left corner where lower-right was meant")));
        }
        QVERIFY(!diagnose({rule(3, 8, 0)}, std::nullopt));
    }

    /// A file does not say which tokens are padding.
    void paddingIsGuessedFromTheCells() {
        const auto rule = [](auto i, auto j) { return causal(i, j) && j < 9; };
        const auto equal = diagnose({cells(12, rule)}, parse_mask("padding,causal").value());
        QVERIFY(equal && equal->equal() && equal->padding_guessed);
        QVERIFY(said(*equal).endsWith(QStringLiteral("Padding is guessed from the cells: 9 of 12 tokens are real")));
        const auto rows = diagnose({cells(12, [&](auto i, auto j) { return rule(i, j) && i < 9; })},
                                   parse_mask("padding,causal").value());
        QVERIFY(rows && rows->mistake && rows->mistake->mistake == MaskMistake::PaddedQueries);
        const auto found = diagnose({cells(12, rule)}, std::nullopt);
        QVERIFY(found && found->equal());
        QVERIFY(said(*found).startsWith(QStringLiteral("This is padding,causal. Padding is guessed")));
        const auto inverse =
            diagnose({cells(12, [&](auto i, auto j) { return !rule(i, j); })}, parse_mask("padding,causal").value());
        QVERIFY(inverse && inverse->mistake && inverse->mistake->mistake == MaskMistake::Inverted);
    }

    void edges() {
        for (const char* expression : {"none", "causal", "padding", "local:0:0", "documents:1"}) {
            const auto one = check(cells(1, causal), {1}, expression);
            QVERIFY(one && one->equal());
            const auto masked = check(cells(1, [](auto, auto) { return false; }), {1}, expression);
            QVERIFY(masked && masked->mistake && masked->mistake->mistake == MaskMistake::AllMasked);
        }
        QVERIFY(check(cells(1, causal), {1}) && check(cells(2, causal), {2}));
        QCOMPARE(said(*check(cells(5, [](auto, auto) { return true; }), {5})), QStringLiteral("This is none"));
        QVERIFY(said(*check(cells(5, [](auto, auto) { return false; }), {5}))
                    .contains(QStringLiteral("zeros of an additive mask")));
        QCOMPARE(testing::code_of(diagnose({}, std::nullopt)), std::optional(ErrorCode::InvalidMask));
        QCOMPARE(testing::code_of(diagnose({BitMatrix(1025, 1025)}, std::nullopt)),
                 std::optional(ErrorCode::InvalidMask));
        QCOMPARE(testing::code_of(diagnose({BitMatrix(8193, 1)}, parse_mask("causal").value())),
                 std::optional(ErrorCode::InvalidMask));
        QCOMPARE(testing::code_of(diagnose({BitMatrix(3, 3)}, parse_mask("file:no.npy").value())),
                 std::optional(ErrorCode::InvalidMask));
    }

    void fiveHundredTokensTakeATenthOfASecond() {
        const Tokens tokens{512, 40};
        std::mt19937 random(3);
        double longest = 0;
        for (const Subject& subject : kSubjects)
            for (const bool noisy : {false, true})
                for (const char* meant : {static_cast<const char*>(nullptr), subject.expression}) {
                    BitMatrix given = cells(512, subject.right(tokens));
                    for (int n = 0; noisy && n < 20; ++n)
                        given.set(static_cast<std::int64_t>(random() % 512), static_cast<std::int64_t>(random() % 512),
                                  true);
                    double shortest = 1e9;  // of three, since the machine may be busy
                    for (int round = 0; round < 3; ++round) {
                        const std::clock_t begin = std::clock();
                        QVERIFY(check(given, tokens, meant));
                        const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
                        shortest = std::min(shortest, 1000 * seconds);
                    }
                    longest = std::max(longest, shortest);
                }
        qInfo("512 tokens: at most %.0f ms", longest);
        QVERIFY(longest < 100);
    }
};

QTEST_GUILESS_MAIN(TestMaskDoctor)
#include "tst_mask_doctor.moc"
