// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/masks/mask.h"

namespace headscope {

/// Edits of a painted mask: each takes a mask and gives the next one (move it in and nothing is copied). 1 = may
/// attend; a row is a query, a column a key. Cells outside the mask are passed over, so that a hand may leave the grid.
namespace paint {

struct Cell {
    std::int64_t query = 0, key = 0;
};

PaintedMask uniform(std::int64_t size, bool open);
PaintedMask cell(PaintedMask mask, Cell at, bool open);
PaintedMask row(PaintedMask mask, std::int64_t query, bool open);
PaintedMask column(PaintedMask mask, std::int64_t key, bool open);
/// Between two corners, whichever, both included.
PaintedMask rectangle(PaintedMask mask, Cell corner, Cell opposite, bool open);
/// A stroke of the hand from one point to the next, both included, without a gap (Bresenham 1965).
PaintedMask line(PaintedMask mask, Cell from, Cell to, bool open);
/// The cells with key - query = offset: 0 is the diagonal, negative ones look back.
PaintedMask diagonal(PaintedMask mask, std::int64_t offset, bool open);
PaintedMask inverted(PaintedMask mask);
PaintedMask transposed(const PaintedMask& mask);
/// The same cells for another number of tokens: cut, or extended with open cells.
PaintedMask fitted(const PaintedMask& mask, std::int64_t size);

/// What an expression leaves open for one sequence of a batch, to paint on. Errors as Mask::build(); InvalidValue where
/// there is no such sequence.
Result<PaintedMask> from_expression(const MaskExpression& expression, const Batch& batch, std::int64_t sequence);

/// The mask of an expression's painted layer that acts: the first that is one Painted pattern; null where there is
/// none.
std::shared_ptr<const PaintedMask> painted_layer(const MaskExpression& expression);
/// The expression with that layer replaced, or a painted one added behind the others.
MaskExpression with_painted_layer(MaskExpression expression, PaintedMask mask);

}  // namespace paint

}  // namespace headscope
