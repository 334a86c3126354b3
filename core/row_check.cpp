// SPDX-License-Identifier: GPL-3.0-or-later
#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "core/rounding.h"
#include "core/trace.h"

namespace headscope {

namespace {

/// How far a row of n weights may be from 1: each is rounded once, and their sum is taken in float or double. Worst
/// case bounds (Higham 2002, 4.2); what a row really misses is far less.
double tolerance(Precision precision, std::int64_t n) {
    const double of_one = precision == Precision::BFloat16  ? 0x1p-8
                          : precision == Precision::Float16 ? 0x1p-11
                          : precision == Precision::Float64 ? 0x1p-53
                                                            : 0x1p-24;
    const double of_sum = precision == Precision::Float64 ? 0x1p-53 : 0x1p-24;
    return 2 * of_one + static_cast<double>(n) * of_sum;
}

template <typename T>
void check_row(const T* row, std::int64_t n, double allowed, RowCheck& check) {
    const Eigen::Map<const Eigen::Array<T, Eigen::Dynamic, 1>> values(row, n);
    const double sum = values.template cast<double>().sum();
    if (!std::isfinite(sum)) {
        ++check.not_finite;
        return;
    }
    const double error = std::fabs(sum - 1);
    check.largest_error = std::max(check.largest_error, error);
    if (error <= allowed) ++check.sum_to_one;
}

}  // namespace

void check_rows(const Tensor& weights, const Mask& mask, std::int64_t first_sequence, Precision precision,
                RowCheck& check) {
    const std::int64_t heads = weights.dim(1), n = weights.dim(2);
    const double allowed = tolerance(precision, n);
    for (std::int64_t r = 0; r < weights.dim(0) * heads * n; ++r) {
        ++check.rows;
        if (mask.open_in_row(first_sequence + r / (heads * n), r % n) == 0) {
            ++check.empty;
        } else if (weights.type() == Tensor::Type::Float64) {
            check_row(weights.data<double>() + r * n, n, allowed, check);
        } else {
            check_row(weights.data<float>() + r * n, n, allowed, check);
        }
    }
}

}  // namespace headscope
