// SPDX-License-Identifier: GPL-3.0-or-later
// compute() against the stages, its oracle, in chunks and whole; and which tiles are computed at all.
#include <QTest>
#include <cmath>
#include <limits>
#include <random>

#include "core/attention/plan.h"
#include "core/attention/stages.h"
#include "core/base/config.h"
#include "core/engine/tiled.h"
#include "core/masks/mask_edit.h"
#include "traces.h"

using namespace headscope;
using namespace headscope::testing;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr Fill kFills[] = {Fill::Safe, Fill::Inf, Fill::MinusBillion};

std::int64_t below(std::mt19937& random, std::int64_t n) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint32_t>(n));
}

std::optional<std::int64_t> random_chunk(std::mt19937& random, std::int64_t size) {
    if (below(random, 3) == 0) return std::nullopt;
    return 1 + below(random, below(random, 2) ? size + 2 : std::min<std::int64_t>(size, 9));
}

/// A mask in which whole stretches are masked, so that tiles are.
MaskExpression random_mask(std::int64_t size, std::mt19937& random) {
    const char* texts[] = {"none",     "causal",  "padding",           "padding,causal",    "local:3:1",
                           "block:16", "block:4", "local:0:0,padding", "local:70:0,causal", "global:2+local:1:0"};
    MaskExpression expression = parse_mask(texts[below(random, std::size(texts))]).value();
    if (below(random, 2)) return expression;
    PaintedMask painted = paint::uniform(size, below(random, 2) != 0);
    for (int n = 0; n < 6; ++n) {
        const auto any = [&] { return below(random, size); };
        painted = paint::rectangle(std::move(painted), {any(), any()}, {any(), any()}, below(random, 2) != 0);
    }
    const MaskExpression layer = paint::with_painted_layer({}, std::move(painted));
    expression.layers.insert(expression.layers.end(), layer.layers.begin(), layer.layers.end());
    return expression;
}

QString describe(const Request& r) {
    const auto chunk = [](const std::optional<std::int64_t>& size) { return size ? *size : 0; };
    return QString::fromStdString(fmt::format(
        "B={} S={} E={} H={} mask={} fill={} {} scale={} chunks {} x {} sequence {}", r.batch.size(),
        r.batch.sequence_length(), r.embed_dim, r.num_heads, to_string(r.mask).substr(0, 60), to_string(r.fill),
        to_string(r.precision), r.scale_value(), chunk(r.chunk_size), chunk(r.key_chunk_size), r.kept_sequence));
}

struct Expected {
    Tensor scores, weights, context, output;
};
Expected by_stages(const Trace& t) {
    const Request& r = t.request;
    Expected e;
    e.scores = stages::scores(*t.q, *t.k, r.scale, r.precision);
    e.weights = stages::weights(e.scores, t.mask, r.fill, r.precision);
    e.context = stages::head_context(e.weights, *t.v, t.mask, r.fill, r.precision);
    const Layer& layer = *t.used_layer;
    e.output = stages::project(stages::concatenate(e.context), layer.out_weight, layer.out_bias, r.precision);
    return e;
}

double epsilon(Precision precision) {
    switch (precision) {
        case Precision::Float64:
            return 0x1p-52;
        case Precision::Float32:
            return 0x1p-23;
        case Precision::BFloat16:
            return 0x1p-8;
        case Precision::Float16:
            return 0x1p-11;
    }
    return 0;
}

/// Empty where a is e to so many epsilons of the largest of e's numbers that are finite; NaN where e is NaN.
QString fault(const char* what, const Tensor& a, const Tensor& e, double allowed) {
    if (a.shape() != e.shape()) return QStringLiteral("%1: another shape").arg(QLatin1String(what));
    double largest = 0;
    for (std::int64_t n = 0; n < e.size(); ++n) {
        if (std::isfinite(e.value(n))) largest = std::max(largest, std::fabs(e.value(n)));
    }
    for (std::int64_t n = 0; n < e.size(); ++n) {
        const double x = a.value(n), y = e.value(n);
        const bool same = std::isfinite(y) ? std::fabs(x - y) <= allowed * largest : !std::isfinite(x);
        if (!same) return QStringLiteral("%1[%2] is %3, not %4").arg(QLatin1String(what)).arg(n).arg(x).arg(y);
    }
    return {};
}

