// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "core/base/config.h"
#include "core/engine/row_kernels.h"

using namespace headscope;

namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kGuard = 77.0F;  // stands around the numbers and must stay
using Floats = std::vector<float>;

Floats drawn(std::int64_t n, float low, float high, std::uint32_t seed) {
    std::mt19937 engine(seed);
    std::uniform_real_distribution<float> draw(low, high);
    Floats numbers(static_cast<std::size_t>(n));
    for (auto& value : numbers) value = draw(engine);
    return numbers;
}

/// Numbers n of every kind that a format may stumble over.
Floats every_kind() {
    Floats numbers{0.0F, -0.0F, kInf, -kInf, 1.0F, 65504.0F, 65519.996F, 65520.0F, -65520.0F, 1e30F, 3.4e38F, -3.4e38F};
    for (int exponent = -149; exponent < 128; ++exponent) {
        for (const double mantissa : {1.0, 1.00390625, 1.001953125, 1.00048828125, 1.000976562, 1.5, 1.9999999}) {
            numbers.push_back(static_cast<float>(std::ldexp(mantissa, exponent)));
            numbers.push_back(-numbers.back());
        }
    }
    const Floats more = drawn(5000, -3, 3, 3);
    numbers.insert(numbers.end(), more.begin(), more.end());
    return numbers;
}

float widened(std::uint16_t word) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(word) << 16);
}

bool same(float a, float b) {
    return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
}

}  // namespace

