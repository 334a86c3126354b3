// SPDX-License-Identifier: GPL-3.0-or-later
// The attention of the fast way, a query block of a head at a time: with a running softmax here, and with scores and
// weights kept in tiled_keep.cpp.
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/base/thread_pool.h"
#include "core/engine/rounding.h"
#include "core/engine/row_kernels.h"
#include "core/engine/tiled_call.h"

namespace headscope::tiled {

namespace {

constexpr std::int64_t kSide = TileMap::kSide;

float widened(std::uint16_t word) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(word) << 16);
}
float widened(float value) {
    return value;
}
double widened(double value) {
    return value;
}

std::int64_t rounded_up(std::int64_t n, std::int64_t unit) {
    return (n + unit - 1) / unit * unit;
}

/// Joins the blocks for which `take` says yes into runs of at most key_block keys.
template <typename Take>
std::vector<Run> runs_where(const Plan& plan, const TileMap& mask, std::int64_t sequence, std::int64_t first,
                            Take take) {
    std::vector<Run> runs;
    const std::int64_t blocks_per_task = std::max<std::int64_t>(1, plan.query_block / kSide);
    for (std::int64_t k = 0; k < mask.blocks(); ++k) {
        const TileMap::Block kind = mask.block(sequence, first / kSide, blocks_per_task, k);
        if (!take(kind)) continue;
        const std::int64_t keys = std::min(kSide, plan.dims.sequence_length - k * kSide);
        const bool joins = !runs.empty() && runs.back().first + runs.back().keys == k * kSide &&
                           runs.back().keys + kSide <= plan.key_block;
        if (!joins) runs.push_back({k * kSide, 0, 0, 0, 0});
        Run& run = runs.back();
        run.keys += keys;
        if (kind == TileMap::Block::Full) continue;
        if (run.mixed_keys == 0) run.mixed_first = k * kSide;
        run.mixed_keys = k * kSide + keys - run.mixed_first;
    }
    for (Run& run : runs) run.width = rounded_up(run.keys, plan.unit);
    return runs;
}

/// Every query block of every sequence, those with the most keys in front.
template <typename Stored>
std::vector<BlockTask> make_tasks(const Call<Stored>& call) {
    const Plan& plan = call.plan;
    using Block = TileMap::Block;
    const bool fills = plan.mode == Fill::MinusBillion;
    // Scores are kept of every cell, and weights where a finite fill may take some anywhere.
    const bool all = plan.keeps && (fills || call.result.scores.size() > 0);
    std::vector<BlockTask> tasks;
    for (std::int64_t b = 0; b < plan.dims.batch; ++b) {
        for (std::int64_t i = 0; i < plan.dims.sequence_length; i += plan.query_block) {
            const std::int64_t rows = std::min(plan.query_block, plan.dims.sequence_length - i);
            BlockTask task{0, b, i, rows, {}, {}};
            task.runs = runs_where(plan, call.mask, b, i, [&](Block kind) { return all || kind != Block::Empty; });
            if (fills && !all) {
                task.empty = runs_where(plan, call.mask, b, i, [](Block kind) { return kind == Block::Empty; });
            }
            tasks.push_back(std::move(task));
        }
    }
    const auto keys = [](const BlockTask& task) {
        return std::accumulate(task.runs.begin(), task.runs.end(), std::int64_t{0},
                               [](std::int64_t sum, const Run& run) { return sum + run.width; });
    };
    std::stable_sort(tasks.begin(), tasks.end(), [&](const auto& a, const auto& b) { return keys(a) > keys(b); });
    return tasks;
}

/// One run of a query block: its scores, what the softmax makes of them, and their share of the context.
template <typename Stored>
void stream_run(const Call<Stored>& call, const BlockTask& task, const Run& run, const BlockScratch<Stored>& scratch) {
    using T = Sum<Stored>;
    const rows::MaskedPart masked = masked_part(call, task, run, scratch.cells.data());
    rows::SoftmaxTile<T> tile{scratch.scores.data(),
                              run.width,
                              task.rows,
                              run.keys,
                              run.width,
                              masked,
                              static_cast<T>(call.plan.fill),
                              scratch.offset.data(),
                              scratch.sum.data(),
                              scratch.context.data(),
                              call.plan.dims.head_dim(),
                              nullptr};
    const Stored* exponentials;
    if constexpr (std::is_same_v<Stored, T>) {
        exponentials = scratch.scores.data();
    } else {
        tile.half = scratch.halves.data();
        exponentials = scratch.halves.data();
    }
    rows::softmax_step(tile);
    add_context(call, task, run, exponentials, masked, scratch.context.data());
}

