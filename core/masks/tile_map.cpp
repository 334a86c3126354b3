// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/masks/tile_map.h"

#include <algorithm>
#include <utility>

#include "core/base/thread_pool.h"
#include "core/masks/mask_row.h"
#include "core/masks/pattern.h"

namespace headscope {

namespace {

using Block = TileMap::Block;

}  // namespace

template <typename Classify>
void TileMap::classify(Classify kind_of) {
    query_blocks_ = (size_ + query_side_ - 1) / query_side_;
    key_blocks_ = (size_ + key_side_ - 1) / key_side_;
    kinds_.resize(static_cast<std::size_t>(matrices_ * query_blocks_ * key_blocks_));
    parallel_for(available_threads(), matrices_ * query_blocks_, [&](std::int64_t row, int) {
        const std::int64_t matrix = row / query_blocks_, i0 = row % query_blocks_ * query_side_;
        for (std::int64_t b = 0; b < key_blocks_; ++b) {
            const std::int64_t j0 = b * key_side_;
            const CellRectangle r{i0, std::min(i0 + query_side_, size_), j0, std::min(j0 + key_side_, size_), size_};
            kinds_[static_cast<std::size_t>(row * key_blocks_ + b)] = kind_of(matrix, r);
        }
    });
    all_allowed_ = std::all_of(kinds_.begin(), kinds_.end(), [](Block kind) { return kind == Block::FullyAllowed; });
}

TileMap::TileMap(MaskPtr mask, const TileSize& size)
    : mask_(std::move(mask)), tile_size_(size), batch_(mask_->batch()), size_(mask_->size()) {
    const auto side = [&](std::int64_t wanted) { return std::max<std::int64_t>(1, std::min(wanted, size_)); };
    if (size.queries) query_side_ = side(*size.queries);
    if (size.keys) key_side_ = side(*size.keys);
    matrices_ = mask_->shared_by_batch() ? std::min<std::int64_t>(1, batch_) : batch_;
    const bool allowed = mask_->all_allowed();
    classify([&](std::int64_t matrix, const CellRectangle& r) {
        return allowed ? Block::FullyAllowed : mask_->kind(matrix, r.i0, r.i1, r.j0, r.j1);
    });
}

Result<TileMap> TileMap::of(const MaskExpression& expression, const Batch& batch) {
    if (auto legal = check_patterns(expression, batch.sequence_length()); !legal) {
        return tl::unexpected(legal.error());
    }
    TileMap map;
    map.expression_ = expression;
    map.real_ = batch.real;
    map.batch_ = batch.size();
    map.size_ = batch.sequence_length();
    map.matrices_ = padding_matters(expression, batch) ? map.batch_ : std::min<std::int64_t>(1, map.batch_);
    map.classify([&](std::int64_t matrix, CellRectangle r) {
        r.real = map.real_.data() + matrix * map.size_;
        return kind_of_expression(map.expression_, r);
    });
    return map;
}

TileMap::Block TileMap::block(std::int64_t sequence, std::int64_t first, std::int64_t count,
                              std::int64_t key_block) const {
    const Block kind = block(sequence, first, key_block);
    for (std::int64_t more = 1; more < count && first + more < query_blocks_; ++more) {
        if (block(sequence, first + more, key_block) != kind) return Block::Mixed;
    }
    return kind;
}

std::int64_t TileMap::busy_blocks(std::int64_t count) const {
    std::int64_t busy = 0;
    for (std::int64_t matrix = 0; matrix < matrices_; ++matrix) {
        for (std::int64_t q = 0; q < query_blocks_; q += count) {
            for (std::int64_t k = 0; k < key_blocks_; ++k) {
                if (block(matrix, q, count, k) != Block::FullyMasked) busy += std::min(count, query_blocks_ - q);
            }
        }
    }
    return busy * (matrices_ == 1 ? batch_ : 1);
}

TileMap::Cells TileMap::cells(std::int64_t sequence, std::int64_t first_query, std::int64_t rows,
                              std::int64_t first_key, std::int64_t keys, std::uint8_t* scratch) const {
    if (mask_ && mask_->stores_cells()) return {mask_->row(sequence, first_query) + first_key, size_};
    for (std::int64_t r = 0; r < rows; ++r) {
        if (mask_) {
            mask_->cells(sequence, first_query + r, first_key, keys, scratch + r * keys);
            continue;
        }
        mask_row(expression_, {first_query + r, first_key, keys, size_, real_.data() + sequence * size_},
                 scratch + r * keys);
    }
    return {scratch, keys};
}

}  // namespace headscope
