// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/weights/layer.h"

#include <cmath>

#include "core/weights/torch_random.h"

namespace headscope {
namespace {

/// nn.Linear(in, out).reset_parameters(): weight (out,in), then bias (out), both from ±1/√in.
void draw_linear(TorchGenerator& generator, Tensor& weight, Tensor& bias) {
    const auto bound = static_cast<float>(1.0 / std::sqrt(static_cast<double>(weight.dim(1))));
    generator.uniform(weight.data<float>(), weight.size(), bound);
    generator.uniform(bias.data<float>(), bias.size(), bound);
}

}  // namespace

Layer empty_layer(std::int64_t embed_dim, std::int64_t num_heads, Tensor::Type type) {
    return {embed_dim,
            num_heads,
            Tensor(type, {3 * embed_dim, embed_dim}),
            Tensor(type, {3 * embed_dim}),
            Tensor(type, {embed_dim, embed_dim}),
            Tensor(type, {embed_dim})};
}

Layer seeded_layer(std::uint64_t seed, std::int64_t embed_dim, std::int64_t num_heads) {
    Layer layer = empty_layer(embed_dim, num_heads, Tensor::Type::Float32);
    TorchGenerator generator(seed);
    draw_linear(generator, layer.qkv_weight, layer.qkv_bias);
    draw_linear(generator, layer.out_weight, layer.out_bias);
    return layer;
}

std::int64_t block_row(std::int64_t interleaved_row, std::int64_t embed_dim, std::int64_t num_heads) {
    const std::int64_t head_dim = embed_dim / num_heads;
    const std::int64_t head = interleaved_row / (3 * head_dim);
    const std::int64_t part = interleaved_row / head_dim % 3;  // 0 query, 1 key, 2 value
    return part * embed_dim + head * head_dim + interleaved_row % head_dim;
}

}  // namespace headscope
