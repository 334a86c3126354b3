// SPDX-License-Identifier: GPL-3.0-or-later
// compute() of a recording: its weights, renormalised under a mask, against the definition.
#include <limits>

#include "core/attention/region.h"
#include "core/attention/row_reader.h"
#include "core/explain/cell_account.h"
#include "recordings.h"
#include "requests.h"

using namespace headscope;
using namespace headscope::testing;

namespace {

constexpr std::int64_t kLayers = 2, kHeads = 3, kSize = 9;

}  // namespace

class TestRecorded : public QObject {
    Q_OBJECT
    Scratch scratch_;
    const Tensor numbers_ = random_attention({kLayers, kHeads, kSize, kSize});

    Request request(std::int64_t layer, const char* mask = "none", Fill fill = Fill::Safe) const {
        Request request;
        request.source = WeightSource::Recording;
        request.recording =
            *Recording::open(scratch_.write("r", encode_safetensors(recording_file(numbers_, some_tokens(kSize)))));
        request.recorded_layer = layer;
        request.num_heads = request.embed_dim = kHeads;
        request.batch = request.recording->batch();
        request.precision = Precision::Float64;
        request.mask = parse_heads(mask).value();
        request.fill = fill;
        return request;
    }
    double number(std::int64_t layer, std::int64_t head, std::int64_t i, std::int64_t j) const {
        return numbers_.value(((layer * kHeads + head) * kSize + i) * kSize + j);
    }
    /// The weight by its definition.
    double expected(const Trace& trace, std::int64_t head, std::int64_t i, std::int64_t j) const {
        const Request& r = trace.request;
        if (trace.mask.of(head).all_allowed()) return number(r.recorded_layer, head, i, j);
        double sum = 0;
        for (std::int64_t key = 0; key < kSize; ++key)
            if (trace.mask.of(head).allowed(0, i, key)) sum += number(r.recorded_layer, head, i, key);
        if (trace.mask.of(head).allowed_in_row(0, i) == 0)
            return r.fill == Fill::Safe ? 0 : r.fill == Fill::Inf ? std::nan("") : 1.0 / kSize;
        return trace.mask.of(head).allowed(0, i, j) ? number(r.recorded_layer, head, i, j) / sum : 0;
    }

private Q_SLOTS:
    void weights_data() {
        QTest::addColumn<QString>("mask");
        QTest::addColumn<int>("fill");
        for (const char* mask : {"none", "causal", "local:1:0", "prefix:2", "strided:3,causal",
                                 "head 0: causal; other heads: none", "head 1: local:1:0; other heads: prefix:2"})
            for (const int fill : {0, 1, 2}) QTest::addRow("%s %d", mask, fill) << QString::fromLatin1(mask) << fill;
    }
    void weights() {
        QFETCH(QString, mask);
        QFETCH(int, fill);
        for (std::int64_t layer = 0; layer < kLayers; ++layer) {
            Request asked = request(layer, mask.toLatin1().constData(), static_cast<Fill>(fill));
            const auto kept = compute(asked);
            VERIFY_RESULT(kept);
            asked.kept_bytes = 1;  // nothing fits: rows and regions are read from the file
            const auto read = compute(asked);
            VERIFY_RESULT(read);
            QVERIFY((*kept)->weights && !(*read)->weights);
            for (std::int64_t head = 0; head < kHeads; ++head) {
                const auto edges = even_edges(0, kSize, 4);
                const Region whole{.head = head, .row_edges = edges, .column_edges = edges};
                const auto a = region(**kept, whole), b = region(**read, whole);
                VERIFY_RESULT(a);
                VERIFY_RESULT(b);
                for (std::size_t n = 0; n < a->values.size(); ++n)
                    QVERIFY(near(a->values[n], b->values[n], 1e-15) && a->states[n] == b->states[n]);
                for (std::int64_t i = 0; i < kSize; ++i) {
                    const auto row = row_of(**read, Stage::Weights, 0, head, i);
                    for (std::int64_t j = 0; j < kSize; ++j) {
                        const double weight = expected(**kept, head, i, j);
                        QVERIFY(near((*kept)->matrix(Stage::Weights, 0, head).at(i, j), weight, 1e-15));
                        QVERIFY(near(row[static_cast<std::size_t>(j)], weight, 1e-15));
                    }
                }
            }
        }
    }

