// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <optional>

#include "core/config.h"
#include "core/layer.h"
#include "core/mask.h"
#include "core/tensor.h"

namespace headscope {

/// The ten steps of the article, one function each, plain and readable. Every function takes and gives tensors of
/// storage_type(precision) and rounds where PyTorch's autocast on the CPU rounds (CONVENTIONS 8).
namespace stages {

Tensor project(const Tensor& x, const Tensor& weight, const Tensor& bias, Precision precision);  ///< (B,S,O) = x Wᵀ + b
struct Heads {
    Tensor q, k, v;  ///< (B,H,S,Dh)
};
Heads split_heads(const Tensor& qkv, std::int64_t num_heads);  ///< reshape, chunk, transpose: (B,S,3E) -> 3 x (B,H,S,Dh)
Tensor scores(const Tensor& q, const Tensor& k, std::optional<double> scale, Precision precision);  ///< (B,H,S,S)
Tensor weights(const Tensor& scores, const Mask& mask, Fill fill, Precision precision);             ///< softmax(masked)
Tensor head_context(const Tensor& weights, const Tensor& v, const Mask& mask, Fill fill, Precision precision);
Tensor concatenate(const Tensor& head_context);  ///< (B,H,S,Dh) -> (B,S,E)

}  // namespace stages

struct AttentionResult {
    Tensor weights;  ///< (B,H,S,S)
    Tensor context;  ///< (B,H,S,Dh)
};
/// torch.nn.functional.scaled_dot_product_attention on (B,H,S,Dh), with the weights as well.
AttentionResult scaled_dot_product_attention(const Tensor& query, const Tensor& key, const Tensor& value,
                                             const Mask& mask, Fill fill, std::optional<double> scale,
                                             Precision precision);

}  // namespace headscope