/// Every function, at every level that this processor has, at every length up to a few vectors.
class TestRowKernels : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cleanup() { rows::use_target_for_tests(""); }

    void maximum_data() { levels(); }
    void maximum() {
        for (std::int64_t n = 0; n < 70; ++n) {
            Floats x = drawn(n + 1, -5, -1, static_cast<std::uint32_t>(n));
            x.back() = kGuard;
            float expected = -kInf;
            for (std::int64_t j = 0; j < n; ++j) {
                if (j % 7 == 3) x[static_cast<std::size_t>(j)] = kNan;
                expected = std::fmax(expected, x[static_cast<std::size_t>(j)]);
            }
            QCOMPARE(rows::maximum(x.data(), n), expected);
        }
    }

    void fillMasked_data() { levels(); }
    void fillMasked() {
        for (const float fill : {-kInf, -1e9F}) {
            for (std::int64_t n = 1; n < 70; ++n) {
                const Floats before = drawn(n + 1, -5, 5, static_cast<std::uint32_t>(n));
                Floats x = before;
                std::vector<std::uint8_t> allowed;
                for (std::int64_t j = 0; j < n; ++j) allowed.push_back((j * 31 + n) % 3 == 0 ? 0 : 1);
                rows::fill_masked(x.data(), allowed.data(), n, fill);
                for (std::size_t j = 0; j < allowed.size(); ++j) QVERIFY(same(x[j], allowed[j] ? before[j] : fill));
                QVERIFY(same(x.back(), before.back()));
            }
        }
    }

    void copyMasked_data() { levels(); }
    void copyMasked() {
        for (std::int64_t n = 0; n < 70; ++n) {
            const Floats x = drawn(n + 1, -9e9F, -5e9F, static_cast<std::uint32_t>(n));
            std::vector<std::uint8_t> allowed;
            for (std::int64_t j = 0; j < n; ++j) allowed.push_back((j * 31 + n) % 3 == 0 ? 0 : 1);
            for (const bool masks : {false, true}) {
                Floats out(x.size(), kGuard);
                float expected = -kInf;
                const float best = rows::copy_masked(x.data(), masks ? allowed.data() : nullptr, n, -1e9F, out.data());
                for (std::size_t j = 0; j < allowed.size(); ++j) {
                    const float value = masks && !allowed[j] ? -1e9F : x[j];
                    QCOMPARE(out[j], value);
                    expected = std::max(expected, value);
                }
                QCOMPARE(best, expected);
                QCOMPARE(out.back(), kGuard);
            }
            if (n == 0) continue;
            Floats nonfinite = x, out(x.size());
            const auto at = static_cast<std::size_t>(n * 7 / 11);
            nonfinite[at] = kNan;
            QVERIFY(std::isnan(rows::copy_masked(nonfinite.data(), nullptr, n, 0, out.data())));
            nonfinite[at] = kInf;
            QCOMPARE(rows::copy_masked(nonfinite.data(), nullptr, n, 0, out.data()), kInf);
            nonfinite[at] = kNan;
            allowed.assign(allowed.size(), 1);
            allowed[at] = 0;
            QVERIFY(!std::isnan(rows::copy_masked(nonfinite.data(), allowed.data(), n, 0, out.data())));
        }
    }

    void exponentials_data() { levels(); }
    void exponentials() {
        for (const std::int64_t n : {1, 2, 3, 5, 8, 15, 16, 17, 33, 64, 1000}) {
            const Floats x = drawn(n, -90, 0, static_cast<std::uint32_t>(n));
            Floats out(static_cast<std::size_t>(n + 1), kGuard);
            const float offset = 2.5F;
            const float sum = rows::exponentials(x.data(), n, offset, out.data());
            double expected_sum = 0;
            for (std::size_t j = 0; j < x.size(); ++j) {
                const double difference = static_cast<double>(x[j] - offset);
                const double expected = difference < -87.3365 ? 0.0 : std::exp(difference);
                expected_sum += expected;
                const double error = std::abs(static_cast<double>(out[j]) - expected);
                // The rounding of difference·log2(e) is in it, where there is no fused multiply-add.
                QVERIFY2(error <= expected * (3e-7 - 8e-8 * difference),
                         qPrintable(QStringLiteral("exp(%1)").arg(difference)));
            }
            QVERIFY(std::abs(static_cast<double>(sum) - expected_sum) <= 4e-6 * expected_sum);
            QCOMPARE(out.back(), kGuard);
        }
    }

    void exponentialsOfWhatIsNoNumber_data() { levels(); }
    void exponentialsOfWhatIsNoNumber() {
        // A NaN with all bits set too: arithmetic on the bits would turn it into a number.
        const float full_nan = std::bit_cast<float>(0x7FFFFFFFU);
        Floats x{-kInf, kNan, full_nan, -full_nan, -1e38F, -3e38F, 0.0F};
        x.resize(37, -kInf);
        Floats out(x.size());
        QVERIFY(std::isnan(rows::exponentials(x.data(), 37, 0, out.data())));
        for (std::size_t j = 0; j < x.size(); ++j) {
            if (std::isnan(x[j])) {
                QVERIFY(std::isnan(out[j]));
            } else {
                QCOMPARE(out[j], x[j] == 0.0F ? out[6] : 0.0F);
            }
        }
        QVERIFY(std::abs(out[6] - 1) < 1e-6F);
        const Floats infinite{1.0F, kInf};
        QVERIFY(std::isnan(rows::exponentials(infinite.data(), 2, kInf, out.data())));
        QCOMPARE(out[0], 0.0F);
        QVERIFY(std::isnan(out[1]));
    }

    void softCap_data() { levels(); }
    void softCap() {
        for (const float cap : {1e-6F, 0.5F, 50.0F, 1e30F}) {
            for (std::int64_t n = 0; n < 70; ++n) {
                Floats x = drawn(n + 1, -12, 12, static_cast<std::uint32_t>(n));
                for (std::int64_t j = 0; j < n; ++j)
                    x[static_cast<std::size_t>(j)] *= cap / (1 + static_cast<float>(j % 40));
                x.back() = kGuard;
                const Floats before = x;
                rows::soft_cap(x.data(), n, cap);
                for (std::int64_t j = 0; j < n; ++j) {
                    const double at = before[static_cast<std::size_t>(j)];
                    const double expected = double(cap) * std::tanh(at / double(cap));
                    const double error = std::fabs(double(x[static_cast<std::size_t>(j)]) - expected);
                    QVERIFY2(error <= 4e-7 * std::fabs(expected), qPrintable(QStringLiteral("cap %1: %2 became %3")
                                                                                 .arg(cap)
                                                                                 .arg(at)
                                                                                 .arg(x[static_cast<std::size_t>(j)])));
                }
                QCOMPARE(x.back(), kGuard);
            }
        }
        Floats limits{kInf, -kInf, 1e38F, -1e38F, 0.0F, kNan};
        rows::soft_cap(limits.data(), 6, 2);
        for (const std::size_t n : {0U, 2U}) QVERIFY(std::fabs(limits[n] - 2) < 1e-6F && limits[n] == -limits[n + 1]);
        QVERIFY(limits[4] == 0 && std::isnan(limits[5]));
    }

    void subtractDistances_data() { levels(); }
    void subtractDistances() {
        for (const std::int64_t first : {-40, -3, 0, 7, 100000}) {
            for (std::int64_t n = 0; n < 70; ++n) {
                Floats x = drawn(n + 1, -5, 5, static_cast<std::uint32_t>(n));
                x.back() = kGuard;
                const Floats before = x;
                rows::subtract_distances(x.data(), n, 0.3F, first);
                for (std::int64_t j = 0; j < n; ++j) {
                    const double expected = double(before[static_cast<std::size_t>(j)]) -
                                            double(0.3F) * static_cast<double>(std::abs(first + j));
                    QVERIFY(std::fabs(double(x[static_cast<std::size_t>(j)]) - expected) <=
                            1e-6 + 2e-7 * std::fabs(expected));
                }
                QCOMPARE(x.back(), kGuard);
            }
        }
    }

    void sum_data() { levels(); }
    void sum() {
        for (const std::int64_t n : {0, 1, 2, 3, 7, 8, 31, 1000}) {
            Floats x = drawn(n + 1, 0, 1, 4);
            x.back() = kNan;
            double expected = 0, size = 0;
            for (std::size_t j = 0; j < static_cast<std::size_t>(n); ++j) {
                expected += static_cast<double>(x[j]);
                size += std::abs(static_cast<double>(x[j]));
            }
            QVERIFY(std::abs(rows::sum(x.data(), n) - expected) <= 1000 * 2.3e-16 * size);
            QVERIFY(std::isnan(rows::sum(x.data(), n + 1)));
        }
    }

    void scale_data() { levels(); }
    void scale() {
        for (std::int64_t n = 0; n < 40; ++n) {
            const Floats x = drawn(n + 1, -1, 1, 5);
            Floats scaled = x;
            rows::scale(x.data(), n, 0.3F, scaled.data());
            for (std::size_t j = 0; j < static_cast<std::size_t>(n); ++j) QCOMPARE(scaled[j], x[j] * 0.3F);
            QCOMPARE(scaled.back(), x.back());
        }
    }

    void addRows_data() { levels(); }
    void addRows() {
        constexpr std::int64_t kRows = 3, kGap = 2;
        for (std::int64_t n = 1; n < 40; ++n) {
            const Floats x = drawn(kRows * (n + kGap), -1, 1, 5), bias = drawn(n, -1, 1, 6);
            const auto out_size = static_cast<std::size_t>(kRows * (n + 1));
            Floats sum(out_size, kGuard);
            std::vector<std::uint16_t> half(out_size, 0x1234);
            QVERIFY(rows::add_rows({x.data(), n + kGap}, bias.data(), kRows, n, 0.3F,
                                   rows::Matrix<float>{sum.data(), n + 1}));
            QVERIFY(rows::add_rows({x.data(), n + kGap}, bias.data(), kRows, n, 0.3F,
                                   rows::Matrix<std::uint16_t>{half.data(), n + 1}));
            for (std::int64_t r = 0; r < kRows; ++r) {
                for (std::int64_t j = 0; j < n; ++j) {
                    const auto at = static_cast<std::size_t>(r * (n + 1) + j);
                    const float value =
                        (x[static_cast<std::size_t>(r * (n + kGap) + j)] + bias[static_cast<std::size_t>(j)]) * 0.3F;
                    QCOMPARE(sum[at], value);
                    QVERIFY(same(widened(half[at]),
                                 static_cast<float>(round_to(Precision::BFloat16, static_cast<double>(value)))));
                }
                QCOMPARE(sum[static_cast<std::size_t>(r * (n + 1) + n)], kGuard);
                QCOMPARE(half[static_cast<std::size_t>(r * (n + 1) + n)], std::uint16_t{0x1234});
            }
        }
    }

    void addRowsSaysWhatIsFinite_data() { levels(); }
    void addRowsSaysWhatIsFinite() {
        for (std::int64_t n = 1; n < 40; ++n) {
            Floats x = drawn(n + 1, -1, 1, 2);
            for (auto& value : x) value *= 3e38F;
            x.back() = kNan;
            const Floats bias(static_cast<std::size_t>(n), 0.0F);
            Floats out(static_cast<std::size_t>(n));
            const rows::Matrix<float> to{out.data(), n};
            QVERIFY(rows::add_rows({x.data(), n}, bias.data(), 1, n, 1.0F, to));
            for (const float value : {kNan, kInf, -kInf}) {
                Floats nonfinite = x;
                nonfinite[static_cast<std::size_t>(n * 7 / 11)] = value;
                QVERIFY(!rows::add_rows({nonfinite.data(), n}, bias.data(), 1, n, 1.0F, to));
            }
        }
    }

    void scaleRows_data() { levels(); }
    void scaleRows() {
        for (std::int64_t n = 1; n < 40; ++n) {
            const Floats x = drawn(2 * n, -1, 1, 9), factors{0.5F, 0.3F};
            const auto out_size = static_cast<std::size_t>(2 * (n + 1));
            Floats out(out_size, kGuard);
            std::vector<std::uint16_t> half(out_size, 0x1234);
            rows::scale_rows(x.data(), 2, n, factors.data(), rows::Matrix<float>{out.data(), n + 1});
            rows::scale_rows(x.data(), 2, n, factors.data(), rows::Matrix<std::uint16_t>{half.data(), n + 1});
            for (std::size_t r = 0; r < 2; ++r) {
                for (std::int64_t j = 0; j < n; ++j) {
                    const auto at = r * static_cast<std::size_t>(n + 1) + static_cast<std::size_t>(j);
                    const float value = x[r * static_cast<std::size_t>(n) + static_cast<std::size_t>(j)] * factors[r];
                    QCOMPARE(out[at], value);
                    QVERIFY(same(widened(half[at]),
                                 static_cast<float>(round_to(Precision::BFloat16, static_cast<double>(value)))));
                }
                QCOMPARE(out[(r + 1) * static_cast<std::size_t>(n + 1) - 1], kGuard);
                QCOMPARE(half[(r + 1) * static_cast<std::size_t>(n + 1) - 1], std::uint16_t{0x1234});
            }
        }
    }

    void rounding_data() { levels(); }
    void rounding() {
        const Floats x = every_kind();
        const auto n = static_cast<std::int64_t>(x.size());
        Floats brain(x.size()), half(x.size());
        std::vector<std::uint16_t> words(x.size());
        rows::round_to_bfloat16(x.data(), n, brain.data());
        rows::round_to_float16(x.data(), n, half.data());
        rows::to_bfloat16(x.data(), n, words.data());
        for (std::size_t j = 0; j < x.size(); ++j) {
            const auto value = static_cast<double>(x[j]);
            QVERIFY2(same(brain[j], static_cast<float>(round_to(Precision::BFloat16, value))),
                     qPrintable(QString::number(value)));
            QVERIFY2(same(half[j], static_cast<float>(round_to(Precision::Float16, value))),
                     qPrintable(QString::number(value)));
            QCOMPARE(std::bit_cast<std::uint32_t>(brain[j]), static_cast<std::uint32_t>(words[j]) << 16);
        }
        for (const std::uint32_t bits : {0x7FC00000U, 0x7FFFFFFFU, 0x7F800001U, 0xFFFFFFFFU}) {
            const Floats nan(20, std::bit_cast<float>(bits));
            rows::round_to_bfloat16(nan.data(), 20, brain.data());
            rows::round_to_float16(nan.data(), 20, half.data());
            for (std::size_t j = 0; j < 20; ++j) QVERIFY(std::isnan(brain[j]) && std::isnan(half[j]));
        }
    }

    void transpose_data() { levels(); }
    void transpose() {
        for (const std::int64_t m : {1, 4, 7, 16, 33}) {
            for (const std::int64_t n : {1, 4, 5, 17, 64}) {
                const std::int64_t stride = n + 3, out_stride = m + 2;
                const Floats x = drawn(m * stride, -1, 1, 8);
                Floats out(static_cast<std::size_t>(n * out_stride), kGuard);
                rows::transpose_words(x.data(), stride, m, n, out.data(), out_stride);
                for (std::int64_t j = 0; j < n; ++j) {
                    for (std::int64_t i = 0; i < out_stride; ++i) {
                        const float expected = i < m ? x[static_cast<std::size_t>(i * stride + j)] : kGuard;
                        QCOMPARE(out[static_cast<std::size_t>(j * out_stride + i)], expected);
                    }
                }
            }
        }
    }

    /// Tile by tile gives what the whole row gives, with a mask, a masked row and a padded end.
    void softmaxStep_data() { levels(); }
    void softmaxStep() {
        constexpr std::int64_t kRows = 5, kKeys = 50, kPadded = 64, kWidth = 3;
        Floats all = drawn(kRows * 2 * kKeys, -9, 9, 12);
        for (std::size_t j = 0; j < kKeys; ++j) all[j] -= 20;  // the first row rises by much from tile to tile
        std::vector<std::uint8_t> allowed(kRows * 2 * kKeys, 1);
        for (std::size_t i = 0; i < allowed.size(); ++i) allowed[i] = i % 3 == 1 || i / (2 * kKeys) == 3 ? 0 : 1;
        Floats offset(kRows, -kInf), sum(kRows, 0), context(kRows * kWidth, 1), before, first, second;
        for (const std::int64_t tile : {0, 1}) {
            Floats scores(kRows * kPadded, kGuard);
            for (std::int64_t r = 0; r < kRows; ++r)
                std::copy_n(all.data() + (2 * r + tile) * kKeys, kKeys, scores.data() + r * kPadded);
            rows::softmax_step(rows::SoftmaxTile<float>{scores.data(),
                                                        kPadded,
                                                        kRows,
                                                        kKeys,
                                                        kPadded,
                                                        {allowed.data() + tile * kKeys, 2 * kKeys, 0, kKeys},
                                                        -kInf,
                                                        offset.data(),
                                                        sum.data(),
                                                        context.data(),
                                                        kWidth,
                                                        nullptr});
            if (tile == 0) {
                std::fill(context.begin(), context.end(), 1.0F);
                first = scores;
                before = offset;
            }
            second = scores;
        }
        for (std::size_t r = 0; r < kRows; ++r) {
            double largest = -INFINITY, expected = 0;
            const auto at = [&](std::size_t j) { return static_cast<double>(all[r * 2 * kKeys + j]); };
            const auto is_allowed = [&](std::size_t j) { return allowed[r * 2 * kKeys + j] != 0; };
            for (std::size_t j = 0; j < 2 * kKeys; ++j) largest = is_allowed(j) ? std::max(largest, at(j)) : largest;
            const auto shift = static_cast<double>(offset[r]);
            QVERIFY(shift <= largest && shift >= largest - 8);
            QVERIFY(r > 0 || shift > static_cast<double>(before[r]));
            for (std::size_t j = 0; j < 2 * kKeys; ++j) expected += is_allowed(j) ? std::exp(at(j) - shift) : 0;
            QVERIFY(std::abs(static_cast<double>(sum[r]) - expected) <= 2e-6 * expected);
            for (std::size_t j = 0; j < kPadded; ++j) {
                const bool counts = j < kKeys && is_allowed(kKeys + j);
                const double weight = counts ? std::exp(at(kKeys + j) - shift) : 0;
                QVERIFY(std::abs(static_cast<double>(second[r * kPadded + j]) - weight) <= 2e-6 * weight);
                QVERIFY(j < kKeys || first[r * kPadded + j] == 0.0F);
            }
            // The context was 1 under the first tile's offset, so that it has shrunk by as much as that offset grew.
            const double shrunk = before[r] == offset[r] ? 1 : std::exp(static_cast<double>(before[r]) - shift);
            QVERIFY(std::abs(static_cast<double>(context[r * kWidth]) - shrunk) <= 1e-6);
        }
    }

    void softmaxStepInHalf_data() { levels(); }
    void softmaxStepInHalf() {
        Floats scores = drawn(40, -3, 3, 1), maximum{-kInf}, sum{0}, context{0};
        const Floats before = scores;
        std::vector<std::uint16_t> half(40, 0xFFFF);
        rows::softmax_step(rows::SoftmaxTile<float>{
            scores.data(), 40, 1, 37, 40, {}, -kInf, maximum.data(), sum.data(), context.data(), 1, half.data()});
        for (std::size_t j = 0; j < 40; ++j) {
            const float value = std::bit_cast<float>(static_cast<std::uint32_t>(half[j]) << 16);
            const float expected = j < 37 ? std::exp(before[j] - maximum[0]) : 0;
            QVERIFY(std::abs(value - expected) <= expected / 256 * 1.01F);  // half a unit of eight bits
        }
    }

    /// The plain loops of float64 mean the same as the kernels.
    void doublesAgree() {
        const Floats x = drawn(90, -9, 9, 21), bias = drawn(90, -1, 1, 22);
        std::vector<std::uint8_t> allowed(90);
        for (std::size_t j = 0; j < allowed.size(); ++j) allowed[j] = j % 4 == 0 ? 0 : 1;
        const std::vector<double> wide(x.begin(), x.end()), wide_bias(bias.begin(), bias.end());
        Floats a = x, a_out(90), a_max{-kInf}, a_sum{0}, a_context{2};
        std::vector<double> b = wide, b_out(90), b_max{-INFINITY}, b_sum{0}, b_context{2};
        QCOMPARE(static_cast<double>(rows::maximum(x.data(), 90)), rows::maximum(wide.data(), 90));
        QVERIFY(rows::add_rows({x.data(), 45}, bias.data(), 2, 45, 0.5F, rows::Matrix<float>{a_out.data(), 45}));
        QVERIFY(
            rows::add_rows({wide.data(), 45}, wide_bias.data(), 2, 45, 0.5, rows::Matrix<double>{b_out.data(), 45}));
        for (std::size_t j = 0; j < 90; ++j) QVERIFY(std::abs(static_cast<double>(a_out[j]) - b_out[j]) < 1e-6);
        for (const std::int64_t first : {0, 45}) {
            rows::softmax_step(rows::SoftmaxTile<float>{a.data() + first,
                                                        45,
                                                        1,
                                                        40,
                                                        45,
                                                        {allowed.data() + first, 45, 0, 40},
                                                        -kInf,
                                                        a_max.data(),
                                                        a_sum.data(),
                                                        a_context.data(),
                                                        1,
                                                        nullptr});
            rows::softmax_step(rows::SoftmaxTile<double>{b.data() + first,
                                                         45,
                                                         1,
                                                         40,
                                                         45,
                                                         {allowed.data() + first, 45, 0, 40},
                                                         -INFINITY,
                                                         b_max.data(),
                                                         b_sum.data(),
                                                         b_context.data(),
                                                         1,
                                                         nullptr});
        }
        QCOMPARE(static_cast<double>(a_max[0]), b_max[0]);
        QVERIFY(std::abs(static_cast<double>(a_sum[0]) / b_sum[0] - 1) < 1e-6);
        QVERIFY(std::abs(static_cast<double>(a_context[0]) - b_context[0]) < 1e-6);
        for (std::size_t j = 0; j < 90; ++j) QVERIFY(std::abs(static_cast<double>(a[j]) - b[j]) < 1e-6);
        std::vector<double> nonfinite = wide;
        nonfinite[80] = NAN;
        QVERIFY(!rows::add_rows({nonfinite.data(), 45}, wide_bias.data(), 2, 45, 0.5,
                                rows::Matrix<double>{b_out.data(), 45}));
        QCOMPARE(rows::maximum(nonfinite.data(), 90), rows::maximum(wide.data(), 90));
    }

    void everyLevelIsThere() {
        QVERIFY(!rows::target_names().empty());
        for (const auto name : rows::target_names()) {
            rows::use_target_for_tests(name);
            QCOMPARE(std::string(rows::target_name()), std::string(name));
        }
        rows::use_target_for_tests("");
        QCOMPARE(rows::target_name(), rows::target_names().front());
    }

private:
    /// One row of test data a level; each test function runs under every one of them.
    static void levels() {
        QTest::addColumn<QByteArray>("level");
        for (const auto name : rows::target_names()) {
            const QByteArray level(name.data(), static_cast<qsizetype>(name.size()));
            QTest::newRow(level.constData()) << level;
        }
    }

private Q_SLOTS:
    void init() {
        if (!QTest::currentDataTag()) return;
        QFETCH(QByteArray, level);
        rows::use_target_for_tests({level.constData(), static_cast<std::size_t>(level.size())});
    }
};

QTEST_APPLESS_MAIN(TestRowKernels)
#include "tst_row_kernels.moc"
