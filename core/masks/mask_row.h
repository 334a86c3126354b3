// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/masks/mask.h"

namespace headscope {

/// A part of one query's row: the keys first ... first + count - 1 of a sequence of `size` tokens.
struct RowStretch {
    std::int64_t query, first, count, size;
    const std::uint8_t* real;  ///< the sequence's S bytes of the batch: 1 = a token, 0 = padding
};

/// Sets cells[0 ... count - 1] to 1 where every layer of the expression allows the key, and to 0 elsewhere. The
/// expression must pass check_patterns().
void mask_row(const MaskExpression& expression, const RowStretch& stretch, std::uint8_t* cells);
/// The same for one layer: 1 where one of its patterns allows the key.
void layer_row(const std::vector<MaskPattern>& layer, const RowStretch& stretch, std::uint8_t* cells);

/// InvalidMask if a pattern's numbers are not legal for its type, a File pattern's matrix was not read or isn't
/// size×size (the message contains both sizes), or a Painted one has no cells.
Result<void> check_patterns(const MaskExpression& expression, std::int64_t size);

}  // namespace headscope
