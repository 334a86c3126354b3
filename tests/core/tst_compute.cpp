// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compute.h"

#include <QTest>
#include <cmath>
#include <limits>
#include <random>
#include <thread>

#include "core/chunked.h"
#include "core/memory.h"
#include "core/rounding.h"
#include "core/stages.h"
#include "support.h"

using namespace headscope;
using namespace headscope::testing;

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr Stage kAllStages[] = {Stage::X,           Stage::Qkv,    Stage::Heads, Stage::Q,      Stage::K,
                                Stage::V,           Stage::Scores, Stage::Mask,  Stage::Masked, Stage::Weights,
                                Stage::HeadContext, Stage::Concat, Stage::Output};

Batch words(const std::vector<std::vector<std::string>>& lines = {{"the", "cat", "sat", "on", "the", "mat"},
                                                                  {"a", "dog", "ran"}}) {
    return make_batch(lines);
}

Request small(WeightSource source = WeightSource::Seed) {
    Request request;
    request.batch = words();
    request.embed_dim = 24;
    request.num_heads = 4;
    request.source = source;
    return request;
}

MaskExpression mask_of(const char* text) {
    return parse_mask(text).value();
}

/// A layer as a file would hold it, interleaved, with an x of its own where one is wanted.
LayerFilePtr layer_file(std::int64_t embed_dim, const Batch& batch, bool with_x, std::uint32_t seed) {
    std::mt19937 random(seed);
    auto file = std::make_shared<LayerFile>();
    file->path = "layer.safetensors";
    file->embed_dim = embed_dim;
    file->layout = Layout::Interleaved;
    const auto draw = [&](const Shape& shape) { return random_tensor(Tensor::Type::Float64, shape, random, 0.4); };
    file->fused_weight = draw({3 * embed_dim, embed_dim});
    file->fused_bias = draw({3 * embed_dim});
    file->out_weight = draw({embed_dim, embed_dim});
    file->out_bias = draw({embed_dim});
    if (with_x) file->x = draw({batch.size(), batch.sequence_length(), embed_dim});
    file->batch = batch;
    return file;
}

Request from_file(bool with_x, std::uint32_t seed = 1) {
    Request request = small(WeightSource::File);
    request.file = layer_file(request.embed_dim, request.batch, with_x, seed);
    return request;
}

TracePtr traced(const Request& request, const TracePtr& previous = nullptr) {
    const auto trace = compute(request, previous);
    if (!trace) {
        qWarning("%s", trace.error().message().c_str());
        return nullptr;
    }
    return *trace;
}

QString same_numbers(const Trace& a, const Trace& b) {
    const std::pair<const char*, std::pair<TensorPtr, TensorPtr>> tensors[] = {
        {"x", {a.x, b.x}},
        {"qkv", {a.qkv, b.qkv}},
        {"q", {a.q, b.q}},
        {"k", {a.k, b.k}},
        {"v", {a.v, b.v}},
        {"scores", {a.scores, b.scores}},
        {"weights", {a.weights, b.weights}},
        {"context", {a.head_context, b.head_context}},
        {"concat", {a.context, b.context}},
        {"output", {a.output, b.output}}};
    for (const auto& [name, pair] : tensors) {
        const QString difference = differs(*pair.first, *pair.second, 0);
        if (!difference.isEmpty()) return QString::fromUtf8(name) + u' ' + difference;
    }
    if (!(*a.mask == *b.mask)) return QStringLiteral("mask");
    if (a.first_kept != b.first_kept) return QStringLiteral("first_kept");
    if (a.row_check.rows != b.row_check.rows || a.row_check.sum_to_one != b.row_check.sum_to_one ||
        a.row_check.empty != b.row_check.empty || a.row_check.not_finite != b.row_check.not_finite ||
        a.row_check.largest_error != b.row_check.largest_error) {
        return QStringLiteral("row check");
    }
    if (a.bytes_whole != b.bytes_whole || a.bytes_chunked != b.bytes_chunked) return QStringLiteral("bytes");
    if (a.chunk_difference != b.chunk_difference) return QStringLiteral("chunk difference");
    return {};
}

std::vector<Stage> passed_on(const Trace& trace) {
    std::vector<Stage> stages;
    for (const Stage stage : kAllStages) {
        if (std::find(trace.computed.begin(), trace.computed.end(), stage) == trace.computed.end())
            stages.push_back(stage);
    }
    return stages;
}

}  // namespace

