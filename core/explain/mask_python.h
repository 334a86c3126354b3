// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/masks/mask.h"

namespace headscope {

/// Lines of Python that make `mask`, a torch.bool of (B, 1, S, S), True = may attend, for this batch: one line a layer.
/// They ask for `torch`, B and S; painted cells and those of a file stand in the lines themselves. They define `real`
/// (B, S) where padding takes part. InvalidMask where the cells of a file were not read.
Result<std::string> python_mask(const MaskExpression& expression, const Batch& batch);

/// One layer as such an expression over i (S,1), j (1,S), real and `painted`, with the painted cells in their own
/// lines before it.
struct PythonLayer {
    std::string before;      ///< lines
    std::string expression;  ///< "(j <= i)"
};
Result<PythonLayer> python_layer(const std::vector<MaskPattern>& layer, std::int64_t sequence_length);

/// real = ...: which tokens are no padding.
std::string python_real(const Batch& batch);

}  // namespace headscope
