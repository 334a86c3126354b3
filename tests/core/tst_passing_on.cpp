// SPDX-License-Identifier: GPL-3.0-or-later
// What compute() takes over from a previous trace, and what it keeps.
#include <QTest>
#include <functional>
#include <random>

#include "core/attention/plan.h"
#include "requests.h"

using namespace headscope;
using namespace headscope::testing;

namespace {

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
    if (!(a.mask == b.mask)) return QStringLiteral("mask");
    if (a.first_kept != b.first_kept) return QStringLiteral("first_kept");
    if (a.row_check.rows != b.row_check.rows || a.row_check.sum_to_one != b.row_check.sum_to_one ||
        a.row_check.fully_masked != b.row_check.fully_masked || a.row_check.not_finite != b.row_check.not_finite ||
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

class TestPassingOn : public QObject {
    Q_OBJECT
private Q_SLOTS:
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
        QCOMPARE(after->mask.same_objects(before->mask), same.contains(QStringLiteral("mask")));
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

    void whatWasLetGoIsMadeAnew() {
        Request request;
        request.batch = make_batch({{"a", "b", "c"}, {"d", "e"}});
        request.mask = mask_of("padding");
        const TracePtr whole = traced(request);
        const TracePtr lean = without_scores(whole);
        QVERIFY(whole->keeps(Stage::Scores) && !lean->keeps(Stage::Scores) && lean->keeps(Stage::Weights));
        QVERIFY(!lean->matrix(Stage::Scores, 0, 0) && !lean->matrix(Stage::Masked, 1, 0) &&
                lean->matrix(Stage::Weights, 1, 7));
        const TracePtr again = traced(request, lean);
        QCOMPARE(again->computed, (std::vector<Stage>{Stage::Scores, Stage::Masked}));
        COMPARE_NUMBERS(*again->scores, *whole->scores, 0);
        QCOMPARE(again->weights, whole->weights);
        request.mask = mask_of("causal");
        const TracePtr next = traced(request, without_scores(whole));
        COMPARE_NUMBERS(*next->weights, *traced(request)->weights, 0);
        QCOMPARE(next->q, whole->q);
    }

    /// The tensors are not touched, so that they take no memory.
    void onlyLargeScoresAreWorthLettingGo() {
        Request request;
        request.batch = make_batch({{"a", "b"}});
        auto trace = std::make_shared<Trace>(*traced(request));
        Request other = request, masked = request;
        other.batch = make_batch({{"a", "c"}});
        masked.mask = mask_of("causal");
        const auto untouched = [](std::int64_t size) {
            return std::make_shared<const Tensor>(Tensor::Type::Float64, Shape{1, 8, 2000, size});
        };
        QVERIFY(!is_large(*trace) && !outdates_large_scores(other, *trace));
        trace->scores = untouched(2000);  // 256 MB
        QVERIFY(!is_large(*trace) && !outdates_large_scores(other, *trace));
        trace->scores = untouched(2001);
        QVERIFY(is_large(*trace) && outdates_large_scores(other, *trace));
        QVERIFY(!outdates_large_scores(masked, *trace));
        QVERIFY(!is_large(*without_scores(trace)) && !outdates_large_scores(other, *without_scores(trace)));
        trace->weights = untouched(2001);
        QVERIFY(is_large(*without_scores(trace)));
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
        QCOMPARE(t->row_check.sum_to_one + t->row_check.fully_masked, t->row_check.rows);

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
};

QTEST_APPLESS_MAIN(TestPassingOn)
#include "tst_passing_on.moc"
