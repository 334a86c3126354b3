// SPDX-License-Identifier: GPL-3.0-or-later
// The running softmax: computes one query block of a head at a time, in runs of its keys.
#include <Eigen/Core>
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

template <typename Stored>
const TileMap& map_of(const Call<Stored>& call, std::int64_t head) {
    return call.tiles.map(head % call.plan.dims.num_heads);
}

/// Calls f(key block, kind) for every key block of the map's query block that contains query `first`.
template <typename Stored, typename F>
void for_each_block(const Call<Stored>& call, const TileMap& map, std::int64_t sequence, std::int64_t first, F&& f) {
    const std::int64_t side = map.query_side();
    const std::int64_t together = (call.plan.query_block + side - 1) / side;
    for (std::int64_t k = 0; k < map.key_blocks(); ++k) {
        f(k, map.block(call.first_sequence + sequence, first / side, together, k));
    }
}

/// Appends the blocks of one kind (fully masked or not), joined into runs of at most key_block keys.
template <typename Stored>
void append_runs(const Call<Stored>& call, const BlockTask& task, bool masked, std::vector<Run>& runs) {
    const Plan& plan = call.plan;
    const TileMap& map = map_of(call, task.head);
    const std::int64_t side = map.key_side();
    const std::size_t begin = runs.size();
    // Without weights every run uses the same place.
    std::int64_t place = runs.empty() || !plan.keeps ? 0 : runs.back().place + plan.query_block * runs.back().width;
    for_each_block(call, map, task.sequence, task.first, [&](std::int64_t k, TileMap::Block kind) {
        if (masked != (kind == TileMap::Block::FullyMasked)) return;
        const std::int64_t first = k * side, keys = std::min(side, plan.dims.sequence_length - first);
        const bool joins = runs.size() > begin && runs.back().first + runs.back().keys == first &&
                           runs.back().keys + side <= plan.key_block;
        if (!joins) runs.push_back({.first = first, .masked = masked});
        Run& run = runs.back();
        run.keys += keys;
        ++run.tiles;
        if (kind != TileMap::Block::Mixed) return;
        if (run.mixed_keys == 0) run.mixed_first = first;
        run.mixed_keys = first + keys - run.mixed_first;
    });
    for (std::size_t n = begin; n < runs.size(); ++n) {
        runs[n].width = rounded_up(runs[n].keys, plan.unit);
        runs[n].place = place;
        if (plan.keeps) place += plan.query_block * runs[n].width;
    }
}

