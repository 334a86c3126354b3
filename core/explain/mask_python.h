// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/masks/mask.h"

namespace headscope {

/// Lines of Python that compute `mask`, a torch.bool of (B, 1, S, S), True = allowed, for this batch: one line per
/// layer. They require `torch`, B and S, contain painted cells and those of a file, and define `real` (B, S) if padding
/// is used. InvalidMask if the cells of a file were not read.
Result<std::string> python_mask(const MaskExpression& expression, const Batch& batch);

/// One layer as an expression over i (S,1), j (1,S), real and `painted`.
struct PythonLayer {
    std::string functions;   ///< lines that define the functions that the expression calls, identical for every layer
    std::string painted;     ///< lines that define `painted`, the layer's painted cells
    std::string expression;  ///< "(j <= i)"
};
Result<PythonLayer> python_layer(const std::vector<MaskPattern>& layer, std::int64_t sequence_length);

/// The line `real = ...`: which tokens are not padding.
std::string python_real(const Batch& batch);

}  // namespace headscope
