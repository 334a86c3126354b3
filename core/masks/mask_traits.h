// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "core/masks/bit_matrix.h"

namespace headscope {

/// What the cells of a square mask suggest about the numbers of patterns. A few wrong cells change little: a number
/// that most rows or columns agree on is listed beside the one that all of them do.
struct MaskTraits {
    std::int64_t size = 0;                             ///< S
    std::vector<std::int64_t> lefts, rights;           ///< of windows, likeliest first
    std::vector<std::int64_t> prefixes, globals;       ///< of prefix and global tokens
    std::vector<std::vector<std::int64_t>> documents;  ///< lengths; the last document is what follows them
    std::int64_t stride = 0, step = 0, step_left = 0, step_right = 0;  ///< of strided and dilated; 0 if there is none
    std::int64_t keys_in_row = 0;  ///< allowed keys of every query, if all have as many
};
MaskTraits traits_of(const BitMatrix& mask);

/// 1 for each token up to the last, and from the first, that some query attends to: a guess at the padding of a mask
/// whose tokens are not known.
std::vector<std::uint8_t> likely_real(const BitMatrix& mask);

}  // namespace headscope
