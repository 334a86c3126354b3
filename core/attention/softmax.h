// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/base/config.h"

namespace headscope {

/// One row of scores, to be masked and put through the softmax. T is float or double.
template <typename T>
struct ScoreRow {
    const T* scores;           ///< n numbers, scaled, before the mask
    const std::uint8_t* open;  ///< n cells, 1 = allowed; null where every cell is
    std::int64_t n;
    Fill mode;  ///< effective_mode()
    T fill;     ///< effective_fill()
};

/// Writes the masked scores to out and returns their maximum: NaN if one is NaN, -inf for a fully masked row.
template <typename T>
T fill_row(const ScoreRow<T>& row, T* out);
template <>
float fill_row(const ScoreRow<float>& row, float* out);
template <>
double fill_row(const ScoreRow<double>& row, double* out);

/// values = exp(values - maximum), which must be finite or NaN or +inf; returns their sum. In float an exponential is
/// off by 3e-7 of itself at most (row_kernels.h), and 0 below 1.2e-38.
double exponentiate(float* values, std::int64_t n, float maximum);
double exponentiate(double* values, std::int64_t n, double maximum);

/// softmax(masked scores) into out (CONVENTIONS 5 to 8): masked weights are exactly 0 where the fill is -inf, and a row
/// without any finite or NaN or +inf score is zeros (Safe) or NaN (Inf; only its allowed cells, if it has some).
template <typename T>
void softmax_row(const ScoreRow<T>& row, T* out);

/// The same from a known maximum and sum, such as the final ones of a running softmax.
template <typename T>
void softmax_row(const ScoreRow<T>& row, T maximum, double sum, T* out);

}  // namespace headscope
