// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/masks/tile_map.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/base/thread_pool.h"
#include "core/masks/mask_row.h"

namespace headscope {

namespace {

using Block = TileMap::Block;

/// Queries i0 <= i < i1 and keys j0 <= j < j1.
struct Rectangle {
    std::int64_t i0, i1, j0, j1;
};

Block either(bool full, bool empty) {
    return full ? Block::Full : empty ? Block::Empty : Block::Mixed;
}

Block kind_of_bytes(const std::uint8_t* cells, std::int64_t stride, const Rectangle& r) {
    bool any_open = false, any_closed = false;
    for (std::int64_t i = r.i0; i < r.i1; ++i) {
        const auto* row = cells + i * stride;
        const auto count = static_cast<std::size_t>(r.j1 - r.j0);
        any_open = any_open || std::memchr(row + r.j0, 1, count);
        any_closed = any_closed || std::memchr(row + r.j0, 0, count);
        if (any_open && any_closed) return Block::Mixed;
    }
    return any_open ? Block::Full : Block::Empty;
}

/// Is there a multiple of step in [from, to]?
bool has_multiple(std::int64_t from, std::int64_t to, std::int64_t step) {
    if (from > to) return false;
    const std::int64_t remainder = ((to % step) + step) % step;
    return to - remainder >= from;
}

Block kind_of_pattern(const MaskPattern& p, const Rectangle& r, const std::uint8_t* real) {
    // j - i, from the smallest to the largest.
    const std::int64_t low = r.j0 - (r.i1 - 1), high = r.j1 - 1 - r.i0;
    switch (p.kind) {
        case MaskPattern::Kind::Padding: {
            const auto open = std::count(real + r.j0, real + r.j1, std::uint8_t{0});
            return either(open == 0, open == r.j1 - r.j0);
        }
        case MaskPattern::Kind::Causal:
            return either(high <= 0, low > 0);
        case MaskPattern::Kind::Local:
            return either(low >= -p.a && high <= p.b, high < -p.a || low > p.b);
        case MaskPattern::Kind::Strided: {
            const bool near = low < p.a && high > -p.a;
            return either(p.a == 1 || (low > -p.a && high < p.a), !near && !has_multiple(low, high, p.a));
        }
        case MaskPattern::Kind::Dilated: {
            const std::int64_t from = -p.a * p.c, to = p.b * p.c;
            const bool inside = low >= from && high <= to;
            return either(inside && (p.c == 1 || (low == high && low % p.c == 0)),
                          !has_multiple(std::max(low, from), std::min(high, to), p.c));
        }
        case MaskPattern::Kind::Global:
            return either(r.i1 <= p.a || r.j1 <= p.a, r.i0 >= p.a && r.j0 >= p.a);
        case MaskPattern::Kind::Block: {
            const std::int64_t i0 = r.i0 / p.a, i1 = (r.i1 - 1) / p.a, j0 = r.j0 / p.a, j1 = (r.j1 - 1) / p.a;
            return either(i0 == i1 && j0 == j1 && i0 == j0, i1 < j0 || j1 < i0);
        }
        case MaskPattern::Kind::File:
            return kind_of_bytes(p.painted->cells.data(), p.painted->size, r);
        case MaskPattern::Kind::Painted: {
            const std::int64_t size = p.painted->size;  // beyond, everything is open
            if (r.i1 <= size && r.j1 <= size) return kind_of_bytes(p.painted->cells.data(), size, r);
            return either(r.i0 >= size || r.j0 >= size, false);
        }
    }
    return Block::Mixed;
}

Block kind_of_expression(const MaskExpression& expression, const Rectangle& r, const std::uint8_t* real) {
    Block all = Block::Full;
    for (const auto& layer : expression.layers) {
        Block any = Block::Empty;
        for (const auto& pattern : layer) {
            const Block kind = kind_of_pattern(pattern, r, real);
            if (kind == Block::Full) any = Block::Full;
            if (kind == Block::Mixed && any == Block::Empty) any = Block::Mixed;
        }
        if (any == Block::Empty) return Block::Empty;
        if (any == Block::Mixed) all = Block::Mixed;
    }
    return all;
}

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
            const Rectangle r{i0, std::min(i0 + query_side_, size_), j0, std::min(j0 + key_side_, size_)};
            kinds_[static_cast<std::size_t>(row * key_blocks_ + b)] = kind_of(matrix, r);
        }
    });
    all_full_ = std::all_of(kinds_.begin(), kinds_.end(), [](Block kind) { return kind == Block::Full; });
}

TileMap::TileMap(MaskPtr mask, const TileSize& size)
    : mask_(std::move(mask)), tile_size_(size), batch_(mask_->batch()), size_(mask_->size()) {
    const auto side = [&](std::int64_t wanted) { return std::max<std::int64_t>(1, std::min(wanted, size_)); };
    if (size.queries) query_side_ = side(*size.queries);
    if (size.keys) key_side_ = side(*size.keys);
    matrices_ = mask_->shared_by_batch() ? std::min<std::int64_t>(1, batch_) : batch_;
    const bool open = mask_->all_open();
    classify([&](std::int64_t matrix, const Rectangle& r) {
        return open ? Block::Full : kind_of_bytes(mask_->row(matrix, 0), size_, r);
    });
}

Result<TileMap> TileMap::of(const MaskExpression& expression, const Batch& batch) {
    if (auto painted = check_painted(expression, batch.sequence_length()); !painted) {
        return tl::unexpected(painted.error());
    }
    TileMap map;
    map.expression_ = expression;
    map.real_ = batch.real;
    map.batch_ = batch.size();
    map.size_ = batch.sequence_length();
    map.matrices_ = padding_matters(expression, batch) ? map.batch_ : std::min<std::int64_t>(1, map.batch_);
    map.classify([&](std::int64_t matrix, const Rectangle& r) {
        return kind_of_expression(map.expression_, r, map.real_.data() + matrix * map.size_);
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
                if (block(matrix, q, count, k) != Block::Empty) busy += std::min(count, query_blocks_ - q);
            }
        }
    }
    return busy * (matrices_ == 1 ? batch_ : 1);
}

TileMap::Cells TileMap::cells(std::int64_t sequence, std::int64_t first_query, std::int64_t rows,
                              std::int64_t first_key, std::int64_t keys, std::uint8_t* scratch) const {
    if (mask_) return {mask_->row(sequence, first_query) + first_key, size_};
    for (std::int64_t r = 0; r < rows; ++r) {
        mask_row(expression_, {first_query + r, first_key, keys, size_, real_.data() + sequence * size_},
                 scratch + r * keys);
    }
    return {scratch, keys};
}

}  // namespace headscope
