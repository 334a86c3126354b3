// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "core/attention/stages.h"
#include "core/base/memory.h"
#include "core/engine/product.h"
#include "core/engine/rounding.h"
#include "core/engine/tiled.h"

using namespace headscope;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

struct Problem {
    std::int64_t batch = 1, size = 10, embed = 16, heads = 2;
    std::string mask = "none";
    Precision precision = Precision::Float32;
    TiledOptions options{};
    bool from_text = false;  ///< of the mask: its expression alone, or its cells
    Layer layer{};
    Tensor x{};
    Batch tokens{};

    std::string name() const {
        return fmt::format("B={} S={} E={} H={} mask={} fill={} {} threads={} weights={} scale={} text={}", batch, size,
                           embed, heads, mask, to_string(options.fill), to_string(precision), options.threads,
                           options.keep_weights, options.scale.value_or(0), from_text);
    }
    MaskExpression expression() const {
        auto parsed = parse_mask(mask).value();
        for (auto& layer_of : parsed.layers) {
            for (auto& pattern : layer_of) {
                if (pattern.kind != MaskPattern::Kind::File) continue;
                PaintedMask painted{size, std::vector<std::uint8_t>(static_cast<std::size_t>(size * size))};
                for (std::size_t i = 0; i < painted.cells.size(); ++i) painted.cells[i] = i * 7919 % 13 < 4 ? 1 : 0;
                pattern.painted = std::make_shared<const PaintedMask>(painted);
            }
        }
        return parsed;
    }
    MaskPtr cells() const { return Mask::build(expression(), tokens).value(); }
};

using Engine = std::mt19937;
std::int64_t below(Engine& engine, std::int64_t n) {
    return static_cast<std::int64_t>(engine() % static_cast<std::uint32_t>(n));
}
template <typename T>
T one_of(Engine& engine, std::initializer_list<T> choices) {
    return *(choices.begin() + below(engine, static_cast<std::int64_t>(choices.size())));
}

/// Fills in tokens, x and layer from the sizes.
void draw_numbers(Problem& p, Engine& engine) {
    std::normal_distribution<float> draw;
    p.layer = seeded_layer(engine(), p.embed, p.heads);
    p.x = Tensor::of<float>({p.batch, p.size, p.embed});
    for (std::int64_t i = 0; i < p.x.size(); ++i) p.x.data<float>()[i] = draw(engine);
    p.tokens = {};
    for (std::int64_t b = 0; b < p.batch; ++b) {
        p.tokens.tokens.emplace_back(static_cast<std::size_t>(p.size), "w");
        const std::int64_t padded = below(engine, p.size + 1);  // a sequence may be padding throughout
        const bool left = below(engine, 2) == 0;
        for (std::int64_t s = 0; s < p.size; ++s) {
            p.tokens.real.push_back((left ? s < padded : s >= p.size - padded) ? 0 : 1);
        }
    }
}

Problem random_problem(std::uint32_t seed) {
    Engine engine(seed);
    Problem p;
    using Pair = std::pair<std::int64_t, std::int64_t>;
    const auto [embed, heads] = one_of<Pair>(engine, {{8, 1},
                                                      {8, 8},
                                                      {12, 3},
                                                      {16, 2},
                                                      {32, 2},
                                                      {64, 4},
                                                      {64, 1},
                                                      {96, 12},
                                                      {96, 2},
                                                      {80, 5},
                                                      {20, 4},
                                                      {128, 1},
                                                      {160, 2},
                                                      {7, 1}});
    p.embed = embed;
    p.heads = heads;
    p.batch = 1 + below(engine, 3);
    p.size = below(engine, 3) == 0 ? one_of<std::int64_t>(engine, {1, 63, 64, 65, 127, 128, 129, 192, 320})
                                   : 1 + below(engine, 150);
    p.mask =
        one_of<const char*>(engine, {"none", "causal", "padding", "padding,causal", "local:5:0", "local:70:3",
                                     "causal,local:100:0", "strided:7", "strided:64", "dilated:3:3:4", "block:16",
                                     "block:64", "global:3", "local:64:64+global:16", "file:painted.npy",
                                     "file:painted.npy,causal", "padding,local:0:90", "padding,block:70+global:1"});
    p.options.fill = one_of(engine, {Fill::Safe, Fill::Inf, Fill::MinusBillion});
    p.precision = one_of(
        engine, {Precision::Float32, Precision::Float32, Precision::Float64, Precision::BFloat16, Precision::Float16});
    p.options.threads = static_cast<int>(below(engine, 6));
    p.options.keep_weights = below(engine, 2) == 0;
    if (below(engine, 4) == 0) p.options.scale = one_of(engine, {1.0, 0.3, -0.5, 0.0});
    p.from_text = below(engine, 2) == 0;
    draw_numbers(p, engine);
    return p;
}

