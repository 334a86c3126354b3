// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/weights/torch_random.h"

#include <zlib.h>

#include <cmath>
#include <numbers>

namespace headscope {
namespace {

constexpr std::int64_t kBlock = 16;  // torch transforms normals sixteen at a time from sixteen values on

/// u32 to [0,1) as torch makes its float32 uniforms: the low 24 bits, so that every value is exact.
float unit24(std::uint32_t bits) {
    return static_cast<float>(bits & 0xFFFFFFU) * 0x1p-24F;
}

/// u64 to [0,1) as torch makes its float64 uniforms: the low 53 bits.
double unit53(std::uint64_t bits) {
    return static_cast<double>(bits & ((std::uint64_t{1} << 53) - 1)) * 0x1p-53;
}

/// Box and Muller on sixteen uniforms. The inputs are float32 as in torch, the functions double: torch's own float32
/// functions differ in their last bits between processors, around the exact value.
void normals_of_uniforms(float* d) {
    for (int j = 0; j < kBlock / 2; ++j) {
        const float u1 = 1.0F - d[j];  // (0,1], so that the logarithm is finite
        const float theta = 2.0F * std::numbers::pi_v<float> * d[j + kBlock / 2];
        const double radius = std::sqrt(-2.0 * std::log(static_cast<double>(u1)));
        d[j] = static_cast<float>(radius * std::cos(static_cast<double>(theta)));
        d[j + kBlock / 2] = static_cast<float>(radius * std::sin(static_cast<double>(theta)));
    }
}

}  // namespace

std::uint64_t TorchGenerator::next64() {
    const std::uint64_t high = next32();
    return high << 32 | next32();
}

float TorchGenerator::next_normal() {
    if (kept_) {
        const double value = *kept_;
        kept_.reset();
        return static_cast<float>(value);
    }
    const double u1 = unit53(next64());
    const double u2 = unit53(next64());
    const double radius = std::sqrt(-2.0 * std::log(1.0 - u2));
    const double theta = 2.0 * std::numbers::pi * u1;
    kept_ = radius * std::sin(theta);
    return static_cast<float>(radius * std::cos(theta));
}

void TorchGenerator::randn(float* out, std::int64_t n) {
    if (n < kBlock) {
        for (std::int64_t i = 0; i < n; ++i) out[i] = next_normal();
        return;
    }
    for (std::int64_t i = 0; i < n; ++i) out[i] = unit24(next32());
    for (std::int64_t i = 0; i + kBlock <= n; i += kBlock) normals_of_uniforms(out + i);
    if (n % kBlock != 0) {  // the last sixteen are drawn again, over some that were already transformed
        float* last = out + n - kBlock;
        for (std::int64_t i = 0; i < kBlock; ++i) last[i] = unit24(next32());
        normals_of_uniforms(last);
    }
}

void TorchGenerator::uniform(float* out, std::int64_t n, float bound) {
    const float width = bound - -bound;
    for (std::int64_t i = 0; i < n; ++i) out[i] = std::fma(unit24(next32()), width, -bound);
}

void token_vector(std::string_view token, std::uint64_t seed, std::int64_t embed_dim, float* out) {
    const auto* text = reinterpret_cast<const Bytef*>(token.data());
    const std::uint64_t crc = crc32_z(0, text, token.size());
    TorchGenerator(seed ^ crc).randn(out, embed_dim);
}

}  // namespace headscope
