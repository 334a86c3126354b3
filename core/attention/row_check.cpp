// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>

#include "core/attention/trace.h"

#include "core/base/precision_type.h"

namespace headscope {

namespace {

/// The tolerance of |sum - 1| for a row of n weights, each rounded once and summed in double. This is a worst-case
/// bound (Higham 2002, 4.2); actual errors are far smaller.
double tolerance(Precision precision, std::int64_t n) {
    const double of_one = std::ldexp(1.0, -type_of(precision).significand);
    const double of_sum = storage_type(precision) == Tensor::Type::Float64 ? 0x1p-53 : 0x1p-24;
    return 2 * of_one + static_cast<double>(n) * of_sum;
}

void check_row(double sum, double allowed, RowCheck& check) {
    if (!std::isfinite(sum)) {
        ++check.not_finite;
        return;
    }
    const double error = std::fabs(sum - 1);
    check.largest_error = std::max(check.largest_error, error);
    if (error <= allowed) ++check.sum_to_one;
}

}  // namespace

void check_rows(const std::vector<double>& row_sums, std::int64_t num_heads, const HeadMasks& mask,
                std::int64_t first_sequence, Precision precision, RowCheck& check, std::int64_t first_head) {
    const std::int64_t size = mask.size(), rows = static_cast<std::int64_t>(row_sums.size());
    const double allowed = tolerance(precision, size);
    check.rows += rows;
    for (std::int64_t n = 0; n < rows; ++n) {
        RowCheck row;
        check_row(row_sums[static_cast<std::size_t>(n)], allowed, row);
        check.sum_to_one += row.sum_to_one;
        const Mask& own = mask.of(first_head + n / size % num_heads);
        if (own.allowed_in_row(first_sequence + n / size / num_heads, n % size) == 0) {
            ++check.fully_masked;  // zeros, uniform or NaN, depending on the fill value: none of these is an error
        } else {
            check.not_finite += row.not_finite;
            check.largest_error = std::max(check.largest_error, row.largest_error);
        }
    }
}

}  // namespace headscope
