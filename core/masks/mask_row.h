// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/masks/mask.h"

namespace headscope {

/// A stretch of one query's row: the keys first ... first + count - 1 of a sequence of `size` tokens.
struct RowStretch {
    std::int64_t query, first, count, size;
    const std::uint8_t* real;  ///< the sequence's S bytes of the batch: 1 = a token, 0 = padding
};

/// 1 in cells[0 ... count - 1] where every layer of the expression allows the key, 0 elsewhere; the same definitions as
/// MaskPattern::allows(), a stretch at a time. check_painted() has been asked.
void mask_row(const MaskExpression& expression, const RowStretch& stretch, std::uint8_t* cells);

/// InvalidMask where a File pattern's matrix was not read or isn't size×size (the sentence holds both sizes), or a
/// Painted one has no cells.
Result<void> check_painted(const MaskExpression& expression, std::int64_t size);

}  // namespace headscope
