// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The parts of tiled.h that are shared between its files: nobody else includes this.

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <type_traits>
#include <vector>

#include "core/base/buffer_pool.h"
#include "core/engine/product.h"
#include "core/engine/row_kernels.h"
#include "core/engine/tiled.h"

namespace headscope::tiled {

/// What products, sums and the softmax run in, by the type in which q, k, v, weights and context are stored:
/// float, double, or std::uint16_t for bfloat16.
template <typename Stored>
using Sum = std::conditional_t<std::is_same_v<Stored, double>, double, float>;

template <typename Stored>
constexpr Element kElement = std::is_same_v<Stored, std::uint16_t> ? Element::BFloat16 : Element::Float32;

/// A layer's weights, ready for the products.
template <typename Stored>
struct ReadyWeights {
    bool panels = false;
    std::int64_t head_columns = 0;  ///< 3·Dh; in panels rounded up to a multiple of 64
    std::int64_t out_columns = 0;   ///< E; likewise
    PooledArray<Stored> qkv;        ///< (H, head_columns, E), or as many panels
    PooledArray<Stored> out;        ///< (out_columns, E), or panels
    std::vector<Sum<Stored>> qkv_bias, out_bias;
};

/// The sizes of one call. Queries and keys are counted by sequence and head, rows over the whole batch.
struct Plan {
    Dims dims;
    Precision precision = Precision::Float32;
    bool emulated = false;  ///< a half format in floats: what is stored is rounded
    ProductBackend backend = ProductBackend::Eigen;
    bool key_panels = false;
    double scale = 1;
    Fill mode = Fill::Safe;  ///< effective_mode()
    double fill = 0;         ///< effective_fill()
    int threads = 1;
    std::int64_t row_block = 128;    ///< rows that are projected at a time
    std::int64_t head_group = 1;     ///< heads of a sequence that are projected and attended to at a time
    std::int64_t query_block = 128;  ///< queries of a tile
    std::int64_t key_block = 512;    ///< keys of a tile at most
    std::int64_t unit = 64;          ///< tiles are a multiple of it wide
    std::int64_t queries = 0;        ///< S rounded up to whole query blocks
    std::int64_t keys = 0;           ///< S rounded up to a multiple of unit
    bool keeps = false;              ///< scores or weights

    std::int64_t rows() const { return dims.batch * dims.sequence_length; }
    std::int64_t row_blocks() const { return (rows() + row_block - 1) / row_block; }
    std::int64_t padded_rows() const { return row_blocks() * row_block; }
    /// x is used as it is given where its type is right and its rows are whole blocks.
    template <typename Stored>
    bool copies_x() const {
        return !std::is_same_v<Stored, Sum<Stored>> || padded_rows() != rows();
    }
    /// Heads that q, k and v hold at a time.
    std::int64_t slots() const { return dims.batch * head_group; }
    std::int64_t query_blocks() const { return queries / query_block; }
};

/// A key whose v holds NaN or infinity: it is stored as zeros, and given by hand to the queries that may see it.
template <typename T>
struct SpoiltKey {
    std::int64_t head, key;  ///< head counts over the batch: b * H + h
    std::vector<T> value;
};

/// Keys first ... first + keys - 1 of one query block, computed at a time. width: keys rounded up to the plan's unit.
struct Run {
    std::int64_t first, keys, width;
    std::int64_t mixed_first, mixed_keys;  ///< keys where the mask must be looked at, counted from the sequence's first
};

/// One call: what every thread reads, and the tensors between the three steps.
template <typename Stored>
struct Call {
    using T = Sum<Stored>;

    const Plan& plan;
    const ReadyWeights<Stored>& weights;
    const TileMap& mask;
    TiledResult& result;
    const std::atomic<bool>* cancel;

    const Stored* x = nullptr;        ///< (padded_rows, E)
    PooledArray<Stored> copy_of_x{};  ///< where x is not as it was given
    PooledArray<Stored> context{};    ///< (padded_rows, E), zeros beyond the rows
    /// Of the heads first_head ... first_head + plan.head_group - 1 of every sequence: (B·group, queries, Dh),
    /// (B·group, keys, Dh) or panels, (B·group, keys, Dh).
    PooledArray<Stored> q{}, k{}, v{};
    std::int64_t first_head = 0;
    bool sets_aside = false;  ///< must a masked key's NaN be kept out?
    std::mutex spoilt_mutex{};
    std::vector<SpoiltKey<T>> spoilt{};
    std::atomic<bool> not_finite{false};  ///< is there NaN or infinity in v, which was not set aside?

