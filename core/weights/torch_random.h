// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <string_view>

namespace headscope {

/// PyTorch's CPU generator: mt19937 seeded with the low 32 bits (docs/conventions.md 14). The same seed gives the same
/// numbers as torch.manual_seed(seed), value by value and in the same order.
class TorchGenerator {
public:
    explicit TorchGenerator(std::uint64_t seed) : engine_(static_cast<std::uint32_t>(seed)) {}

    /// torch.randn(n): n float32 numbers of the standard normal distribution. Below 16 they are torch's exactly; from
    /// 16 on within 5e-7, because torch's float32 logarithm and sine differ between processors in their last bits.
    void randn(float* out, std::int64_t n);
    /// tensor.uniform_(-bound, bound) of n float32 numbers, as nn.Linear's initialisation draws them: exactly.
    void uniform(float* out, std::int64_t n, float bound);

private:
    std::uint32_t next32() { return engine_(); }
    std::uint64_t next64();
    float next_normal();
    std::mt19937 engine_;
    std::optional<double> kept_;  ///< the second of a pair of normals, for the next call
};

/// torch.randn(embed_dim, generator=torch.Generator().manual_seed(seed ^ zlib.crc32(token))) as embed_dim numbers: the
/// vector of a token depends on its text (UTF-8) and the seed alone, not on its position.
void token_vector(std::string_view token, std::uint64_t seed, std::int64_t embed_dim, float* out);

}  // namespace headscope