QString compare_with_stages(const Trace& t, double of_scores) {
    const Expected e = by_stages(t);
    const std::int64_t kept = t.weights->dim(0);
    // Of a weight as many roundings as its score is large, and of a sum one of each term in the worst case.
    const double allowed =
        epsilon(t.request.precision) * (of_scores + 16 + static_cast<double>(t.mask.of(0).size()) / 4);
    for (const QString& text :
         {t.scores ? fault("scores", *t.scores, e.scores.part(t.first_kept, kept), allowed) : QString(),
          fault("weights", *t.weights, e.weights.part(t.first_kept, kept), allowed),
          fault("context", *t.head_context, e.context, allowed), fault("output", *t.output, e.output, allowed)}) {
        if (!text.isEmpty()) return text + u' ' + describe(t.request);
    }
    return {};
}

double largest_score(const Trace& t) {
    const Tensor scores = stages::scores(*t.q, *t.k, t.request.scale, t.request.precision);
    double largest = 0;
    for (std::int64_t n = 0; n < scores.size(); ++n) largest = std::max(largest, std::fabs(scores.value(n)));
    return largest;
}

/// A layer whose q, k, v and output are small whole multiples of x's numbers: products of it are exact in any order.
Request exact_request(std::mt19937& random) {
    const std::int64_t size = 2 + below(random, 24), embed = std::int64_t{1} << below(random, 3);
    Request request =
        random_request(random, {size, below(random, size)}, size, embed, below(random, 2) ? embed : 1, "none");
    auto file = std::make_shared<LayerFile>(*request.file);
    const double of_queries = below(random, 4) == 0 ? 0 : 1;
    const std::int64_t dh = embed / request.num_heads;
    const auto whole = [&](std::int64_t n) {
        return static_cast<double>(1 + below(random, n)) * (below(random, 3) ? 1 : -1);
    };
    file->fused_weight = filled(Tensor::Type::Float64, {3 * embed, embed}, [&](std::int64_t n) {
        return n / embed / dh % 3 == 0 ? of_queries * whole(2) : whole(2);
    });
    const auto zero = [](std::int64_t) { return 0; };
    file->fused_bias = filled(Tensor::Type::Float64, {3 * embed}, zero);
    file->out_weight = filled(Tensor::Type::Float64, {embed, embed}, [](std::int64_t) { return 1; });
    file->out_bias = filled(Tensor::Type::Float64, {embed}, zero);
    const double odd[] = {-kInfinity, kInfinity, kNan, 0x1p100, -0x1p63, 0x1p127, -0x1p-100};
    const double bad = odd[below(random, std::size(odd))];
    const std::int64_t from = below(random, size), to = from + below(random, size), often = 1 + below(random, 2);
    file->x = filled(Tensor::Type::Float64, file->x->shape(), [&](std::int64_t n) {
        const std::int64_t token = n / embed % size;
        const bool odd_token = token >= from && token <= to && below(random, often) == 0;
        return odd_token ? bad : static_cast<double>(below(random, 5) - 2);
    });
    request.file = file;
    request.mask = random_mask(size, random);
    return request;
}

/// Blocks of a size that hold an allowed cell, of all heads.
std::int64_t tiles_with_allowed_cells(const Mask& mask, std::int64_t heads, std::int64_t queries, std::int64_t keys) {
    std::int64_t tiles = 0;
    for (std::int64_t b = 0; b < mask.batch(); ++b) {
        for (std::int64_t i = 0; i < mask.size(); i += queries) {
            for (std::int64_t j = 0; j < mask.size(); j += keys) {
                bool any = false;
                for (std::int64_t r = i; r < std::min(i + queries, mask.size()); ++r) {
                    for (std::int64_t c = j; c < std::min(j + keys, mask.size()); ++c)
                        any = any || mask.allowed(b, r, c);
                }
                tiles += any;
            }
        }
    }
    return tiles * heads;
}

}  // namespace

