// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Internal declarations that tiled.h's source files share; not included anywhere else.

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
#include "core/engine/scaling.h"
#include "core/engine/tiled.h"

namespace headscope::tiled {

/// The type of products, sums and the softmax, by the type in which q, k, v, weights and context are stored: float,
/// double, or std::uint16_t for bfloat16.
template <typename Stored>
using Sum = std::conditional_t<std::is_same_v<Stored, double>, double, float>;

template <typename Stored>
constexpr Element kElement = std::is_same_v<Stored, std::uint16_t> ? Element::BFloat16 : Element::Float32;

/// A layer's weights, prepared for the products.
template <typename Stored>
struct ReadyWeights {
    bool panels = false;
    std::int64_t head_columns = 0;  ///< 3·Dh; in panels rounded up to a multiple of 64
    std::int64_t out_columns = 0;   ///< E; likewise
    PooledArray<Stored> qkv;        ///< (H, head_columns, E), or as panels
    PooledArray<Stored> out;        ///< (out_columns, E), or panels
    std::vector<Sum<Stored>> qkv_bias, out_bias;
};

/// The sizes of one call. Queries and keys are counted per sequence and head, rows over the whole batch.
struct Plan {
    Dims dims;
    Precision precision = Precision::Float32;
    bool emulated = false;                           ///< a half format stored in floats: values are rounded when stored
    ProductBackend backend = ProductBackend::Eigen;  ///< of the projections
    ProductBackend tile_backend = ProductBackend::Eigen;  ///< of the products in a tile
    bool key_panels = false;
    double scale = 1;  ///< of q, or of q·k if scales_products
    /// Scales q·k, as the stages do, instead of q, which costs less but overflows for other values.
    bool scales_products = false;
    Scaling scaling{};
    Fill mode = Fill::Safe;  ///< effective_mode()
    double fill = 0;         ///< effective_fill()
    int threads = 1;
    std::int64_t row_block = 128;    ///< rows projected at a time
    std::int64_t head_group = 1;     ///< heads of a sequence projected and attended to at a time
    bool heads_apart = false;        ///< one thread computes each head from x to its context; head_group is 1
    std::int64_t query_block = 128;  ///< queries per tile
    std::int64_t key_block = 512;    ///< maximum number of keys per tile
    std::int64_t unit = 64;          ///< the product's width is a multiple of it; 1 if tiles may begin anywhere
    std::int64_t queries = 0;        ///< S rounded up to whole query blocks
    std::int64_t keys = 0;           ///< S rounded up to a multiple of unit
    std::int64_t most_runs = 1;      ///< maximum number of runs per query block
    bool keeps = false;              ///< keep the weights

    std::int64_t rows() const { return dims.batch * dims.sequence_length; }
    std::int64_t row_blocks() const { return (rows() + row_block - 1) / row_block; }
    std::int64_t padded_rows() const { return row_blocks() * row_block; }
    /// True if x must be copied: it has to be converted to the stored type, or its rows are not whole blocks.
    template <typename Stored>
    bool copies_x() const {
        return !std::is_same_v<Stored, Sum<Stored>> || padded_rows() != rows();
    }
    /// Number of heads in q, k and v.
    std::int64_t slots() const { return dims.batch * head_group * (heads_apart ? threads : 1); }
    std::int64_t query_blocks() const { return queries / query_block; }
    std::int64_t widest_run() const { return std::min((key_block + unit - 1) / unit * unit, keys); }
};

/// Keys of one head whose v contains NaN or infinity.
template <typename T>
struct NonfiniteKeys {
    struct Key {
        std::int64_t key;
        std::vector<T> value;
    };
    std::vector<Key> aside;  ///< zeros in v; added separately for the queries that are allowed to attend to them
    bool in_v = false;       ///< v contains others, which are not stored separately
};

/// Keys first ... first + keys - 1 of one query block, computed together. width: keys rounded up to the plan's unit.
struct Run {
    std::int64_t first = 0, keys = 0, width = 0;
    std::int64_t mixed_first = 0, mixed_keys = 0;  ///< keys whose cells must be looked up
    std::int64_t tiles = 0;                        ///< number of blocks of the mask's map that it joins
    std::int64_t place = 0;                        ///< position in the scratch's scores
    bool masked = false;                           ///< fully masked; computed because a finite fill may give it weight
};

/// Numbers of (B,H,S,Dh) or (B,S,E), with the strides between heads and rows.
template <typename Stored>
struct ContextPlace {
    Stored* data = nullptr;
    std::int64_t sequence_stride = 0, head_stride = 0, row_stride = 0;
};

/// One call: the inputs that every thread reads, and the tensors between the steps.
template <typename Stored>
struct Call {
    using T = Sum<Stored>;

    const Plan& plan;
    const HeadTiles& tiles;
    const std::atomic<bool>* cancel;
    TileCounter* counter = nullptr;
    std::int64_t first_sequence = 0;  ///< of the mask's batch
    WorkCounter* progress = nullptr;

