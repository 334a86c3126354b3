// SPDX-License-Identifier: GPL-3.0-or-later
// The kernels that scale, bias, round and transpose rows.
#include "core/engine/row_kernels.h"

// Highway compiles this file once for each level: everything between HWY_BEFORE_NAMESPACE and HWY_AFTER_NAMESPACE.
// Vectors whose length is only known at run time can't be members, as some are here. AVX3_DL, which -march=native may
// enable, adds nothing to AVX3 that is used here.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/engine/row_layout.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/engine/row_kernels-inl.h"

HWY_BEFORE_NAMESPACE();
namespace headscope::rows::HWY_NAMESPACE {

HWY_INLINE V on_float16_grid(V x) {
    const D d;
    const U32 du;
    const V size = hn::Abs(x);
    const VU bits = hn::BitCast(du, size);
    const VU odd = hn::And(hn::ShiftRight<13>(bits), hn::Set(du, 1));
    const VU cut = hn::And(hn::Add(bits, hn::Add(odd, hn::Set(du, 0xFFF))), hn::Set(du, 0xFFFFE000U));
    // Below the smallest normal number the spacing is 2^-24, which is also that of floats between 1/2 and 1.
    const V half = hn::Set(d, 0.5F);
    V rounded =
        hn::IfThenElse(hn::Lt(size, hn::Set(d, 0x1p-14F)), hn::Sub(hn::Add(size, half), half), hn::BitCast(d, cut));
    rounded = hn::IfThenElse(hn::Ge(size, hn::Set(d, 65520.0F)), hn::Set(d, -kMinusInfinity), rounded);
    return hn::IfThenElse(hn::IsNaN(x), x, hn::CopySign(rounded, x));
}

#if HWY_TARGET != HWY_SCALAR
/// Four rows of four words each; strides in bytes.
HWY_INLINE void transpose_block(const std::uint8_t* x, std::int64_t stride, std::uint8_t* out,
                                std::int64_t out_stride) {
    const hn::FixedTag<std::uint8_t, 16> bytes;
    const hn::FixedTag<std::uint32_t, 4> words;
    const hn::FixedTag<std::uint64_t, 2> pairs;
    const auto row = [&](std::int64_t r) HWY_ATTR { return hn::BitCast(words, hn::LoadU(bytes, x + r * stride)); };
    const auto put = [&](auto value, std::int64_t r)
                         HWY_ATTR { hn::StoreU(hn::BitCast(bytes, value), bytes, out + r * out_stride); };
    const auto a = row(0), b = row(1), c = row(2), d = row(3);
    const auto ab_low = hn::BitCast(pairs, hn::InterleaveLower(words, a, b));
    const auto ab_high = hn::BitCast(pairs, hn::InterleaveUpper(words, a, b));
    const auto cd_low = hn::BitCast(pairs, hn::InterleaveLower(words, c, d));
    const auto cd_high = hn::BitCast(pairs, hn::InterleaveUpper(words, c, d));
    put(hn::InterleaveLower(pairs, ab_low, cd_low), 0);
    put(hn::InterleaveUpper(pairs, ab_low, cd_low), 1);
    put(hn::InterleaveLower(pairs, ab_high, cd_high), 2);
    put(hn::InterleaveUpper(pairs, ab_high, cd_high), 3);
}
#endif

void ScaleRows(const float* x, std::int64_t rows, std::int64_t n, const float* factors, Matrix<float> out) {
    for (std::int64_t r = 0; r < rows; ++r) row_scale(x + r * n, n, factors[r], out.data + r * out.stride);
}

void ScaleRowsToBfloat16(const float* x, std::int64_t rows, std::int64_t n, const float* factors,
                         Matrix<std::uint16_t> out) {
    for (std::int64_t r = 0; r < rows; ++r) {
        const V by = hn::Set(D(), factors[r]);
        for_each_vector(n, [&](std::int64_t i, std::int64_t m) HWY_ATTR {
            const V value = hn::Mul(load(x + r * n + i, m, 0), by);
            store_bfloat16(bfloat16_bits(value), out.data + r * out.stride + i, m);
        });
    }
}

/// Calls put(value, row, i, m) with (x + bias) · factor of every row. Returns true if all values are finite.
template <typename Put>
HWY_INLINE bool add_rows(Matrix<const float> x, const float* bias, std::int64_t rows, std::int64_t n, float factor,
                         Put put) {
    const D d;
    const V by = hn::Set(d, factor);
    V sum = hn::Zero(d);  // 0 · value is 0 for every finite value and NaN for all others
    for (std::int64_t r = 0; r < rows; ++r) {
        const float* row = x.data + r * x.stride;
        for_each_vector(n, [&](std::int64_t i, std::int64_t m) HWY_ATTR {
            const V value = hn::Mul(hn::Add(load(row + i, m, 0), load(bias + i, m, 0)), by);
            sum = hn::MulAdd(value, hn::Zero(d), sum);
            put(value, r, i, m);
        });
    }
    return hn::GetLane(hn::SumOfLanes(d, sum)) == 0.0F;
}

bool AddRows(Matrix<const float> x, const float* bias, std::int64_t rows, std::int64_t n, float factor,
             Matrix<float> out) {
    return add_rows(x, bias, rows, n, factor, [&](V value, std::int64_t r, std::int64_t i, std::int64_t m) HWY_ATTR {
        store(value, out.data + r * out.stride + i, m);
    });
}

bool AddRowsToBfloat16(Matrix<const float> x, const float* bias, std::int64_t rows, std::int64_t n, float factor,
                       Matrix<std::uint16_t> out) {
    return add_rows(x, bias, rows, n, factor, [&](V value, std::int64_t r, std::int64_t i, std::int64_t m) HWY_ATTR {
        store_bfloat16(bfloat16_bits(value), out.data + r * out.stride + i, m);
    });
}

void Scale(const float* x, std::int64_t n, float factor, float* out) {
    row_scale(x, n, factor, out);
}

void RoundToBfloat16(const float* x, std::int64_t n, float* out) {
    for_each_vector(n, [&](std::int64_t i, std::int64_t m) HWY_ATTR {
        store(hn::BitCast(D(), hn::ShiftLeft<16>(bfloat16_bits(load(x + i, m, 0)))), out + i, m);
    });
}

void RoundToFloat16(const float* x, std::int64_t n, float* out) {
    for_each_vector(
        n, [&](std::int64_t i, std::int64_t m) HWY_ATTR { store(on_float16_grid(load(x + i, m, 0)), out + i, m); });
}

void ToBfloat16(const float* x, std::int64_t n, std::uint16_t* out) {
    for_each_vector(n, [&](std::int64_t i, std::int64_t m)
                           HWY_ATTR { store_bfloat16(bfloat16_bits(load(x + i, m, 0)), out + i, m); });
}

void TransposeWords(const void* x, std::int64_t stride, std::int64_t rows, std::int64_t n, void* out,
                    std::int64_t out_stride) {
    constexpr std::int64_t kWord = 4, kBlock = 4;
    const auto* from = static_cast<const std::uint8_t*>(x);
    auto* to = static_cast<std::uint8_t*>(out);
    for (std::int64_t i = 0; i < rows; i += kBlock) {
        for (std::int64_t j = 0; j < n; j += kBlock) {
            const std::uint8_t* block = from + (i * stride + j) * kWord;
            std::uint8_t* target = to + (j * out_stride + i) * kWord;
#if HWY_TARGET != HWY_SCALAR
            if (i + kBlock <= rows && j + kBlock <= n) {
                transpose_block(block, stride * kWord, target, out_stride * kWord);
                continue;
            }
#endif
            for (std::int64_t r = 0; r < kBlock && i + r < rows; ++r) {
                for (std::int64_t c = 0; c < kBlock && j + c < n; ++c) {
                    std::memcpy(target + (c * out_stride + r) * kWord, block + (r * stride + c) * kWord, kWord);
                }
            }
        }
    }
}

}  // namespace headscope::rows::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace headscope::rows {