    /// A painted mask without an allowed key in row 2.
    void fully_masked_rows() {
        for (const Fill fill : {Fill::Safe, Fill::Inf, Fill::MinusBillion}) {
            Request asked = request(0, "none", fill);
            auto painted = std::make_shared<PaintedMask>(PaintedMask{kSize, std::vector<std::uint8_t>(81, 1)});
            std::fill_n(painted->cells.begin() + 2 * kSize, kSize, std::uint8_t{0});
            MaskPattern pattern{MaskPattern::Kind::Painted};
            pattern.painted = painted;
            asked.mask = MaskExpression{{{pattern}}};
            const auto trace = compute(asked);
            VERIFY_RESULT(trace);
            QCOMPARE((*trace)->row_check.fully_masked, kHeads);
            QCOMPARE((*trace)->row_check.rows, kHeads * kSize);
            for (std::int64_t j = 0; j < kSize; ++j)
                QVERIFY(near((*trace)->matrix(Stage::Weights, 0, 1).at(2, j), expected(**trace, 1, 2, j), 1e-15));
        }
    }

    void rules_of_scores_are_refused() {
        for (const char* mask : {"alibi", "causal,softcap:3", "sink:0", "head 0: rope; other heads: none"}) {
            const auto trace = compute(request(0, mask));
            QVERIFY2(!trace, mask);
            QCOMPARE(trace.error().code, ErrorCode::InvalidMask);
            QVERIFY(trace.error().message().find("a recording has only weights") != std::string::npos);
        }
    }

    void rows_that_do_not_sum_to_1_are_counted() {
        Tensor rough = random_attention({1, kSize, kSize}).converted(Tensor::Type::Float32);
        rough.data<float>()[4] += 0.25F;                                           // row 0
        rough.data<float>()[kSize + 1] = std::numeric_limits<float>::quiet_NaN();  // row 1
        Request asked = request(0);
        asked.recording = *Recording::open(scratch_.write("rough", encode_safetensors(recording_file(rough))));
        asked.num_heads = asked.embed_dim = 1;
        asked.batch = asked.recording->batch();
        asked.precision = Precision::Float32;
        const auto trace = compute(asked);
        VERIFY_RESULT(trace);
        QCOMPARE((*trace)->row_check.rows, kSize);
        QCOMPARE((*trace)->row_check.sum_to_one, kSize - 2);
        QCOMPARE((*trace)->row_check.not_finite, 1);
        QVERIFY(std::fabs((*trace)->row_check.largest_error - 0.25) < 1e-6);
    }

    void what_did_not_change_is_reused() {
        Request asked = request(0, "causal");
        const auto first = compute(asked);
        VERIFY_RESULT(first);
        asked.scale = 0.5;  // means nothing here
        const auto same = compute(asked, *first);
        VERIFY_RESULT(same);
        QCOMPARE((*same)->weights, (*first)->weights);
        QCOMPARE((*same)->row_check.sum_to_one, (*first)->row_check.sum_to_one);
        asked.recorded_layer = 1;
        const auto other = compute(asked, *same);
        VERIFY_RESULT(other);
        QVERIFY((*other)->weights != (*first)->weights && (*other)->mask.same_objects((*first)->mask));
        // And nothing is taken for the numbers of a layer that is computed.
        const auto layer = compute(small(), *other);
        VERIFY_RESULT(layer);
        QVERIFY((*layer)->q && (*layer)->weights != (*other)->weights);
        QVERIFY(compute(asked, *layer));
    }

    void only_weights_and_the_mask_are_there() {
        const auto trace = compute(request(1));
        VERIFY_RESULT(trace);
        for (const Stage stage : kAllStages) {
            const bool there = stage == Stage::Weights || stage == Stage::Mask;
            QCOMPARE(has_stage((*trace)->request, stage), there);
            QCOMPARE(has_rows(**trace, stage, 0, 0), there);
            QCOMPARE(bool((*trace)->matrix(stage, 0, 0)), there);
        }
    }

    void a_row_is_not_explained() {
        const auto trace = compute(request(1));
        VERIFY_RESULT(trace);
        VERIFY_ERROR(row_account(**trace, 0, 0, 0), ErrorCode::Unsupported, "only weights", "the layer");
        VERIFY_ERROR(cell_account(**trace, 0, 0, 0, 0), ErrorCode::Unsupported, "only weights", "the layer");
    }

    void what_contradicts_the_recording_is_refused() {
        for (const auto& change : std::vector<std::function<void(Request&)>>{
                 [](Request& r) { r.recorded_layer = kLayers; }, [](Request& r) { r.recorded_layer = -1; },
                 [](Request& r) { r.num_heads = r.embed_dim = 4; }, [](Request& r) { r.batch = words(); },
                 [](Request& r) { r.recording = nullptr; }}) {
            Request asked = request(0);
            change(asked);
            QVERIFY(!compute(asked));
        }
    }
};

QTEST_GUILESS_MAIN(TestRecorded)
#include "tst_recorded.moc"