    bool cancelled() const { return cancel && cancel->load(std::memory_order_relaxed); }
    /// How many heads of a sequence are in q, k and v.
    std::int64_t heads() const { return std::min(plan.head_group, plan.dims.num_heads - first_head); }
    /// Where a head is; head counts over the batch: b * H + h.
    Stored* head_q(std::int64_t head) const { return q.data() + slot(head) * plan.queries * plan.dims.head_dim(); }
    Stored* head_k(std::int64_t head) const { return k.data() + slot(head) * plan.keys * plan.dims.head_dim(); }
    Stored* head_v(std::int64_t head) const { return v.data() + slot(head) * plan.keys * plan.dims.head_dim(); }
    std::int64_t slot(std::int64_t head) const {
        const std::int64_t heads = plan.dims.num_heads;
        return head / heads * plan.head_group + head % heads - first_head;
    }
};

/// Step 1: x (rows, E) as it is stored.
template <typename Stored>
void take_x(Call<Stored>& call, const Sum<Stored>* x);
/// Step 2: the context, some heads at a time, of each a query block at a time; with scores and weights where they are
/// kept.
template <typename Stored>
void attend(Call<Stored>& call);
/// In step 2: q (scaled), k and v of the heads from call.first_head on.
template <typename Stored>
void project(Call<Stored>& call);
/// Step 3: the output projection.
template <typename Stored>
void finish(Call<Stored>& call);

/// Bytes of scratch that each thread takes for a projection, and in attend().
template <typename Stored>
std::uint64_t projection_scratch(const Plan& plan, const ReadyWeights<Stored>& weights);
template <typename Stored>
std::uint64_t attention_scratch(const Plan& plan);

/// What a thread needs for one query block.
template <typename Stored>
struct BlockScratch {
    using T = Sum<Stored>;
    PooledArray<T> scores;       ///< (query_block, key_block); with weights kept, a tile of every run
    PooledArray<Stored> halves;  ///< the same in bfloat16
    PooledArray<T> context, offset, sum;
    PooledArray<std::uint8_t> cells;
    explicit BlockScratch(const Plan& plan);
};

/// One query block of one head.
struct BlockTask {
    std::int64_t head;  ///< over the batch
    std::int64_t sequence;
    std::int64_t first, rows;  ///< queries
    std::vector<Run> runs;     ///< what is computed
    std::vector<Run> empty;    ///< what the mask empties, where the fill may ask for it after all
};

/// q kᵀ of a run into scores (query_block, run.width).
template <typename Stored>
void score_product(const Call<Stored>& call, const BlockTask& task, const Run& run, Sum<Stored>* scores);
/// context += exponentials · v of a run, and what the spoilt keys give to the queries that may see them.
template <typename Stored>
void add_context(const Call<Stored>& call, const BlockTask& task, const Run& run, const Stored* exponentials,
                 const rows::MaskedPart& masked, Sum<Stored>* context);
/// What a run has to look at of the mask; scratch: (task.rows, run.mixed_keys).
template <typename Stored>
rows::MaskedPart masked_part(const Call<Stored>& call, const BlockTask& task, const Run& run, std::uint8_t* scratch) {
    if (run.mixed_keys == 0) return {};
    const auto [cells, stride] =
        call.mask.cells(task.sequence, task.first, task.rows, run.mixed_first, run.mixed_keys, scratch);
    return {cells, stride, run.mixed_first - run.first, run.mixed_keys};
}
/// Replaces the sum of each row by the factor that ends its softmax: 1 / sum; 0 where Safe found nothing to attend to.
template <typename Stored>
void close_sums(const Call<Stored>& call, const BlockTask& task, const BlockScratch<Stored>& scratch);
/// Writes the context times those factors to its place in call.context.
template <typename Stored>
void store_context(const Call<Stored>& call, const BlockTask& task, const BlockScratch<Stored>& scratch);

template <typename Stored>
void attend_block_keeping(Call<Stored>& call, const BlockTask& task, const BlockScratch<Stored>& scratch);

}  // namespace headscope::tiled