/// Would a masked cell of any row get a weight above 0? Not where each row has a score far above the fill, so far that
/// the exponential of the difference is 0 in any type; nor where the row is NaN already.
template <typename Stored>
bool fill_matters(const Call<Stored>& call, const BlockTask& task, const BlockScratch<Stored>& scratch) {
    constexpr double kFar = 1e4;
    if (call.not_finite.load(std::memory_order_relaxed)) return true;  // 0 · NaN is NaN
    for (std::int64_t r = 0; r < task.rows; ++r) {
        const auto offset = static_cast<double>(scratch.offset.data()[r]);
        if (!(offset > call.plan.fill + kFar) && !std::isnan(scratch.sum.data()[r])) return true;
    }
    return false;
}

template <typename Stored>
void attend_block(const Call<Stored>& call, const BlockTask& task, const BlockScratch<Stored>& scratch) {
    using T = Sum<Stored>;
    const std::int64_t dh = call.plan.dims.head_dim();
    std::fill_n(scratch.offset.data(), task.rows, -std::numeric_limits<T>::infinity());
    std::fill_n(scratch.sum.data(), task.rows, T{0});
    std::fill_n(scratch.context.data(), call.plan.query_block * dh, T{0});
    for (const Run& run : task.runs) {
        score_product(call, task, run, scratch.scores.data());
        stream_run(call, task, run, scratch);
    }
    if (!task.empty.empty() && fill_matters(call, task, scratch)) {
        for (Run run : task.empty) {
            run.mixed_keys = 0;
            std::fill_n(scratch.scores.data(), call.plan.query_block * run.width, static_cast<T>(call.plan.fill));
            stream_run(call, task, run, scratch);
        }
    }
    close_sums(call, task, scratch);
    store_context(call, task, scratch);
}

/// Every task of the heads that are projected, a head after the other.
template <typename Stored>
void attend_heads(Call<Stored>& call, const std::vector<BlockTask>& tasks,
                  const std::vector<BlockScratch<Stored>>& scratch) {
    const auto key = [](const auto& spoilt) { return std::pair(spoilt.head, spoilt.key); };
    std::sort(call.spoilt.begin(), call.spoilt.end(), [&](const auto& a, const auto& b) { return key(a) < key(b); });
    const auto count = static_cast<std::int64_t>(tasks.size());
    parallel_for(call.plan.threads, count * call.heads(), [&](std::int64_t index, int worker) {
        if (call.cancelled()) return;
        BlockTask task = tasks[static_cast<std::size_t>(index % count)];
        task.head = task.sequence * call.plan.dims.num_heads + call.first_head + index / count;
        if (call.plan.keeps) {
            attend_block_keeping(call, task, scratch[static_cast<std::size_t>(worker)]);
        } else {
            attend_block(call, task, scratch[static_cast<std::size_t>(worker)]);
        }
    });
}

}  // namespace

template <typename Stored>
BlockScratch<Stored>::BlockScratch(const Plan& plan) {
    const std::int64_t width = plan.keeps ? plan.keys : std::min(plan.key_block, plan.keys);
    const auto tile = static_cast<std::size_t>(plan.query_block * width);
    const auto rows = static_cast<std::size_t>(plan.query_block);
    scores = PooledArray<T>(tile);
    if constexpr (!std::is_same_v<Stored, T>) halves = PooledArray<Stored>(tile);
    context = PooledArray<T>(rows * static_cast<std::size_t>(plan.dims.head_dim()));
    offset = PooledArray<T>(rows);
    sum = PooledArray<T>(rows);
    cells = PooledArray<std::uint8_t>(tile);
}

template <typename Stored>
std::uint64_t attention_scratch(const Plan& plan) {
    const std::int64_t width = plan.keeps ? plan.keys : std::min(plan.key_block, plan.keys);
    const auto sum = static_cast<std::int64_t>(sizeof(Sum<Stored>));
    const std::int64_t half = std::is_same_v<Stored, Sum<Stored>> ? 0 : static_cast<std::int64_t>(sizeof(Stored));
    return static_cast<std::uint64_t>(plan.query_block * (width * (sum + half + 1) + (plan.dims.head_dim() + 2) * sum));
}

template <typename Stored>
void score_product(const Call<Stored>& call, const BlockTask& task, const Run& run, Sum<Stored>* scores) {
    const Plan& plan = call.plan;
    const std::int64_t dh = plan.dims.head_dim();
    const RightSide side = plan.key_panels ? RightSide::Panels : RightSide::Transposed;
    const ProductShape shape{.m = plan.query_block,
                             .n = run.width,
                             .k = dh,
                             .element = kElement<Stored>,
                             .right = side,
                             .ldb = plan.key_panels ? 0 : dh,
                             .ldc = run.width};
    product(plan.backend, shape, call.head_q(task.head) + task.first * dh, call.head_k(task.head) + run.first * dh,
            scores);
}

