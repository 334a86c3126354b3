// SPDX-License-Identifier: GPL-3.0-or-later
// Painted answers: ten masks, each answered rightly, inverted, transposed, shifted by one, and at random.
#include <QTest>
#include <random>

#include "core/masks/mask_answer.h"
#include "core/masks/mask_edit.h"
#include "support.h"

using namespace headscope;

namespace {

/// The mask whose cells a rule allows.
PaintedMask maskOf(std::int64_t size, const std::function<bool(std::int64_t, std::int64_t)>& allowed) {
    PaintedMask mask{size, {}};
    for (std::int64_t i = 0; i < size; ++i)
        for (std::int64_t j = 0; j < size; ++j) mask.cells.push_back(allowed(i, j));
    return mask;
}

struct Task {
    const char* expression;
    std::function<bool(std::int64_t, std::int64_t)> allowed;  ///< written without the program's own masks
};

const std::int64_t kSize = 9;
const std::vector<Task> kTasks = {
    {"causal", [](auto i, auto j) { return j <= i; }},
    {"local:1:1", [](auto i, auto j) { return std::abs(i - j) <= 1; }},
    {"causal,local:2:0", [](auto i, auto j) { return j <= i && i - j <= 2; }},
    {"prefix:3", [](auto, auto j) { return j < 3; }},
    {"global:1", [](auto i, auto j) { return i == 0 || j == 0; }},
    {"block:3", [](auto i, auto j) { return i / 3 == j / 3; }},
    {"documents:4:5", [](auto i, auto j) { return (i < 4) == (j < 4); }},
    {"causal+prefix:2", [](auto i, auto j) { return j <= i || j < 2; }},
    {"causal,local:3:0+global:1", [](auto i, auto j) { return j <= i && (i - j <= 3 || j == 0); }},
    {"local:0:3", [](auto i, auto j) { return j >= i && j - i <= 3; }},
};

PaintedMask answerOf(const char* expression) {
    const Batch batch = testing::batch_of_lengths({kSize}, kSize);
    return paint::from_expression(parse_mask(expression).value(), batch, 0).value();
}

QString mistake(const MaskAnswer& answer) {
    return answer.mistake ? QString::fromStdString(answer.mistake->str()) : QString();
}

}  // namespace

