// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/masks/mask.h"

namespace headscope {

/// The patterns that differ from one by an error of one: each number one larger or smaller, both numbers of a window,
/// or the boundary between two documents. Only legal numbers.
std::vector<MaskPattern> neighbors_of(const MaskPattern& pattern);

}  // namespace headscope
