// SPDX-License-Identifier: GPL-3.0-or-later
// Computes the cells of masks.
#include "core/masks/mask.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "core/base/thread_pool.h"
#include "core/masks/mask_row.h"
#include "core/masks/pattern.h"
#include "core/masks/tile_map.h"

namespace headscope {

bool padding_matters(const MaskExpression& expression, const Batch& batch) {
    const auto same_rows = [&] {
        const auto s = static_cast<std::ptrdiff_t>(batch.sequence_length());
        // Every byte equals the one a row further on: every sequence has the same real tokens.
        return batch.size() < 2 || std::equal(batch.real.begin() + s, batch.real.end(), batch.real.begin());
    };
    return expression.uses_padding() && !same_rows();
}

Result<std::shared_ptr<const Mask>> Mask::build(const MaskExpression& expression, const Batch& batch,
                                                std::int64_t stored_bytes) {
    const std::int64_t size = batch.sequence_length();
    if (auto legal = check_patterns(expression, size); !legal) return tl::unexpected(legal.error());

    auto mask = std::make_shared<Mask>();
    mask->batch_ = batch.size();
    mask->size_ = size;
    mask->shared_ = !padding_matters(expression, batch);
    mask->stores_cells_ = size * size <= stored_bytes;
    mask->expression_ = MaskExpression{expression.layers};
    mask->real_ = batch.real;
    mask->allowed_in_row_.resize(static_cast<std::size_t>(mask->matrices() * size));
    mask->stores_cells() ? mask->store_rows() : mask->count_rows();
    mask->all_allowed_ = std::all_of(mask->allowed_in_row_.begin(), mask->allowed_in_row_.end(),
                                     [size](std::int32_t allowed) { return allowed == size; });
    return mask;
}

void Mask::store_rows() {
    constexpr std::int64_t kRows = 64;
    const std::int64_t rows = matrices() * size_;
    cells_.resize(static_cast<std::size_t>(rows * size_));
    const int threads = threads_for(static_cast<double>(rows) * static_cast<double>(size_));
    parallel_for(threads, (rows + kRows - 1) / kRows, [&](std::int64_t block, int) {
        for (std::int64_t r = block * kRows; r < std::min(rows, (block + 1) * kRows); ++r) {
            std::uint8_t* cells = cells_.data() + r * size_;
            mask_row(expression_, {r % size_, 0, size_, size_, real_.data() + r / size_ * size_}, cells);
            allowed_in_row_[static_cast<std::size_t>(r)] = std::accumulate(cells, cells + size_, std::int32_t{0});
        }
    });
}

/// Counts each row's allowed keys tile by tile, and reads the cells only of the tiles that are neither fully masked nor
/// fully allowed.
void Mask::count_rows() {
    constexpr std::int64_t kSide = TileMap::kSide;
    const std::int64_t blocks = (size_ + kSide - 1) / kSide;
    parallel_for(available_threads(), matrices() * blocks, [&](std::int64_t task, int) {
        const std::int64_t sequence = task / blocks, i0 = task % blocks * kSide, i1 = std::min(i0 + kSide, size_);
        std::int32_t* allowed = allowed_in_row_.data() + sequence * size_;
        std::array<std::uint8_t, kSide> scratch;
        for (std::int64_t j0 = 0; j0 < size_; j0 += kSide) {
            const std::int64_t keys = std::min(kSide, size_ - j0);
            const TileKind kind = this->kind(sequence, i0, i1, j0, j0 + keys);
            if (kind == TileKind::FullyMasked) continue;
            for (std::int64_t i = i0; i < i1; ++i) {
                if (kind == TileKind::FullyAllowed) {
                    allowed[i] += static_cast<std::int32_t>(keys);
                    continue;
                }
                const std::uint8_t* row = cells(sequence, i, j0, keys, scratch.data());
                allowed[i] = std::accumulate(row, row + keys, allowed[i]);
            }
        }
    });
}

const std::uint8_t* Mask::cells(std::int64_t sequence, std::int64_t i, std::int64_t first, std::int64_t count,
                                std::uint8_t* scratch) const {
    if (stores_cells()) return row(sequence, i) + first;
    mask_row(expression_, {i, first, count, size_, real_.data() + sequence * size_}, scratch);
    return scratch;
}

TileKind Mask::kind(std::int64_t sequence, std::int64_t i0, std::int64_t i1, std::int64_t j0, std::int64_t j1) const {
    const CellRectangle rectangle{i0, i1, j0, j1, size_, real_.data() + sequence * size_};
    if (stores_cells()) return kind_of_cells(row(sequence, 0), size_, rectangle);
    return kind_of_expression(expression_, rectangle);
}

bool Mask::operator==(const Mask& other) const {
    if (batch_ != other.batch_ || size_ != other.size_ || shared_ != other.shared_) return false;
    if (allowed_in_row_ != other.allowed_in_row_) return false;
    if (stores_cells_ && other.stores_cells_) return cells_ == other.cells_;
    if (all_allowed_) return true;
    std::vector<std::uint8_t> left(static_cast<std::size_t>(size_)), right(left.size());
    for (std::int64_t r = 0; r < matrices() * size_; ++r) {
        const std::uint8_t* cells_here = cells(r / size_, r % size_, 0, size_, left.data());
        const std::uint8_t* cells_there = other.cells(r / size_, r % size_, 0, size_, right.data());
        if (!std::equal(cells_here, cells_here + size_, cells_there)) return false;
    }
    return true;
}

std::int64_t Mask::allowed_cells(std::int64_t sequence) const {
    std::int64_t allowed = 0;
    for (std::int64_t i = 0; i < size_; ++i) allowed += allowed_in_row(sequence, i);
    return allowed;
}

std::vector<std::int64_t> Mask::fully_masked_rows(std::int64_t sequence) const {
    std::vector<std::int64_t> rows;
    for (std::int64_t i = 0; i < size_; ++i) {
        if (allowed_in_row(sequence, i) == 0) rows.push_back(i);
    }
    return rows;
}

}  // namespace headscope