/// Every query block of a head in every sequence, those with the most keys first.
template <typename Stored>
std::vector<BlockTask> make_tasks(const Call<Stored>& call, std::int64_t head) {
    const Plan& plan = call.plan;
    std::vector<std::pair<std::int64_t, BlockTask>> tasks;
    for (std::int64_t b = 0; b < plan.dims.batch; ++b) {
        for (std::int64_t i = 0; i < plan.dims.sequence_length; i += plan.query_block) {
            std::int64_t blocks = 0;
            for_each_block(call, map_of(call, head), b, i, [&](std::int64_t, TileMap::Block kind) {
                blocks += kind == TileMap::Block::FullyMasked ? 0 : 1;
            });
            tasks.push_back({blocks, {0, b, i, std::min(plan.query_block, plan.dims.sequence_length - i)}});
        }
    }
    std::stable_sort(tasks.begin(), tasks.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    std::vector<BlockTask> sorted;
    sorted.reserve(tasks.size());
    for (const auto& [blocks, task] : tasks) sorted.push_back(task);
    return sorted;
}

/// The mask's cells of a run that must be looked up; scratch: (task.rows, run.mixed_keys).
template <typename Stored>
rows::MaskedPart masked_part(const Call<Stored>& call, const BlockTask& task, const Run& run, std::uint8_t* scratch) {
    if (run.mixed_keys == 0) return {};
    const auto [cells, stride] = map_of(call, task.head)
                                     .cells(call.first_sequence + task.sequence, task.first, task.rows, run.mixed_first,
                                            run.mixed_keys, scratch);
    return {cells, stride, run.mixed_first - run.first, run.mixed_keys};
}

/// Number of rows in a task's products: the last block is padded only to a multiple of 16.
std::int64_t product_rows(const Plan& plan, const BlockTask& task) {
    return std::min(plan.query_block, rounded_up(task.rows, 16));
}

/// Computes the scores of a run (product_rows, run.width): q kᵀ, scaled; or the fill in all cells of a masked run.
template <typename Stored>
void compute_scores(const Call<Stored>& call, const Heads<Stored>& heads, const BlockTask& task, const Run& run,
                    Sum<Stored>* scores) {
    using T = Sum<Stored>;
    const Plan& plan = call.plan;
    if (run.masked) {
        std::fill_n(scores, plan.query_block * run.width, static_cast<T>(plan.fill));
        return;
    }
    const std::int64_t dh = plan.dims.head_dim();
    const RightSide side = plan.key_panels ? RightSide::Panels : RightSide::Transposed;
    const ProductShape shape{.m = product_rows(plan, task),
                             .n = run.width,
                             .k = dh,
                             .element = kElement<Stored>,
                             .right = side,
                             .ldb = plan.key_panels ? 0 : dh,
                             .ldc = run.width};
    product(plan.tile_backend, shape, heads.q(task.head) + task.first * dh, heads.k(task.head) + run.first * dh,
            scores);
    const std::int64_t count = task.rows * run.width;
    if (plan.scales_products && plan.emulated) {
        plan.scaling.apply(scores, count);
    } else if (plan.scales_products) {
        rows::scale(scores, count, static_cast<T>(plan.scale), scores);
    }
    const ScoreChange& change = call.tiles.change(task.head % plan.dims.num_heads);
    const Precision precision = plan.emulated ? plan.precision : Precision::Float32;  // that rounds each operation
    for (std::int64_t r = 0; r < task.rows && !change.steps.empty(); ++r) {
        change.apply(scores + r * run.width, run.keys, task.first + r, run.first, precision);
    }
}

/// The running softmax of a block before its first key. A sink takes part in it as a key without a value.
template <typename Stored>
void begin_softmax(const Call<Stored>& call, const BlockTask& task, Scratch<Stored>& scratch) {
    using T = Sum<Stored>;
    const auto& sink = call.tiles.change(task.head % call.plan.dims.num_heads).sink;
    const double logit = sink ? round_to(call.plan.precision, *sink) : -std::numeric_limits<double>::infinity();
    std::fill_n(scratch.offset.data(), task.rows, static_cast<T>(logit));
    std::fill_n(scratch.sum.data(), task.rows, sink ? T{1} : T{0});
}

/// context += weights · v of a run, in which the weights may not be divided by their sum yet.
template <typename Stored>
void add_context(const Call<Stored>& call, const Heads<Stored>& heads, const BlockTask& task, const Run& run,
                 const Stored* weights, const rows::MaskedPart& masked, Sum<Stored>* context) {
    const Plan& plan = call.plan;
    const std::int64_t dh = plan.dims.head_dim();
    const ProductShape shape{.m = product_rows(plan, task),
                             .n = dh,
                             .k = run.width,
                             .element = kElement<Stored>,
                             .ldb = dh,
                             .ldc = dh,
                             .add = true};
    product(plan.tile_backend, shape, weights, heads.v(task.head) + run.first * dh, context);
    const auto& aside = heads.nonfinite(task.head).aside;
    if (aside.empty()) return;
    // 0 · NaN is NaN: add the value of such a key only to the queries that are allowed to attend to it.
    const auto before = [](const auto& key, std::int64_t place) { return key.key < place; };
    const auto begin = std::lower_bound(aside.begin(), aside.end(), run.first, before);
    const auto end = std::lower_bound(begin, aside.end(), run.first + run.keys, before);
    for (auto key = begin; key != end; ++key) {
        const std::int64_t column = key->key - run.first;
        for (std::int64_t r = 0; r < task.rows; ++r) {
            if (!masked.allowed(r, column)) continue;
            const Sum<Stored> weight = widened(weights[r * run.width + column]);
            for (std::int64_t d = 0; d < dh; ++d)
                context[r * dh + d] += weight * key->value[static_cast<std::size_t>(d)];
        }
    }
}

/// Computes the n-th run: its scores, a step of the running softmax, and its part of the context.
template <typename Stored>
void stream_run(const Call<Stored>& call, const Heads<Stored>& heads, const BlockTask& task, std::size_t n,
                const Scratch<Stored>& scratch) {
    using T = Sum<Stored>;
    const Plan& plan = call.plan;
    const Run& run = scratch.runs[n];
    T* scores = scratch.scores.data() + run.place;
    compute_scores(call, heads, task, run, scores);
    const rows::MaskedPart masked = masked_part(call, task, run, scratch.cells.data());
    rows::SoftmaxTile<T> tile{scores,
                              run.width,
                              task.rows,
                              run.keys,
                              run.width,
                              masked,
                              static_cast<T>(plan.fill),
                              scratch.offset.data(),
                              scratch.sum.data(),
                              scratch.context.data(),
                              plan.dims.head_dim(),
                              nullptr,
                              plan.keeps};
    const Stored* exponentials;
    if constexpr (std::is_same_v<Stored, T>) {
        exponentials = scores;
    } else {
        tile.half = scratch.halves.data();
        exponentials = scratch.halves.data();
    }
    rows::softmax_step(tile);
    if (plan.keeps) {
        T* offsets = scratch.run_offsets.data() + static_cast<std::int64_t>(n) * plan.query_block;
        std::copy_n(scratch.offset.data(), task.rows, offsets);
    }
    add_context(call, heads, task, run, exponentials, masked, scratch.context.data());
    if (call.counter) {
        call.counter->scores += run.masked ? 0 : run.tiles;
        call.counter->context += run.tiles;
    }
}

/// True if a masked cell of any row could get a weight above 0. It could not if each row has a score so far above the
/// fill that the exponential of the difference is 0 in any type, or if the row is NaN already.
template <typename Stored>
bool fill_matters(const Call<Stored>& call, const Heads<Stored>& heads, const BlockTask& task,
                  const Scratch<Stored>& scratch) {
    constexpr double kFar = 1e4;
    if (call.plan.mode != Fill::MinusBillion) return false;
    if (heads.nonfinite(task.head).in_v) return true;  // 0 · NaN is NaN
    for (std::int64_t r = 0; r < task.rows; ++r) {
        const auto offset = static_cast<double>(scratch.offset.data()[r]);
        if (!(offset > call.plan.fill + kFar) && !std::isnan(scratch.sum.data()[r])) return true;
    }
    return false;
}

/// Replaces the sum of each row by the factor that completes its softmax: 1 / sum; 0 for a fully masked row with Safe.
template <typename Stored>
void close_sums(const Call<Stored>& call, const BlockTask& task, const Scratch<Stored>& scratch) {
    using T = Sum<Stored>;
    for (std::int64_t r = 0; r < task.rows; ++r) {
        T& sum = scratch.sum[static_cast<std::size_t>(r)];
        sum = call.plan.mode == Fill::Safe && sum == T{0} ? T{0} : T{1} / sum;
    }
}

/// True if NaN or infinity is among the first n numbers.
template <typename T>
bool has_nonfinite(const T* numbers, std::int64_t n) {
    return (Eigen::Map<const Eigen::Array<T, Eigen::Dynamic, 1>>(numbers, n) * T{0}).sum() != T{0};
}

/// Recomputes the context from weights that are divided by their sum first, as the stages do: sums of exponentials
/// times v may overflow where sums of weights times v do not.
template <typename Stored>
void recompute_context(const Call<Stored>& call, const Heads<Stored>& heads, const BlockTask& task,
                       const Scratch<Stored>& scratch) {
    using T = Sum<Stored>;
    const Plan& plan = call.plan;
    std::fill_n(scratch.context.data(), plan.query_block * plan.dims.head_dim(), T{0});
    for (const Run& run : scratch.runs) {
        T* scores = scratch.scores.data();
        compute_scores(call, heads, task, run, scores);
        const rows::MaskedPart masked = masked_part(call, task, run, scratch.cells.data());
        for (std::int64_t r = 0; r < task.rows; ++r) {
            T* row = scores + r * run.width;
            const T offset = scratch.offset[static_cast<std::size_t>(r)];
            if (masked.cells) {
                rows::fill_masked(row + masked.first, masked.cells + r * masked.stride, masked.count,
                                  static_cast<T>(plan.fill));
            }
            rows::exponentials(row, run.keys, offset == -std::numeric_limits<T>::infinity() ? T{0} : offset, row);
            rows::scale(row, run.keys, scratch.sum[static_cast<std::size_t>(r)], row);
            std::fill(row + run.keys, row + run.width, T{0});
        }
        if constexpr (std::is_same_v<Stored, T>) {
            add_context(call, heads, task, run, scores, masked, scratch.context.data());
        } else {
            rows::to_bfloat16(scores, task.rows * run.width, scratch.halves.data());
            add_context(call, heads, task, run, scratch.halves.data(), masked, scratch.context.data());
        }
    }
    std::fill_n(scratch.sum.data(), task.rows, T{1});
}

/// Writes the context, divided by the rows' sums, to its destination.
template <typename Stored>
void store_context(const Call<Stored>& call, const BlockTask& task, const Scratch<Stored>& scratch) {
    const Plan& plan = call.plan;
    const std::int64_t dh = plan.dims.head_dim(), stride = call.context.row_stride;
    Stored* out = call.context.data + task.sequence * call.context.sequence_stride +
                  task.head % plan.dims.num_heads * call.context.head_stride + task.first * stride;
    rows::scale_rows(scratch.context.data(), task.rows, dh, scratch.sum.data(), rows::Matrix<Stored>{out, stride});
    if constexpr (std::is_same_v<Stored, Sum<Stored>>) {
        for (std::int64_t r = 0; plan.emulated && r < task.rows; ++r) round_all(out + r * stride, dh, plan.precision);
    }
}

template <typename Stored>
void attend_block(const Call<Stored>& call, const Heads<Stored>& heads, const BlockTask& task,
                  Scratch<Stored>& scratch) {
    using T = Sum<Stored>;
    const std::int64_t dh = call.plan.dims.head_dim();
    begin_softmax(call, task, scratch);
    std::fill_n(scratch.context.data(), call.plan.query_block * dh, T{0});
    scratch.runs.clear();
    append_runs(call, task, false, scratch.runs);
    std::size_t done = 0;
    const auto stream = [&] {
        for (; done < scratch.runs.size() && !call.cancelled(); ++done) stream_run(call, heads, task, done, scratch);
    };
    stream();
    if (fill_matters(call, heads, task, scratch)) {
        append_runs(call, task, true, scratch.runs);
        if (call.fill_mattered) {
            const std::int64_t block = task.first / call.plan.query_block;
            call.fill_mattered[task.head * call.plan.query_blocks() + block] = 1;
        }
        stream();
    }
    if (call.cancelled()) return;
    if (call.offsets) {
        const std::int64_t row = task.head * call.plan.dims.sequence_length + task.first;
        std::copy_n(scratch.offset.data(), task.rows, call.offsets + row);
        std::copy_n(scratch.sum.data(), task.rows, call.sums + row);
    }
    close_sums(call, task, scratch);
    if (call.plan.keeps) store_weights(call, task, scratch);
    if (has_nonfinite(scratch.context.data(), task.rows * dh)) recompute_context(call, heads, task, scratch);
    store_context(call, task, scratch);
}

template <typename Stored>
void sort_nonfinite(Heads<Stored>& heads) {
    for (auto& keys : heads.all_nonfinite) {
        std::sort(keys.aside.begin(), keys.aside.end(), [](const auto& a, const auto& b) { return a.key < b.key; });
    }
}

template <typename Stored>
void attend_task(const Call<Stored>& call, const Heads<Stored>& heads, BlockTask task, std::int64_t h,
                 Scratch<Stored>& scratch) {
    if (call.cancelled()) return;
    task.head = task.sequence * call.plan.dims.num_heads + h;
    attend_block(call, heads, task, scratch);
    if (call.progress) ++call.progress->done;
}

/// The query blocks of each head, in the order in which they are computed.
struct TasksOfHeads {
    std::vector<std::vector<BlockTask>> lists;  ///< one per head, or one for every head
    const std::vector<BlockTask>& of(std::int64_t head) const {
        return lists[lists.size() == 1 ? 0 : static_cast<std::size_t>(head)];
    }
};

/// Each free thread takes a head and computes all of its parts and tasks.
template <typename Stored>
void attend_apart(Call<Stored>& call, const TasksOfHeads& tasks, std::vector<Scratch<Stored>>& scratch) {
    std::vector<Heads<Stored>> heads_of;
    heads_of.reserve(static_cast<std::size_t>(call.plan.threads));
    for (int worker = 0; worker < call.plan.threads; ++worker) heads_of.emplace_back(call.plan);
    const std::int64_t parts = fill_parts(call);
    parallel_for_parts(call.plan.threads, call.plan.dims.num_heads, [&](std::int64_t h, int worker) {
        Heads<Stored>& heads = heads_of[static_cast<std::size_t>(worker)];
        Scratch<Stored>& own = scratch[static_cast<std::size_t>(worker)];
        heads.start_at(h);
        for (std::int64_t part = 0; part < parts && !call.cancelled(); ++part) fill_part(call, heads, h, part, own);
        sort_nonfinite(heads);
        for (const BlockTask& task : tasks.of(h)) attend_task(call, heads, task, h, own);
    });
}

/// Computes groups of heads: free threads take their parts first, and then their tasks.
template <typename Stored>
void attend_together(Call<Stored>& call, const TasksOfHeads& tasks, std::vector<Scratch<Stored>>& scratch) {
    const Plan& plan = call.plan;
    Heads<Stored> heads(plan);
    const std::int64_t parts = fill_parts(call), count = static_cast<std::int64_t>(tasks.of(0).size());
    for (std::int64_t first = 0; first < plan.dims.num_heads && !call.cancelled(); first += plan.head_group) {
        heads.start_at(first);
        parallel_for(plan.threads, parts * heads.count(), [&](std::int64_t index, int worker) {
            if (call.cancelled()) return;
            fill_part(call, heads, first + index / parts, index % parts, scratch[static_cast<std::size_t>(worker)]);
        });
        sort_nonfinite(heads);
        parallel_for(plan.threads, count * heads.count(), [&](std::int64_t index, int worker) {
            const std::int64_t h = first + index / count;
            attend_task(call, heads, tasks.of(h)[static_cast<std::size_t>(index % count)], h,
                        scratch[static_cast<std::size_t>(worker)]);
        });
    }
}

}  // namespace