    const ReadyWeights<Stored>* layer = nullptr;  ///< for x -> output; otherwise q, k and v are given:
    const T *given_q = nullptr, *given_k = nullptr, *given_v = nullptr;  ///< (B,H,S,Dh)

    const Stored* x = nullptr;           ///< (padded_rows, E)
    PooledArray<Stored> copy_of_x{};     ///< used if x can't be used as given
    PooledArray<Stored> side_by_side{};  ///< the heads' contexts, concatenated: (padded_rows, E), zeros beyond the rows
    ContextPlace<Stored> context{};
    T* weights = nullptr;                   ///< (B,H,S,S), if kept
    double* row_sums = nullptr;             ///< sums of the weights' rows (B,H,S), if kept
    T *offsets = nullptr, *sums = nullptr;  ///< of the rows' softmax (B,H,S), if requested
    std::uint8_t* fill_mattered = nullptr;  ///< (B,H,query blocks), if requested
    bool sets_aside = false;                ///< keep NaN of masked keys out of the context
    std::mutex nonfinite_mutex{};

    bool cancelled() const { return cancel && cancel->load(std::memory_order_relaxed); }
};

/// q, k and v of the heads first ... first + plan.head_group - 1 of every sequence. Heads are numbered over the batch:
/// b * H + h.
template <typename Stored>
struct Heads {
    const Plan& plan;
    std::int64_t first = 0;
    /// (B·group, queries, Dh), (B·group, keys, Dh) or panels, (B·group, keys, Dh)
    PooledArray<Stored> all_q, all_k, all_v;
    std::vector<NonfiniteKeys<Sum<Stored>>> all_nonfinite;

    explicit Heads(const Plan& of);
    void start_at(std::int64_t head);  ///< clears the non-finite keys of the previous heads
    std::int64_t count() const { return std::min(plan.head_group, plan.dims.num_heads - first); }
    Stored* q(std::int64_t head) const { return all_q.data() + slot(head) * plan.queries * plan.dims.head_dim(); }
    Stored* k(std::int64_t head) const { return all_k.data() + slot(head) * plan.keys * plan.dims.head_dim(); }
    Stored* v(std::int64_t head) const { return all_v.data() + slot(head) * plan.keys * plan.dims.head_dim(); }
    NonfiniteKeys<Sum<Stored>>& nonfinite(std::int64_t head) {
        return all_nonfinite[static_cast<std::size_t>(slot(head))];
    }
    const NonfiniteKeys<Sum<Stored>>& nonfinite(std::int64_t head) const {
        return all_nonfinite[static_cast<std::size_t>(slot(head))];
    }
    std::int64_t slot(std::int64_t head) const {
        const std::int64_t heads = plan.dims.num_heads;
        return head / heads * plan.head_group + head % heads - first;
    }
};

/// Step 1: copies x (rows, E) in the stored type.
template <typename Stored>
void take_x(Call<Stored>& call, const Sum<Stored>* x);
/// Step 2: computes the context, plan.head_group heads at a time and each by query blocks; and the weights, if kept.
template <typename Stored>
void attend(Call<Stored>& call);
template <typename Stored>
struct Scratch;
/// In step 2: fills one of fill_parts() parts of q, k and v of head h in every sequence, projected from x or copied
/// from the given tensors.
template <typename Stored>
void fill_part(Call<Stored>& call, Heads<Stored>& heads, std::int64_t h, std::int64_t part,
               const Scratch<Stored>& scratch);
template <typename Stored>
std::int64_t fill_parts(const Call<Stored>& call);
/// Step 3: the output projection, to out (rows, E).
template <typename Stored>
void finish(Call<Stored>& call, Sum<Stored>* out);

/// Bytes of each thread's scratch for a projection, and in attend().
template <typename Stored>
std::uint64_t projection_scratch(const Plan& plan, const ReadyWeights<Stored>& weights);
template <typename Stored>
std::uint64_t attention_scratch(const Plan& plan);

/// A thread's scratch for step 2.
template <typename Stored>
struct Scratch {
    using T = Sum<Stored>;
    PooledArray<T> projected;    ///< (row_block, head_columns), if a layer is given
    PooledArray<Stored> keys;    ///< (64, Dh), before they are transposed into a panel
    PooledArray<T> scores;       ///< (query_block, widest run); if weights are kept, a tile of every run
    PooledArray<Stored> halves;  ///< a tile in bfloat16
    PooledArray<T> context, offset, sum;
    PooledArray<T> run_offsets;  ///< if weights are kept: the offset after each run (most_runs, query_block)
    PooledArray<std::uint8_t> cells;
    std::vector<Run> runs{};
    explicit Scratch(const Call<Stored>& call);
};

/// One query block of one head.
struct BlockTask {
    std::int64_t head;  ///< numbered over the batch
    std::int64_t sequence;
    std::int64_t first, rows;  ///< queries
};

/// Stores the weights of a query block, from the exponentials of its runs and its final softmax (tiled_keep.cpp).
template <typename Stored>
void store_weights(const Call<Stored>& call, const BlockTask& task, const Scratch<Stored>& scratch);

}  // namespace headscope::tiled
