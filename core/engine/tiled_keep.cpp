// SPDX-License-Identifier: GPL-3.0-or-later
// A query block whose scores or weights are kept: all of its runs are computed first, so that the softmax of a row is
// known when its weights are written, once.
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/engine/rounding.h"
#include "core/engine/row_kernels.h"
#include "core/engine/tiled_call.h"

namespace headscope::tiled {

namespace {

/// A run with its place in the scratch, where it is (query_block, run.width).
struct PlacedRun {
    Run run;
    std::int64_t offset;
    rows::MaskedPart masked;
};

template <typename Stored>
std::vector<PlacedRun> compute_scores(const Call<Stored>& call, const BlockTask& task,
                                      const BlockScratch<Stored>& scratch) {
    std::vector<PlacedRun> placed;
    std::int64_t offset = 0;
    for (const Run& run : task.runs) {
        score_product(call, task, run, scratch.scores.data() + offset);
        placed.push_back({run, offset, masked_part(call, task, run, scratch.cells.data() + offset)});
        offset += call.plan.query_block * run.width;
    }
    return placed;
}

/// Where a row of a kept tensor begins.
template <typename T>
T* kept_row(Tensor& kept, const Plan& plan, const BlockTask& task, std::int64_t r) {
    const std::int64_t size = plan.dims.sequence_length;
    return kept.data<T>() + (task.head * size + task.first + r) * size;
}

/// A row whose sum is 0 or no number: what is masked stays 0, and in Inf a row without an open cell is NaN throughout.
template <typename Stored>
void mend_row(const Call<Stored>& call, const BlockTask& task, std::int64_t r, Sum<Stored>* weights) {
    const Plan& plan = call.plan;
    const std::int64_t size = plan.dims.sequence_length;
    std::vector<std::uint8_t> made(static_cast<std::size_t>(size));
    const std::uint8_t* open = call.mask.cells(task.sequence, task.first + r, 1, 0, size, made.data()).cells;
    const bool empty = std::none_of(open, open + size, [](std::uint8_t cell) { return cell != 0; });
    for (std::int64_t j = 0; j < size; ++j) {
        if (empty) weights[j] = std::numeric_limits<Sum<Stored>>::quiet_NaN();
        if (!empty && !open[j]) weights[j] = 0;
    }
}

/// The weights of one row, run by run; between the runs they are 0.
template <typename Stored>
void store_weights(Call<Stored>& call, const BlockTask& task, const std::vector<PlacedRun>& placed, std::int64_t r,
                   const BlockScratch<Stored>& scratch) {
    using T = Sum<Stored>;
    const Plan& plan = call.plan;
    T* weights = kept_row<T>(call.result.weights, plan, task, r);
    const T factor = scratch.sum[static_cast<std::size_t>(r)];
    std::int64_t end = 0;
    for (const auto& [run, offset, masked] : placed) {
        std::fill(weights + end, weights + run.first, T{0});
        rows::scale(scratch.scores.data() + offset + r * run.width, run.keys, factor, weights + run.first);
        end = run.first + run.keys;
    }
    std::fill(weights + end, weights + plan.dims.sequence_length, T{0});
    if (!std::isfinite(factor) && plan.mode != Fill::MinusBillion) mend_row(call, task, r, weights);
    round_all(weights, plan.dims.sequence_length, plan.precision);
}

/// Scores into exponentials, row by row; sum is what each row comes to.
template <typename Stored>
void soften_row(Call<Stored>& call, const BlockTask& task, const std::vector<PlacedRun>& placed, std::int64_t r,
                const BlockScratch<Stored>& scratch) {
    using T = Sum<Stored>;
    const auto fill = static_cast<T>(call.plan.fill);
    T maximum = -std::numeric_limits<T>::infinity(), sum = 0;
    for (const auto& [run, offset, masked] : placed) {
        T* scores = scratch.scores.data() + offset + r * run.width;
        if (call.result.scores.size() > 0) {
            T* kept = kept_row<T>(call.result.scores, call.plan, task, r) + run.first;
            std::copy_n(scores, run.keys, kept);
            round_all(kept, run.keys, call.plan.precision);
        }
        if (masked.cells) {
            rows::fill_masked(scores + masked.first, masked.cells + r * masked.stride, masked.count, fill);
        }
        maximum = std::max(maximum, rows::maximum(scores, run.keys));
    }
    const T shift = maximum == -std::numeric_limits<T>::infinity() ? T{0} : maximum;
    for (const auto& [run, offset, masked] : placed) {
        T* scores = scratch.scores.data() + offset + r * run.width;
        sum += rows::exponentials(scores, run.keys, shift, scores);
        std::fill(scores + run.keys, scores + run.width, T{0});
        if constexpr (!std::is_same_v<Stored, T>) {
            rows::to_bfloat16(scores, run.width, scratch.halves.data() + offset + r * run.width);
        }
    }
    scratch.sum[static_cast<std::size_t>(r)] = sum;
}

}  // namespace

template <typename Stored>
void attend_block_keeping(Call<Stored>& call, const BlockTask& task, const BlockScratch<Stored>& scratch) {
    using T = Sum<Stored>;
    const std::int64_t dh = call.plan.dims.head_dim();
    const std::vector<PlacedRun> placed = compute_scores(call, task, scratch);
    for (std::int64_t r = 0; r < task.rows; ++r) soften_row(call, task, placed, r, scratch);
    close_sums(call, task, scratch);
    for (std::int64_t r = 0; call.result.weights.size() > 0 && r < task.rows; ++r) {
        store_weights(call, task, placed, r, scratch);
    }
    std::fill_n(scratch.context.data(), call.plan.query_block * dh, T{0});
    for (const auto& [run, offset, masked] : placed) {
        const Stored* exponentials;
        if constexpr (std::is_same_v<Stored, T>) {
            exponentials = scratch.scores.data() + offset;
        } else {
            exponentials = scratch.halves.data() + offset;
        }
        add_context(call, task, run, exponentials, masked, scratch.context.data());
    }
    store_context(call, task, scratch);
}

template void attend_block_keeping(Call<float>&, const BlockTask&, const BlockScratch<float>&);
template void attend_block_keeping(Call<double>&, const BlockTask&, const BlockScratch<double>&);
template void attend_block_keeping(Call<std::uint16_t>&, const BlockTask&, const BlockScratch<std::uint16_t>&);

}  // namespace headscope::tiled
