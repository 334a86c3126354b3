// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/base/config.h"

namespace headscope {

/// One row of scores on its way through mask and softmax. T is float or double.
template <typename T>
struct ScoreRow {
    const T* scores;           ///< n numbers, scaled, before the mask
    const std::uint8_t* open;  ///< n cells, 1 = may attend; null where every cell is open
    std::int64_t n;
    Fill mode;  ///< effective_mode()
    T fill;     ///< effective_fill()
};

/// The masked scores into out; returns their maximum. A NaN among them makes it NaN; nothing open makes it -inf.
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
/// without any finite or NaN or +inf score is zeros (Safe) or NaN (Inf; only its open cells, if it has some).
template <typename T>
void softmax_row(const ScoreRow<T>& row, T* out);

/// The same from a maximum and a sum that are known already, as a running softmax ends with.
template <typename T>
void softmax_row(const ScoreRow<T>& row, T maximum, double sum, T* out);

}  // namespace headscope
