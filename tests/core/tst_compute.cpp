// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/compute.h"

#include <QTest>
#include <cmath>
#include <limits>

#include "core/attention/chunks.h"
#include "core/attention/stages.h"
#include "core/base/config.h"
#include "requests.h"

using namespace headscope;
using namespace headscope::testing;

class TestCompute : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void tenSteps_data() {
        QTest::addColumn<WeightSource>("source");
        QTest::newRow("textbook") << WeightSource::Textbook;
        QTest::newRow("seed") << WeightSource::Seed;
    }
    void tenSteps() {
        QFETCH(WeightSource, source);
        Request request = small(source);
        request.mask = mask_of("padding,causal");
        const TracePtr t = traced(request);
        QVERIFY(t);
        const Dims d = t->dims();
        QCOMPARE(d, (Dims{2, 6, 24, 4}));
        for (const Stage stage : kAllStages) {
            if (t->tensor(stage) && stage != Stage::Heads) QCOMPARE(t->tensor(stage)->shape(), stage_shape(stage, d));
        }
        // Each step follows from the one before, by the stages themselves.
        const Layer& layer = *t->layer;
        COMPARE_NUMBERS(*t->qkv, stages::project(*t->x, layer.qkv_weight, layer.qkv_bias, request.precision), 0);
        const stages::Heads heads = stages::split_heads(*t->qkv, 4);
        COMPARE_NUMBERS(*t->q, heads.q, 0);
        COMPARE_NUMBERS(*t->k, heads.k, 0);
        COMPARE_NUMBERS(*t->v, heads.v, 0);
        COMPARE_NUMBERS(*t->scores, stages::scores(*t->q, *t->k, {}, request.precision), 0);
        // Weights and context are the engine's, and so differ in rounding.
        COMPARE_NUMBERS(*t->weights, stages::weights(*t->scores, t->mask, request.fill, request.precision), 1e-6);
        COMPARE_NUMBERS(*t->head_context,
                        stages::head_context(*t->weights, *t->v, t->mask, request.fill, request.precision), 1e-6);
        COMPARE_NUMBERS(*t->context, stages::concatenate(*t->head_context), 0);
        COMPARE_NUMBERS(*t->output, stages::project(*t->context, layer.out_weight, layer.out_bias, request.precision),
                        0);
        QCOMPARE(t->computed.size(), std::size(kAllStages));
        QVERIFY(t->milliseconds >= 0);
    }

    void aTokenKeepsItsVector() {
        const TracePtr t = traced(small());
        const auto row = [&](std::int64_t n) { return t->x->reshaped({12, 24}).part(n, 1); };
        COMPARE_NUMBERS(row(4), row(0), 0);   // "the" twice
        COMPARE_NUMBERS(row(10), row(9), 0);  // [PAD]
        QVERIFY(!differs(row(1), row(0), 1e-3).isEmpty());
    }

    void rowsAreChecked() {
        Request request = small();
        request.mask = mask_of("padding,local:0:0");  // queries 3, 4 and 5 of the second sequence see nothing
        for (const Fill fill : {Fill::Safe, Fill::Inf, Fill::MinusBillion}) {
            request.fill = fill;
            const TracePtr t = traced(request);
            QCOMPARE(t->row_check.rows, 2 * 4 * 6);
            QCOMPARE(t->row_check.fully_masked, 4 * 3);
            QCOMPARE(t->row_check.sum_to_one, fill == Fill::MinusBillion ? 4 * 12 : 4 * 9);  // uniform rows too
            QCOMPARE(t->row_check.not_finite, 0);
            QVERIFY(t->row_check.largest_error < 1e-6);
            // An empty row's output is the bias of out_proj, NaN, or an average.
            const double empty = t->output->value((6 + 4) * 24);
            if (fill == Fill::Safe) QCOMPARE(empty, t->layer->out_bias.value(0));
            if (fill == Fill::Inf) QVERIFY(std::isnan(empty));
            if (fill == Fill::MinusBillion) {
                QCOMPARE(t->matrix(Stage::Weights, 1, 2).at(4, 0), static_cast<double>(1.0F / 6));
            }
        }
    }

    void everyPrecisionSumsToOne() {
        Request request = small(WeightSource::Textbook);
        request.embed_dim = 64;
        request.batch = words({std::vector<std::string>(200, "word"), {"a", "b"}});
        for (const auto precision : {Precision::Float32, Precision::Float64, Precision::BFloat16, Precision::Float16}) {
            request.precision = precision;
            for (const std::optional<std::int64_t> keys :
                 {std::optional<std::int64_t>(), std::optional<std::int64_t>(7)}) {
                request.key_chunk_size = keys;
                const TracePtr t = traced(request);
                QCOMPARE(t->row_check.sum_to_one, t->row_check.rows);
                QVERIFY(t->row_check.largest_error <= (is_half(precision) ? 0.02 : 1e-5));
            }
        }
    }

    void affectedRowsAreReported() {
        Request request = from_file(true);
        auto file = std::make_shared<LayerFile>(*request.file);
        file->x = filled(Tensor::Type::Float64, file->x->shape(), [&](std::int64_t n) {
            return n == 2 * 24 ? std::numeric_limits<double>::quiet_NaN() : request.file->x->value(n);
        });
        request.file = file;
        request.mask = mask_of("causal");
        const TracePtr t = traced(request);
        QCOMPARE(t->row_check.not_finite, 4 * 4);  // queries 2 to 5 of sequence 0 see token 2
        QCOMPARE(t->row_check.sum_to_one, 2 * 4 * 6 - 16);
        QVERIFY(std::isfinite(t->output->value(1 * 24)));
        QVERIFY(std::isnan(t->output->value(3 * 24)));
        QVERIFY(std::isfinite(t->output->value((6 + 3) * 24)));
    }

    void chunksGiveWhatIsShown() {
        Request request = small();
        request.mask = mask_of("padding,causal");
        for (const auto& [chunk, keys] :
             {std::pair<std::int64_t, std::optional<std::int64_t>>{2, {}}, {4, 3}, {6, 1}}) {
            request.chunk_size = chunk;
            request.key_chunk_size = keys;
            const TracePtr t = traced(request);
            COMPARE_NUMBERS(*t->weights, stages::weights(*t->scores, t->mask, request.fill, request.precision), 1e-6);
            const ChunkBytes bytes = chunk_bytes(t->dims(), request.precision, chunk, keys).value();
            QCOMPARE(t->bytes_chunked, bytes.sum());
            QCOMPARE(t->bytes_running, bytes.running);
            QVERIFY(t->bytes_chunked != t->bytes_whole);
            QCOMPARE(t->bytes_whole, std::uint64_t{2 * 4 * 6 * 6 * 4});
            // The difference from the whole is the largest of the outputs, and within the rounding.
            Request whole = request;
            whole.chunk_size = whole.key_chunk_size = std::nullopt;
            const TracePtr w = traced(whole);
            double largest = 0;
            for (std::int64_t n = 0; n < t->output->size(); ++n) {
                largest = std::max(largest, std::fabs(t->output->value(n) - w->output->value(n)));
            }
            QCOMPARE(t->chunk_difference, largest);
            QVERIFY(largest < 1e-5);
            QCOMPARE(w->chunk_difference, 0.0);
            QCOMPARE(w->bytes_chunked, w->bytes_whole);
        }
        request.fill = Fill::Inf;
        request.mask = mask_of("padding,local:0:0");  // NaN rows are the same in both
        QVERIFY(traced(request)->chunk_difference < 1e-5);
    }

    void edges_data() {
        QTest::addColumn<Request>("request");
        const auto row = [](const char* name, const std::function<void(Request&)>& change) {
            Request request = small();
            change(request);
            QTest::newRow(name) << request;
        };
        row("one token", [](Request& r) { r.batch = words({{"a"}}); });
        row("one head", [](Request& r) { r.num_heads = 1; });
        row("a head a dimension", [](Request& r) { r.num_heads = r.embed_dim; });
        row("one number a token", [](Request& r) { r.embed_dim = r.num_heads = 1; });
        row("an empty line", [](Request& r) {
            r.batch = words({{"a", "b"}, {}});
            r.mask = mask_of("padding");
        });
        row("512 sequences", [](Request& r) {
            r.batch = words(std::vector<std::vector<std::string>>(512, {"a", "b"}));
        });
        row("a token of 100,000 bytes", [](Request& r) { r.batch = words({{std::string(100000, 'x'), "b"}}); });
        row("1000 tokens", [](Request& r) {
            r.batch = words({std::vector<std::string>(1000, "x")});
            r.num_heads = 1;
        });
        row("one key a chunk", [](Request& r) { r.chunk_size = r.key_chunk_size = 1; });
        row("scale 0", [](Request& r) { r.scale = 0; });
        row("negative scale", [](Request& r) { r.scale = -1; });
        row("seed 2^64 - 1", [](Request& r) { r.seed = ~std::uint64_t{0}; });
    }
    void edges() {
        QFETCH(Request, request);
        for (const auto source : {WeightSource::Seed, WeightSource::Textbook}) {
            for (const auto precision :
                 {Precision::Float32, Precision::Float64, Precision::BFloat16, Precision::Float16}) {
                request.source = source;
                request.precision = precision;
                const TracePtr t = traced(request);
                QVERIFY(t);
                QCOMPARE(t->row_check.sum_to_one + t->row_check.fully_masked, t->row_check.rows);
                QCOMPARE(t->output->shape(), stage_shape(Stage::Output, request.dims()));
                for (std::int64_t n = 0; n < t->output->size(); ++n) QVERIFY(std::isfinite(t->output->value(n)));
            }
        }
    }

    void large_data() {
        QTest::addColumn<qint64>("tokens");
        QTest::addColumn<qint64>("embed_dim");
        QTest::newRow("S = 4096") << qint64{4096} << qint64{8};
        QTest::newRow("E = 4096") << qint64{3} << qint64{4096};
    }
    void large() {
        QFETCH(qint64, tokens);
        QFETCH(qint64, embed_dim);
        Request request = small();
        request.embed_dim = embed_dim;
        request.num_heads = 1;
        request.chunk_size = std::nullopt;
        request.mask = mask_of("causal");
        request.batch = words({std::vector<std::string>(tokens, "word")});
        const TracePtr t = traced(request);
        QVERIFY(t);
        QCOMPARE(t->row_check.sum_to_one, tokens);
    }

    void float64WidensTheDraws() {
        Request request = small();
        const TracePtr narrow = traced(request);
        request.precision = Precision::Float64;
        const TracePtr wide = traced(request);
        COMPARE_NUMBERS(*wide->x, *narrow->x, 0);
        COMPARE_NUMBERS(wide->used_layer->qkv_weight, narrow->layer->qkv_weight, 0);
        QCOMPARE(wide->output->type(), Tensor::Type::Float64);
        COMPARE_NUMBERS(*wide->output, *narrow->output, 1e-5);
    }

    void filesHoldTheirOwnX() {
        const Request with = from_file(true);
        const TracePtr t = traced(with);
        QVERIFY(t);
        COMPARE_NUMBERS(*t->x, with.file->x->converted(Tensor::Type::Float32), 0);
        Request without = from_file(false);
        Request seeded = small();
        without.seed = seeded.seed = 9;
        COMPARE_NUMBERS(*traced(without)->x, *traced(seeded)->x, 0);  // the tokens' own vectors
        // A token's label doesn't change the file's x.
        Request renamed = with;
        renamed.batch.tokens[0][0] = "other";
        QCOMPARE(traced(renamed, t)->x, t->x);
    }
};

QTEST_APPLESS_MAIN(TestCompute)
#include "tst_compute.moc"
