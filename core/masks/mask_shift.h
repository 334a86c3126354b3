// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>

#include "core/masks/bit_matrix.h"

namespace headscope {

/// A shift of a mask by one query, one key, or one of each.
struct MaskShift {
    std::int64_t queries, keys;
    const char* name;  ///< a phrase()
};

/// The shift that turns `meant` into `given` in every row, where the cells that come from outside can be either. A
/// shift that only those cells could show is none, unless they are all allowed or all masked.
const MaskShift* shift_of(const BitMatrix& given, const BitMatrix& meant);

/// The same for one layer of a mask whose other layers, `rest`, are not shifted.
const MaskShift* shift_of_layer(const BitMatrix& given, const BitMatrix& layer, const BitMatrix& rest);

/// A shift that begins at a later query: the rows before it are equal, those from it on are shifted.
struct LateShift {
    const MaskShift* shift;
    std::int64_t query;
};
/// None unless the shift explains wrong cells in at least two rows.
std::optional<LateShift> late_shift_of(const BitMatrix& given, const BitMatrix& meant);

}  // namespace headscope
