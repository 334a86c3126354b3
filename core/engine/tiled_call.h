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
#include "core/engine/scaling.h"
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
    ProductBackend backend = ProductBackend::Eigen;       ///< of the projections
    ProductBackend tile_backend = ProductBackend::Eigen;  ///< of the products in a tile
    bool key_panels = false;
    double scale = 1;  ///< of q, or of q·k where scales_products
    /// Is q·k scaled, as the stages do? Otherwise q, which costs less and overflows elsewhere.
    bool scales_products = false;
    Scaling scaling{};
    Fill mode = Fill::Safe;  ///< effective_mode()
    double fill = 0;         ///< effective_fill()
    int threads = 1;
    std::int64_t row_block = 128;    ///< rows that are projected at a time
    std::int64_t head_group = 1;     ///< heads of a sequence that are projected and attended to at a time
    bool heads_apart = false;        ///< each head by one thread from x to its context; head_group is 1
    std::int64_t query_block = 128;  ///< queries of a tile
    std::int64_t key_block = 512;    ///< keys of a tile at most
    std::int64_t unit = 64;          ///< the product's width is a multiple of it; 1 where tiles may begin anywhere
    std::int64_t queries = 0;        ///< S rounded up to whole query blocks
    std::int64_t keys = 0;           ///< S rounded up to a multiple of unit
    std::int64_t most_runs = 1;      ///< of a query block
    bool keeps = false;              ///< the weights

    std::int64_t rows() const { return dims.batch * dims.sequence_length; }
    std::int64_t row_blocks() const { return (rows() + row_block - 1) / row_block; }
    std::int64_t padded_rows() const { return row_blocks() * row_block; }
    /// x is used as it is given where its type is right and its rows are whole blocks.
    template <typename Stored>
    bool copies_x() const {
        return !std::is_same_v<Stored, Sum<Stored>> || padded_rows() != rows();
    }
    /// Heads that q, k and v hold at a time.
    std::int64_t slots() const { return dims.batch * head_group * (heads_apart ? threads : 1); }
    std::int64_t query_blocks() const { return queries / query_block; }
    std::int64_t widest_run() const { return std::min((key_block + unit - 1) / unit * unit, keys); }
};

/// Keys of one head whose v holds NaN or infinity.
template <typename T>
struct NonfiniteKeys {
    struct Key {
        std::int64_t key;
        std::vector<T> value;
    };
    std::vector<Key> aside;  ///< stored as zeros in v, and added by hand for the queries that they are allowed to
    bool in_v = false;       ///< others, which were not set aside
};

/// Keys first ... first + keys - 1 of one query block, computed at a time. width: keys rounded up to the plan's unit.
struct Run {
    std::int64_t first = 0, keys = 0, width = 0;
    std::int64_t mixed_first = 0, mixed_keys = 0;  ///< keys whose cells must be looked up, counted from the sequence's
    std::int64_t tiles = 0;                        ///< blocks of the mask's map that it joins
    std::int64_t place = 0;                        ///< in the scratch's scores
    bool masked = false;                           ///< fully; computed because a finite fill asks for it
};

/// Numbers of (B,H,S,Dh) or (B,S,E) with a head's row beside or below the other.
template <typename Stored>
struct ContextPlace {
    Stored* data = nullptr;
    std::int64_t sequence_stride = 0, head_stride = 0, row_stride = 0;
};

/// One call: what every thread reads, and the tensors between the steps.
template <typename Stored>
struct Call {
    using T = Sum<Stored>;

    const Plan& plan;
    const TileMap& mask;
    const std::atomic<bool>* cancel;
    TileCounter* counter = nullptr;
    std::int64_t first_sequence = 0;  ///< of the mask's batch

    const ReadyWeights<Stored>* layer = nullptr;  ///< of x -> output; otherwise q, k and v are given:
    const T *given_q = nullptr, *given_k = nullptr, *given_v = nullptr;  ///< (B,H,S,Dh)

    const Stored* x = nullptr;           ///< (padded_rows, E)
    PooledArray<Stored> copy_of_x{};     ///< where x is not as it was given
    PooledArray<Stored> side_by_side{};  ///< the context for the output: (padded_rows, E), zeros beyond the rows
    ContextPlace<Stored> context{};
    T* weights = nullptr;                   ///< (B,H,S,S), where kept
    double* row_sums = nullptr;             ///< of the weights (B,H,S), where kept
    std::uint8_t* fill_mattered = nullptr;  ///< (B,H,query blocks), where asked for
    bool sets_aside = false;  ///< must a masked key's NaN be kept out?
    std::mutex nonfinite_mutex{};

    bool cancelled() const { return cancel && cancel->load(std::memory_order_relaxed); }
};

/// q, k and v of the heads first ... first + plan.head_group - 1 of every sequence. A head's number counts over the
/// batch: b * H + h.
template <typename Stored>
struct Heads {
    const Plan& plan;
    std::int64_t first = 0;
    /// (B·group, queries, Dh), (B·group, keys, Dh) or panels, (B·group, keys, Dh)
    PooledArray<Stored> all_q, all_k, all_v;
    std::vector<NonfiniteKeys<Sum<Stored>>> all_nonfinite;

    explicit Heads(const Plan& of);
    void start_at(std::int64_t head);  ///< forgets the non-finite keys of other heads
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

/// Step 1: x (rows, E) as it is stored.
template <typename Stored>
void take_x(Call<Stored>& call, const Sum<Stored>* x);
/// Step 2: the context, some heads at a time, of each a query block at a time; with the weights where they are kept.
template <typename Stored>
void attend(Call<Stored>& call);
template <typename Stored>
struct Scratch;
/// In step 2: one of fill_parts() parts of q, k and v of head h in every sequence, projected from x or copied from what
/// was given.
template <typename Stored>
void fill_part(Call<Stored>& call, Heads<Stored>& heads, std::int64_t h, std::int64_t part,
               const Scratch<Stored>& scratch);
template <typename Stored>
std::int64_t fill_parts(const Call<Stored>& call);
/// Step 3: the output projection, to out (rows, E).
template <typename Stored>
void finish(Call<Stored>& call, Sum<Stored>* out);

/// Bytes of scratch that each thread takes for a projection, and in attend().
template <typename Stored>
std::uint64_t projection_scratch(const Plan& plan, const ReadyWeights<Stored>& weights);
template <typename Stored>
std::uint64_t attention_scratch(const Plan& plan);

/// What a thread needs for step 2.
template <typename Stored>
struct Scratch {
    using T = Sum<Stored>;
    PooledArray<T> projected;    ///< (row_block, head_columns), where a layer is given
    PooledArray<Stored> keys;    ///< (64, Dh), before they are turned into a panel
    PooledArray<T> scores;       ///< (query_block, widest run); with weights kept, a tile of every run
    PooledArray<Stored> halves;  ///< a tile in bfloat16
    PooledArray<T> context, offset, sum;
    PooledArray<T> run_offsets;  ///< with weights kept: offset as it was after each run (most_runs, query_block)
    PooledArray<std::uint8_t> cells;
    std::vector<Run> runs{};
    explicit Scratch(const Call<Stored>& call);
};

/// One query block of one head.
struct BlockTask {
    std::int64_t head;  ///< over the batch
    std::int64_t sequence;
    std::int64_t first, rows;  ///< queries
};

/// The weights of a query block from the exponentials of its runs, once its softmax is known (tiled_keep.cpp).
template <typename Stored>
void store_weights(const Call<Stored>& call, const BlockTask& task, const Scratch<Stored>& scratch);

}  // namespace headscope::tiled
