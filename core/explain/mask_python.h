// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/masks/head_expression.h"
#include "core/masks/mask.h"

namespace headscope {

/// Lines of Python that compute `mask`, a torch.bool of (B, 1, S, S), True = allowed, for this batch: one line per
/// layer. They require `torch`, B and S, contain painted cells and those of a file, and define `real` (B, S) if padding
/// is used. InvalidMask if the cells of a file were not read.
Result<std::string> python_mask(const MaskExpression& expression, const Batch& batch);
/// The same for num_heads heads: (B, H, S, S) if they have different masks.
Result<std::string> python_masks(const HeadExpression& expression, const Batch& batch, std::int64_t num_heads);

/// Lines that define mask_mod(b, h, i, j) for FlexAttention, which says of a single cell whether it is allowed, and the
/// tables that it reads.
Result<std::string> python_mask_mod(const HeadExpression& expression, const Batch& batch, std::int64_t num_heads);

/// One layer as an expression over i (S,1), j (1,S), real and `painted`.
struct PythonLayer {
    std::string functions;   ///< lines that define the functions that the expression calls, identical for every layer
    std::string painted;     ///< lines that define `painted`, the layer's painted cells
    std::string expression;  ///< "(j <= i)"
    std::string cell;        ///< the same over single numbers b, i and j
    std::string tables;      ///< lines that define the tables that `cell` reads, after the functions
};
/// painted: the name of the table of painted cells.
Result<PythonLayer> python_layer(const std::vector<MaskPattern>& layer, std::int64_t sequence_length,
                                 const std::string& painted = "painted");

/// The heads of a part as runs, also those that "other heads" stands for.
std::vector<HeadPart::Range> ranges_of(const HeadExpression& expression, const HeadPart& part, std::int64_t num_heads);
/// True in Python for the heads h of some runs: "((h >= 0) & (h <= 3))"; empty if these are all heads.
std::string python_heads(const std::vector<HeadPart::Range>& ranges, std::int64_t num_heads);

/// The line `real = ...`: which tokens are not padding.
std::string python_real(const Batch& batch);

}  // namespace headscope