template <typename Stored>
Heads<Stored>::Heads(const Plan& of) : plan(of) {
    const std::int64_t slots = plan.dims.batch * plan.head_group;
    const auto room = [&](std::int64_t rows) {
        return PooledArray<Stored>(static_cast<std::size_t>(slots * rows * plan.dims.head_dim()));
    };
    all_q = room(plan.queries);
    all_k = room(plan.keys);
    all_v = room(plan.keys);
    all_nonfinite.resize(static_cast<std::size_t>(slots));
}

template <typename Stored>
void Heads<Stored>::start_at(std::int64_t head) {
    first = head;
    for (auto& keys : all_nonfinite) {
        keys.aside.clear();
        keys.in_v = false;
    }
}

template <typename Stored>
Scratch<Stored>::Scratch(const Call<Stored>& call) {
    const Plan& plan = call.plan;
    if (call.layer) projected = PooledArray<T>(static_cast<std::size_t>(plan.row_block * call.layer->head_columns));
    if (plan.key_panels) keys = PooledArray<Stored>(static_cast<std::size_t>(TileMap::kSide * plan.dims.head_dim()));
    const auto tile = static_cast<std::size_t>(plan.query_block * plan.widest_run());
    const auto rows = static_cast<std::size_t>(plan.query_block);
    scores = PooledArray<T>(plan.keeps ? static_cast<std::size_t>(plan.query_block * plan.keys) : tile);
    if constexpr (!std::is_same_v<Stored, T>) halves = PooledArray<Stored>(tile);
    context = PooledArray<T>(rows * static_cast<std::size_t>(plan.dims.head_dim()));
    offset = PooledArray<T>(rows);
    sum = PooledArray<T>(rows);
    if (plan.keeps) run_offsets = PooledArray<T>(rows * static_cast<std::size_t>(plan.most_runs));
    cells = PooledArray<std::uint8_t>(tile);
}

