// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/mask_cells.h"

#include <algorithm>

#include "core/base/sentence.h"

namespace headscope {

const char* const kExpectedMask =
    phrase("a mask is a square of 0 and 1 (1 = allowed), or of 0 and -inf that is added to the scores");

bool MaskCells::add(double number) {
    constexpr double highest_fill = -1e4;  // of the fill values that programs write for −inf
    if (number != 0 && number != 1 && !(number <= highest_fill)) return false;
    cells_.push_back(number == 0 ? Zero : number == 1 ? One : Lowest);
    return true;
}

Result<PaintedMask> MaskCells::to_mask(std::int64_t size, const std::string& name) && {
    const auto lowest = std::find(cells_.begin(), cells_.end(), Lowest);
    const bool additive = lowest != cells_.end();
    const bool ones = std::find(cells_.begin(), cells_.end(), One) != cells_.end();
    if (additive && ones) {
        const std::int64_t at = lowest - cells_.begin();
        return fail(ErrorCode::FileContent,
                    "{}: holds cells of 1, and the cell of query {}, key {} is -inf or at most -1e4; {}", name,
                    at / size, at % size, kExpectedMask);
    }
    if (floating_ && !additive && !ones)
        return fail(ErrorCode::FileContent,
                    "{}: every cell is 0.0, which masks everything where 0 and 1 are meant, and allows everything "
                    "where the mask is added to the scores; save it as bool or integers, 1 = allowed",
                    name);
    for (std::uint8_t& cell : cells_) cell = cell == (additive ? Zero : One);
    return PaintedMask{size, std::move(cells_)};
}

}  // namespace headscope
