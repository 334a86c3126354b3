// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/masks/mask.h"

#include <QTemporaryDir>
#include <QTest>
#include <cstdlib>
#include <random>

#include "core/files/mask_file.h"
#include "core/masks/random_keys.h"
#include "support.h"

using namespace headscope;
using namespace headscope::testing;

namespace {

/// docs/conventions.md 2 to 4 once more, in other words than the program's.
bool naive(const MaskPattern& p, std::int64_t i, std::int64_t j, const Batch& batch, std::int64_t b) {
    const std::int64_t distance = std::abs(i - j);
    const auto number = [&](std::size_t n) { return p.numbers.at(n); };
    switch (p.kind) {
        case MaskPattern::Kind::Padding:
            return batch.tokens[b][j] != "[PAD]";
        case MaskPattern::Kind::Causal:
            return !(j > i);
        case MaskPattern::Kind::Local:
            return distance <= number(j < i ? 0 : 1);
        case MaskPattern::Kind::Strided:
            return distance < number(0) || distance % number(0) == 0;
        case MaskPattern::Kind::Dilated:
            return distance % number(2) == 0 && distance / number(2) <= number(j < i ? 0 : 1);
        case MaskPattern::Kind::Global:
            return std::min(i, j) < number(0);
        case MaskPattern::Kind::Block:
            return (i - i % number(0)) == (j - j % number(0));
        case MaskPattern::Kind::Prefix:
            return j < number(0);
        case MaskPattern::Kind::Documents: {
            const auto document = [&](std::int64_t token) {
                std::size_t n = 0;
                for (; n < p.numbers.size() && token >= p.numbers[n]; ++n) token -= p.numbers[n];
                return n;
            };
            return document(i) == document(j);
        }
        case MaskPattern::Kind::Random: {  // every key, in the order of the permutation
            const RandomKeys keys(number(1), i, batch.sequence_length());
            for (std::int64_t n = 0; n < std::min(number(0), batch.sequence_length()); ++n) {
                if (keys.key(n) == j) return true;
            }
            return false;
        }
        case MaskPattern::Kind::Logarithmic: {
            std::int64_t power = 1;
            while (power < distance) power *= 2;
            return distance == 0 || power == distance;
        }
        case MaskPattern::Kind::File:
        case MaskPattern::Kind::Painted:
            return p.painted->cells[i * p.painted->size + j] == 1;
    }
    return false;
}

bool naive(const MaskExpression& mask, std::int64_t i, std::int64_t j, const Batch& batch, std::int64_t b) {
    bool all = true;
    for (const auto& layer : mask.layers) {
        bool any = false;
        for (const auto& pattern : layer) any |= naive(pattern, i, j, batch, b);
        all &= any;
    }
    return all;
}

/// "10000 11000 ..."
QString rows(const MaskPtr& mask, std::int64_t sequence = 0) {
    QStringList text;
    for (std::int64_t i = 0; i < mask->size(); ++i) {
        QString row;
        for (std::int64_t j = 0; j < mask->size(); ++j) row += mask->allowed(sequence, i, j) ? u'1' : u'0';
        text << row;
    }
    return text.join(u' ');
}

MaskPattern painted(std::int64_t size, std::vector<std::uint8_t> cells) {
    return {.kind = MaskPattern::Kind::File,
            .path = "p.npy",
            .painted = std::make_shared<PaintedMask>(PaintedMask{size, std::move(cells)})};
}

}  // namespace