template <typename Stored>
std::uint64_t attention_scratch(const Plan& plan) {
    const auto sum = static_cast<std::int64_t>(sizeof(Sum<Stored>));
    const std::int64_t half = std::is_same_v<Stored, Sum<Stored>> ? 0 : static_cast<std::int64_t>(sizeof(Stored));
    const std::int64_t wide = plan.keeps ? plan.keys + plan.most_runs : plan.widest_run();
    const std::int64_t row = wide * sum + plan.widest_run() * (half + 1) + (plan.dims.head_dim() + 2) * sum;
    return static_cast<std::uint64_t>(plan.query_block * row + plan.most_runs * std::int64_t{sizeof(Run)});
}

template <typename Stored>
void attend(Call<Stored>& call) {
    const Plan& plan = call.plan;
    std::vector<Scratch<Stored>> scratch;
    scratch.reserve(static_cast<std::size_t>(plan.threads));
    for (int worker = 0; worker < plan.threads; ++worker) scratch.emplace_back(call);
    TasksOfHeads tasks;
    const std::int64_t lists = call.tiles.has_one_map() ? 1 : plan.dims.num_heads;
    for (std::int64_t head = 0; head < lists; ++head) tasks.lists.push_back(make_tasks(call, head));
    if (call.progress)
        for (std::int64_t head = 0; head < plan.dims.num_heads; ++head)
            call.progress->all += static_cast<std::int64_t>(tasks.of(head).size());
    plan.heads_apart ? attend_apart(call, tasks, scratch) : attend_together(call, tasks, scratch);
}

#define HEADSCOPE_INSTANTIATE(Stored)                              \
    template void attend(Call<Stored>&);                           \
    template std::uint64_t attention_scratch<Stored>(const Plan&); \
    template struct Scratch<Stored>;
HEADSCOPE_INSTANTIATE(float)
HEADSCOPE_INSTANTIATE(double)
HEADSCOPE_INSTANTIATE(std::uint16_t)
#undef HEADSCOPE_INSTANTIATE

}  // namespace headscope::tiled
