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

/// 1 in cells[0 ... count - 1] where every layer of the expression allows the key, 0 elsewhere. Asks for an expression
/// that check_patterns() accepts.
void mask_row(const MaskExpression& expression, const RowStretch& stretch, std::uint8_t* cells);
/// The same of one layer: 1 where one of its patterns allows the key.
void layer_row(const std::vector<MaskPattern>& layer, const RowStretch& stretch, std::uint8_t* cells);

/// InvalidMask where a pattern has other numbers than its type allows, a File pattern's matrix was not read or isn't
/// size×size (the sentence holds both sizes), or a Painted one has no cells.
Result<void> check_patterns(const MaskExpression& expression, std::int64_t size);

}  // namespace headscope