HWY_EXPORT(ScaleRows);
HWY_EXPORT(ScaleRowsToBfloat16);
HWY_EXPORT(AddRows);
HWY_EXPORT(AddRowsToBfloat16);
HWY_EXPORT(Scale);
HWY_EXPORT(RoundToBfloat16);
HWY_EXPORT(RoundToFloat16);
HWY_EXPORT(ToBfloat16);
HWY_EXPORT(TransposeWords);

void scale_rows(const float* x, std::int64_t rows, std::int64_t n, const float* factors, Matrix<float> out) {
    HWY_DYNAMIC_DISPATCH(ScaleRows)(x, rows, n, factors, out);
}
void scale_rows(const float* x, std::int64_t rows, std::int64_t n, const float* factors, Matrix<std::uint16_t> out) {
    HWY_DYNAMIC_DISPATCH(ScaleRowsToBfloat16)(x, rows, n, factors, out);
}
bool add_rows(Matrix<const float> x, const float* bias, std::int64_t rows, std::int64_t n, float factor,
              Matrix<float> out) {
    return HWY_DYNAMIC_DISPATCH(AddRows)(x, bias, rows, n, factor, out);
}
bool add_rows(Matrix<const float> x, const float* bias, std::int64_t rows, std::int64_t n, float factor,
              Matrix<std::uint16_t> out) {
    return HWY_DYNAMIC_DISPATCH(AddRowsToBfloat16)(x, bias, rows, n, factor, out);
}
void scale(const float* x, std::int64_t n, float factor, float* out) {
    HWY_DYNAMIC_DISPATCH(Scale)(x, n, factor, out);
}
void round_to_bfloat16(const float* x, std::int64_t n, float* out) {
    HWY_DYNAMIC_DISPATCH(RoundToBfloat16)(x, n, out);
}
void round_to_float16(const float* x, std::int64_t n, float* out) {
    HWY_DYNAMIC_DISPATCH(RoundToFloat16)(x, n, out);
}
void to_bfloat16(const float* x, std::int64_t n, std::uint16_t* out) {
    HWY_DYNAMIC_DISPATCH(ToBfloat16)(x, n, out);
}
void transpose_words(const void* x, std::int64_t stride, std::int64_t rows, std::int64_t n, void* out,
                     std::int64_t out_stride) {
    HWY_DYNAMIC_DISPATCH(TransposeWords)(x, stride, rows, n, out, out_stride);
}

}  // namespace headscope::rows
#endif
