// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>

#include "core/attention/trace.h"
#include "core/base/thread_pool.h"
#include "core/engine/rounding.h"
#include "core/engine/row_kernels.h"

namespace headscope {

namespace {

/// How far a row of n weights may be from 1: each is rounded once, and their sum is taken in double. Worst
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
    const double sum = rows::sum(row, n);
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
    std::vector<RowCheck> parts(static_cast<std::size_t>(weights.dim(0) * heads));
    const int threads = threads_for(static_cast<double>(weights.size()));
    parallel_for(threads, weights.dim(0) * heads, [&](std::int64_t head, int) {
        RowCheck& part = parts[static_cast<std::size_t>(head)];
        for (std::int64_t i = 0; i < n; ++i) {
            const std::int64_t place = (head * n + i) * n;
            const bool fully_masked = mask.open_in_row(first_sequence + head / heads, i) == 0;
            RowCheck row;
            if (weights.type() == Tensor::Type::Float64) {
                check_row(weights.data<double>() + place, n, allowed, row);
            } else {
                check_row(weights.data<float>() + place, n, allowed, row);
            }
            part.sum_to_one += row.sum_to_one;
            if (fully_masked) {
                ++part.fully_masked;  // zeros, uniform or NaN, as the fill has it: none of these is an error
            } else {
                part.not_finite += row.not_finite;
                part.largest_error = std::max(part.largest_error, row.largest_error);
            }
        }
    });
    for (const RowCheck& part : parts) {
        check.rows += n;
        check.fully_masked += part.fully_masked;
        check.sum_to_one += part.sum_to_one;
        check.not_finite += part.not_finite;
        check.largest_error = std::max(check.largest_error, part.largest_error);
    }
}

}  // namespace headscope
