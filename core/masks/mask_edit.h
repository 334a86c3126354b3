// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/masks/mask.h"

namespace headscope {

/// Edits of a painted mask: each takes a mask and returns the edited one (a moved mask is not copied). 1 = allowed; a
/// row is a query, a column a key. Cells outside the mask are ignored, so that a stroke may leave the grid.
namespace paint {

struct Cell {
    std::int64_t query = 0, key = 0;
};

PaintedMask uniform(std::int64_t size, bool allowed);
PaintedMask cell(PaintedMask mask, Cell at, bool allowed);
PaintedMask row(PaintedMask mask, std::int64_t query, bool allowed);
PaintedMask column(PaintedMask mask, std::int64_t key, bool allowed);
/// The rectangle between two opposite corners, both included.
PaintedMask rectangle(PaintedMask mask, Cell corner, Cell opposite, bool allowed);
/// A line from one point to another, both included, without gaps (Bresenham 1965).
PaintedMask line(PaintedMask mask, Cell from, Cell to, bool allowed);
/// The cells with key - query = offset: 0 is the diagonal, negative offsets are earlier keys.
PaintedMask diagonal(PaintedMask mask, std::int64_t offset, bool allowed);
PaintedMask inverted(PaintedMask mask);
PaintedMask transposed(const PaintedMask& mask);
/// The same cells for another number of tokens: cropped, or extended with allowed cells.
PaintedMask fitted(const PaintedMask& mask, std::int64_t size);

/// The cells that an expression allows for one sequence of a batch, as a mask to edit. Errors as Mask::build();
/// InvalidValue if there is no such sequence.
Result<PaintedMask> from_expression(const MaskExpression& expression, const Batch& batch, std::int64_t sequence);

/// The mask of an expression's first layer that is switched on and is one Painted pattern; null if there is none.
std::shared_ptr<const PaintedMask> painted_layer(const MaskExpression& expression);
/// The expression with that layer's mask replaced, or with a painted layer appended.
MaskExpression with_painted_layer(MaskExpression expression, PaintedMask mask);

}  // namespace paint

}  // namespace headscope
