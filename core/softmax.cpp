// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/softmax.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>

namespace headscope {

namespace {

template <typename T>
using Values = Eigen::Map<Eigen::Array<T, Eigen::Dynamic, 1>>;

template <typename T>
constexpr T kNan = std::numeric_limits<T>::quiet_NaN();

/// The row has no score to take the weights from: nothing is open, or everything that is has the score -inf.
template <typename T>
void weights_of_nothing(const ScoreRow<T>& row, T* out) {
    const bool empty = row.open && std::none_of(row.open, row.open + row.n, [](std::uint8_t cell) { return cell; });
    for (std::int64_t j = 0; j < row.n; ++j) {
        const bool attends = empty || !row.open || row.open[j];
        out[j] = row.mode == Fill::Inf && attends ? kNan<T> : T{0};
    }
}

/// Divides by the sum. What is masked stays 0 in a row that inf or NaN has spoilt.
template <typename T>
void normalise(const ScoreRow<T>& row, double sum, T* out) {
    Values<T>(out, row.n) /= static_cast<T>(sum);
    if (std::isfinite(sum) || !row.open || row.mode == Fill::MinusBillion) return;
    for (std::int64_t j = 0; j < row.n; ++j) {
        if (!row.open[j]) out[j] = 0;
    }
}

template <typename T>
bool has_nothing(const ScoreRow<T>& row, T maximum) {
    return maximum == -std::numeric_limits<T>::infinity() && row.mode != Fill::MinusBillion;
}

}  // namespace

template <typename T>
T fill_row(const ScoreRow<T>& row, T* out) {
    if (row.open) {
        for (std::int64_t j = 0; j < row.n; ++j) out[j] = row.open[j] ? row.scores[j] : row.fill;
    } else {
        std::copy_n(row.scores, row.n, out);
    }
    return Values<T>(out, row.n).template maxCoeff<Eigen::PropagateNaN>();
}

template <typename T>
double exponentiate(T* values, std::int64_t n, T maximum) {
    // Not Eigen's exp(): it gives a small number, not 0, for -inf.
    double sum = 0;
    for (std::int64_t j = 0; j < n; ++j) {
        values[j] = std::exp(values[j] - maximum);
        sum += static_cast<double>(values[j]);
    }
    return sum;
}

template <typename T>
void softmax_row(const ScoreRow<T>& row, T* out) {
    const T maximum = fill_row(row, out);
    if (has_nothing(row, maximum)) return weights_of_nothing(row, out);
    normalise(row, exponentiate(out, row.n, maximum), out);
}

template <typename T>
void softmax_row(const ScoreRow<T>& row, T maximum, double sum, T* out) {
    if (has_nothing(row, maximum)) return weights_of_nothing(row, out);
    fill_row(row, out);
    exponentiate(out, row.n, maximum);
    normalise(row, sum, out);
}

template float fill_row(const ScoreRow<float>&, float*);
template double fill_row(const ScoreRow<double>&, double*);
template double exponentiate(float*, std::int64_t, float);
template double exponentiate(double*, std::int64_t, double);
template void softmax_row(const ScoreRow<float>&, float*);
template void softmax_row(const ScoreRow<double>&, double*);
template void softmax_row(const ScoreRow<float>&, float, double, float*);
template void softmax_row(const ScoreRow<double>&, double, double, double*);

}  // namespace headscope