class TestComputeTiles : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void fiveHundredRandomConfigurations() {
        std::mt19937 random(41);
        int chunked = 0, one_kept = 0;
        for (int round = 0; round < 500; ++round) {
            const std::int64_t size = 1 + below(random, round % 10 == 0 ? 150 : 40), heads = 1 + below(random, 4);
            const std::int64_t embed = heads * (1 + below(random, 9)), batch = 1 + below(random, 3);
            std::vector<std::int64_t> lengths;
            for (std::int64_t b = 0; b < batch; ++b) lengths.push_back(below(random, size + 1));
            Request request = random_request(random, lengths, size, embed, heads, "none", 1.5);
            request.mask = random_mask(size, random);
            request.fill = kFills[below(random, 3)];
            request.precision = static_cast<Precision>(below(random, 8) % 4 < 2 ? below(random, 2) : below(random, 4));
            request.chunk_size = random_chunk(random, size);
            request.key_chunk_size = random_chunk(random, size);
            if (below(random, 4) == 0) request.scale = below(random, 2) ? 0.7 : -1.5;
            request.keep_scores = below(random, 2) != 0;
            request.kept_sequence = below(random, batch);
            const std::int64_t number = request.precision == Precision::Float64 ? 8 : 4;
            if (below(random, 3) == 0) request.kept_bytes = 2 * heads * size * size * number;
            const TracePtr trace = traced(request);
            QVERIFY(trace);
            QCOMPARE(trace->scores != nullptr, request.keep_scores);
            // Half formats round the scores, and with key chunks the sum of the weights only in the end.
            const double of_scores = largest_score(*trace) * (is_half(request.precision) ? 8 : 4);
            const QString text = compare_with_stages(*trace, of_scores);
            QVERIFY2(text.isEmpty(), qPrintable(text));
            QCOMPARE(trace->row_check.rows, batch * heads * size);
            QCOMPARE(trace->row_check.not_finite, 0);
            QVERIFY(trace->row_check.sum_to_one >= trace->row_check.rows - trace->row_check.fully_masked);
            QVERIFY(trace->chunk_difference <= epsilon(request.precision) * (of_scores + 16) * 8);
            chunked += computes_tiles(request) && (request.chunk_size || request.key_chunk_size);
            one_kept += trace->weights->dim(0) < batch;
        }
        QVERIFY(chunked > 200 && one_kept > 80);
    }

    /// -inf, +inf, NaN and huge numbers in x, scales from 1e-40 to 1e30, whatever the chunks.
    void oneAnswerForEveryChunking() {
        std::mt19937 random(42);
        for (int round = 0; round < 300; ++round) {
            Request request = exact_request(random);
            request.fill = kFills[below(random, 3)];
            request.precision = below(random, 2) ? Precision::Float32 : Precision::Float64;
            const double scales[] = {1e-40, 1e-30, 1e-3, 0, 1, -1, 1e10, 1e30};
            if (below(random, 3)) request.scale = scales[below(random, std::size(scales))];
            for (int way = 0; way < 6; ++way) {
                request.chunk_size = way == 0 ? std::nullopt : random_chunk(random, request.batch.sequence_length());
                request.key_chunk_size = way == 0 ? std::nullopt : std::optional<std::int64_t>(1 + below(random, 9));
                const TracePtr trace = traced(request);
                QVERIFY(trace);
                const QString text = compare_with_stages(*trace, 64);
                QVERIFY2(text.isEmpty(), qPrintable(QStringLiteral("round %1: ").arg(round) + text));
            }
        }
    }

    void sumsThatOverflowBeforeTheyAreDivided() {
        std::mt19937 random(43);
        for (const std::optional<std::int64_t> keys : {std::optional<std::int64_t>(), std::optional<std::int64_t>(7)}) {
            Request request = random_request(random, {200}, 200, 1, 1, "causal");
            auto file = std::make_shared<LayerFile>(*request.file);
            file->fused_weight = filled(Tensor::Type::Float64, {3, 1}, [](std::int64_t n) { return n == 2; });
            file->fused_bias = filled(Tensor::Type::Float64, {3}, [](std::int64_t) { return 0; });
            file->x = filled(Tensor::Type::Float64, {1, 200, 1}, [](std::int64_t) { return 3e38; });
            request.file = file;
            request.key_chunk_size = keys;
            const TracePtr trace = traced(request);
            QVERIFY(trace);
            for (std::int64_t i = 0; i < 200; ++i) QVERIFY(std::fabs(trace->head_context->value(i) / 3e38 - 1) < 1e-5);
        }
    }

    void onlyTilesWithAnAllowedCellAreComputed() {
        std::mt19937 random(44);
        std::int64_t computed = 0, all = 0;
        for (int round = 0; round < 120; ++round) {
            const std::int64_t size = 1 + below(random, round % 4 == 0 ? 400 : 60), heads = 1 + below(random, 3);
            const std::int64_t batch = 1 + below(random, 2), dh = 1 + below(random, 6);
            std::vector<std::int64_t> lengths;
            for (std::int64_t b = 0; b < batch; ++b) lengths.push_back(below(random, size + 1));
            const MaskPtr mask = Mask::build(random_mask(size, random), batch_of_lengths(lengths, size)).value();
            const Shape shape{batch, heads, size, dh};
            const auto draw = [&] { return random_tensor(Tensor::Type::Float32, shape, random); };
            const Tensor q = draw(), k = draw(), v = draw();
            const TileMap tiles(mask, {random_chunk(random, size), random_chunk(random, size)});
            for (const bool keep_weights : {false, true}) {
                TileCounter counter;
                TiledOptions options;
                options.counter = &counter;
                options.keep_weights = keep_weights;
                options.fill = below(random, 2) ? Fill::Safe : Fill::Inf;
                QVERIFY(tiled_attention(q, k, v, tiles, Precision::Float32, options).has_value());
                // The last tiles may be cut; the engine's own may be larger than the map's blocks.
                const std::int64_t expected =
                    tiles_with_allowed_cells(*mask, heads, counter.queries, counter.keys) * batch / mask->batch();
                QCOMPARE(counter.scores.load(), expected);
                QCOMPARE(counter.context.load(), expected);
                computed += expected;
                all += batch * heads * ((size - 1) / counter.queries + 1) * ((size - 1) / counter.keys + 1);
            }
        }
        QVERIFY(computed < all * 3 / 4);
    }

    /// With -1e9 a fully masked tile is computed only where a masked key could get weight.
    void aFiniteFillComputesOnlyWhereItCouldMatter() {
        std::mt19937 random(45);
        const MaskPtr mask = build_mask("causal", batch_of_lengths({8}, 8));
        const auto draw = [&](double spread) {
            return random_tensor(Tensor::Type::Float32, {1, 1, 8, 2}, random, spread);
        };
        const Tensor q = draw(1), k = draw(1), v = draw(1);
        const auto counted = [&](const Tensor& queries, const Tensor& values, double scale) {
            TileCounter counter;
            TiledOptions options;
            options.counter = &counter;
            options.fill = Fill::MinusBillion;
            options.scale = scale;
            const auto result = tiled_attention(queries, k, values, TileMap(mask, {2, 2}), Precision::Float32, options);
            return std::pair(counter.scores.load(), counter.context.load() - counter.scores.load());
        };
        QCOMPARE(counted(q, v, 1), std::pair(std::int64_t{10}, std::int64_t{0}));
        const Tensor low = filled(Tensor::Type::Float32, {1, 1, 8, 2}, [](std::int64_t) { return 0; });
        QCOMPARE(counted(low, v, 1e20).second, 0);  // 0 is far above the fill
        const Tensor nan =
            filled(Tensor::Type::Float32, {1, 1, 8, 2}, [](std::int64_t n) { return n == 14 ? kNan : 1; });
        QCOMPARE(counted(q, nan, 1), std::pair(std::int64_t{10}, std::int64_t{6}));  // 0 * NaN is NaN
    }
};

QTEST_APPLESS_MAIN(TestComputeTiles)
#include "tst_compute_tiles.moc"
