// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/head.h"

#include <Eigen/Core>
#include <algorithm>

#include "core/attention/softmax.h"
#include "core/engine/matmul.h"
#include "core/engine/rounding.h"

namespace headscope {

template <typename T>
void matmul_in_blocks(const T* a, std::int64_t lda, const T* b, std::int64_t ldb, bool transpose_b, T* c,
                      std::int64_t ldc, std::int64_t m, std::int64_t n, std::int64_t k,
                      const std::atomic<bool>* cancel) {
    constexpr std::int64_t kProducts = 100'000'000;  // multiplications per block: a few milliseconds on one core
    const std::int64_t rows = std::max<std::int64_t>(64, kProducts / std::max<std::int64_t>(1, n * k) / 64 * 64);
    for (std::int64_t i = 0; i < m; i += rows) {
        if (cancel && *cancel) return;
        matmul(a + i * lda, lda, b, ldb, transpose_b, c + i * ldc, ldc, std::min(rows, m - i), n, k);
    }
}

template <typename T>
void tile_scores(const T* q, const T* k, const Scaling& scaling, const Tile& tile, T* scores, std::int64_t stride,
                 const std::atomic<bool>* cancel) {
    const std::int64_t dh = scaling.head_dim;
    matmul_in_blocks(q + tile.first_query * dh, dh, k + tile.first_key * dh, dh, true, scores, stride, tile.queries,
                     tile.keys, dh, cancel);
    for (std::int64_t i = 0; i < tile.queries && !(cancel && *cancel); ++i) {
        scaling.apply(scores + i * stride, tile.keys);
    }
}

template <typename T>
void change_tile(const ScoreChange& change, Precision precision, const Tile& tile, T* scores, std::int64_t stride) {
    for (std::int64_t i = 0; i < tile.queries && !change.steps.empty(); ++i) {
        change.apply(scores + i * stride, tile.keys, tile.first_query + i, tile.first_key, precision);
    }
}

template <typename T>
void row_weights(const HeadRules& rules, const Tile& tile, const T* scores, T* weights, const std::atomic<bool>* cancel,
                 T* offsets, T* sums) {
    const auto fill = static_cast<T>(rules.fill);
    const auto sink = rules.sink ? std::optional(static_cast<T>(*rules.sink)) : std::nullopt;
    std::vector<std::uint8_t> scratch(rules.mask.stores_cells() ? 0 : static_cast<std::size_t>(tile.keys));
    for (std::int64_t i = 0; i < tile.queries; ++i) {
        if (cancel && *cancel) return;
        const std::uint8_t* allowed =
            rules.allowed(tile.sequence, tile.first_query + i, tile.first_key, tile.keys, scratch.data());
        const auto [maximum, sum] = softmax_row<T>({scores + i * tile.keys, allowed, tile.keys, rules.mode, fill, sink},
                                                   weights + i * tile.keys);
        if (offsets) offsets[i] = maximum;
        if (sums) sums[i] = static_cast<T>(sum);
    }
    round_all(weights, tile.queries * tile.keys, rules.precision);
}

template <typename T>
HeadValues<T>::HeadValues(const T* v, std::int64_t keys, std::int64_t head_dim, const HeadRules& rules)
    : v_(v), head_dim_(head_dim) {
    using Row = Eigen::Map<const Eigen::Array<T, Eigen::Dynamic, 1>>;
    if (!rules.skips_masked() || Row(v, keys * head_dim).allFinite()) return;
    finite_.assign(v, v + keys * head_dim);
    for (std::int64_t j = 0; j < keys; ++j) {
        if (Row(v + j * head_dim, head_dim).allFinite()) continue;
        nonfinite_keys_.push_back(j);
        std::fill_n(finite_.data() + j * head_dim, head_dim, T{0});
    }
}

template <typename T>
void HeadValues<T>::weighted_sum(const HeadRules& rules, const Tile& tile, const T* weights, T* out,
                                 const std::atomic<bool>* cancel) const {
    const T* v = nonfinite_keys_.empty() ? v_ : finite_.data();
    matmul_in_blocks(weights, tile.keys, v + tile.first_key * head_dim_, head_dim_, false, out, head_dim_, tile.queries,
                     head_dim_, tile.keys, cancel);
    // 0 * NaN is NaN: add the value of such a key only to the queries that are allowed to attend to it.
    for (const std::int64_t j : nonfinite_keys_) {
        const std::int64_t column = j - tile.first_key;
        if (column < 0 || column >= tile.keys) continue;
        for (std::int64_t i = 0; i < tile.queries; ++i) {
            if (!rules.mask.allowed(tile.sequence, tile.first_query + i, j)) continue;
            const T weight = weights[i * tile.keys + column];
            for (std::int64_t d = 0; d < head_dim_; ++d) out[i * head_dim_ + d] += weight * v_[j * head_dim_ + d];
        }
    }
}

template void matmul_in_blocks(const float*, std::int64_t, const float*, std::int64_t, bool, float*, std::int64_t,
                               std::int64_t, std::int64_t, std::int64_t, const std::atomic<bool>*);
template void matmul_in_blocks(const double*, std::int64_t, const double*, std::int64_t, bool, double*, std::int64_t,
                               std::int64_t, std::int64_t, std::int64_t, const std::atomic<bool>*);
template void tile_scores(const float*, const float*, const Scaling&, const Tile&, float*, std::int64_t,
                          const std::atomic<bool>*);
template void tile_scores(const double*, const double*, const Scaling&, const Tile&, double*, std::int64_t,
                          const std::atomic<bool>*);
template void change_tile(const ScoreChange&, Precision, const Tile&, float*, std::int64_t);
template void change_tile(const ScoreChange&, Precision, const Tile&, double*, std::int64_t);
template void row_weights(const HeadRules&, const Tile&, const float*, float*, const std::atomic<bool>*, float*,
                          float*);
template void row_weights(const HeadRules&, const Tile&, const double*, double*, const std::atomic<bool>*, double*,
                          double*);
template class HeadValues<float>;
template class HeadValues<double>;

}  // namespace headscope
