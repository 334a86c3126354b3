// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/tile_numbers.h"

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/attention/plan.h"
#include "core/attention/preview.h"
#include "core/attention/query_key.h"
#include "core/attention/stages.h"
#include "core/base/buffer_pool.h"
#include "core/engine/rounding.h"
#include "core/engine/row_kernels.h"

namespace headscope {

namespace {

template <typename T>
void gather(const T* from, std::int64_t width, const std::vector<std::int64_t>& rows, T* out) {
    for (const std::int64_t row : rows) out = std::copy_n(from + row * width, width, out);
}

}  // namespace

void chosen_cells(const Mask& mask, std::int64_t sequence, std::int64_t query, const std::vector<std::int64_t>& keys,
                  std::uint8_t* out) {
    if (mask.stores_cells()) {
        const std::uint8_t* row = mask.row(sequence, query);
        for (const std::int64_t key : keys) *out++ = row[key];
        return;
    }
    for (const std::int64_t key : keys) *out++ = mask.allowed(sequence, query, key) ? 1 : 0;
}

template <typename T>
TileNumbers<T>::TileNumbers(const Trace& trace, Stage stage, std::int64_t sequence, std::int64_t head)
    : trace_(trace),
      rules_(trace.mask.of(head), trace.request.fill, trace.request.precision, score_change(trace.request, head)),
      scaling_{trace.request.precision, trace.request.scale, trace.dims().head_dim()},
      change_(score_change(trace.request, head)),
      stage_(stage),
      sequence_(sequence),
      head_(head),
      size_(trace.dims().sequence_length),
      staged_(!computes_tiles(trace.request)) {
    const std::int64_t first = (sequence * trace.dims().num_heads + head) * size_, dh = scaling_.head_dim;
    constexpr double kWorthwhile = 4e6;  // operations, for oneDNN's kernels
    backend_ = product_backend(2.0 * static_cast<double>(size_ * size_) * static_cast<double>(dh), kWorthwhile);
    q_ = trace.q->data<T>() + first * dh;
    k_ = trace.k->data<T>() + first * dh;
    if (stage != Stage::Weights) return;
    offsets_ = trace.row_offsets->data<T>() + first;
    sums_ = trace.row_sums->data<T>() + first;
}

template <typename T>
void TileNumbers<T>::prepare(const std::vector<std::int64_t>& queries, const std::atomic<bool>* cancel) {
    if (stage_ != Stage::Weights || !is_preview(trace_)) return;
    own_offsets_.assign(offsets_, offsets_ + size_);
    own_sums_.assign(sums_, sums_ + size_);
    add_softmax(trace_, sequence_, head_, queries, own_offsets_.data(), own_sums_.data(), cancel);
    offsets_ = own_offsets_.data();
    sums_ = own_sums_.data();
}

template <typename T>
void TileNumbers<T>::compute(const Tile& tile, const std::uint8_t* cells, std::int64_t stride, T* out) const {
    const std::int64_t dh = scaling_.head_dim;
    // oneDNN makes a kernel for each shape, which takes longer than a small product of an unusual one.
    constexpr std::int64_t kUsual = 64, kSmall = 64 * 256;
    const bool unusual = tile.queries % kUsual != 0 || tile.keys % kUsual != 0;
    const ProductBackend backend = unusual && tile.queries * tile.keys < kSmall ? ProductBackend::Eigen : backend_;
    const ProductShape shape{
        .m = tile.queries, .n = tile.keys, .k = dh, .right = RightSide::Transposed, .ldb = dh, .ldc = tile.keys};
    product(backend, shape, q_ + tile.first_query * dh, k_ + tile.first_key * dh, out);
    scale(out, tile.queries * tile.keys);
    change_tile(change_, scaling_.precision, tile, out, tile.keys);
    for (std::int64_t r = 0; r < tile.queries; ++r) {
        finish(tile.first_query + r, cells ? cells + r * stride : nullptr, tile.keys, out + r * tile.keys);
    }
}

template <typename T>
void TileNumbers<T>::compute(const std::vector<std::int64_t>& queries, const std::vector<std::int64_t>& keys,
                             T* out) const {
    const auto rows = static_cast<std::int64_t>(queries.size()), columns = static_cast<std::int64_t>(keys.size());
    const std::int64_t dh = scaling_.head_dim;
    const PooledArray<T> q(static_cast<std::size_t>(rows * dh)), k(static_cast<std::size_t>(columns * dh));
    gather(q_, dh, queries, q.data());
    gather(k_, dh, keys, k.data());
    const ProductShape shape{
        .m = rows, .n = columns, .k = dh, .right = RightSide::Transposed, .ldb = dh, .ldc = columns};
    product(ProductBackend::Eigen, shape, q.data(), k.data(), out);  // of many shapes, as above
    scale(out, rows * columns);
    for (std::int64_t cell = 0; cell < rows * columns && !change_.steps.empty(); ++cell) {
        change_.apply(out + cell, 1, queries[static_cast<std::size_t>(cell / columns)],
                      keys[static_cast<std::size_t>(cell % columns)], scaling_.precision);
    }
    if (stage_ == Stage::Scores) return;  // are the same under every mask
    std::vector<std::uint8_t> cells(keys.size());
    for (std::int64_t r = 0; r < rows; ++r) {
        const std::int64_t query = queries[static_cast<std::size_t>(r)];
        chosen_cells(rules_.mask, sequence_, query, keys, cells.data());
        finish(query, cells.data(), columns, out + r * columns);
    }
}

template <typename T>
void TileNumbers<T>::compute_rows(const Tile& tile, T* out) const {
    if (tile.queries == 1) {
        const Tensor row = stages::score_row(*trace_.q, *trace_.k, {sequence_, head_, tile.first_query},
                                             trace_.request.scale, trace_.request.precision);
        std::copy_n(row.data<T>(), size_, out);
    } else {
        tile_scores(q_, k_, scaling_, tile, out, size_, nullptr);
    }
    change_tile(change_, scaling_.precision, tile, out, size_);
    std::vector<std::uint8_t> scratch(static_cast<std::size_t>(size_));
    for (std::int64_t r = 0; r < tile.queries && stage_ != Stage::Scores; ++r) {
        const std::int64_t query = tile.first_query + r;
        finish(query, rules_.allowed(sequence_, query, 0, size_, scratch.data()), size_, out + r * size_);
    }
}

/// Scores are divided as the stages do it. The tiled engine multiplies, which is faster; so do its weights here.
template <typename T>
void TileNumbers<T>::scale(T* products, std::int64_t n) const {
    if (stage_ != Stage::Weights || is_half(scaling_.precision)) return scaling_.apply(products, n);
    const double by = scaling_.scale.value_or(1 / std::sqrt(static_cast<double>(scaling_.head_dim)));
    rows::scale(products, n, static_cast<T>(by), products);
}

template <typename T>
T TileNumbers<T>::factor(std::int64_t query) const {
    return rules_.mode == Fill::Safe && sums_[query] == T{0} ? T{0} : T{1} / sums_[query];
}

template <typename T>
void TileNumbers<T>::finish(std::int64_t query, const std::uint8_t* cells, std::int64_t n, T* scores) const {
    if (stage_ == Stage::Scores) return;
    if (cells) rows::fill_masked(scores, cells, n, static_cast<T>(rules_.fill));
    if (stage_ == Stage::Masked) return;
    const T offset = offsets_[query], by = factor(query);
    rows::exponentials(scores, n, offset == -std::numeric_limits<T>::infinity() ? T{0} : offset, scores);
    if (staged_ && by != T{0}) {  // divides, so that the quotient is rounded where the stages round it
        Eigen::Map<Eigen::Array<T, Eigen::Dynamic, 1>>(scores, n) /= sums_[query];
    } else {
        rows::scale(scores, n, by, scores);
    }
    if (cells && !std::isfinite(by) && rules_.mode != Fill::MinusBillion) {
        for (std::int64_t j = 0; j < n; ++j) scores[j] = cells[j] ? scores[j] : masked_value(query);
    }
    round_all(scores, n, rules_.precision);
}

template <typename T>
T TileNumbers<T>::masked_value(std::int64_t query) const {
    if (stage_ == Stage::Masked) return static_cast<T>(rules_.fill);
    if (rules_.mode == Fill::MinusBillion) {
        std::array<T, 16> weight{static_cast<T>(rules_.fill)};  // more than one: the loops are written for vectors
        finish(query, nullptr, 1, weight.data());
        return weight.front();
    }
    const bool undefined =
        rules_.mode == Fill::Inf && !rules_.sink && rules_.mask.allowed_in_row(sequence_, query) == 0;
    return undefined ? std::numeric_limits<T>::quiet_NaN() : T{0};
}

template class TileNumbers<float>;
template class TileNumbers<double>;

}  // namespace headscope