struct Answer {
    Tensor scores, weights, output;
};

/// The ten stages.
Answer staged(const Problem& p, Precision precision) {
    const auto in = [&](const Tensor& tensor) { return in_precision(tensor, precision); };
    const MaskPtr mask = p.cells();
    const Tensor qkv = stages::project(in(p.x), in(p.layer.qkv_weight), in(p.layer.qkv_bias), precision);
    const auto heads = stages::split_heads(qkv, p.heads);
    Answer answer;
    answer.scores = stages::scores(heads.q, heads.k, p.options.scale, precision);
    answer.weights = stages::weights(answer.scores, mask, p.options.fill, precision);
    const Tensor context = stages::head_context(answer.weights, heads.v, mask, p.options.fill, precision);
    answer.output =
        stages::project(stages::concatenate(context), in(p.layer.out_weight), in(p.layer.out_bias), precision);
    return answer;
}

Result<TiledResult> tiled(const Problem& p) {
    const TileMap map = p.from_text ? TileMap::of(p.expression(), p.tokens).value() : TileMap(p.cells());
    return TiledLayer(std::make_shared<Layer>(p.layer), p.precision).attend(p.x, map, p.options);
}

/// Root of the mean square difference and of the exact values, where both are finite; largest difference; and whether
/// the same places hold NaN.
struct Comparison {
    double error = 0, size = 0, largest = 0;
    bool same_places = true;
};
Comparison compare(const Tensor& a, const Tensor& exact) {
    Comparison result;
    std::int64_t count = 0;
    if (a.shape() != exact.shape()) return {0, 0, INFINITY, false};
    for (std::int64_t i = 0; i < a.size(); ++i) {
        const double left = a.value(i), right = exact.value(i);
        if (!std::isfinite(left) || !std::isfinite(right)) {
            if (std::isnan(left) != std::isnan(right)) result.same_places = false;
            continue;
        }
        result.error += (left - right) * (left - right);
        result.size += right * right;
        result.largest = std::max(result.largest, std::abs(left - right));
        ++count;
    }
    if (count > 0) {
        result.error = std::sqrt(result.error / static_cast<double>(count));
        result.size = std::sqrt(result.size / static_cast<double>(count));
    }
    return result;
}

double largest(const Tensor& tensor) {
    double most = 0;
    for (std::int64_t i = 0; i < tensor.size(); ++i) {
        if (std::isfinite(tensor.value(i))) most = std::max(most, std::abs(tensor.value(i)));
    }
    return most;
}

/// What may separate the tiles from the exact numbers: the rounding of sums of a few hundred terms for float32 and
/// float64, that is some ten units, of a weight as many as its score is large; for the half formats, 1.2 times what the
/// stages lose (docs/conventions.md 8).
void check(const Tensor& fast, const Tensor& step_by_step, const Tensor& exact, Precision precision, double score,
           const char* what) {
    const Comparison mine = compare(fast, exact), theirs = compare(step_by_step, exact);
    QVERIFY2(compare(fast, step_by_step).same_places,
             qPrintable(QStringLiteral("%1: NaN elsewhere").arg(QLatin1String(what))));
    const double unit = precision == Precision::Float64 ? 2.2e-16 : 6e-8;
    const double floor = 10 * unit * std::max(mine.size, 0.05) * std::max(1.0, score / 4);
    const double bound = is_half(precision) ? 1.2 * theirs.error + floor : floor;
    QVERIFY2(mine.error <= bound,
             qPrintable(QStringLiteral("%1: %2, at most %3").arg(QLatin1String(what)).arg(mine.error).arg(bound)));
    if (!is_half(precision))
        QVERIFY2(mine.largest <= 20 * floor,
                 qPrintable(QStringLiteral("%1: largest %2").arg(QLatin1String(what)).arg(mine.largest)));
}

