// SPDX-License-Identifier: GPL-3.0-or-later
// The tiled engine from given q, k and v, in chunks of every size.
#include <QTest>
#include <cmath>
#include <limits>
#include <random>

#include "core/attention/chunks.h"
#include "core/attention/stages.h"
#include "core/engine/rounding.h"
#include "core/engine/tiled.h"
#include "support.h"

using namespace headscope;
using namespace headscope::testing;

namespace {

constexpr Precision kAllPrecisions[] = {Precision::Float32, Precision::Float64, Precision::BFloat16,
                                        Precision::Float16};
constexpr Fill kAllFills[] = {Fill::Safe, Fill::Inf, Fill::MinusBillion};
const char* kMasks[] = {
    "none",    "causal",    "padding",           "padding,causal", "local:2:1",     "local:1:0+global:1",
    "block:4", "strided:3", "padding,local:0:3", "dilated:2:0:3",  "causal,block:2"};

struct Setup {
    Tensor q, k, v;
    MaskPtr mask;
    Fill fill;
    std::optional<double> scale;
    Precision precision;
};

Setup random_setup(std::mt19937& random, double spread = 2) {
    const std::int64_t batch = 1 + random() % 3, heads = 1 + random() % 3, size = 1 + random() % 24,
                       dh = 1 + random() % 9;
    Setup setup;
    setup.precision = kAllPrecisions[random() % 4];
    setup.fill = kAllFills[random() % 3];
    if (random() % 4 == 0) setup.scale = 0.7;
    std::vector<std::int64_t> lengths;
    for (std::int64_t b = 0; b < batch; ++b) lengths.push_back(random() % (size + 1));
    setup.mask = build_mask(kMasks[random() % std::size(kMasks)], batch_of_lengths(lengths, size));
    for (Tensor* tensor : {&setup.q, &setup.k, &setup.v}) {
        *tensor = in_precision(random_tensor(Tensor::Type::Float64, {batch, heads, size, dh}, random, spread),
                               setup.precision);
    }
    return setup;
}

Result<TiledContext> chunked(const Setup& s, std::optional<std::int64_t> chunk, std::optional<std::int64_t> key_chunk,
                             const std::atomic<bool>* cancel = nullptr, bool keep_weights = true) {
    TiledOptions options;
    options.fill = s.fill;
    options.scale = s.scale;
    options.keep_weights = keep_weights;
    options.cancel = cancel;
    return tiled_attention(s.q, s.k, s.v, TileMap(s.mask, {chunk, key_chunk}), s.precision, options);
}

Result<AttentionResult> whole(const Setup& s) {
    return scaled_dot_product_attention(s.q, s.k, s.v, s.mask, s.fill, s.scale, s.precision);
}

/// The same numbers computed in float64: what both ways are measured against.
Result<AttentionResult> exact(Setup s) {
    const Fill mode = effective_mode(s.fill, s.precision);  // float16 has no -1e9
    s.fill = mode;
    s.precision = Precision::Float64;
    return whole(s);
}

/// Largest |a - b| over what is finite in both; infinite where one is finite and the other isn't.
double largest_error(const Tensor& a, const Tensor& b) {
    double largest = 0;
    for (std::int64_t n = 0; n < a.size(); ++n) {
        const double x = a.value(n), y = b.value(n);
        if (std::isfinite(x) != std::isfinite(y)) return std::numeric_limits<double>::infinity();
        if (std::isfinite(x)) largest = std::max(largest, std::fabs(x - y));
    }
    return largest;
}

/// The error that may be left where the whole way happens to have none: a few roundings of values up to 8. In float64
/// the reference has the same error itself: scores up to 40, whose absolute error is the weights' relative one.
double epsilon(Precision precision) {
    switch (precision) {
        case Precision::Float64:
            return 40 * 8 * 0x1p-52;
        case Precision::Float32:
            return 4 * 4 * 0x1p-23;
        case Precision::BFloat16:
            return 4 * 0x1p-8;
        case Precision::Float16:
            return 4 * 0x1p-11;
    }
    return 0;
}

QString describe(const Setup& s, std::int64_t chunk, std::int64_t keys) {
    return QStringLiteral("%1, %2, q %3, chunks %4 and %5")
        .arg(QString::fromUtf8(to_string(s.precision).data()), QString::fromUtf8(to_string(s.fill).data()),
             QString::fromStdString(to_string(s.q.shape())))
        .arg(chunk)
        .arg(keys);
}

}  // namespace

