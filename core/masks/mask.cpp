// SPDX-License-Identifier: GPL-3.0-or-later
// Computes the cells of masks.
#include "core/masks/mask.h"

#include <algorithm>
#include <numeric>

#include "core/masks/mask_row.h"

namespace headscope {

bool padding_matters(const MaskExpression& expression, const Batch& batch) {
    const auto same_rows = [&] {
        const auto s = static_cast<std::ptrdiff_t>(batch.sequence_length());
        // Every byte equals the one a row further on: every sequence has the same real tokens.
        return batch.size() < 2 || std::equal(batch.real.begin() + s, batch.real.end(), batch.real.begin());
    };
    return expression.uses_padding() && !same_rows();
}

Result<std::shared_ptr<const Mask>> Mask::build(const MaskExpression& expression, const Batch& batch) {
    const std::int64_t size = batch.sequence_length();
    if (auto legal = check_patterns(expression, size); !legal) return tl::unexpected(legal.error());

    auto mask = std::make_shared<Mask>();
    mask->batch_ = batch.size();
    mask->size_ = size;
    mask->shared_ = !padding_matters(expression, batch);
    const std::int64_t matrices = mask->shared_ ? std::min<std::int64_t>(1, batch.size()) : batch.size();
    mask->cells_.resize(static_cast<std::size_t>(matrices * size * size));
    mask->allowed_in_row_.resize(static_cast<std::size_t>(matrices * size));

    for (std::int64_t r = 0; r < matrices * size; ++r) {
        std::uint8_t* cells = mask->cells_.data() + r * size;
        mask_row(expression, {r % size, 0, size, size, batch.real.data() + r / size * size}, cells);
        const auto allowed = std::accumulate(cells, cells + size, std::int32_t{0});
        mask->allowed_in_row_[static_cast<std::size_t>(r)] = allowed;
        mask->all_allowed_ = mask->all_allowed_ && allowed == size;
    }
    return mask;
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