void check(const Problem& p) {
    const auto fast = tiled(p);
    QVERIFY2(fast.has_value(), p.name().c_str());
    const Answer stage = staged(p, p.precision), exact = staged(p, Precision::Float64);
    const Precision precision = p.precision;
    const double score = largest(exact.scores);
    check(fast->output, stage.output, exact.output, precision, score, "output");
    QCOMPARE(fast->weights.size() > 0, p.options.keep_weights);
    if (p.options.keep_weights) check(fast->weights, stage.weights, exact.weights, precision, score, "weights");
    if (QTest::currentTestFailed()) qWarning("%s", p.name().c_str());
}

}  // namespace

class TestTiled : public QObject {
    Q_OBJECT

    void randomConfigurations(ProductBackend backend) {
        set_product_backend_for_tests(backend);
        for (std::uint32_t seed = 0; seed < 500 && !QTest::currentTestFailed(); ++seed) check(random_problem(seed));
    }

private Q_SLOTS:
    void cleanup() {
        set_product_backend_for_tests({});
        set_memory_limit_for_tests(0);
    }

    void randomConfigurationsByEigen() { randomConfigurations(ProductBackend::Eigen); }
    void randomConfigurationsByOneDnn() {
        if (!has_onednn()) QSKIP("built without oneDNN");
        randomConfigurations(ProductBackend::OneDnn);
    }

    /// NaN in a token reaches its own row and the rows that may see it, and no other.
    void nonfiniteTokens() {
        for (const auto backend : {ProductBackend::Eigen, ProductBackend::OneDnn}) {
            set_product_backend_for_tests(backend);
            for (std::uint32_t seed = 0; seed < 60 && !QTest::currentTestFailed(); ++seed) {
                Problem p = random_problem(1000 + seed);
                Engine engine(seed);
                for (int nonfinite = 0; nonfinite < 3; ++nonfinite) {
                    const std::int64_t token = below(engine, p.batch * p.size);
                    p.x.data<float>()[token * p.embed + below(engine, p.embed)] =
                        std::numeric_limits<float>::quiet_NaN();
                }
                check(p);
            }
        }
    }

    /// A value that is infinite without its key or query being so, behind a causal mask.
    void infiniteValues() {
        for (const Fill fill : {Fill::Safe, Fill::Inf}) {
            Problem p;
            p.size = 200;
            p.embed = p.heads = 1;
            p.mask = "causal";
            p.options.fill = fill;
            Engine engine(1);
            draw_numbers(p, engine);
            // q = 0, k = 0, v = 10 x, which is too large for token 70; the output is the context.
            const float weight[] = {0, 0, 10};
            std::copy_n(weight, 3, p.layer.qkv_weight.data<float>());
            std::fill_n(p.layer.qkv_bias.data<float>(), 3, 0.0F);
            p.layer.out_weight.data<float>()[0] = 1;
            p.layer.out_bias.data<float>()[0] = 0;
            p.x.data<float>()[70] = 3e38F;
            const auto result = tiled(p);
            QVERIFY(result.has_value());
            for (std::int64_t s = 0; s < p.size; ++s) QCOMPARE(std::isfinite(result->output.value(s)), s < 70);
            QCOMPARE(result->output.value(100), std::numeric_limits<double>::infinity());
        }
    }