class TestCompute : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void cleanup() { set_memory_limit_for_tests(0); }

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
        COMPARE_NUMBERS(*t->weights, stages::weights(*t->scores, *t->mask, request.fill, request.precision), 0);
        COMPARE_NUMBERS(*t->head_context,
                        stages::head_context(*t->weights, *t->v, *t->mask, request.fill, request.precision), 0);
        COMPARE_NUMBERS(*t->context, stages::concatenate(*t->head_context), 0);
        COMPARE_NUMBERS(*t->output, stages::project(*t->context, layer.out_weight, layer.out_bias, request.precision),
                        0);
        QCOMPARE(passed_on(*t), std::vector<Stage>());
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
            QCOMPARE(t->row_check.empty, 4 * 3);
            QCOMPARE(t->row_check.sum_to_one, 4 * 9);
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

    void matricesOfATrace() {
        Request request = small();
        request.mask = mask_of("causal");
        const TracePtr t = traced(request);
        const MatrixView q = t->matrix(Stage::Q, 1, 3);
        QCOMPARE(q.rows, 6);
        QCOMPARE(q.columns, 6);
        QCOMPARE(q.at(2, 5), t->q->value(((1 * 4 + 3) * 6 + 2) * 6 + 5));
        QVERIFY(!q.mask && !q.fill);
        const MatrixView heads = t->matrix(Stage::Heads, 1, 3);
        QCOMPARE(heads.columns, 18);
        for (std::int64_t d = 0; d < 6; ++d) {
            QCOMPARE(heads.at(2, d), q.at(2, d));
            QCOMPARE(heads.at(2, 6 + d), t->matrix(Stage::K, 1, 3).at(2, d));
            QCOMPARE(heads.at(2, 12 + d), t->matrix(Stage::V, 1, 3).at(2, d));
        }
        QCOMPARE(t->matrix(Stage::X, 1, 0).columns, 24);
        QCOMPARE(t->matrix(Stage::Qkv, 1, 99).at(5, 71), t->qkv->value(12 * 72 - 1));  // the head doesn't matter
        const MatrixView weights = t->matrix(Stage::Weights, 0, 1);
        QVERIFY(weights.masked(0, 1) && !weights.masked(1, 0));
        QCOMPARE(weights.at(0, 1), 0.0);
        QCOMPARE(weights.at(0, 0), 1.0);
        const MatrixView masked = t->matrix(Stage::Masked, 0, 1);
        QCOMPARE(masked.at(0, 1), -kInf);
        QCOMPARE(masked.at(1, 0), t->matrix(Stage::Scores, 0, 1).at(1, 0));
        QVERIFY(std::isfinite(t->matrix(Stage::Scores, 0, 1).at(0, 1)));
        const MatrixView mask = t->matrix(Stage::Mask, 0, 0);
        QVERIFY(!mask.data);
        QCOMPARE(mask.at(0, 1), 0.0);
        QCOMPARE(mask.at(1, 1), 1.0);
        QVERIFY(!t->matrix(Stage::Weights, 2, 0));
        QVERIFY(!t->matrix(Stage::Weights, -1, 0));
        QVERIFY(!t->matrix(Stage::Weights, 0, 4));
        QVERIFY(!t->matrix(Stage::Q, 0, -1));
        QCOMPARE(t->identity(Stage::Heads), t->identity(Stage::Qkv));
        QVERIFY(!t->identity(Stage::Mask) && !t->identity(Stage::Masked));
        request.fill = Fill::MinusBillion;
        request.precision = Precision::BFloat16;
        QCOMPARE(traced(request)->matrix(Stage::Masked, 0, 1).at(0, 1), -998244352.0);
    }

    void stagesHaveNames() {
        for (const Stage stage : kAllStages) QCOMPARE(parse_stage(to_string(stage)).value(), stage);
        QVERIFY(!parse_stage("Weights"));
        QCOMPARE(to_string(Stage::HeadContext), std::string_view("context"));
        Request request = small();
        request.embed_dim = 512;
        request.num_heads = 8;
        QCOMPARE(pytorch_line(Stage::Scores, request), std::string("q @ k.transpose(-2, -1) / sqrt(64)"));
        QCOMPARE(pytorch_line(Stage::K, request), std::string("heads[..., 64:128].transpose(1, 2)"));
        QCOMPARE(pytorch_line(Stage::Masked, request), std::string("scores.masked_fill(mask == 0, -inf)"));
        request.fill = Fill::MinusBillion;
        QCOMPARE(pytorch_line(Stage::Masked, request), std::string("scores.masked_fill(mask == 0, -1e9)"));
        request.precision = Precision::BFloat16;
        QCOMPARE(pytorch_line(Stage::Masked, request), std::string("scores.masked_fill(mask == 0, -998244352)"));
        request.scale = 0.25;
        QCOMPARE(pytorch_line(Stage::Scores, request), std::string("q @ k.transpose(-2, -1) * 0.25"));
        for (const Stage stage : kAllStages) QVERIFY(!pytorch_line(stage, request).empty());
    }

    // What is passed on is the very object, and the result is what a fresh computation gives.

    void passingOn_data() {
        using Change = std::function<void(Request&)>;
        QTest::addColumn<Change>("change");
        QTest::addColumn<QString>("same");
        const auto row = [](const char* name, const char* same, Change change) {
            QTest::newRow(name) << change << QString::fromUtf8(same);
        };
        const char* all = "x qkv heads q k v scores mask masked weights context concat output";
        row("nothing", all, [](Request&) {});
        row("chunks that change nothing", all, [](Request& r) { r.chunk_size = 6; });
        row("the shown sequence", all, [](Request& r) { r.kept_sequence = 1; });
        row("another text for the same cells", all, [](Request& r) { r.mask = mask_of("causal,local:9:0"); });
        row("mask", "x qkv heads q k v scores", [](Request& r) { r.mask = mask_of("padding"); });
        row("fill", "x qkv heads q k v scores mask", [](Request& r) { r.fill = Fill::MinusBillion; });
        row("scale", "x qkv heads q k v mask", [](Request& r) { r.scale = 0.1; });
        row("chunk size", "x qkv heads q k v scores mask masked", [](Request& r) { r.chunk_size = 2; });
        row("key chunk size", "x qkv heads q k v scores mask masked", [](Request& r) { r.key_chunk_size = 2; });
        row("num_heads", "x qkv mask", [](Request& r) { r.num_heads = 6; });
        row("seed", "mask", [](Request& r) { r.seed = 1; });
        row("embed_dim", "mask", [](Request& r) { r.embed_dim = 48; });
        row("precision", "mask", [](Request& r) { r.precision = Precision::BFloat16; });
        row("a token", "mask", [](Request& r) { r.batch.tokens[0][2] = "lay"; });
        row("source", "mask", [](Request& r) { r.source = WeightSource::Textbook; });
        row("a longer line", "", [](Request& r) { r.batch = words({{"a", "b", "c", "d", "e", "f", "g"}, {}}); });
    }
    void passingOn() {
        QFETCH(std::function<void(Request&)>, change);
        QFETCH(QString, same);
        Request request = small();
        request.mask = mask_of("causal");
        const TracePtr before = traced(request);
        change(request);
        const TracePtr after = traced(request, before);
        QVERIFY(before && after);
        QStringList kept;
        for (const Stage stage : passed_on(*after)) {
            kept << QString::fromStdString(std::string(to_string(stage)));
            QCOMPARE(after->identity(stage), before->identity(stage));
        }
        QCOMPARE(kept.join(u' '), same);
        for (const Stage stage : after->computed) {
            if (stage == Stage::Heads) continue;  // the same numbers cut elsewhere: qkv's
            if (after->identity(stage)) QVERIFY(after->identity(stage) != before->identity(stage));
        }
        QCOMPARE(after->mask == before->mask, same.contains(QStringLiteral("mask")));
        const QString difference = same_numbers(*after, *traced(request));
        QVERIFY2(difference.isEmpty(), qPrintable(difference));
    }

    void seededWeightsSurviveOtherHeads() {
        Request request = small();
        const TracePtr before = traced(request);
        request.num_heads = 3;
        const TracePtr after = traced(request, before);
        QCOMPARE(after->layer->num_heads, 3);
        QCOMPARE(after->layer->qkv_weight.data<float>(), before->layer->qkv_weight.data<float>());
        request.precision = Precision::Float16;  // the drawn numbers stay; what is computed with is rounded anew
        const TracePtr half = traced(request, after);
        QCOMPARE(half->layer, after->layer);
        QVERIFY(half->used_layer->qkv_weight.data<float>() != after->used_layer->qkv_weight.data<float>());
    }

    void aHundredChangesInARow() {
        std::mt19937 random(31);
        Request request = small();
        TracePtr trace = traced(request);
        const LayerFilePtr files[] = {layer_file(24, request.batch, true, 1), layer_file(24, request.batch, false, 2)};
        const char* masks[] = {"none", "causal", "padding", "padding,causal", "local:1:0", "global:1+local:0:0"};
        const std::function<void()> changes[] = {
            [&] { request.mask = mask_of(masks[random() % 6]); },
            [&] { request.fill = static_cast<Fill>(random() % 3); },
            [&] { request.num_heads = std::vector<int>{1, 2, 3, 4, 6, 8, 12, 24}[random() % 8]; },
            [&] { request.chunk_size = random() % 2 ? std::optional<std::int64_t>(1 + random() % 8) : std::nullopt; },
            [&] {
                request.key_chunk_size = random() % 2 ? std::optional<std::int64_t>(1 + random() % 8) : std::nullopt;
            },
            [&] { request.precision = static_cast<Precision>(random() % 4); },
            [&] { request.scale = random() % 2 ? std::optional<double>(0.5) : std::nullopt; },
            [&] { request.seed = random() % 2; },
            [&] {
                request.source = static_cast<WeightSource>(random() % 3);
                request.file = files[random() % 2];
            },
            [&] {
                request.batch.tokens[random() % 2][0] = std::vector<std::string>{"the", "a", "one"}[random() % 3];
            },
        };
        for (int step = 0; step < 300; ++step) {
            changes[random() % std::size(changes)]();
            const TracePtr next = traced(request, trace);
            QVERIFY(next);
            const QString difference = same_numbers(*next, *traced(request));
            QVERIFY2(difference.isEmpty(), qPrintable(QStringLiteral("step %1: ").arg(step) + difference));
            trace = next;
        }
    }

    void chunksGiveWhatIsShown() {
        Request request = small();
        request.mask = mask_of("padding,causal");
        for (const auto& [chunk, keys] :
             {std::pair<std::int64_t, std::optional<std::int64_t>>{2, {}}, {4, 3}, {6, 1}}) {
            request.chunk_size = chunk;
            request.key_chunk_size = keys;
            const TracePtr t = traced(request);
            const auto parts = chunked_attention(*t->q, *t->k, *t->v, *t->mask, request.fill, {}, request.precision,
                                                 chunk, keys, true, nullptr);
            COMPARE_NUMBERS(*t->head_context, parts->context, 0);
            COMPARE_NUMBERS(*t->weights, parts->weights, 0);
            QCOMPARE(t->bytes_chunked, parts->peak_bytes);
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

    void onlyOneSequenceIsKept() {
        // 600 tokens, 8 heads, 24 sequences: 276 MB of scores if all were kept.
        Request request;
        request.source = WeightSource::Seed;
        request.embed_dim = request.num_heads = 8;
        for (std::int64_t b = 0; b < 24; ++b) {
            std::vector<std::string> line;
            for (std::int64_t j = 0; j < 600 - b; ++j) line.push_back(fmt::format("w{}", (b * 7 + j) % 50));
            request.batch.tokens.push_back(line);
        }
        request.batch = make_batch(request.batch.tokens);
        request.mask = mask_of("padding,local:40:0");
        request.kept_sequence = 5;
        request.chunk_size = std::nullopt;
        const TracePtr t = traced(request);
        QVERIFY(t);
        QCOMPARE(t->first_kept, 5);
        QCOMPARE(t->weights->shape(), (Shape{1, 8, 600, 600}));
        QVERIFY(!t->matrix(Stage::Weights, 4, 0) && !t->matrix(Stage::Scores, 6, 0));
        QVERIFY(t->matrix(Stage::Weights, 5, 7) && t->matrix(Stage::Q, 4, 0));
        QCOMPARE(t->row_check.rows, 24 * 8 * 600);
        QCOMPARE(t->row_check.sum_to_one + t->row_check.empty, t->row_check.rows);

        // Every sequence is what it would be alone.
        for (const std::int64_t b : {0, 5, 23}) {
            Request alone = request;
            alone.batch.tokens = {request.batch.tokens[b]};
            alone.batch.real.assign(request.batch.real.begin() + b * 600, request.batch.real.begin() + (b + 1) * 600);
            const TracePtr one = traced(alone);
            COMPARE_NUMBERS(t->output->part(b, 1), *one->output, 1e-6);
            if (b == 5) COMPARE_NUMBERS(*t->weights, *one->weights, 1e-6);
        }
        // Another sequence to look at: scores and weights of that one only.
        request.kept_sequence = 23;
        const TracePtr other = traced(request, t);
        QCOMPARE(other->computed, (std::vector<Stage>{Stage::Scores, Stage::Masked, Stage::Weights}));
        QCOMPARE(other->first_kept, 23);
        QCOMPARE(other->output, t->output);
        QCOMPARE(other->row_check.rows, t->row_check.rows);
        request.kept_sequence = 99;  // the last there is
        QCOMPARE(traced(request, other)->first_kept, 23);

        request.chunk_size = 256;
        request.kept_sequence = 5;
        const TracePtr chunks = traced(request, other);
        COMPARE_NUMBERS(*chunks->weights, *t->weights, 1e-6);
        COMPARE_NUMBERS(*chunks->output, *t->output, 1e-6);
        QCOMPARE(chunks->row_check.sum_to_one, t->row_check.sum_to_one);
        request.kept_sequence = 6;
        QCOMPARE(traced(request, chunks)->computed, (std::vector<Stage>{Stage::Scores, Stage::Masked, Stage::Weights}));
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
                QCOMPARE(t->row_check.sum_to_one + t->row_check.empty, t->row_check.rows);
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

    // Errors.

    void errors_data() {
        QTest::addColumn<Request>("request");
        QTest::addColumn<ErrorCode>("code");
        QTest::addColumn<QString>("sentence");
        const auto row = [](const char* name, ErrorCode code, const char* sentence,
                            const std::function<void(Request&)>& change) {
            Request request = small();
            change(request);
            QTest::newRow(name) << request << code << QString::fromUtf8(sentence);
        };
        const char* no_tokens = "there is no token to attend to; type some words, a line per sequence";
        row("no sequence", ErrorCode::NoTokens, no_tokens, [](Request& r) { r.batch = {}; });
        row("empty sequences", ErrorCode::NoTokens, no_tokens, [](Request& r) { r.batch = words({{}, {}}); });
        row("heads", ErrorCode::InvalidPair,
            "embed_dim 24 is not divisible by num_heads 5; the nearest legal num_heads is 4, the nearest legal "
            "embed_dim is "
            "25",
            [](Request& r) { r.num_heads = 5; });
        row("no heads", ErrorCode::InvalidValue, "num_heads is 0, with embed_dim 24; it must be at least 1",
            [](Request& r) { r.num_heads = 0; });
        row("chunk", ErrorCode::InvalidValue, "chunk size is 0; it must be at least 1, or whole",
            [](Request& r) { r.chunk_size = 0; });
        row("key chunk", ErrorCode::InvalidValue, "key chunk size is -4; it must be at least 1, or whole",
            [](Request& r) { r.key_chunk_size = -4; });
        row("scale", ErrorCode::InvalidValue, "scale is inf; it must be auto or a finite number",
            [](Request& r) { r.scale = kInf; });
        row("scale NaN", ErrorCode::InvalidValue, "scale is nan; it must be auto or a finite number",
            [](Request& r) { r.scale = std::nan(""); });
        row("no file", ErrorCode::InvalidValue, "the weights come from a file, but none was read",
            [](Request& r) { r.source = WeightSource::File; });
        row("another embed_dim", ErrorCode::InvalidPair, "embed_dim is 48, but the layer in 'layer.safetensors' has 24",
            [](Request& r) {
                r = from_file(true);
                r.embed_dim = 48;
            });
        row("another x", ErrorCode::InvalidPair,
            "the tokens ask for x of (1, 1, 24), but the x in 'layer.safetensors' is (2, 6, 24)", [](Request& r) {
                r = from_file(true);
                r.batch = words({{"a"}});
            });
        row("a painted mask of another size", ErrorCode::InvalidMask,
            "the mask file 'm.npy' is 1x1, but the sequences are 6 tokens long; it must be 6x6", [](Request& r) {
                r.mask = {{{{.kind = MaskPattern::Kind::File,
                             .path = "m.npy",
                             .painted = std::make_shared<PaintedMask>(PaintedMask{1, {1}})}}}};
            });
        row("ragged", ErrorCode::InvalidPair, "the sequences of a batch must be equally long, filled up with [PAD]",
            [](Request& r) { r.batch.tokens[1].pop_back(); });
        row("no real", ErrorCode::InvalidPair, "the sequences of a batch must be equally long, filled up with [PAD]",
            [](Request& r) { r.batch.real.clear(); });
        row("enormous", ErrorCode::InvalidValue,
            "embed_dim is 4611686018427387904, with num_heads 4; it can be 1048576 at most",
            [](Request& r) { r.embed_dim = std::int64_t{1} << 62; });
    }
    void errors() {
        QFETCH(Request, request);
        QFETCH(ErrorCode, code);
        QFETCH(QString, sentence);
        const auto result = compute(request, traced(small()));
        QVERIFY(!result);
        QCOMPARE(code_of(result), code);
        QCOMPARE(QString::fromStdString(result.error().message()), sentence);
    }

    void memoryIsRefusedBeforeItIsTaken() {
        Request request = small();
        request.embed_dim = 1 << 20;  // a layer of 17 TB: would die, were it taken
        request.num_heads = 1;
        const auto refused = compute(request);
        QVERIFY(!refused);
        QCOMPARE(code_of(refused), ErrorCode::OutOfMemory);
        QVERIFY(refused.error().message().find("18 TB") != std::string::npos);

        request = small();
        const std::uint64_t bytes = estimated_bytes(request).value();
        set_memory_limit_for_tests(bytes - 1);
        const auto full = compute(request);
        QCOMPARE(code_of(full), ErrorCode::OutOfMemory);
        set_memory_limit_for_tests(bytes);
        const TracePtr trace = traced(request);
        QVERIFY(trace);
        // A change that keeps most of it needs little more.
        set_memory_limit_for_tests(bytes / 4);
        request.fill = Fill::Inf;
        QVERIFY(compute(request, trace).has_value());
        QVERIFY(!compute(request).has_value());
        set_memory_limit_for_tests(10);
        request.mask = mask_of("causal");
        QCOMPARE(code_of(compute(request, trace)), ErrorCode::OutOfMemory);
    }

    void theEstimateIsWhatIsHeld() {
        for (const Precision precision : {Precision::Float32, Precision::Float64, Precision::BFloat16}) {
            Request request = small();
            request.precision = precision;
            request.chunk_size = std::nullopt;
            const TracePtr t = traced(request);
            std::int64_t held = 0;
            for (const TensorPtr& tensor :
                 {t->x, t->qkv, t->q, t->k, t->v, t->scores, t->weights, t->head_context, t->context, t->output}) {
                held += tensor->bytes();
            }
            const auto layer_bytes = [](const Layer& l) {
                return l.qkv_weight.bytes() + l.qkv_bias.bytes() + l.out_weight.bytes() + l.out_bias.bytes();
            };
            held += layer_bytes(*t->layer) + 6 * 6 + 6 * 4;
            if (precision != Precision::Float32)
                held += layer_bytes(*t->used_layer) + 4 * 2 * 6 * 24;  // x as it is drawn
            QCOMPARE(estimated_bytes(request).value(), static_cast<std::uint64_t>(held));
        }
        Request endless = small();
        endless.embed_dim = std::numeric_limits<std::int64_t>::max() / 2;
        QCOMPARE(code_of(estimated_bytes(endless)), ErrorCode::OutOfMemory);
    }

    void cancelled() {
        std::atomic<bool> cancel{true};
        QCOMPARE(code_of(compute(small(), nullptr, &cancel)), ErrorCode::Cancelled);
        Request request = small();
        request.chunk_size = 2;
        QCOMPARE(code_of(compute(request, traced(small()), &cancel)), ErrorCode::Cancelled);
        cancel = false;
        QVERIFY(compute(request, nullptr, &cancel).has_value());
    }

    void cancelledFromAnotherThread() {
        // Work of some seconds, stopped at once: a test that can't be waited for is one that hangs.
        Request request = small();
        request.batch = words({std::vector<std::string>(3000, "word")});
        request.embed_dim = 256;
        request.num_heads = 16;
        request.chunk_size = 64;
        request.key_chunk_size = 64;
        std::atomic<bool> cancel{false};
        std::thread later([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
            cancel = true;
        });
        const auto result = compute(request, nullptr, &cancel);
        later.join();
        QVERIFY(!result);
        QCOMPARE(code_of(result), ErrorCode::Cancelled);
    }
};

QTEST_APPLESS_MAIN(TestCompute)
#include "tst_compute.moc"