class TestMaskAnswer : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theRightAnswerIsOneHundredPercent() {
        for (const Task& task : kTasks) {
            const auto answer = check_answer(maskOf(kSize, task.allowed), answerOf(task.expression));
            QCOMPARE(answer.wrong, 0);
            QCOMPARE(answer.percent(), 100.0);
            QVERIFY(!answer.mistake);
        }
    }

    void theInverseIsNamed() {
        for (const Task& task : kTasks) {
            const auto painted = maskOf(kSize, [&](auto i, auto j) { return !task.allowed(i, j); });
            const auto answer = check_answer(painted, answerOf(task.expression));
            QCOMPARE(answer.wrong, kSize * kSize);
            QCOMPARE(answer.percent(), 0.0);
            QVERIFY2(mistake(answer).startsWith(QStringLiteral("inverted")), task.expression);
        }
    }

    void theTransposeIsNamed() {
        int named = 0;
        for (const Task& task : kTasks) {
            const auto painted = maskOf(kSize, [&](auto i, auto j) { return task.allowed(j, i); });
            const auto answer = check_answer(painted, answerOf(task.expression));
            if (answer.right()) continue;  // a symmetric mask
            QVERIFY2(mistake(answer).startsWith(QStringLiteral("transposed")), task.expression);
            ++named;
        }
        QCOMPARE(named, 6);
    }

    /// What comes in from outside is painted as it may be: allowed, masked, or as the rule goes on.
    void shiftsByOneAreNamed() {
        struct Shift {
            std::int64_t queries, keys;
            const char* name;
        };
        const Shift shifts[] = {{0, 1, "right"}, {0, -1, "left"}, {1, 0, "down"}, {-1, 0, "up"}};
        for (const Task& task : kTasks)
            for (const Shift& shift : shifts)
                for (const int outside : {0, 1, 2}) {
                    const auto painted = maskOf(kSize, [&](auto i, auto j) {
                        const auto from_i = i - shift.queries, from_j = j - shift.keys;
                        const bool inside = from_i >= 0 && from_i < kSize && from_j >= 0 && from_j < kSize;
                        return inside || outside == 2 ? task.allowed(from_i, from_j) : outside == 1;
                    });
                    const auto answer = check_answer(painted, answerOf(task.expression));
                    if (answer.right()) continue;  // the mask is the same in this direction
                    QVERIFY2(answer.mistake, qPrintable(QStringLiteral("%1 %2").arg(QLatin1String(task.expression),
                                                                                    QLatin1String(shift.name))));
                    QVERIFY(mistake(answer).contains(QStringLiteral("shifted")) ||
                            mistake(answer).contains(QStringLiteral("transposed")));
                }
    }

    /// For a mask that is the same in no direction the name is exact.
    void theDirectionOfAShiftIsNamed() {
        const auto rule = [](std::int64_t i, std::int64_t j) { return (3 * i + 5 * j + i * j) % 7 < 3; };
        const auto right = maskOf(kSize, rule);
        const std::pair<std::pair<int, int>, const char*> names[] = {
            {{0, 1}, "shifted by one key to the right"},
            {{0, -1}, "shifted by one key to the left"},
            {{1, 0}, "shifted down by one query"},
            {{-1, 0}, "shifted up by one query"},
            {{1, 1}, "shifted forward by one token along the diagonal"},
            {{-1, -1}, "shifted back by one token along the diagonal"}};
        for (const auto& [shift, name] : names) {
            const auto painted = maskOf(kSize, [&](auto i, auto j) {
                const auto from_i = i - shift.first, from_j = j - shift.second;
                return from_i >= 0 && from_i < kSize && from_j >= 0 && from_j < kSize && rule(from_i, from_j);
            });
            QCOMPARE(mistake(check_answer(painted, right)), QLatin1String(name));
        }
    }

    void aRandomAnswerCountsItsWrongCellsExactly() {
        std::mt19937 random(11);
        for (const Task& task : kTasks)
            for (int round = 0; round < 20; ++round) {
                std::vector<std::uint8_t> wrong(kSize * kSize);
                std::int64_t count = 0;
                const auto painted = maskOf(kSize, [&](auto i, auto j) {
                    const bool flip = random() % 3 == 0;
                    wrong[static_cast<std::size_t>(i * kSize + j)] = flip;
                    count += flip;
                    return task.allowed(i, j) != flip;
                });
                const auto answer = check_answer(painted, answerOf(task.expression));
                QCOMPARE(answer.wrong, count);
                QCOMPARE(answer.wrong_cells, wrong);
                QCOMPARE(answer.percent(), 100.0 * static_cast<double>(81 - count) / 81);
                QVERIFY(!answer.mistake);
            }
    }

    void anAnswerForAnotherLengthIsFitted() {
        const auto painted = maskOf(4, [](auto i, auto j) { return j <= i; });
        QCOMPARE(check_answer(painted, maskOf(3, [](auto i, auto j) { return j <= i; })).wrong, 0);
        // what lies outside the painted cells is allowed: 8 + 8 cells of the fifth row and column, of which 4 are
        // masked
        QCOMPARE(check_answer(painted, maskOf(5, [](auto i, auto j) { return j <= i; })).wrong, 4);
    }

    void pointsOfWeightMoved() {
        QCOMPARE(points_moved({0.5, 0.5}, {0.5, 0.5}), 0.0);
        QCOMPARE(points_moved({1, 0}, {0, 1}), 100.0);
        QCOMPARE(points_moved({0.5, 0.25, 0.25}, {0.25, 0.5, 0.25}), 25.0);
        QVERIFY(std::isnan(points_moved({0.5}, {std::nan("")})));
    }
};

QTEST_GUILESS_MAIN(TestMaskAnswer)
#include "tst_mask_answer.moc"
