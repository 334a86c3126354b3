// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>

#include "core/base/config.h"

namespace headscope {

/// One row of scores to mask and normalise. T is float or double.
template <typename T>
struct ScoreRow {
    const T* scores;              ///< n numbers, scaled, before the mask
    const std::uint8_t* allowed;  ///< n cells, 1 = allowed; null if every cell is
    std::int64_t n;
    Fill mode;                ///< effective_mode()
    T fill;                   ///< effective_fill()
    std::optional<T> sink{};  ///< a logit beside the scores, whose exponential joins the sum
};

/// Writes the masked scores to out and returns their maximum: NaN if one is NaN, -inf for a fully masked row.
template <typename T>
T fill_row(const ScoreRow<T>& row, T* out);
template <>
float fill_row(const ScoreRow<float>& row, float* out);
template <>
double fill_row(const ScoreRow<double>& row, double* out);

/// values = exp(values - maximum), which must be finite or NaN or +inf; returns their sum. In float the relative error
/// of an exponential is at most 3e-7 (row_kernels.h), and results below 1.2e-38 are 0.
double exponentiate(float* values, std::int64_t n, float maximum);
double exponentiate(double* values, std::int64_t n, double maximum);

/// The maximum of a row's masked scores and its sink, and the sum of their exponentials: -inf and 0 without a score
/// above -inf.
template <typename T>
struct RowTotals {
    T maximum;
    double sum;
};

/// Writes softmax(masked scores) to out (docs/conventions.md 5 to 8). If the fill is -inf, masked weights are exactly
/// 0. A row without any finite, NaN or +inf score becomes zeros (Safe) or NaN (Inf; only its allowed cells, if it has
/// some).
template <typename T>
RowTotals<T> softmax_row(const ScoreRow<T>& row, T* out);

/// The same with a known maximum and sum, such as the final ones of a running softmax.
template <typename T>
void softmax_row(const ScoreRow<T>& row, T maximum, double sum, T* out);

}  // namespace headscope
