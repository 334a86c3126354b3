// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <string_view>

namespace headscope {

/// PyTorch's CPU generator: mt19937 seeded with the low 32 bits (CONVENTIONS 14). The same seed gives the same
/// numbers as torch.manual_seed(seed), value by value and in the same order.
class TorchGenerator {
public:
    explicit TorchGenerator(std::uint64_t seed) : engine_(static_cast<std::uint32_t>(seed)) {}

    /// torch.randn(n): n float32 numbers of the standard normal distribution.
    void randn(float* out, std::int64_t n);
    /// tensor.uniform_(-bound, bound) of n float32 numbers, as nn.Linear's initialisation draws them.
    void uniform(float* out, std::int64_t n, float bound);

private:
    std::uint32_t next32() { return engine_(); }
    std::uint64_t next64();
    std::mt19937 engine_;
    std::optional<double> kept_;  ///< the second of a pair of normals, for the next call
};

/// torch.randn(embed_dim, generator=seed ^ crc32(token)): the vector of a token depends on its text and the seed alone.
void token_vector(std::string_view token, std::uint64_t seed, std::int64_t embed_dim, float* out);

}  // namespace headscope
