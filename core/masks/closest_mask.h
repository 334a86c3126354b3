// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "core/masks/bit_matrix.h"
#include "core/masks/mask.h"

namespace headscope {

/// An expression and the number of cells in which it differs from a mask.
struct ClosestMask {
    MaskExpression expression;
    std::int64_t wrong = 0;
};

/// Searches the expression that differs from a mask (S,S) in the fewest cells, among layers of the patterns that its
/// cells suggest (mask_traits.h), alone and with prefix or global tokens. Of equal ones it returns a simple one; a
/// window to the left is written with `causal`. `real` (S): 1 = a token, 0 = padding. Returns what it has when
/// cancelled.
ClosestMask closest_mask(const BitMatrix& given, const std::vector<std::uint8_t>& real,
                         const std::atomic<bool>* cancel = nullptr);

}  // namespace headscope
