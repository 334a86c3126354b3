// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "core/attention/head.h"
#include "core/attention/trace.h"
#include "core/engine/product.h"

namespace headscope {

/// The mask's cells of a query for chosen keys, in ascending order.
void chosen_cells(const Mask& mask, std::int64_t sequence, std::int64_t query, const std::vector<std::int64_t>& keys,
                  std::uint8_t* out);

/// Computes tiles of one head's scores, masked scores or weights, which its trace does not keep. The trace must outlive
/// it. Weights of a preview need prepare() first.
template <typename T>
class TileNumbers {
public:
    TileNumbers(const Trace& trace, Stage stage, std::int64_t sequence, std::int64_t head);

    /// Computes the softmax of these queries, as far as a preview doesn't know it; otherwise does nothing.
    void prepare(const std::vector<std::int64_t>& queries, const std::atomic<bool>* cancel);

    /// out (tile.queries, tile.keys). cells: the mask's, in rows `stride` apart; null if all are allowed.
    void compute(const Tile& tile, const std::uint8_t* cells, std::int64_t stride, T* out) const;
    /// out (queries, keys) for chosen queries and keys.
    void compute(const std::vector<std::int64_t>& queries, const std::vector<std::int64_t>& keys, T* out) const;
    /// Whole rows (tile.keys == S) with the products of stages::scores().
    void compute_rows(const Tile& tile, T* out) const;
    /// The value of a query's masked keys, which all have the same.
    T masked_value(std::int64_t query) const;

private:
    void scale(T* products, std::int64_t n) const;
    /// Replaces n scores of a query by masked scores or weights.
    void finish(std::int64_t query, const std::uint8_t* cells, std::int64_t n, T* scores) const;
    T factor(std::int64_t query) const;

    const Trace& trace_;
    HeadRules rules_;
    Scaling scaling_;
    ScoreChange change_;
    Stage stage_;
    std::int64_t sequence_, head_, size_;
    const T *q_, *k_;                               ///< (S,Dh)
    const T *offsets_ = nullptr, *sums_ = nullptr;  ///< (S)
    std::vector<T> own_offsets_{}, own_sums_{};     ///< of a preview: with those that it doesn't know
    ProductBackend backend_;
    bool staged_;
};

}  // namespace headscope
