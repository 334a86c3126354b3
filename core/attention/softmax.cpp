// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/softmax.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/engine/row_kernels.h"

namespace headscope {

namespace {

template <typename T>
using Values = Eigen::Map<Eigen::Array<T, Eigen::Dynamic, 1>>;

template <typename T>
constexpr T kNan = std::numeric_limits<T>::quiet_NaN();

/// The weights of a row without a score above -inf: it is fully masked, or every allowed score is -inf.
template <typename T>
void weights_of_nothing(const ScoreRow<T>& row, T* out) {
    const bool empty =
        row.allowed && std::none_of(row.allowed, row.allowed + row.n, [](std::uint8_t cell) { return cell; });
    for (std::int64_t j = 0; j < row.n; ++j) {
        const bool attends = empty || !row.allowed || row.allowed[j];
        out[j] = row.mode == Fill::Inf && attends ? kNan<T> : T{0};
    }
}

/// Divides by the sum. Masked cells stay 0 in a row whose sum is inf or NaN.
template <typename T>
void normalise(const ScoreRow<T>& row, double sum, T* out) {
    Values<T>(out, row.n) /= static_cast<T>(sum);
    if (std::isfinite(sum) || !row.allowed || row.mode == Fill::MinusBillion) return;
    for (std::int64_t j = 0; j < row.n; ++j) {
        if (!row.allowed[j]) out[j] = 0;
    }
}

/// The larger of a maximum and the row's sink; NaN stays NaN.
template <typename T>
T with_sink(const ScoreRow<T>& row, T maximum) {
    return row.sink && maximum < *row.sink ? *row.sink : maximum;
}

template <typename T>
bool has_nothing(const ScoreRow<T>& row, T maximum) {
    return maximum == -std::numeric_limits<T>::infinity() && row.mode != Fill::MinusBillion;
}

}  // namespace

template <>
float fill_row(const ScoreRow<float>& row, float* out) {
    return rows::copy_masked(row.scores, row.allowed, row.n, row.fill, out);
}

template <>
double fill_row(const ScoreRow<double>& row, double* out) {
    for (std::int64_t j = 0; j < row.n; ++j) out[j] = !row.allowed || row.allowed[j] ? row.scores[j] : row.fill;
    return Values<double>(out, row.n).maxCoeff<Eigen::PropagateNaN>();
}

double exponentiate(float* values, std::int64_t n, float maximum) {
    constexpr std::int64_t kStretch = 512;  // numbers summed in float before their sum is added in double
    double sum = 0;
    for (std::int64_t j = 0; j < n; j += kStretch) {
        sum += static_cast<double>(rows::exponentials(values + j, std::min(kStretch, n - j), maximum, values + j));
    }
    return sum;
}

double exponentiate(double* values, std::int64_t n, double maximum) {
    return rows::exponentials(values, n, maximum, values);
}

template <typename T>
RowTotals<T> softmax_row(const ScoreRow<T>& row, T* out) {
    const T maximum = with_sink(row, fill_row(row, out));
    if (has_nothing(row, maximum)) {
        weights_of_nothing(row, out);
        return {maximum, 0};
    }
    double sum = exponentiate(out, row.n, maximum);
    if (row.sink) sum += std::exp(static_cast<double>(*row.sink) - static_cast<double>(maximum));
    normalise(row, sum, out);
    return {maximum, sum};
}

template <typename T>
void softmax_row(const ScoreRow<T>& row, T maximum, double sum, T* out) {
    if (has_nothing(row, maximum)) return weights_of_nothing(row, out);
    fill_row(row, out);
    exponentiate(out, row.n, maximum);
    normalise(row, sum, out);
}

template RowTotals<float> softmax_row(const ScoreRow<float>&, float*);
template RowTotals<double> softmax_row(const ScoreRow<double>&, double*);
template void softmax_row(const ScoreRow<float>&, float, double, float*);
template void softmax_row(const ScoreRow<double>&, double, double, double*);

}  // namespace headscope