class TestMask : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void masksOfFiveTokens_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("cells");
        const std::pair<const char*, const char*> cases[] = {
            {"none", "11111 11111 11111 11111 11111"},
            {"causal", "10000 11000 11100 11110 11111"},
            {"local:1:0", "10000 11000 01100 00110 00011"},
            {"local:0:0", "10000 01000 00100 00010 00001"},
            {"local:0:2", "11100 01110 00111 00011 00001"},
            {"local:2147483647:2147483647", "11111 11111 11111 11111 11111"},
            {"strided:1", "11111 11111 11111 11111 11111"},
            {"strided:2", "11101 11110 11111 01111 10111"},
            {"strided:3,causal", "10000 11000 11100 11110 01111"},
            {"dilated:1:1:2", "10100 01010 10101 01010 00101"},
            {"dilated:2:0:2", "10000 01000 10100 01010 10101"},
            {"dilated:2147483647:2147483647:2147483647", "10000 01000 00100 00010 00001"},
            {"global:1", "11111 10000 10000 10000 10000"},
            {"global:9", "11111 11111 11111 11111 11111"},
            {"block:2", "11000 11000 00110 00110 00001"},
            {"prefix:2", "11000 11000 11000 11000 11000"},
            {"causal+prefix:3", "11100 11100 11100 11110 11111"},
            {"prefix:2147483647", "11111 11111 11111 11111 11111"},
            {"documents:2:1", "11000 11000 00100 00011 00011"},
            {"documents:2", "11000 11000 00111 00111 00111"},
            {"documents:9:9", "11111 11111 11111 11111 11111"},
            {"documents:1:1:1:1:1", "10000 01000 00100 00010 00001"},
            {"causal,documents:2147483647:2147483647:2147483647", "10000 11000 11100 11110 11111"},
            {"random:5:1", "11111 11111 11111 11111 11111"},
            {"random:2147483647:2147483647", "11111 11111 11111 11111 11111"},
            {"logarithmic", "11101 11110 11111 01111 10111"},
            {"causal,logarithmic", "10000 11000 11100 01110 10111"},
            {"causal,local:1:0+global:1", "10000 11000 11100 10110 10011"},
            {"block:2,global:1", "11000 10000 00000 00000 00000"},
            {"padding", "11100 11100 11100 11100 11100"},
            {"padding,causal", "10000 11000 11100 11100 11100"},
            {"padding+causal", "11100 11100 11100 11110 11111"},
        };
        for (const auto& [text, cells] : cases)
            QTest::newRow(text) << QString::fromUtf8(text) << QString::fromUtf8(cells);
    }
    void masksOfFiveTokens() {
        QFETCH(QString, text);
        QFETCH(QString, cells);
        const MaskPtr mask = build_mask(text.toStdString(), batch_of_lengths({3}, 5));
        QVERIFY(mask);
        QCOMPARE(rows(mask), cells);
    }

    void everyPatternAtEveryLength() {
        std::mt19937 random(4);
        const auto number = [&](int least) { return least + static_cast<int>(random() % 6); };
        for (std::int64_t size = 1; size <= 17; ++size) {
            const Batch batch = batch_of_lengths({size, size / 2, 0}, size);
            for (int round = 0; round < 40; ++round) {
                std::vector<std::uint8_t> cells(static_cast<std::size_t>(size * size));
                for (auto& cell : cells) cell = random() % 2;
                const MaskPattern patterns[] = {
                    {.kind = MaskPattern::Kind::Padding},
                    {.kind = MaskPattern::Kind::Causal},
                    {.kind = MaskPattern::Kind::Local, .numbers = {number(0), number(0)}},
                    {.kind = MaskPattern::Kind::Strided, .numbers = {number(1)}},
                    {.kind = MaskPattern::Kind::Dilated, .numbers = {number(0), number(0), number(1)}},
                    {.kind = MaskPattern::Kind::Global, .numbers = {number(1)}},
                    {.kind = MaskPattern::Kind::Block, .numbers = {number(1)}},
                    {.kind = MaskPattern::Kind::Prefix, .numbers = {number(1)}},
                    {.kind = MaskPattern::Kind::Documents, .numbers = {number(1), number(1)}},
                    {.kind = MaskPattern::Kind::Random, .numbers = {number(1), number(1)}},
                    {.kind = MaskPattern::Kind::Logarithmic},
                    painted(size, cells)};
                MaskExpression expression;
                for (std::size_t layer = random() % 4; layer > 0; --layer) {
                    auto& joined = expression.layers.emplace_back();
                    for (int p = 1 + static_cast<int>(random() % 3); p > 0; --p)
                        joined.push_back(patterns[random() % std::size(patterns)]);
                }
                const auto mask = Mask::build(expression, batch);
                VERIFY_RESULT(mask);
                checkAgainstNaive(**mask, expression, batch);
            }
        }
    }

    void randomKeysAreAPermutation() {
        for (const std::int64_t size : {1, 2, 5, 16, 17, 200}) {
            for (const std::int64_t seed : {1, 2, 2147483647}) {
                for (std::int64_t query = 0; query < size; query += 7) {
                    const RandomKeys keys(seed, query, size);
                    std::vector<int> seen(static_cast<std::size_t>(size));
                    for (std::int64_t n = 0; n < size; ++n) {
                        const std::int64_t key = keys.key(n);
                        QVERIFY(key >= 0 && key < size);
                        ++seen[static_cast<std::size_t>(key)];
                        QCOMPARE(keys.place(key), n);
                    }
                    QCOMPARE(std::count(seen.begin(), seen.end(), 1), size);
                }
            }
        }
    }

    /// Each key is as likely as another: of 4000 queries with 3 of 20 keys, 600 a key with a deviation of 23.
    void randomKeysAreEvenlySpread() {
        std::vector<int> taken(20);
        for (std::int64_t seed = 1; seed <= 200; ++seed) {
            for (std::int64_t query = 0; query < 20; ++query) {
                const RandomKeys keys(seed, query, 20);
                for (std::int64_t n = 0; n < 3; ++n) ++taken[static_cast<std::size_t>(keys.key(n))];
            }
        }
        for (const int count : taken) QVERIFY2(count > 480 && count < 720, qPrintable(QString::number(count)));
    }

    /// The same cells on every machine and in every version: these were computed by the Python code.
    void randomKeysStay() {
        const MaskPtr mask = build_mask("random:2:1", batch_of_lengths({6}, 6));
        QCOMPARE(rows(mask), QStringLiteral("100001 000101 000011 110000 110000 110000"));
        for (std::int64_t i = 0; i < 6; ++i) QCOMPARE(mask->allowed_in_row(0, i), 2);
        QVERIFY(!(*mask == *build_mask("random:2:2", batch_of_lengths({6}, 6))));
    }

    void paddingIsSharedWhereItIsTheSame() {
        const Batch equal = batch_of_lengths({4, 4, 4}, 6), different = batch_of_lengths({4, 3}, 6);
        QVERIFY(build_mask("padding", equal)->shared_by_batch());
        QVERIFY(!build_mask("padding", different)->shared_by_batch());
        QVERIFY(build_mask("causal", different)->shared_by_batch());
        QCOMPARE(rows(build_mask("padding", equal), 2), rows(build_mask("padding", batch_of_lengths({4}, 6))));
        // A typed [PAD] is padding too: a hole, and padding on the left.
        const Batch holes = make_batch({{"[PAD]", "a", "[PAD]", "b"}, {"c"}});
        QCOMPARE(rows(build_mask("padding", holes), 0), QStringLiteral("0101 0101 0101 0101"));
        QCOMPARE(rows(build_mask("padding", holes), 1), QStringLiteral("1000 1000 1000 1000"));
    }

    void batchesAreFilledUp() {
        const Batch batch = make_batch({{"a", "b", "c"}, {}, {"d"}});
        QCOMPARE(batch.size(), 3);
        QCOMPARE(batch.sequence_length(), 3);
        QCOMPARE(batch.tokens[1], (std::vector<std::string>{"[PAD]", "[PAD]", "[PAD]"}));
        QCOMPARE(batch.real, (std::vector<std::uint8_t>{1, 1, 1, 0, 0, 0, 1, 0, 0}));
        QVERIFY(batch.is_real(2, 0) && !batch.is_real(2, 1));
        QCOMPARE(make_batch({}).sequence_length(), 0);
        QCOMPARE(make_batch({{}, {}}).sequence_length(), 0);
        QCOMPARE(make_batch({{}, {}}).size(), 2);
    }

    void accounts() {
        const MaskPtr mask = build_mask("padding,causal", batch_of_lengths({4, 0}, 4));
        QCOMPARE(mask->allowed_cells(0), 10);
        QCOMPARE(mask->allowed_in_row(0, 2), 3);
        QVERIFY(mask->fully_masked_rows(0).empty());
        QCOMPARE(mask->allowed_cells(1), 0);
        QCOMPARE(mask->fully_masked_rows(1), (std::vector<std::int64_t>{0, 1, 2, 3}));
        QVERIFY(!mask->all_allowed());
        QVERIFY(build_mask("none", batch_of_lengths({4, 0}, 4))->all_allowed());
        QVERIFY(build_mask("global:4", batch_of_lengths({4, 0}, 4))->all_allowed());
    }

    void textReadsBack_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("canonical");
        for (const char* text : {"none",
                                 "padding",
                                 "causal",
                                 "local:0:0",
                                 "local:4:7",
                                 "strided:3",
                                 "dilated:1:2:3",
                                 "global:1",
                                 "block:12",
                                 "causal,local:4:0+global:1",
                                 "padding+causal,block:2+global:1,strided:2",
                                 "prefix:4",
                                 "documents:4",
                                 "documents:4:3:2147483647",
                                 "random:3:7",
                                 "logarithmic",
                                 "file:mask.npy",
                                 "file:a b.csv",
                                 R"(file:a\,b\+c\\d.npy,causal)",
                                 "file:/x/y:z.npy+causal",
                                 "local:2147483647:0"}) {
            QTest::newRow(text) << QString::fromUtf8(text) << QString::fromUtf8(text);
        }
        QTest::newRow("spaces") << QStringLiteral(" causal , local:1:0 + global:1 ")
                                << QStringLiteral("causal,local:1:0+global:1");
        QTest::newRow("zeros") << QStringLiteral("local:01:00") << QStringLiteral("local:1:0");
        QTest::newRow("backslash") << QStringLiteral(R"(file:a\b.npy)") << QStringLiteral(R"(file:a\\b.npy)");
        QTest::newRow("backslash at the end") << QStringLiteral(R"(file:a\)") << QStringLiteral(R"(file:a\\)");
    }
    void textReadsBack() {
        QFETCH(QString, text);
        QFETCH(QString, canonical);
        const auto mask = parse_mask(text.toStdString());
        VERIFY_RESULT(mask);
        QCOMPARE(QString::fromStdString(to_string(*mask)), canonical);
        QVERIFY(parse_mask(to_string(*mask)).value() == *mask);
    }

    void partsAreWhatTheySay() {
        const MaskExpression mask = parse_mask(R"(causal,dilated:1:2:3+file:a\,b,padding)").value();
        QCOMPARE(mask.layers.size(), std::size_t{3});
        const MaskPattern& dilated = mask.layers[1][0];
        QVERIFY(dilated.kind == MaskPattern::Kind::Dilated && dilated.numbers == std::vector<std::int64_t>({1, 2, 3}));
        QCOMPARE(mask.layers[1][1].path, std::string("a,b"));
        QVERIFY(mask.uses_padding());
        QVERIFY(!parse_mask("causal").value().uses_padding());
        QVERIFY(!(parse_mask("causal").value() == parse_mask("causal,causal").value()));
        QVERIFY(!(parse_mask("local:1:0").value() == parse_mask("local:0:1").value()));
    }

    void malformedTextIsAnswered_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("sentence");
        const std::pair<const char*, const char*> cases[] = {
            {"local:-1:0",
             "mask 'local:-1:0': LEFT is -1, but must be 0 or more; write local:LEFT:RIGHT, as in local:2:0"},
            {"local:0:-2",
             "mask 'local:0:-2': RIGHT is -2, but must be 0 or more; write local:LEFT:RIGHT, as in local:2:0"},
            {"strided:0", "mask 'strided:0': N is 0, but must be 1 or more; write strided:N, as in strided:4"},
            {"dilated:1:1:0",
             "mask 'dilated:1:1:0': STEP is 0, but must be 1 or more; write dilated:LEFT:RIGHT:STEP, as in "
             "dilated:2:2:2"},
            {"global:0", "mask 'global:0': N is 0, but must be 1 or more; write global:N, as in global:1"},
            {"block:-9999999999999999999999",
             "mask 'block:-9999999999999999999999': N is -9999999999999999999999, but must be 1 or more; write "
             "block:N, as in block:4"},
            {"block:9999999999999999999999",
             "mask 'block:9999999999999999999999': N is 9999999999999999999999, but can be 2147483647 at most"},
            {"local:2147483648:0", "mask 'local:2147483648:0': LEFT is 2147483648, but can be 2147483647 at most"},
            {"local:1", "mask 'local:1' lacks a number; write local:LEFT:RIGHT, as in local:2:0"},
            {"local:1:2:3", "mask 'local:1:2:3' has too many numbers; write local:LEFT:RIGHT, as in local:2:0"},
            {"causal:1", "mask 'causal:1': causal takes no number; write causal"},
            {"local:a:b", "mask 'local:a:b': 'a' is not a whole number; write local:LEFT:RIGHT, as in local:2:0"},
            {"local::0", "mask 'local::0': '' is not a whole number; write local:LEFT:RIGHT, as in local:2:0"},
            {"strided:2.5", "mask 'strided:2.5': '2.5' is not a whole number; write strided:N, as in strided:4"},
            {"strided:+2", nullptr},
            {"strided: 2", "mask 'strided: 2': ' 2' is not a whole number; write strided:N, as in strided:4"},
            {"strided:0x2", "mask 'strided:0x2': '0x2' is not a whole number; write strided:N, as in strided:4"},
            {"strided:-0", "mask 'strided:-0': '-0' is not a whole number; write strided:N, as in strided:4"},
            {"block:-00", "mask 'block:-00': '-00' is not a whole number; write block:N, as in block:4"},
            {"global:-", "mask 'global:-': '-' is not a whole number; write global:N, as in global:1"},
            {"local:-0:0", "mask 'local:-0:0': '-0' is not a whole number; write local:LEFT:RIGHT, as in local:2:0"},
            {"strided:00", "mask 'strided:00': N is 00, but must be 1 or more; write strided:N, as in strided:4"},
            {"block:--1", "mask 'block:--1': '--1' is not a whole number; write block:N, as in block:4"},
            {"prefix:0", "mask 'prefix:0': N is 0, but must be 1 or more; write prefix:N, as in prefix:3"},
            {"documents", "mask 'documents' lacks a number; write documents:L1:L2:..., as in documents:4"},
            {"documents:4:0",
             "mask 'documents:4:0': L is 0, but must be 1 or more; write documents:L1:L2:..., as in documents:4"},
            {"documents:4::",
             "mask 'documents:4::': '' is not a whole number; write documents:L1:L2:..., as in documents:4"},
            {"random:3", "mask 'random:3' lacks a number; write random:N:SEED, as in random:2:1"},
            {"random:3:-0", "mask 'random:3:-0': '-0' is not a whole number; write random:N:SEED, as in random:2:1"},
            {"logarithmic:2", "mask 'logarithmic:2': logarithmic takes no number; write logarithmic"},
            {"file:", "mask 'file:' names no file; write file:PATH, as in file:mask.npy"},
            {"file", "mask 'file' names no file; write file:PATH, as in file:mask.npy"},
            {"none,causal", "mask 'none,causal': none stands alone; leave it out beside other patterns"},
            {"causal+none", "mask 'causal+none': none stands alone; leave it out beside other patterns"},
            {"foo", nullptr},
            {"Causal", nullptr},
            {"causal;padding", nullptr},
            {"--seed", nullptr},
            {"causal,,padding", nullptr},
            {",causal", nullptr},
            {"causal,", nullptr},
            {"causal+", nullptr},
            {"+", nullptr},
            {",", nullptr},
            {"", nullptr},
            {"   ", nullptr},
            {"causal, ,padding", nullptr}};
        for (const auto& [text, sentence] : cases)
            QTest::newRow(text) << QString::fromUtf8(text) << QString::fromUtf8(sentence);
    }
    void malformedTextIsAnswered() {
        QFETCH(QString, text);
        QFETCH(QString, sentence);
        const auto mask = parse_mask(text.toStdString());
        QVERIFY(!mask);
        QCOMPARE(code_of(mask), ErrorCode::InvalidMask);
        const QString message = QString::fromStdString(mask.error().message());
        if (!sentence.isEmpty()) QCOMPARE(message, sentence);
        QVERIFY(message.contains(u"mask"));
        // What was typed and what would be right both stand in it.
        QVERIFY(message.contains(text.trimmed()) || text.contains(u'+'));
    }

    void aPaintedMaskMustFit() {
        const Batch batch = batch_of_lengths({3}, 3);
        const auto wrong = Mask::build({{{painted(2, {1, 1, 0, 1})}}}, batch);
        QVERIFY(!wrong);
        QCOMPARE(code_of(wrong), ErrorCode::InvalidMask);
        QCOMPARE(wrong.error().message(),
                 std::string("the mask file 'p.npy' is 2x2, but the sequences have the length 3; it must be 3x3"));
        // Cells that are fewer than they say, or were never read, are refused too.
        QVERIFY(!Mask::build({{{painted(3, {1, 1, 0, 1})}}}, batch));
        QCOMPARE(code_of(Mask::build(parse_mask("file:x.npy").value(), batch)), ErrorCode::InvalidMask);
        QVERIFY(Mask::build({{{painted(3, {1, 0, 0, 0, 0, 0, 1, 1, 1})}}}, batch).has_value());
    }

    void filesAreLoaded() {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("a,b+c.csv"));  // both need a backslash
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("1,0\n1,1\n");
        file.close();
        QString escaped = path;
        escaped.replace(u',', QStringLiteral("\\,")).replace(u'+', QStringLiteral("\\+"));
        const auto mask = load_mask_files(parse_mask("file:" + escaped.toStdString() + "+global:9,causal").value());
        VERIFY_RESULT(mask);
        QCOMPARE(*mask->layers[0][0].painted, (PaintedMask{2, {1, 0, 1, 1}}));
        QVERIFY(!mask->layers[0][1].painted);
        // Cells that are there already are not read again.
        QVERIFY(QFile::remove(path));
        QVERIFY(load_mask_files(*mask).value() == *mask);
        const auto missing = load_mask_files(parse_mask("causal,file:" + escaped.toStdString()).value());
        QCOMPARE(code_of(missing), ErrorCode::FileMissing);
        QVERIFY(missing.error().message().find("a,b+c.csv") != std::string::npos);
    }

    void equality() {
        const MaskPattern a = painted(1, {1}), b = painted(1, {1}), c = painted(1, {0});
        QVERIFY(a == b);
        QVERIFY(!(a == c));
        const Batch batch = batch_of_lengths({4}, 4);
        QVERIFY(*build_mask("causal", batch) == *build_mask("local:9:0", batch));
        QVERIFY(!(*build_mask("causal", batch) == *build_mask("local:1:0", batch)));
    }

    void fourThousandTokens() {
        const std::int64_t size = 4096;
        const MaskPtr mask = build_mask("causal,local:256:0+global:16", batch_of_lengths({size}, size));
        // Causal rows: i + 1 keys up to 272, then 16 global ones and 257 of the window.
        std::int64_t expected = 0;
        for (std::int64_t i = 0; i < size; ++i) expected += i < 272 ? i + 1 : 16 + 257;
        // The first 16 queries see all of their past anyway.
        QCOMPARE(mask->allowed_cells(0), expected);
    }

private:
    static void checkAgainstNaive(const Mask& mask, const MaskExpression& expression, const Batch& batch) {
        std::int64_t all = 0;
        for (std::int64_t b = 0; b < batch.size(); ++b) {
            std::int64_t allowed = 0;
            for (std::int64_t i = 0; i < mask.size(); ++i) {
                std::int64_t in_row = 0;
                for (std::int64_t j = 0; j < mask.size(); ++j) {
                    if (mask.allowed(b, i, j) != naive(expression, i, j, batch, b)) {
                        QFAIL(qPrintable(QStringLiteral("%1 at sequence %2, query %3, key %4")
                                             .arg(QString::fromStdString(to_string(expression)))
                                             .arg(b)
                                             .arg(i)
                                             .arg(j)));
                    }
                    in_row += mask.row(b, i)[j];
                }
                QCOMPARE(mask.allowed_in_row(b, i), in_row);
                allowed += in_row;
            }
            QCOMPARE(mask.allowed_cells(b), allowed);
            all += allowed;
        }
        QCOMPARE(mask.all_allowed(), all == batch.size() * mask.size() * mask.size());
    }
};

QTEST_APPLESS_MAIN(TestMask)
#include "tst_mask.moc"