    /// Scores below -1e9 leave the weight to the masked cells, in tiles that the mask empties too (docs/conventions.md
    /// 6).
    void scoresBelowTheFill() {
        for (const bool keep : {false, true}) {
            for (const Precision precision : {Precision::Float32, Precision::Float64, Precision::BFloat16}) {
                Problem p;
                p.size = 300;
                p.embed = p.heads = 1;
                p.mask = "causal,local:10:0";
                p.precision = precision;
                p.options = {Fill::MinusBillion, 1.0, 1, keep};
                Engine engine(2);
                draw_numbers(p, engine);
                // q = x, k = 1, v = x: query 150 has the score -2e9 everywhere, the others 1.
                const float weight[] = {1, 0, 1}, bias[] = {0, 1, 0};
                std::copy_n(weight, 3, p.layer.qkv_weight.data<float>());
                std::copy_n(bias, 3, p.layer.qkv_bias.data<float>());
                p.layer.out_weight.data<float>()[0] = 1;
                p.layer.out_bias.data<float>()[0] = 0;
                std::fill_n(p.x.data<float>(), p.size, 1.0F);
                p.x.data<float>()[150] = -2e9F;
                const auto result = tiled(p);
                QVERIFY(result.has_value());
                const double bfloat = precision == Precision::BFloat16 ? 0.01 : 1e-5;
                QVERIFY(std::abs(result->output.value(150) - 1.0) < bfloat);  // the 289 masked keys, each worth 1
                QVERIFY(std::abs(result->output.value(100) - 1.0) < bfloat);  // its own window
                if (!keep) continue;
                for (std::int64_t j = 0; j < p.size; ++j) {
                    const double expected = j >= 140 && j <= 150 ? 0.0 : 1.0 / 289;
                    QVERIFY(std::abs(result->weights.value(150 * p.size + j) - expected) < 1e-4);
                }
            }
        }
    }

    /// Ten times the same, with blocks left over from larger calls in the pool, and from many threads at once.
    void callsDontDisturbEachOther() {
        Problem p = random_problem(77), other = random_problem(78);
        p.options.threads = other.options.threads = 2;
        p.options.keep_weights = true;
        const Tensor expected = tiled(p)->output;
        std::vector<std::thread> threads;
        std::atomic<int> wrong{0};
        for (int t = 0; t < 4; ++t) {
            threads.emplace_back([&] {
                for (int call = 0; call < 10; ++call) {
                    const auto noise = tiled(other);
                    const auto result = tiled(p);
                    const bool same = noise && result &&
                                      std::equal(expected.data<float>(), expected.data<float>() + expected.size(),
                                                 result->output.data<float>());
                    if (!same) wrong.fetch_add(1);
                }
            });
        }
        for (auto& thread : threads) thread.join();
        QCOMPARE(wrong.load(), 0);
    }

    /// The number of threads changes who computes, not what.
    void threadsDontChangeTheNumbers() {
        Problem p = random_problem(5);
        p.size = 300;
        p.precision = Precision::Float32;
        Engine engine(5);
        draw_numbers(p, engine);
        p.options.threads = 1;
        const Tensor alone = tiled(p)->output;
        p.options.threads = 4;
        const Tensor together = tiled(p)->output;
        QVERIFY(std::equal(alone.data<float>(), alone.data<float>() + alone.size(), together.data<float>()));
    }

    /// A sequence whose dense mask would be 268 MB: its window is computed from the expression, in little memory.
    void longWindow() {
        Problem p;
        p.size = 16384;
        p.embed = 16;
        p.heads = 1;
        p.mask = "causal,local:3:0";
        p.from_text = true;
        Engine engine(3);
        draw_numbers(p, engine);
        p.options.threads = 2;
        const auto result = tiled(p);
        QVERIFY(result.has_value());
        QVERIFY(result->peak_bytes < 16384 * 16 * 4 * 6 + 2 * 2'000'000);
        // The last rows see what they would see in a short sequence.
        Problem tail = p;
        tail.size = 40;
        tail.from_text = false;
        draw_numbers(tail, engine);
        tail.layer = p.layer;
        std::copy_n(p.x.data<float>() + (p.size - 40) * p.embed, 40 * p.embed, tail.x.data<float>());
        const Answer expected = staged(tail, Precision::Float32);
        for (std::int64_t i = 3 * p.embed; i < 40 * p.embed; ++i) {
            const double difference = result->output.value((p.size - 40) * p.embed + i) - expected.output.value(i);
            QVERIFY(std::abs(difference) < 1e-5);
        }
    }