class TestChunked : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theSizeDoesNotMatter() {
        std::mt19937 random(21);
        for (int round = 0; round < 400; ++round) {
            const Setup s = random_setup(random);
            const std::int64_t size = s.q.dim(2);
            const std::int64_t chunk = 1 + random() % (size + 2), keys = 1 + random() % (size + 2);
            const auto reference = exact(s), dense = whole(s);
            const auto parts = chunked(s, chunk, keys);
            VERIFY_RESULT(parts);
            const QString what = describe(s, chunk, keys);
            const double allowed = 2 * largest_error(dense->context, reference->context) + epsilon(s.precision);
            const double error = largest_error(parts->context, reference->context);
            QVERIFY2(error <= allowed, qPrintable(what + QStringLiteral(": %1 > %2").arg(error).arg(allowed)));
            const double weights_allowed = 2 * largest_error(dense->weights, reference->weights) + epsilon(s.precision);
            QVERIFY2(largest_error(parts->weights, reference->weights) <= weights_allowed, qPrintable(what));
            // Rows without anything to attend to, and masked cells, are the very same.
            for (std::int64_t n = 0; n < dense->weights.size(); ++n) {
                const std::int64_t row = n / size, b = row / size / s.q.dim(1);
                const bool special =
                    s.mask->allowed_in_row(b, row % size) == 0 || !s.mask->allowed(b, row % size, n % size);
                if (!special) continue;
                const double a = parts->weights.value(n), e = dense->weights.value(n);
                QVERIFY2(a == e || (std::isnan(a) && std::isnan(e)), qPrintable(what));
            }
        }
    }

    void chunksBeyondTheSequenceAreWhole() {
        std::mt19937 random(22);
        for (int round = 0; round < 60; ++round) {
            const Setup s = random_setup(random);
            const std::int64_t size = s.q.dim(2);
            const auto once = chunked(s, size, size);
            VERIFY_RESULT(once);
            for (const std::int64_t chunk : {size + 1, std::numeric_limits<std::int64_t>::max()}) {
                const auto parts = chunked(s, chunk, chunk);
                VERIFY_RESULT(parts);
                COMPARE_NUMBERS(parts->context, once->context, 0);
                COMPARE_NUMBERS(parts->weights, once->weights, 0);
            }
        }
    }

    void oneQueryAndOneKeyAtATime() {
        std::mt19937 random(23);
        for (int round = 0; round < 40; ++round) {
            Setup s = random_setup(random);
            s.precision = Precision::Float64;
            for (Tensor* t : {&s.q, &s.k, &s.v}) *t = t->converted(Tensor::Type::Float64);
            const auto dense = whole(s);
            const auto parts = chunked(s, 1, 1);
            COMPARE_NUMBERS(parts->context, dense->context, 1e-13);
            COMPARE_NUMBERS(parts->weights, dense->weights, 1e-13);
        }
    }

    void growingMaximum() {
        // Each key beats all before it by far, so that every chunk rescales what came before; and the other way round.
        for (const double slope : {40.0, -40.0}) {
            const std::int64_t size = 16;
            Setup s{filled(Tensor::Type::Float32, {1, 1, size, 1}, [](auto) { return 1; }),
                    filled(Tensor::Type::Float32, {1, 1, size, 1}, [&](auto n) { return slope * n; }),
                    filled(Tensor::Type::Float32, {1, 1, size, 1}, [](auto n) { return n; }),
                    build_mask("none", batch_of_lengths({size}, size)),
                    Fill::Safe,
                    {},
                    Precision::Float32};
            for (std::int64_t keys = 1; keys <= size; ++keys) {
                const auto parts = chunked(s, 5, keys);
                COMPARE_NUMBERS(parts->context, whole(s)->context, 1e-6);
            }
        }
    }

    void theLastChunkIsShorter() {
        // v = 1 everywhere: a chunk that was dropped, or padded with keys that take weight, would not give 1.
        std::mt19937 random(24);
        for (std::int64_t size = 1; size <= 13; ++size) {
            Setup s = random_setup(random);
            s.precision = Precision::Float32;
            s.fill = Fill::Safe;
            s.q = random_tensor(Tensor::Type::Float32, {1, 2, size, 3}, random);
            s.k = random_tensor(Tensor::Type::Float32, {1, 2, size, 3}, random);
            s.v = filled(Tensor::Type::Float32, {1, 2, size, 3}, [](auto) { return 1; });
            s.mask = build_mask("none", batch_of_lengths({size}, size));
            for (std::int64_t chunk = 1; chunk <= size; ++chunk) {
                for (std::int64_t keys = 1; keys <= size; ++keys) {
                    COMPARE_NUMBERS(chunked(s, chunk, keys)->context, s.v, 1e-6);
                }
            }
        }
    }

    void poisonBehindTheMask() {
        // NaN and infinities in q, k and v: the same places are nonfinite as in the whole way, no more and no fewer.
        std::mt19937 random(25);
        const double poisons[] = {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(),
                                  -std::numeric_limits<double>::infinity()};
        for (int round = 0; round < 200; ++round) {
            Setup s = random_setup(random);
            s.precision = random() % 2 ? Precision::Float32 : Precision::Float64;
            for (Tensor* tensor : {&s.q, &s.k, &s.v}) {
                *tensor = filled(storage_type(s.precision), tensor->shape(), [&](std::int64_t n) {
                    return random() % 40 == 0 ? poisons[random() % 3] : tensor->value(n);
                });
            }
            const std::int64_t chunk = 1 + random() % s.q.dim(2), keys = 1 + random() % s.q.dim(2);
            const auto dense = whole(s);
            const auto parts = chunked(s, chunk, keys);
            const double allowed = s.precision == Precision::Float32 ? 1e-5 : 1e-12;
            const QString difference = differs(parts->weights, dense->weights, allowed);
            QVERIFY2(difference.isEmpty(), qPrintable(describe(s, chunk, keys) + QStringLiteral(": ") + difference));
            for (std::int64_t n = 0; n < dense->context.size(); ++n) {
                const double a = parts->context.value(n), e = dense->context.value(n);
                // Which of NaN and infinity comes out of a sum of both may depend on the order.
                const bool same = std::isfinite(e) ? std::fabs(a - e) <= allowed : !std::isfinite(a);
                QVERIFY2(same, qPrintable(describe(s, chunk, keys) +
                                          QStringLiteral(" context %1: %2, not %3").arg(n).arg(a).arg(e)));
            }
        }
    }

    void weightsOnlyWhereWanted() {
        std::mt19937 random(26);
        const Setup s = random_setup(random);
        const auto without = chunked(s, 2, 3, nullptr, false);
        VERIFY_RESULT(without);
        QCOMPARE(without->weights.size(), 0);
        COMPARE_NUMBERS(without->context, chunked(s, 2, 3)->context, 0);
    }

    void rowSums() {
        std::mt19937 random(30);
        for (int round = 0; round < 40; ++round) {
            const Setup s = random_setup(random);
            const std::int64_t size = s.q.dim(2);
            const auto parts = chunked(s, 1 + random() % size, 1 + random() % size);
            VERIFY_RESULT(parts);
            QCOMPARE(static_cast<std::int64_t>(parts->row_sums.size()), parts->weights.size() / size);
            for (std::size_t row = 0; row < parts->row_sums.size(); ++row) {
                double sum = 0;
                for (std::int64_t j = 0; j < size; ++j) {
                    sum += parts->weights.value(static_cast<std::int64_t>(row) * size + j);
                }
                const double sums = parts->row_sums[row];
                QVERIFY(std::fabs(sums - sum) < 1e-12 || (std::isnan(sums) && std::isnan(sum)));
            }
        }
    }

    void bytes() {
        const Dims article{2, 1000, 512, 8};
        const auto bytes = [&](std::optional<std::int64_t> chunk, std::optional<std::int64_t> keys,
                               Precision precision = Precision::Float32) {
            return chunk_bytes(article, precision, chunk, keys).value();
        };
        const std::uint64_t all = 2ULL * 8 * 1000 * 1000 * 4;  // scores and weights
        QCOMPARE(bytes({}, {}).sum(), all);
        QCOMPARE(bytes(1000, 5000).sum(), all);
        QCOMPARE(bytes(250, {}).sum(), all / 4);
        QCOMPARE(bytes({}, {}, Precision::Float64).sum(), 2 * all);
        QCOMPARE(bytes({}, {}, Precision::BFloat16).sum(), all);  // held as floats
        // A tile of each head, and a running maximum, sum and context for each of its rows.
        QCOMPARE(bytes(100, 50).tiles, 2ULL * 8 * 100 * 50 * 4);
        QCOMPARE(bytes(100, 50).running, 8ULL * 100 * (2 + 64) * 4);
        QCOMPARE(bytes(100, {}).running, 0ULL);
        QVERIFY(!chunk_bytes({1, 1LL << 40, 8, 8}, Precision::Float32, {}, {}));
        QVERIFY(chunk_bytes({1, 1LL << 40, 8, 8}, Precision::Float32, 16, 16).has_value());
    }

    void coversEverything_data() {
        QTest::addColumn<int>("chunk");
        QTest::addColumn<int>("keys");
        QTest::addColumn<bool>("is");
        QTest::newRow("both larger") << 256 << 11 << true;
        QTest::newRow("equal") << 10 << 10 << true;
        QTest::newRow("chunk") << 9 << 10 << false;
        QTest::newRow("keys") << 10 << 9 << false;
    }
    void coversEverything() {
        QFETCH(int, chunk);
        QFETCH(int, keys);
        QFETCH(bool, is);
        QCOMPARE(is_whole(10, chunk, keys), is);
        QVERIFY(is_whole(10, {}, {}));
    }

    void errors() {
        std::mt19937 random(28);
        const Setup s = random_setup(random);
        for (const std::int64_t bad : {std::int64_t{0}, std::int64_t{-1}, std::numeric_limits<std::int64_t>::min()}) {
            QCOMPARE(code_of(check_chunks(bad, 1)), ErrorCode::InvalidValue);
            QCOMPARE(code_of(check_chunks(1, bad)), ErrorCode::InvalidValue);
        }
        QCOMPARE(check_chunks(0, 1).error().message(), std::string("chunk size is 0; it must be at least 1, or whole"));
        QCOMPARE(check_chunks({}, -3).error().message(),
                 std::string("key chunk size is -3; it must be at least 1, or whole"));
        Setup other = s;
        other.mask = build_mask("none", batch_of_lengths({99}, 99));
        QCOMPARE(code_of(chunked(other, 1, 1)), ErrorCode::InvalidPair);
        const std::atomic<bool> cancel{true};
        QCOMPARE(code_of(chunked(s, 1, 1, &cancel)), ErrorCode::Cancelled);
        QCOMPARE(code_of(chunked(s, {}, {}, &cancel)), ErrorCode::Cancelled);
    }

    void laterSequencesOfAMask() {
        // A part of a batch asks the mask about its own sequences.
        std::mt19937 random(29);
        const std::int64_t size = 6;
        Setup s = random_setup(random);
        s.precision = Precision::Float64;
        s.mask = build_mask("padding,causal", batch_of_lengths({6, 2, 4}, size));
        for (Tensor* t : {&s.q, &s.k, &s.v}) *t = random_tensor(Tensor::Type::Float64, {3, 2, size, 3}, random);
        for (const std::int64_t keys : {2, 6}) {
            const auto all = chunked(s, 2, keys);
            TiledOptions options;
            options.fill = s.fill;
            options.scale = s.scale;
            options.keep_weights = true;
            const TileMap tiles(s.mask, {2, keys});
            const auto last =
                tiled_attention(s.q.part(1, 2), s.k.part(1, 2), s.v.part(1, 2), tiles, s.precision, options, 1);
            VERIFY_RESULT(last);
            COMPARE_NUMBERS(last->context, all->context.part(1, 2), 0);
            COMPARE_NUMBERS(last->weights, all->weights.part(1, 2), 0);
        }
        QCOMPARE(code_of(tiled_attention(s.q, s.k, s.v, TileMap(s.mask), s.precision, {}, 1)), ErrorCode::InvalidPair);
    }
};

QTEST_APPLESS_MAIN(TestChunked)
#include "tst_chunked.moc"
