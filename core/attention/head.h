// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/config.h"
#include "core/engine/scaling.h"
#include "core/engine/score_change.h"
#include "core/masks/mask.h"

namespace headscope {

/// The settings of one head's softmax.
struct HeadRules {
    const Mask& mask;
    Precision precision;
    Fill mode;                   ///< effective_mode()
    double fill;                 ///< effective_fill()
    std::optional<double> sink;  ///< rounded to the precision

    HeadRules(const Mask& of, Fill wanted, Precision in)
        : mask(of), precision(in), mode(effective_mode(wanted, in)), fill(effective_fill(wanted, in)) {}
    HeadRules(const Mask& of, Fill wanted, Precision in, const ScoreChange& change) : HeadRules(of, wanted, in) {
        if (change.sink) sink = round_to(in, *change.sink);
    }
    /// True if inf and NaN in the value of a masked key must not reach the context.
    bool skips_masked() const { return mode != Fill::MinusBillion && !mask.all_allowed(); }
    /// The mask's cells of a query's keys, as Mask::cells(); null if every cell is allowed.
    const std::uint8_t* allowed(std::int64_t sequence, std::int64_t query, std::int64_t first_key, std::int64_t keys,
                                std::uint8_t* scratch) const {
        return mask.all_allowed() ? nullptr : mask.cells(sequence, query, first_key, keys, scratch);
    }
};

/// A rectangle of one sequence's S×S cells.
struct Tile {
    std::int64_t sequence, first_query, queries, first_key, keys;
};

/// scores = scaled q kᵀ of a tile. q and k are the head's whole (S,Dh); scores has tile.queries rows, `stride` numbers
/// apart.
template <typename T>
void tile_scores(const T* q, const T* k, const Scaling& scaling, const Tile& tile, T* scores, std::int64_t stride,
                 const std::atomic<bool>* cancel);

/// Changes a tile's scores by the rules of their head.
template <typename T>
void change_tile(const ScoreChange& change, Precision precision, const Tile& tile, T* scores, std::int64_t stride);

/// weights = softmax(masked scores) of whole rows (tile.keys == S), rounded. Both are contiguous. offsets and sums: per
/// row, receive the maximum and the sum of the exponentials (Trace::row_offsets) unless they are null.
template <typename T>
void row_weights(const HeadRules& rules, const Tile& tile, const T* scores, T* weights, const std::atomic<bool>* cancel,
                 T* offsets = nullptr, T* sums = nullptr);

/// A head's v (S,Dh). Keys with inf or NaN are stored separately if the mask may exclude them.
template <typename T>
class HeadValues {
public:
    HeadValues(const T* v, std::int64_t keys, std::int64_t head_dim, const HeadRules& rules);
    /// out (tile.queries, Dh) = weights (tile.queries, tile.keys; contiguous) v; not rounded.
    void weighted_sum(const HeadRules& rules, const Tile& tile, const T* weights, T* out,
                      const std::atomic<bool>* cancel) const;

private:
    const T* v_;
    std::int64_t head_dim_;
    std::vector<T> finite_;                     ///< v with zeros for the keys below; unused if there are none
    std::vector<std::int64_t> nonfinite_keys_;  ///< keys with inf or NaN in v
};

/// matmul() in blocks of rows that take a few milliseconds each; checks cancel between them.
template <typename T>
void matmul_in_blocks(const T* a, std::int64_t lda, const T* b, std::int64_t ldb, bool transpose_b, T* c,
                      std::int64_t ldc, std::int64_t m, std::int64_t n, std::int64_t k,
                      const std::atomic<bool>* cancel);

}  // namespace headscope