    void errors() {
        Problem p = random_problem(9);
        const TileMap map(p.cells());
        const TiledLayer layer(std::make_shared<Layer>(p.layer), p.precision);
        const auto code = [](const Result<TiledResult>& result) { return result.error().code; };
        QCOMPARE(code(layer.attend(Tensor::of<float>({p.batch, p.size, p.embed + 1}), map, {})),
                 ErrorCode::InvalidPair);
        QCOMPARE(code(layer.attend(Tensor::of<float>({p.batch, p.size + 1, p.embed}), map, {})),
                 ErrorCode::InvalidPair);
        QCOMPARE(code(layer.attend(Tensor::of<float>({p.batch, 0, p.embed}), map, {})), ErrorCode::InvalidPair);
        std::atomic<bool> cancel{true};
        TiledOptions options;
        options.cancel = &cancel;
        QCOMPARE(code(layer.attend(p.x, map, options)), ErrorCode::Cancelled);
        set_memory_limit_for_tests(1000);
        const auto refused = layer.attend(p.x, map, {});
        QCOMPARE(code(refused), ErrorCode::OutOfMemory);
        QVERIFY(refused.error().message().find("KB") != std::string::npos);
        options.keep_weights = true;
        QCOMPARE(layer.needed_bytes(1, std::int64_t{1} << 40, options).error().code, ErrorCode::OutOfMemory);
    }

    /// Given up at any moment, and right the next time: nothing of the call that ended stays behind.
    void cancelledMidway() {
        Problem p;
        p.batch = 2;
        p.size = 1200;
        p.embed = 60;
        p.heads = 5;
        p.mask = "padding,causal";
        Engine engine(3);
        draw_numbers(p, engine);
        const TileMap map(p.cells());
        const TiledLayer layer(std::make_shared<Layer>(p.layer), p.precision);
        TiledOptions options;
        options.threads = 3;
        const Tensor whole = layer.attend(p.x, map, options).value().output;
        const auto begin = std::chrono::steady_clock::now();
        QVERIFY(layer.attend(p.x, map, options).has_value());
        const auto takes = std::chrono::steady_clock::now() - begin;
        int given_up = 0;
        constexpr int kMoments = 15;
        for (int moment = 0; moment < kMoments || (given_up == 0 && moment < 1000); ++moment) {
            std::atomic<bool> cancel{false};
            options.cancel = &cancel;
            std::thread hand([&] {
                std::this_thread::sleep_for(takes * (moment % kMoments) / kMoments);
                cancel = true;
            });
            const auto result = layer.attend(p.x, map, options);
            hand.join();
            given_up += !result;
            QVERIFY(result ? std::equal(whole.data<float>(), whole.data<float>() + whole.size(),
                                        result->output.data<float>())
                           : result.error().code == ErrorCode::Cancelled);
        }
        QVERIFY(given_up > 0);
    }

    void saysWhatIsEmulated() {
        const auto layer = std::make_shared<Layer>(seeded_layer(1, 16, 2));
        QVERIFY(TiledLayer(layer, Precision::Float16).emulated());
        QVERIFY(!TiledLayer(layer, Precision::Float32).emulated());
        QVERIFY(!TiledLayer(layer, Precision::Float64).emulated());
        QCOMPARE(TiledLayer(layer, Precision::BFloat16).emulated(), !has_native_bfloat16());
        set_product_backend_for_tests(ProductBackend::Eigen);
        QVERIFY(TiledLayer(layer, Precision::BFloat16).emulated());
    }
};

QTEST_APPLESS_MAIN(TestTiled)
#include "tst_tiled.moc"
