// SPDX-License-Identifier: GPL-3.0-or-later
// What heads do, measured: against the definitions, on heads that do one thing.
#include <cmath>
#include <functional>

#include "core/explain/recorded_head.h"
#include "recordings.h"
#include "support.h"

using namespace headscope;
using namespace headscope::testing;

namespace {

/// Rows of a head, by query and key.
using Weight = std::function<double(std::int64_t, std::int64_t)>;

HeadMeasures measured(const std::vector<std::string>& tokens, const Weight& weight) {
    const Batch batch = make_batch({tokens});
    const std::int64_t size = batch.sequence_length();
    HeadMeasurer measurer(batch, 0);
    std::vector<float> row(static_cast<std::size_t>(size));
    for (std::int64_t i = 0; i < size; ++i) {
        for (std::int64_t j = 0; j < size; ++j) row[static_cast<std::size_t>(j)] = static_cast<float>(weight(i, j));
        measurer.add(i, row.data());
    }
    return measurer.measures();
}

const std::vector<std::string> kText = {"[CLS]", "a", "b", "c", "a", "b", "d", "[SEP]"};

}  // namespace

class TestHeadMeasures : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void headsThatDoOneThing_data() {
        QTest::addColumn<int>("measure");
        QTest::addColumn<Weight>("weight");
        const auto row = [](const char* name, HeadMeasure measure, const Weight& weight) {
            QTest::newRow(name) << static_cast<int>(measure) << weight;
        };
        const std::int64_t size = std::ssize(kText);
        const auto at = [](std::int64_t i) { return kText[static_cast<std::size_t>(i)]; };
        row("previous", HeadMeasure::Previous, [](auto i, auto j) { return j == std::max<std::int64_t>(i - 1, 0); });
        row("next", HeadMeasure::Next, [=](auto i, auto j) { return j == std::min<std::int64_t>(i + 1, size - 1); });
        row("itself", HeadMeasure::Itself, [](auto i, auto j) { return i == j; });
        row("separator", HeadMeasure::Separator, [=](auto, auto j) { return j == size - 1; });
        row("first", HeadMeasure::Separator, [](auto, auto j) { return j == 0; });  // [CLS] is both
        row("broad", HeadMeasure::Broad, [=](auto, auto) { return 1.0 / double(size); });
        row("broad and causal", HeadMeasure::Broad, [](auto i, auto j) { return j <= i ? 1.0 / double(i + 1) : 0; });
        row("duplicate", HeadMeasure::Duplicate, [=](auto i, auto j) {
            const bool again = i == 4 || i == 5;
            return again ? j == i - 3 : j == size - 2;
        });
        row("induction", HeadMeasure::Induction, [=](auto i, auto j) {
            const bool again = i == 4 || i == 5;
            return again ? j == i - 2 : j == size - 2;
        });
        row("same word", HeadMeasure::SameWord, [=](auto i, auto j) {
            const bool repeated = at(i) == "a" || at(i) == "b";
            return repeated ? j != i && at(j) == at(i) && i < j : j == size - 2;
        });
    }
    void headsThatDoOneThing() {
        QFETCH(int, measure);
        QFETCH(Weight, weight);
        const HeadMeasures measures = measured(kText, weight);
        QVERIFY(measures.name());
        QCOMPARE(static_cast<int>(*measures.name()), measure);
        QVERIFY(measures.of(*measures.name()) >= 0.5 && measures.of(*measures.name()) <= 1 + 1e-6);
    }

    void theMeansAreThoseOfTheDefinitions() {
        const auto numbers = random_attention({1, 8, 8}, 7);
        const HeadMeasures m = measured(kText, [&](auto i, auto j) { return numbers.value(i * 8 + j); });
        const auto w = [&](int i, int j) { return double(float(numbers.value(i * 8 + j))); };
        double previous = 0, next = 0, itself = 0, first = 0, separator = 0, broad = 0;
        for (int i = 0; i < 8; ++i) {
            if (i > 0) previous += w(i, i - 1) / 7;
            if (i < 7) next += w(i, i + 1) / 7;
            itself += w(i, i) / 8;
            first += w(i, 0) / 8;
            separator += (w(i, 0) + w(i, 7)) / 8;
            double entropy = 0;
            for (int j = 0; j < 8; ++j) entropy -= w(i, j) * std::log2(w(i, j));
            broad += (std::exp2(entropy) - 1) / 7 / 8;
        }
        const std::pair<HeadMeasure, double> expected[] = {
            {HeadMeasure::Previous, previous},
            {HeadMeasure::Next, next},
            {HeadMeasure::Itself, itself},
            {HeadMeasure::First, first},
            {HeadMeasure::Separator, separator},
            {HeadMeasure::Broad, broad},
            {HeadMeasure::SameWord, (w(1, 4) + w(4, 1) + w(2, 5) + w(5, 2)) / 4},
            {HeadMeasure::Duplicate, (w(4, 1) + w(5, 2)) / 2},
            {HeadMeasure::Induction, (w(4, 2) + w(5, 3)) / 2}};
        for (const auto& [measure, value] : expected)
            QVERIFY2(std::fabs(m.of(measure) - value) < 1e-6,
                     head_measure_types()[static_cast<std::size_t>(measure)].word);
        QVERIFY(!m.name() || m.of(*m.name()) >= 0.5);
    }

    void whatIsNotDefinedHasNoNumber() {
        const HeadMeasures one = measured({"a"}, [](auto, auto) { return 1; });
        for (const HeadMeasure measure : {HeadMeasure::Previous, HeadMeasure::Next, HeadMeasure::SameWord,
                                          HeadMeasure::Induction, HeadMeasure::Separator, HeadMeasure::Broad})
            QVERIFY(std::isnan(one.of(measure)));
        QCOMPARE(one.of(HeadMeasure::Itself), 1.0);
        QVERIFY(one.name() == HeadMeasure::Itself);
    }

    /// Rows of zeros, NaN and padding do not count, and rows that don't sum to 1 are counted.
    void rowsThatDoNotCount() {
        const auto weight = [](std::int64_t i, std::int64_t j) {
            if (i == 1) return 0.0;
            if (i == 2) return std::nan("");
            return i == 3 ? 0.3 * (j == 3) : double(j == i);
        };
        const HeadMeasures m = measured({"a", "b", "c", "d", "[PAD]"}, weight);
        QCOMPARE(m.all_rows, 4);
        QCOMPARE(m.rows, 2);
        QCOMPARE(m.not_one, 3);
        QVERIFY(std::fabs(m.of(HeadMeasure::Itself) - 0.65) < 1e-6);
    }

    void everyMeasureHasItsRow() {
        QCOMPARE(head_measure_types().size(), kHeadMeasures);
        for (std::size_t n = 0; n < kHeadMeasures; ++n) {
            const HeadMeasureType& type = head_measure_types()[n];
            QCOMPARE(static_cast<std::size_t>(type.measure), n);
            QVERIFY(parse_head_measure(type.word) == type.measure);
        }
        QVERIFY(!parse_head_measure("mixed"));
    }

    /// A recording is read once; the thumbnail has the largest weight of each part.
    void aRecordedHead() {
        const Scratch scratch;
        const Tensor numbers = random_attention({2, 3, 100, 100});
        const auto recording =
            Recording::open(scratch.write("r", encode_safetensors(recording_file(numbers, some_tokens(100)))));
        VERIFY_RESULT(recording);
        const auto head = look_at_head(**recording, {1, 0, 2}, 40);
        VERIFY_RESULT(head);
        QCOMPARE(head->side, 40);
        std::vector<float> expected(1600, 0);
        for (std::int64_t i = 0; i < 100; ++i)
            for (std::int64_t j = 0; j < 100; ++j) {
                float& cell = expected[static_cast<std::size_t>(i * 40 / 100 * 40 + j * 40 / 100)];
                cell = std::max(cell, static_cast<float>(numbers.value(((1 * 3 + 2) * 100 + i) * 100 + j)));
            }
        QCOMPARE(head->thumbnail, expected);
        QCOMPARE(head->measures.rows, 100);
        QCOMPARE(look_at_head(**recording, {0, 0, 0}, 400)->side, 100);
        const std::atomic<bool> cancel = true;
        QCOMPARE(code_of(look_at_head(**recording, {0, 0, 0}, 40, &cancel)), std::optional(ErrorCode::Cancelled));
    }

    /// Three thirds of bfloat16 are 1.00195, which only another format would call wrong; thrice 0.336 is too much.
    void roundingOfTheFileIsNoError() {
        const Scratch scratch;
        const auto not_one = [&](const char* name, std::uint16_t weight) {
            FileTensor attention{"BF16", {1, 3, 3}, {}};
            for (int n = 0; n < 9; ++n)
                for (const int shift : {0, 8})
                    attention.bytes.push_back(static_cast<std::uint8_t>(weight >> shift & 0xff));
            const TensorFile file{{{"attention", attention}}, {}};
            const auto recording = Recording::open(scratch.write(name, encode_safetensors(file)));
            return look_at_head(*recording.value(), {}, 3)->measures.not_one;
        };
        QCOMPARE(not_one("third", 0x3eab), 0);
        QCOMPARE(not_one("more", 0x3eac), 3);
        QCOMPARE(measured({"a", "b", "c"}, [](auto, auto) { return 0.333984375; }).not_one, 3);
    }
};

QTEST_GUILESS_MAIN(TestHeadMeasures)
#include "tst_head_measures.moc"
