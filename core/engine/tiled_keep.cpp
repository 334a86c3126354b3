// SPDX-License-Identifier: GPL-3.0-or-later
// Stores the weights of a query block, if they are kept. Each run's exponentials were computed with the maximum known
// at that time; they are rescaled to the final maximum and divided by the sum once, as they are written.
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/engine/rounding.h"
#include "core/engine/row_kernels.h"
#include "core/engine/tiled_call.h"

namespace headscope::tiled {

namespace {

/// A row whose sum is 0 or not finite: masked weights stay 0, and with Inf every weight of a fully masked row is NaN.
template <typename Stored>
void store_row_without_sum(const Call<Stored>& call, const BlockTask& task, std::int64_t r, Sum<Stored>* weights) {
    const std::int64_t size = call.plan.dims.sequence_length;
    std::vector<std::uint8_t> made(static_cast<std::size_t>(size));
    const TileMap& mask = call.tiles.map(task.head % call.plan.dims.num_heads);
    const std::uint8_t* allowed =
        mask.cells(call.first_sequence + task.sequence, task.first + r, 1, 0, size, made.data()).cells;
    const bool fully_masked = std::none_of(allowed, allowed + size, [](std::uint8_t cell) { return cell != 0; });
    for (std::int64_t j = 0; j < size; ++j) {
        if (fully_masked) weights[j] = std::numeric_limits<Sum<Stored>>::quiet_NaN();
        if (!fully_masked && !allowed[j]) weights[j] = 0;
    }
}

/// Stores the weights of one row, run by run.
template <typename Stored>
void store_row(const Call<Stored>& call, const BlockTask& task, std::int64_t r, const Scratch<Stored>& scratch,
               Sum<Stored>* weights) {
    using T = Sum<Stored>;
    const Plan& plan = call.plan;
    const T offset = scratch.offset[static_cast<std::size_t>(r)], factor = scratch.sum[static_cast<std::size_t>(r)];
    // Between the runs every key is masked: weight 0, or with a finite fill NaN if the row is NaN.
    const T between = plan.mode == Fill::MinusBillion ? T{0} * factor : T{0};
    const bool covered = !scratch.runs.empty() && scratch.runs.back().masked;  // then there are no gaps
    std::int64_t end = 0;
    const T* offsets = scratch.run_offsets.data() + r;
    for (const Run& run : scratch.runs) {
        const T by = *offsets == offset ? factor : std::exp(*offsets - offset) * factor;
        if (!covered) std::fill(weights + end, weights + run.first, between);
        rows::scale(scratch.scores.data() + run.place + r * run.width, run.keys, by, weights + run.first);
        end = run.first + run.keys;
        offsets += plan.query_block;
    }
    if (!covered) std::fill(weights + end, weights + plan.dims.sequence_length, between);
    if (!std::isfinite(factor) && plan.mode != Fill::MinusBillion) store_row_without_sum(call, task, r, weights);
    for (const Run& run : scratch.runs) round_all(weights + run.first, run.keys, plan.precision);
}

template <typename Stored>
double sum_of_row(const Call<Stored>& call, const Scratch<Stored>& scratch, std::int64_t r,
                  const Sum<Stored>* weights) {
    if (!std::isfinite(scratch.sum[static_cast<std::size_t>(r)])) {
        return rows::sum(weights, call.plan.dims.sequence_length);
    }
    double sum = 0;  // all keys between the runs are 0
    for (const Run& run : scratch.runs) sum += rows::sum(weights + run.first, run.keys);
    return sum;
}

}  // namespace

template <typename Stored>
void store_weights(const Call<Stored>& call, const BlockTask& task, const Scratch<Stored>& scratch) {
    const std::int64_t size = call.plan.dims.sequence_length;
    for (std::int64_t r = 0; r < task.rows; ++r) {
        const std::int64_t row = task.head * size + task.first + r;
        Sum<Stored>* weights = call.weights + row * size;
        store_row(call, task, r, scratch, weights);
        if (call.row_sums) call.row_sums[row] = sum_of_row(call, scratch, r, weights);
    }
}

template void store_weights(const Call<float>&, const BlockTask&, const Scratch<float>&);
template void store_weights(const Call<double>&, const BlockTask&, const Scratch<double>&);
template void store_weights(const Call<std::uint16_t>&, const BlockTask&, const Scratch<std::uint16_t>&);

}  // namespace headscope::tiled
