// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "core/base/config.h"
#include "core/base/tensor.h"

namespace headscope {

/// The parameters of one attention layer. y = x Wᵀ + b; the fused rows are interleaved by head [q0 k0 v0 q1 k1 v1 ...].
struct Layer {
    std::int64_t embed_dim = 0, num_heads = 0;
    Tensor qkv_weight;  ///< (3E,E)
    Tensor qkv_bias;    ///< (3E)
    Tensor out_weight;  ///< (E,E)
    Tensor out_bias;    ///< (E)
};
using LayerPtr = std::shared_ptr<const Layer>;

/// A layer of the right shapes with uninitialised numbers.
Layer empty_layer(std::int64_t embed_dim, std::int64_t num_heads, Tensor::Type type);

/// torch.manual_seed(seed), then nn.Linear(E,3E) and nn.Linear(E,E): the same numbers (docs/conventions.md 14).
/// They don't depend on num_heads.
Layer seeded_layer(std::uint64_t seed, std::int64_t embed_dim, std::int64_t num_heads);

/// The place in [Q;K;V] blocks of a row of the interleaved weight (docs/conventions.md 11): both count from 0 to 3E -
/// 1, and num_heads divides embed_dim.
std::int64_t block_row(std::int64_t interleaved_row, std::int64_t embed_dim, std::int64_t num_heads);

}  // namespace headscope
