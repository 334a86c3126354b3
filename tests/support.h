// SPDX-License-Identifier: GPL-3.0-or-later
// Helpers for the tests of core: they build tensors and batches, and compare numbers and report the largest difference.
#pragma once

#include <QString>
#include <QTest>
#include <cmath>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "core/base/batch.h"
#include "core/base/tensor.h"
#include "core/masks/mask.h"

namespace headscope::testing {

/// A tensor whose element at flat index i is f(i).
inline Tensor filled(Tensor::Type type, const Shape& shape, const std::function<double(std::int64_t)>& f) {
    Tensor tensor(type, shape);
    for (std::int64_t n = 0; n < tensor.size(); ++n) {
        if (type == Tensor::Type::Float64) {
            tensor.data<double>()[n] = f(n);
        } else {
            tensor.data<float>()[n] = static_cast<float>(f(n));
        }
    }
    return tensor;
}

inline Tensor random_tensor(Tensor::Type type, const Shape& shape, std::mt19937& random, double spread = 1) {
    std::normal_distribution<double> normal(0, spread);
    return filled(type, shape, [&](std::int64_t) { return normal(random); });
}

/// A batch with S tokens "t0 t1 ..." per sequence: real tokens up to its length, then [PAD].
inline Batch batch_of_lengths(const std::vector<std::int64_t>& lengths, std::int64_t size) {
    Batch batch;
    for (const std::int64_t length : lengths) {
        auto& tokens = batch.tokens.emplace_back();
        for (std::int64_t j = 0; j < size; ++j) {
            tokens.push_back(j < length ? fmt::format("t{}", j) : std::string(kPad));
            batch.real.push_back(j < length);
        }
    }
    return batch;
}

inline MaskPtr build_mask(const std::string& text, const Batch& batch) {
    const auto expression = parse_mask(text);
    if (!expression) return nullptr;
    const auto mask = Mask::build(*expression, batch);
    return mask ? *mask : nullptr;
}

/// The code of an error; nothing if there is no error.
template <typename T>
std::optional<ErrorCode> code_of(const Result<T>& result) {
    return result ? std::nullopt : std::optional(result.error().code);
}

/// True if a equals b or both are NaN.
inline bool same(double a, double b) {
    return a == b || (std::isnan(a) && std::isnan(b));
}
inline bool near(double a, double b, double tolerance) {
    return same(a, b) || std::fabs(a - b) <= tolerance;
}

/// Empty if every |a - b| <= tolerance and NaN and infinities are at the same places; else describes the place of the
/// largest difference.
inline QString differs(std::int64_t size, const std::function<double(std::int64_t)>& a,
                       const std::function<double(std::int64_t)>& b, double tolerance) {
    std::int64_t worst = -1;
    double largest = tolerance;
    for (std::int64_t n = 0; n < size; ++n) {
        const double left = a(n), right = b(n);
        if (same(left, right)) continue;
        const double difference = std::fabs(left - right);
        if (difference <= largest) continue;
        worst = n;
        if (std::isnan(difference)) break;
        largest = difference;
    }
    if (worst < 0) return {};
    return QStringLiteral("number %1 of %2: %3, but expected %4 (within %5)")
        .arg(worst)
        .arg(size)
        .arg(a(worst), 0, 'g', 17)
        .arg(b(worst), 0, 'g', 17)
        .arg(tolerance, 0, 'g', 3);
}

inline QString differs(const Tensor& actual, const Tensor& expected, double tolerance) {
    if (actual.shape() != expected.shape()) {
        return QStringLiteral("shape %1, but expected %2")
            .arg(QString::fromStdString(to_string(actual.shape())),
                 QString::fromStdString(to_string(expected.shape())));
    }
    return differs(
        actual.size(), [&](std::int64_t n) { return actual.value(n); },
        [&](std::int64_t n) { return expected.value(n); }, tolerance);
}

inline QString differs(const Tensor& actual, const std::vector<double>& expected, double tolerance) {
    if (actual.size() != static_cast<std::int64_t>(expected.size())) {
        return QStringLiteral("%1 numbers, but expected %2").arg(actual.size()).arg(expected.size());
    }
    return differs(
        actual.size(), [&](std::int64_t n) { return actual.value(n); },
        [&](std::int64_t n) { return expected[static_cast<std::size_t>(n)]; }, tolerance);
}

}  // namespace headscope::testing

/// Fails, and prints the largest difference, if two tensors differ by more than a tolerance.
#define COMPARE_NUMBERS(actual, expected, tolerance)                                             \
    do {                                                                                         \
        const QString difference = headscope::testing::differs((actual), (expected), tolerance); \
        QVERIFY2(difference.isEmpty(), qPrintable(difference));                                  \
    } while (false)

/// The value of a Result; if it holds an error, prints it and fails the test.
#define VERIFY_RESULT(result) \
    QVERIFY2((result).has_value(), (result).has_value() ? "" : (result).error().message().c_str())
