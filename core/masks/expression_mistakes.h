// SPDX-License-Identifier: GPL-3.0-or-later
// Mistakes that are known by the expression of what was meant: rows of the table in mask_mistakes.cpp. Each returns a
// sentence if the mistake explains every wrong cell. Without an expression there is none.
#pragma once

#include "core/masks/mask_mistakes.h"

namespace headscope {

/// The cells of an expression in the place of MaskCase::meant: if there are fewer queries than keys, the queries are
/// the last tokens; if there are more, the keys are.
BitMatrix cells_of(const MaskExpression& expression, const MaskCase& masks);

/// The rows of [PAD] queries are masked, too, or in the place of the columns of [PAD] keys.
std::optional<Sentence> find_padded_queries(const MaskCase& masks);
/// The queries are the first tokens instead of the last, or the padding is on the other side.
std::optional<Sentence> find_corner(const MaskCase& masks);
/// Only a layer of documents or blocks would mask the wrong cells.
std::optional<Sentence> find_leak(const MaskCase& masks);
/// A number of a pattern is larger or smaller by one.
std::optional<Sentence> find_off_by_one(const MaskCase& masks);
/// One layer alone is wrong.
std::optional<Sentence> find_layer(const MaskCase& masks);

}  // namespace headscope
