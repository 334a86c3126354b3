// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/stages.h"

#include <QTest>
#include <cmath>
#include <limits>
#include <random>

#include "core/attention/softmax.h"
#include "core/engine/rounding.h"
#include "support.h"

using namespace headscope;
using namespace headscope::testing;

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
const double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr Precision kAllPrecisions[] = {Precision::Float32, Precision::Float64, Precision::BFloat16,
                                        Precision::Float16};
constexpr Fill kAllFills[] = {Fill::Safe, Fill::Inf, Fill::MinusBillion};

struct Inputs {
    Tensor q, k, v;
};

Inputs random_inputs(const Shape& shape, Precision precision, std::mt19937& random, double spread = 1) {
    const auto draw = [&] {
        return in_precision(random_tensor(Tensor::Type::Float64, shape, random, spread), precision);
    };
    return {draw(), draw(), draw()};
}

/// Softmax attention of one query in the plainest words, each step rounded as docs/conventions.md 8 says; sums in
/// double.
struct NaiveRow {
    std::vector<double> weights, context;
};
NaiveRow naive_row(const Inputs& in, std::int64_t b, std::int64_t h, std::int64_t i, const Mask& mask, Fill fill,
                   std::optional<double> scale, Precision precision) {
    const std::int64_t heads = in.q.dim(1), size = in.q.dim(2), dh = in.q.dim(3);
    const auto at = [&](const Tensor& t, std::int64_t row, std::int64_t d) {
        return t.value(((b * heads + h) * size + row) * dh + d);
    };
    const bool half = is_half(precision);
    const auto rounded = [&](double value) { return half ? round_to(precision, value) : value; };
    std::vector<double> scores(size);
    double maximum = -kInf;
    std::int64_t open = 0;
    for (std::int64_t j = 0; j < size; ++j) {
        double dot = 0;
        for (std::int64_t d = 0; d < dh; ++d) dot += at(in.q, i, d) * at(in.k, j, d);
        dot = rounded(dot);
        dot = scale ? dot * rounded(*scale) : dot / rounded(std::sqrt(double(dh)));
        scores[j] = mask.allowed(b, i, j) ? rounded(dot) : effective_fill(fill, precision);
        open += mask.allowed(b, i, j);
        maximum = std::max(maximum, scores[j]);
    }
    double sum = 0;
    for (double& s : scores) sum += (s = std::exp(s - maximum));
    NaiveRow row{scores, std::vector<double>(dh)};
    for (double& w : row.weights) w = open == 0 && fill == Fill::Safe ? 0 : rounded(w / sum);
    for (std::int64_t d = 0; d < dh; ++d) {
        for (std::int64_t j = 0; j < size; ++j) row.context[d] += row.weights[j] * at(in.v, j, d);
        row.context[d] = rounded(row.context[d]);
    }
    return row;
}

/// Of values about 1: a few roundings in float, or one step of the half format, because a score or weight that lies
/// next to a tie may go the other way when it is summed in float.
double tolerance(Precision precision) {
    switch (precision) {
        case Precision::Float64:
            return 1e-13;
        case Precision::Float32:
            return 2e-6;
        case Precision::BFloat16:
            return 4 * 0x1p-8;
        case Precision::Float16:
            return 4 * 0x1p-11;
    }
    return 0;
}

bool is_rounded(const Tensor& tensor, Precision precision) {
    for (std::int64_t n = 0; n < tensor.size(); ++n) {
        const double value = tensor.value(n);
        if (!std::isnan(value) && round_to(precision, value) != value) return false;
    }
    return true;
}

std::vector<double> softmax(std::vector<double> scores, std::vector<std::uint8_t> open, Fill mode) {
    std::vector<double> out(scores.size());
    softmax_row<double>({scores.data(), open.empty() ? nullptr : open.data(), std::int64_t(scores.size()), mode,
                         effective_fill(mode, Precision::Float64)},
                        out.data());
    std::vector<float> narrow(scores.begin(), scores.end()), narrow_out(scores.size());
    softmax_row<float>({narrow.data(), open.empty() ? nullptr : open.data(), std::int64_t(scores.size()), mode,
                        float(effective_fill(mode, Precision::Float32))},
                       narrow_out.data());
    // float and double agree about what is 0, NaN or a share.
    for (std::size_t j = 0; j < out.size(); ++j) {
        if (!(std::isnan(out[j]) ? std::isnan(narrow_out[j]) : std::fabs(out[j] - narrow_out[j]) < 1e-6)) return {};
    }
    return out;
}

}  // namespace

