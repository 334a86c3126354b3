// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/region.h"

namespace headscope {

/// The same region of A - B, cell by cell and then reduced to the mean; A and B have the same tokens. A cell that both
/// mask is excluded, and equal infinities or NaN have the difference 0, as in difference(). On several threads; blocks
/// that both mask are skipped. Errors: those of region().
Result<RegionCells> difference_region(const Trace& a, const Trace& b, const Region& region,
                                      const std::atomic<bool>* cancel = nullptr);

}  // namespace headscope
