// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <optional>
#include <vector>

#include "core/base/config.h"
#include "core/base/tensor.h"
#include "core/engine/score_change.h"
#include "core/masks/head_masks.h"
#include "core/weights/layer.h"

namespace headscope {

/// The ten steps of the article "Transformer attention in PyTorch" that HeadScope started from, one plain function
/// each. Every function takes and returns tensors of storage_type(precision), whose values are representable in the
/// precision (in_precision() of rounding.h), and rounds where PyTorch's autocast on the CPU rounds, see
/// docs/conventions.md 8. Shapes must agree as stated; they are not checked here. `cancel` is checked between heads and
/// between blocks of a few milliseconds; once it is true, the functions return early and the result must not be used.
/// Tensors hold the sequences first_sequence ... first_sequence + B - 1 of the mask's batch.
namespace stages {

using Cancel = const std::atomic<bool>*;

/// Rows of scores and weights computed together.
inline constexpr std::int64_t kRowsAtOnce = 256;
/// Number of outputs that project() computes together.
inline constexpr std::int64_t kProjectedAtOnce = 512;

/// (B,S,O) = x Wᵀ + b, with W (O,E) and b (O).
Tensor project(const Tensor& x, const Tensor& weight, const Tensor& bias, Precision precision, Cancel cancel = nullptr);

/// The same if only some rows of x differ from those of an earlier x, whose result is `y_before`: copies the results of
/// the other rows, which are at the same place counted from the front or from the end of their sequence. Projects all
/// rows if copying would give other bits or save little.
Tensor project_changes(const Tensor& x, const Tensor& x_before, const Tensor& y_before, const Tensor& weight,
                       const Tensor& bias, Precision precision, Cancel cancel = nullptr);

struct Heads {
    Tensor q, k, v;  ///< (B,H,S,Dh)
};
/// reshape, chunk, transpose: (B,S,3E) -> 3 x (B,H,S,Dh)
Heads split_heads(const Tensor& qkv, std::int64_t num_heads);

/// q kᵀ / sqrt(Dh), or q kᵀ times a scale: (B,H,S,S)
Tensor scores(const Tensor& q, const Tensor& k, std::optional<double> scale, Precision precision,
              Cancel cancel = nullptr);

struct Row {
    std::int64_t sequence, head, query;
};
/// One row (S) of scores(), identical to the last bit.
Tensor score_row(const Tensor& q, const Tensor& k, const Row& row, std::optional<double> scale, Precision precision);

/// What the rules of each head do to its scores and softmax: H of them, or none at all.
using Changes = std::vector<ScoreChange>;
/// Soft-caps the scores (B,H,S,S) of each head and adds its bias for distance.
void change_scores(Tensor& scores, const Changes& changes, Precision precision, Cancel cancel = nullptr);

/// softmax(scores.masked_fill(mask == 0, fill)): (B,H,S,S). The sinks of `changes` join the sums.
Tensor weights(const Tensor& scores, const HeadMasks& mask, Fill fill, Precision precision, Cancel cancel = nullptr,
               std::int64_t first_sequence = 0, const Changes& changes = {});

/// weights v: (B,H,S,Dh). If the fill is -inf, inf or NaN in the v of a masked key does not reach the context.
Tensor head_context(const Tensor& weights, const Tensor& v, const HeadMasks& mask, Fill fill, Precision precision,
                    Cancel cancel = nullptr, std::int64_t first_sequence = 0);

Tensor concatenate(const Tensor& head_context);  ///< (B,H,S,Dh) -> (B,S,E)

}  // namespace stages

struct AttentionResult {
    Tensor weights;  ///< (B,H,S,S)
    Tensor context;  ///< (B,H,S,Dh)
};
/// torch.nn.functional.scaled_dot_product_attention on (B,H,S,Dh), which also returns the weights. The tensors may be
/// of either type; they are rounded to the precision first. InvalidPair if the shapes, or the mask's, do not agree.
Result<AttentionResult> scaled_dot_product_attention(const Tensor& query, const Tensor& key, const Tensor& value,
                                                     const HeadMasks& mask, Fill fill, std::optional<double> scale,
                                                     Precision precision, const stages::Changes& changes = {});

/// InvalidPair if q, k and v are not all (B,H,S,Dh), or the mask does not have sequences first_sequence ... of S
/// tokens.
Result<void> check_shapes(const Tensor& q, const Tensor& k, const Tensor& v, const HeadMasks& mask,
                          std::int64_t first_sequence = 0);

}  // namespace headscope