Q_DECLARE_METATYPE(std::vector<double>)
Q_DECLARE_METATYPE(std::vector<std::uint8_t>)

class TestStages : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void agreesWithTheNaiveWay() {
        std::mt19937 random(7);
        const char* masks[] = {"none",      "causal",    "padding",       "padding,causal",
                               "local:1:2", "strided:3", "block:2,causal"};
        for (int round = 0; round < 150; ++round) {
            const Precision precision = kAllPrecisions[random() % 4];
            const Fill fill = kAllFills[random() % 3];
            const std::int64_t batch = 1 + random() % 3, heads = 1 + random() % 3, size = 1 + random() % 12,
                               dh = 1 + random() % 9;
            std::optional<double> scale;
            if (random() % 3 == 0) scale = 0.3;
            std::vector<std::int64_t> lengths;
            for (std::int64_t b = 0; b < batch; ++b) lengths.push_back(random() % (size + 1));
            const MaskPtr mask = build_mask(masks[random() % 7], batch_of_lengths(lengths, size));
            const Inputs in = random_inputs({batch, heads, size, dh}, precision, random);
            const auto result = scaled_dot_product_attention(in.q, in.k, in.v, mask, fill, scale, precision);
            VERIFY_RESULT(result);
            for (std::int64_t n = 0; n < batch * heads * size; ++n) {
                const NaiveRow row =
                    naive_row(in, n / size / heads, n / size % heads, n % size, *mask, fill, scale, precision);
                COMPARE_NUMBERS(result->weights.reshaped({batch * heads * size, size}).part(n, 1), row.weights,
                                tolerance(precision));
                COMPARE_NUMBERS(result->context.reshaped({batch * heads * size, dh}).part(n, 1), row.context,
                                4 * tolerance(precision));  // of values up to 4
            }
            QVERIFY(is_rounded(result->weights, precision));
            QVERIFY(is_rounded(result->context, precision));
        }
    }

    void projectionIsXTimesWPlusB() {
        std::mt19937 random(3);
        for (const Precision precision : kAllPrecisions) {
            for (const auto& [rows, in, out] : {std::tuple{1, 1, 1}, {5, 7, 3}, {130, 9, 1500}, {2, 1500, 4}}) {
                const auto draw = [&](const Shape& shape) {
                    return in_precision(random_tensor(Tensor::Type::Float64, shape, random, 0.5), precision);
                };
                const Tensor x = draw({1, rows, in}), w = draw({out, in}), b = draw({out});
                const Tensor y = stages::project(x, w, b, precision);
                QCOMPARE(y.shape(), (Shape{1, rows, out}));
                for (std::int64_t n = 0; n < y.size(); n += 1 + n / 50) {
                    double sum = b.value(n % out), size = std::fabs(sum);
                    for (std::int64_t c = 0; c < in; ++c) {
                        const double term = x.value(n / out * in + c) * w.value(n % out * in + c);
                        sum += term;
                        size += std::fabs(term);
                    }
                    // Sums of `in` terms in the storage type, then one rounding (Higham 2002, 3.1).
                    const double unit = precision == Precision::Float64 ? 0x1p-53 : 0x1p-24;
                    const double of_format = is_half(precision) ? 0x1p-8 * std::fabs(sum) : 0;
                    QVERIFY(std::fabs(y.value(n) - sum) <= (in + 1) * unit * size + of_format);
                }
                QVERIFY(is_rounded(y, precision));
            }
        }
    }

    void headsAreCutBeforeTheyAreTransposed() {
        // qkv[b][s][c] = its own flat index, so that every number says where it came from.
        const std::int64_t batch = 2, size = 3, heads = 4, dh = 5, e = heads * dh;
        for (const auto type : {Tensor::Type::Float32, Tensor::Type::Float64}) {
            const stages::Heads cut =
                stages::split_heads(filled(type, {batch, size, 3 * e}, [](auto n) { return n; }), heads);
            const Tensor* parts[] = {&cut.q, &cut.k, &cut.v};
            for (std::int64_t b = 0; b < batch; ++b) {
                for (std::int64_t h = 0; h < heads; ++h) {
                    for (std::int64_t s = 0; s < size; ++s) {
                        for (std::int64_t d = 0; d < dh; ++d) {
                            for (std::int64_t part = 0; part < 3; ++part) {
                                QCOMPARE(parts[part]->value(((b * heads + h) * size + s) * dh + d),
                                         double((b * size + s) * 3 * e + (h * 3 + part) * dh + d));
                            }
                        }
                    }
                }
            }
            const Tensor joined = stages::concatenate(cut.q);
            QCOMPARE(joined.shape(), (Shape{batch, size, e}));
            for (std::int64_t n = 0; n < joined.size(); ++n) {
                const std::int64_t token = n / e, h = n % e / dh;
                QCOMPARE(joined.value(n), double(token * 3 * e + h * 3 * dh + n % dh));
            }
        }
    }

    void softmaxOfARow_data() {
        QTest::addColumn<std::vector<double>>("scores");
        QTest::addColumn<std::vector<std::uint8_t>>("open");
        QTest::addColumn<Fill>("mode");
        QTest::addColumn<std::vector<double>>("weights");
        using S = std::vector<double>;
        using O = std::vector<std::uint8_t>;
        const double e = std::exp(-1.0), third = 1 / 3.0;
        const auto row = [](const char* name, const S& scores, const O& open, Fill mode, const S& weights) {
            QTest::newRow(name) << scores << open << mode << weights;
        };
        row("two open", {2, 1, 7}, {1, 1, 0}, Fill::Safe, {1 / (1 + e), e / (1 + e), 0});
        row("no mask", {5, 5, 5}, {}, Fill::Inf, {third, third, third});
        row("large scores", {1e30, 1e30, -1e30}, {}, Fill::Safe, {.5, .5, 0});
        row("scores far below the fill", {-3e9, -3e9, 0}, {1, 1, 0}, Fill::Safe, {.5, .5, 0});
        row("which leak", {-3e9, -3e9, 0}, {1, 1, 0}, Fill::MinusBillion, {0, 0, 1});
        row("scores at the fill", {-1e9, -1e9, 3}, {1, 1, 0}, Fill::MinusBillion, {third, third, third});
        row("empty, safe", {1, 2, 3}, {0, 0, 0}, Fill::Safe, {0, 0, 0});
        row("empty, inf", {1, 2, 3}, {0, 0, 0}, Fill::Inf, {kNan, kNan, kNan});
        row("empty, 1e9", {1, 2, 3}, {0, 0, 0}, Fill::MinusBillion, {third, third, third});
        row("all open scores -inf, safe", {-kInf, -kInf, 3}, {1, 1, 0}, Fill::Safe, {0, 0, 0});
        row("all open scores -inf, inf", {-kInf, -kInf, 3}, {1, 1, 0}, Fill::Inf, {kNan, kNan, 0});
        row("all scores -inf, no mask, safe", {-kInf, -kInf}, {}, Fill::Safe, {0, 0});
        row("all scores -inf, no mask, inf", {-kInf, -kInf}, {}, Fill::Inf, {kNan, kNan});
        row("all scores -inf, no mask, 1e9", {-kInf, -kInf}, {}, Fill::MinusBillion, {kNan, kNan});
        row("one score -inf", {-kInf, 2, 2}, {1, 1, 1}, Fill::Safe, {0, .5, .5});
        row("+inf", {kInf, 2, 5}, {1, 1, 0}, Fill::Safe, {kNan, kNan, 0});
        row("masked +inf", {1, 1, kInf}, {1, 1, 0}, Fill::Inf, {.5, .5, 0});
        row("masked +inf, 1e9", {1, 1, kInf}, {1, 1, 0}, Fill::MinusBillion, {.5, .5, 0});
        row("masked NaN", {1, 1, kNan}, {1, 1, 0}, Fill::Safe, {.5, .5, 0});
        row("NaN first", {kNan, 1, 5}, {1, 1, 0}, Fill::Safe, {kNan, kNan, 0});
        row("NaN last", {1, kNan, 5}, {1, 1, 0}, Fill::Inf, {kNan, kNan, 0});
        row("NaN beside -inf", {-kInf, kNan, -kInf}, {1, 1, 1}, Fill::Safe, {kNan, kNan, kNan});
        row("one cell", {-7}, {}, Fill::Safe, {1});
    }
    void softmaxOfARow() {
        QFETCH(std::vector<double>, scores);
        QFETCH(std::vector<std::uint8_t>, open);
        QFETCH(Fill, mode);
        QFETCH(std::vector<double>, weights);
        const std::vector<double> actual = softmax(scores, open, mode);
        QCOMPARE(actual.size(), weights.size());
        for (std::size_t j = 0; j < weights.size(); ++j) {
            const bool same =
                std::isnan(weights[j]) ? std::isnan(actual[j]) : std::fabs(actual[j] - weights[j]) < 1e-15;
            QVERIFY2(same, qPrintable(QStringLiteral("weight %1 is %2").arg(j).arg(actual[j])));
            if (weights[j] == 0) QCOMPARE(actual[j], 0.0);  // exactly
        }
    }

    void nanAnywhereInALongRowIsSeen() {
        // The maximum is found several numbers at a time: no lane may lose a NaN.
        for (std::size_t size = 1; size < 40; ++size) {
            for (std::size_t at = 0; at < size; ++at) {
                std::vector<double> scores(size, -kInf);
                scores[at] = kNan;
                QVERIFY(std::isnan(softmax(scores, {}, Fill::Safe)[0]));
                std::fill(scores.begin(), scores.end(), 3.0);
                scores[at] = kNan;
                QVERIFY(std::isnan(softmax(scores, {}, Fill::Inf)[size - 1]));
            }
        }
    }

    void aMaskedKeyReachesNothing_data() {
        QTest::addColumn<double>("poison");
        QTest::newRow("NaN") << kNan;
        QTest::newRow("inf") << kInf;
        QTest::newRow("-inf") << -kInf;
    }
    void aMaskedKeyReachesNothing() {
        QFETCH(double, poison);
        std::mt19937 random(5);
        const std::int64_t heads = 2, size = 6, dh = 4, bad = 3;
        for (const Precision precision : kAllPrecisions) {
            const MaskPtr mask = build_mask("causal", batch_of_lengths({size}, size));
            const Inputs clean = random_inputs({1, heads, size, dh}, precision, random);
            const auto with_nonfinite = [&](const Tensor& tensor) {
                return in_precision(filled(tensor.type(), tensor.shape(),
                                           [&](std::int64_t n) {
                                               return n / dh == bad && n % dh == 1 ? poison
                                                                                   : tensor.value(n);  // in head 0
                                           }),
                                    precision);
            };
            for (const Fill fill : {Fill::Safe, Fill::Inf}) {
                const auto expected =
                    scaled_dot_product_attention(clean.q, clean.k, clean.v, mask, fill, {}, precision);
                const auto actual = scaled_dot_product_attention(clean.q, with_nonfinite(clean.k),
                                                                 with_nonfinite(clean.v), mask, fill, {}, precision);
                VERIFY_RESULT(actual);
                for (std::int64_t n = 0; n < heads * size * dh; ++n) {
                    const std::int64_t h = n / dh / size, i = n / dh % size;
                    const bool sees = h == 0 && i >= bad;
                    if (!sees) QCOMPARE(actual->context.value(n), expected->context.value(n));
                    if (sees && n % dh == 1) QVERIFY(!std::isfinite(actual->context.value(n)));
                }
                for (std::int64_t n = 0; n < heads * size * size; ++n) {
                    if (n % size > n / size % size) QCOMPARE(actual->weights.value(n), 0.0);
                }
            }
        }
    }

    void onlyTheSpoiltDimensionIsSpoilt() {
        // inf in one number of v: the others of that key still count.
        std::mt19937 random(6);
        const MaskPtr mask = build_mask("local:1:0", batch_of_lengths({4}, 4));
        Inputs in = random_inputs({1, 1, 4, 3}, Precision::Float64, random);
        const auto expected = scaled_dot_product_attention(in.q, in.k, in.v, mask, Fill::Safe, {}, Precision::Float64);
        in.v.data<double>()[1 * 3 + 2] = kInf;
        const auto actual = scaled_dot_product_attention(in.q, in.k, in.v, mask, Fill::Safe, {}, Precision::Float64);
        for (std::int64_t n = 0; n < 12; ++n) {
            const std::int64_t i = n / 3;
            const bool nonfinite = n % 3 == 2 && (i == 1 || i == 2);
            if (nonfinite) {
                QCOMPARE(actual->context.value(n), kInf);
            } else {
                QVERIFY(std::fabs(actual->context.value(n) - expected->context.value(n)) < 1e-15);
            }
        }
    }

    void minusBillionLetsAMaskedNanThrough() {
        std::mt19937 random(8);
        const MaskPtr mask = build_mask("causal", batch_of_lengths({3}, 3));
        Inputs in = random_inputs({1, 1, 3, 2}, Precision::Float32, random);
        in.v.data<float>()[2 * 2] = std::numeric_limits<float>::quiet_NaN();
        const auto result =
            scaled_dot_product_attention(in.q, in.k, in.v, mask, Fill::MinusBillion, {}, Precision::Float32);
        QVERIFY(std::isnan(result->context.value(0)));
        QVERIFY(std::isfinite(result->context.value(1)));
        // float16 has no such number: the mode acts as inf, and lets nothing through.
        const auto half =
            scaled_dot_product_attention(in.q, in.k, in.v, mask, Fill::MinusBillion, {}, Precision::Float16);
        QVERIFY(std::isfinite(half->context.value(0)));
    }

    void permutedTokensPermuteTheRows() {
        std::mt19937 random(9);
        const std::int64_t size = 9, dh = 5;
        const MaskPtr mask = build_mask("none", batch_of_lengths({size}, size));
        const Inputs in = random_inputs({1, 1, size, dh}, Precision::Float64, random);
        std::vector<std::int64_t> order(size);
        std::iota(order.begin(), order.end(), 0);
        std::shuffle(order.begin(), order.end(), random);
        const auto permuted = [&](const Tensor& t) {
            return filled(t.type(), t.shape(), [&](std::int64_t n) { return t.value(order[n / dh] * dh + n % dh); });
        };
        const auto plain = scaled_dot_product_attention(in.q, in.k, in.v, mask, Fill::Safe, {}, Precision::Float64);
        const auto moved = scaled_dot_product_attention(permuted(in.q), permuted(in.k), permuted(in.v), mask,
                                                        Fill::Safe, {}, Precision::Float64);
        COMPARE_NUMBERS(moved->context, permuted(plain->context), 1e-14);
        for (std::int64_t n = 0; n < size * size; ++n) {
            QVERIFY(std::fabs(moved->weights.value(n) -
                              plain->weights.value(order[n / size] * size + order[n % size])) < 1e-15);
        }
    }

    void shapesThatClashAreErrors() {
        const auto zeros = [](const Shape& shape) {
            return filled(Tensor::Type::Float32, shape, [](auto) { return 0; });
        };
        const MaskPtr mask = build_mask("causal", batch_of_lengths({3, 3}, 3));
        const auto code = [&](const Shape& q, const Shape& k, const Shape& v) {
            const auto result =
                scaled_dot_product_attention(zeros(q), zeros(k), zeros(v), mask, Fill::Safe, {}, Precision::Float32);
            return result ? std::optional<ErrorCode>() : result.error().code;
        };
        const Shape good{2, 1, 3, 4};
        QVERIFY(!code(good, good, good));
        for (const Shape& bad : {Shape{2, 1, 3, 5}, Shape{2, 1, 4, 4}, Shape{3, 1, 3, 4}, Shape{2, 3, 4}, Shape{}}) {
            QCOMPARE(code(bad, good, good), ErrorCode::InvalidPair);
            QCOMPARE(code(good, bad, good), ErrorCode::InvalidPair);
            QCOMPARE(code(good, good, bad), ErrorCode::InvalidPair);
        }
        for (const Shape& all : {Shape{2, 1, 4, 4}, Shape{3, 1, 3, 4}, Shape{0, 1, 3, 4}, Shape{2, 1, 3, 0}}) {
            QCOMPARE(code(all, all, all), ErrorCode::InvalidPair);  // against the mask, or empty
        }
    }
};

QTEST_APPLESS_MAIN(TestStages)
#include "tst_stages.moc"