template <typename Stored>
void add_context(const Call<Stored>& call, const BlockTask& task, const Run& run, const Stored* exponentials,
                 const rows::MaskedPart& masked, Sum<Stored>* context) {
    const Plan& plan = call.plan;
    const std::int64_t dh = plan.dims.head_dim();
    const ProductShape shape{
        .m = plan.query_block, .n = dh, .k = run.width, .element = kElement<Stored>, .ldb = dh, .ldc = dh, .add = true};
    product(plan.backend, shape, exponentials, call.head_v(task.head) + run.first * dh, context);
    if (call.spoilt.empty()) return;
    const auto place = [](const auto& key) { return std::pair(key.head, key.key); };
    const SpoiltKey<Sum<Stored>> from{task.head, run.first, {}}, to{task.head, run.first + run.keys, {}};
    const auto before = [&](const auto& a, const auto& b) { return place(a) < place(b); };
    const auto begin = std::lower_bound(call.spoilt.begin(), call.spoilt.end(), from, before);
    const auto end = std::lower_bound(begin, call.spoilt.end(), to, before);
    for (auto key = begin; key != end; ++key) {
        const std::int64_t column = key->key - run.first;
        for (std::int64_t r = 0; r < task.rows; ++r) {
            if (!masked.open(r, column)) continue;
            const Sum<Stored> weight = widened(exponentials[r * run.width + column]);
            for (std::int64_t d = 0; d < dh; ++d)
                context[r * dh + d] += weight * key->value[static_cast<std::size_t>(d)];
        }
    }
}

template <typename Stored>
void close_sums(const Call<Stored>& call, const BlockTask& task, const BlockScratch<Stored>& scratch) {
    using T = Sum<Stored>;
    for (std::int64_t r = 0; r < task.rows; ++r) {
        T& sum = scratch.sum[static_cast<std::size_t>(r)];
        sum = call.plan.mode == Fill::Safe && sum == T{0} ? T{0} : T{1} / sum;
    }
}

template <typename Stored>
void store_context(const Call<Stored>& call, const BlockTask& task, const BlockScratch<Stored>& scratch) {
    const Plan& plan = call.plan;
    const std::int64_t dh = plan.dims.head_dim(), embed = plan.dims.embed_dim;
    const std::int64_t token = task.sequence * plan.dims.sequence_length + task.first;
    Stored* out = call.context.data() + token * embed + task.head % plan.dims.num_heads * dh;
    rows::scale_rows(scratch.context.data(), task.rows, dh, scratch.sum.data(), rows::Matrix<Stored>{out, embed});
    if constexpr (std::is_same_v<Stored, Sum<Stored>>) {
        for (std::int64_t r = 0; plan.emulated && r < task.rows; ++r) round_all(out + r * embed, dh, plan.precision);
    }
}

template <typename Stored>
void attend(Call<Stored>& call) {
    const Plan& plan = call.plan;
    std::fill_n(call.context.data() + plan.rows() * plan.dims.embed_dim,
                (plan.padded_rows() - plan.rows()) * plan.dims.embed_dim, Stored{0});
    std::vector<BlockScratch<Stored>> scratch;
    scratch.reserve(static_cast<std::size_t>(plan.threads));
    for (int worker = 0; worker < plan.threads; ++worker) scratch.emplace_back(plan);
    const std::vector<BlockTask> tasks = make_tasks(call);
    for (; call.first_head < plan.dims.num_heads && !call.cancelled(); call.first_head += plan.head_group) {
        call.spoilt.clear();
        project(call);
        attend_heads(call, tasks, scratch);
    }
}

#define HEADSCOPE_INSTANTIATE(Stored)                                                                \
    template void attend(Call<Stored>&);                                                             \
    template std::uint64_t attention_scratch<Stored>(const Plan&);                                   \
    template void score_product(const Call<Stored>&, const BlockTask&, const Run&, Sum<Stored>*);    \
    template void add_context(const Call<Stored>&, const BlockTask&, const Run&, const Stored*,      \
                              const rows::MaskedPart&, Sum<Stored>*);                                \
    template void close_sums(const Call<Stored>&, const BlockTask&, const BlockScratch<Stored>&);    \
    template void store_context(const Call<Stored>&, const BlockTask&, const BlockScratch<Stored>&); \
    template struct BlockScratch<Stored>;
HEADSCOPE_INSTANTIATE(float)
HEADSCOPE_INSTANTIATE(double)
HEADSCOPE_INSTANTIATE(std::uint16_t)
#undef HEADSCOPE_INSTANTIATE

}  // namespace headscope::tiled
