// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/row_kernels.h"

#include <cmath>
#include <cstring>
#include <limits>

// Highway compiles this file once for each level: everything between HWY_BEFORE_NAMESPACE and HWY_AFTER_NAMESPACE.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/row_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace headscope::rows::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using D = hn::ScalableTag<float>;
using U32 = hn::RebindToUnsigned<D>;
using V = hn::Vec<D>;
using VU = hn::Vec<U32>;
using Bytes = hn::Rebind<std::uint8_t, D>;
using Words = hn::Rebind<std::uint16_t, D>;

constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();
constexpr float kSmallestExponent = -87.336544F;  // exp of it is the smallest normal float

HWY_INLINE std::size_t index(std::int64_t i) {
    return static_cast<std::size_t>(i);
}

/// Calls part(i, m) for every whole vector (m = its length) and for what is left at the end.
template <typename Part>
HWY_INLINE void for_each_vector(std::int64_t n, Part part) {
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(D()));
    std::int64_t i = 0;
    for (; i + lanes <= n; i += lanes) part(i, lanes);
    if (i < n) part(i, n - i);
}

// Loads and stores of m numbers: a whole vector, or what is left, by way of a small buffer that holds `rest`.
HWY_INLINE V load(const float* x, std::int64_t m, float rest) {
    const D d;
    if (m == static_cast<std::int64_t>(hn::Lanes(d))) return hn::LoadU(d, x);
    HWY_ALIGN float buffer[hn::MaxLanes(D())];
    hn::Store(hn::Set(d, rest), d, buffer);
    std::memcpy(buffer, x, index(m) * sizeof(float));
    return hn::Load(d, buffer);
}

HWY_INLINE void store(V value, float* x, std::int64_t m) {
    const D d;
    if (m == static_cast<std::int64_t>(hn::Lanes(d))) return hn::StoreU(value, d, x);
    HWY_ALIGN float buffer[hn::MaxLanes(D())];
    hn::Store(value, d, buffer);
    std::memcpy(x, buffer, index(m) * sizeof(float));
}

HWY_INLINE hn::Mask<D> load_open(const std::uint8_t* open, std::int64_t m) {
    const U32 du;
    const Bytes db;
    VU cells;
    if (m == static_cast<std::int64_t>(hn::Lanes(du))) {
        cells = hn::PromoteTo(du, hn::LoadU(db, open));
    } else {
        HWY_ALIGN std::uint8_t buffer[hn::MaxLanes(Bytes())] = {};
        std::memcpy(buffer, open, index(m));
        cells = hn::PromoteTo(du, hn::Load(db, buffer));
    }
    return hn::RebindMask(D(), hn::Ne(cells, hn::Zero(du)));
}

/// The larger of the two where value is a number, and best where value is NaN.
HWY_INLINE V larger(V value, V best) {
#if HWY_ARCH_X86
    return hn::Max(value, best);  // the instruction gives the second where one is NaN
#else
    return hn::IfThenElse(hn::Gt(value, best), value, best);
#endif
}

/// exp(x - offset) as 2^n · 2^r with n whole and |r| <= 1/2; 2^r by its minimax
/// polynomial of degree 5 among those that are 1 at 0: off by 9.2e-8.
HWY_INLINE V exponential(V x, V offset) {
    const D d;
    const V log2e = hn::Set(d, 1.44269504F);
    const V difference = hn::Sub(x, offset);
    const V n = hn::Round(hn::Mul(difference, log2e));
    const V r = hn::MulSub(difference, log2e, n);
    V p = hn::Set(d, 1.3264659e-3F);
    p = hn::MulAdd(p, r, hn::Set(d, 9.6715661e-3F));
    p = hn::MulAdd(p, r, hn::Set(d, 5.5507343e-2F));
    p = hn::MulAdd(p, r, hn::Set(d, 2.4022241e-1F));
    p = hn::MulAdd(p, r, hn::Set(d, 6.9314700e-1F));
    p = hn::MulAdd(p, r, hn::Set(d, 1.0F));
    // "Too small" is false for NaN, which so passes through; for -inf, where r is NaN, it is true.
    const auto too_small = hn::Lt(difference, hn::Set(d, kSmallestExponent));
#if HWY_TARGET <= HWY_AVX3
    return V{_mm512_maskz_scalef_ps(hn::Not(too_small).raw, p.raw, n.raw)};
#else
    const hn::RebindToSigned<D> di;
    // From NaN or a huge number comes any power of two: the first stays NaN, the second is too small.
    const auto power = hn::ShiftLeft<23>(hn::Add(hn::ConvertTo(di, n), hn::Set(di, 127)));
    return hn::IfThenZeroElse(too_small, hn::Mul(p, hn::BitCast(d, power)));
#endif
}

HWY_INLINE float row_maximum(const float* x, std::int64_t n) {
    const D d;
    V best = hn::Set(d, kMinusInfinity);
    for_each_vector(
        n, [&](std::int64_t i, std::int64_t m) HWY_ATTR { best = larger(load(x + i, m, kMinusInfinity), best); });
    return hn::GetLane(hn::MaxOfLanes(d, best));
}

HWY_INLINE float row_mask_and_maximum(float* x, const std::uint8_t* open, std::int64_t n, float fill) {
    const D d;
    V best = hn::Set(d, kMinusInfinity);
    for_each_vector(n, [&](std::int64_t i, std::int64_t m) HWY_ATTR {
        const V value = hn::IfThenElse(load_open(open + i, m), load(x + i, m, kMinusInfinity), hn::Set(d, fill));
        store(value, x + i, m);
        // Past the end stands the fill, which the row may not hold anywhere.
        best = larger(m == static_cast<std::int64_t>(hn::Lanes(d)) ? value : load(x + i, m, kMinusInfinity), best);
    });
    return hn::GetLane(hn::MaxOfLanes(d, best));
}

HWY_INLINE VU bfloat16_bits(V x) {
    const U32 du;
    const VU bits = hn::BitCast(du, x);
    const VU odd = hn::And(hn::ShiftRight<16>(bits), hn::Set(du, 1));
    const VU rounded = hn::Add(bits, hn::Add(odd, hn::Set(du, 0x7FFF)));
    const VU quiet = hn::Or(bits, hn::Set(du, 0x400000));
    return hn::ShiftRight<16>(hn::IfThenElse(hn::RebindMask(du, hn::IsNaN(x)), quiet, rounded));
}

HWY_INLINE void store_bfloat16(V x, std::uint16_t* out, std::int64_t m) {
    const auto words = hn::TruncateTo(Words(), bfloat16_bits(x));
    if (m == static_cast<std::int64_t>(hn::Lanes(D()))) return hn::StoreU(words, Words(), out);
    HWY_ALIGN std::uint16_t buffer[hn::MaxLanes(Words())];
    hn::Store(words, Words(), buffer);
    std::memcpy(out, buffer, index(m) * sizeof(std::uint16_t));
}

HWY_INLINE V on_float16_grid(V x) {
    const D d;
    const U32 du;
    const V size = hn::Abs(x);
    const VU bits = hn::BitCast(du, size);
    const VU odd = hn::And(hn::ShiftRight<13>(bits), hn::Set(du, 1));
    const VU cut = hn::And(hn::Add(bits, hn::Add(odd, hn::Set(du, 0xFFF))), hn::Set(du, 0xFFFFE000U));
    // Below the smallest normal number the unit is 2^-24, which is also float's own between 1/2 and 1.
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

const char* Level() {
    return hwy::TargetName(HWY_TARGET);
}

float Maximum(const float* x, std::int64_t n) {
    return row_maximum(x, n);
}

float MaskAndMaximum(float* x, const std::uint8_t* open, std::int64_t n, float fill) {
    return row_mask_and_maximum(x, open, n, fill);
}

HWY_INLINE float row_exponentials(const float* x, std::int64_t n, float offset, float* out, std::uint16_t* half) {
    const D d;
    const V shift = hn::Set(d, offset);
    V sum = hn::Zero(d);
    for_each_vector(n, [&](std::int64_t i, std::int64_t m) HWY_ATTR {
        const V value = exponential(load(x + i, m, kMinusInfinity), shift);
        if (half) {
            store_bfloat16(value, half + i, m);
        } else {
            store(value, out + i, m);
        }
        sum = hn::Add(sum, value);
    });
    return hn::GetLane(hn::SumOfLanes(d, sum));
}

float Exponentials(const float* x, std::int64_t n, float offset, float* out) {
    return row_exponentials(x, n, offset, out, nullptr);
}

HWY_INLINE void row_scale(const float* x, std::int64_t n, float factor, float* out) {
    const V by = hn::Set(D(), factor);
    for_each_vector(
        n, [&](std::int64_t i, std::int64_t m) HWY_ATTR { store(hn::Mul(load(x + i, m, 0), by), out + i, m); });
}

void Scale(const float* x, std::int64_t n, float factor, float* out) {
    row_scale(x, n, factor, out);
}

void AddAndScale(const float* x, const float* bias, std::int64_t n, float factor, float* out) {
    const V by = hn::Set(D(), factor);
    for_each_vector(n, [&](std::int64_t i, std::int64_t m) HWY_ATTR {
        store(hn::Mul(hn::Add(load(x + i, m, 0), load(bias + i, m, 0)), by), out + i, m);
    });
}

bool AllFinite(const float* x, std::int64_t n) {
    const D d;
    V sum = hn::Zero(d);  // 0 · x is 0 for every finite x and NaN for all others
    for_each_vector(n, [&](std::int64_t i, std::int64_t m)
                           HWY_ATTR { sum = hn::Add(sum, hn::Mul(load(x + i, m, 0), hn::Zero(d))); });
    return hn::GetLane(hn::SumOfLanes(d, sum)) == 0.0F;
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
    for_each_vector(n, [&](std::int64_t i, std::int64_t m) HWY_ATTR { store_bfloat16(load(x + i, m, 0), out + i, m); });
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

void SoftmaxStep(const SoftmaxTile<float>& tile) {
    const float infinity = std::numeric_limits<float>::infinity();
    for (std::int64_t r = 0; r < tile.rows; ++r) {
        float* scores = tile.scores + r * tile.stride;
        std::uint16_t* half = tile.half ? tile.half + r * tile.stride : nullptr;
        const float here = tile.open
                               ? row_mask_and_maximum(scores, tile.open + r * tile.open_stride, tile.keys, tile.fill)
                               : row_maximum(scores, tile.keys);
        const float before = tile.maximum[r];
        const float now = here > before ? here : before;
        const float offset = now == -infinity ? 0.0F : now;
        tile.maximum[r] = now;
        if (now != before && before != -infinity) {
            const float shrink = std::exp(before - now);
            tile.sum[r] *= shrink;
            float* context = tile.context + r * tile.context_width;
            row_scale(context, tile.context_width, shrink, context);
        }
        tile.sum[r] += row_exponentials(scores, tile.keys, offset, scores, half);
        const auto padding = index(tile.padded_keys - tile.keys);
        if (half) {
            std::memset(half + tile.keys, 0, padding * sizeof(std::uint16_t));
        } else {
            std::memset(scores + tile.keys, 0, padding * sizeof(float));
        }
    }
}

}  // namespace headscope::rows::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace headscope::rows {

HWY_EXPORT(Level);
HWY_EXPORT(Maximum);
HWY_EXPORT(MaskAndMaximum);
HWY_EXPORT(Exponentials);
HWY_EXPORT(Scale);
HWY_EXPORT(AddAndScale);
HWY_EXPORT(AllFinite);
HWY_EXPORT(RoundToBfloat16);
HWY_EXPORT(RoundToFloat16);
HWY_EXPORT(ToBfloat16);
HWY_EXPORT(TransposeWords);
HWY_EXPORT(SoftmaxStep);

float maximum(const float* x, std::int64_t n) {
    return HWY_DYNAMIC_DISPATCH(Maximum)(x, n);
}
float mask_and_maximum(float* x, const std::uint8_t* open, std::int64_t n, float fill) {
    return HWY_DYNAMIC_DISPATCH(MaskAndMaximum)(x, open, n, fill);
}
float exponentials(const float* x, std::int64_t n, float offset, float* out) {
    return HWY_DYNAMIC_DISPATCH(Exponentials)(x, n, offset, out);
}
void scale(const float* x, std::int64_t n, float factor, float* out) {
    HWY_DYNAMIC_DISPATCH(Scale)(x, n, factor, out);
}
void add_and_scale(const float* x, const float* bias, std::int64_t n, float factor, float* out) {
    HWY_DYNAMIC_DISPATCH(AddAndScale)(x, bias, n, factor, out);
}
bool all_finite(const float* x, std::int64_t n) {
    return HWY_DYNAMIC_DISPATCH(AllFinite)(x, n);
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
void softmax_step(const SoftmaxTile<float>& tile) {
    HWY_DYNAMIC_DISPATCH(SoftmaxStep)(tile);
}

void transpose_words(const void* x, std::int64_t stride, std::int64_t rows, std::int64_t n, void* out,
                     std::int64_t out_stride) {
    HWY_DYNAMIC_DISPATCH(TransposeWords)(x, stride, rows, n, out, out_stride);
}

std::string_view target_name() {
    return HWY_DYNAMIC_DISPATCH(Level)();
}

std::vector<std::string_view> target_names() {
    hwy::SetSupportedTargetsForTest(0);
    std::vector<std::string_view> names;
    for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) names.emplace_back(hwy::TargetName(target));
    return names;
}

void use_target_for_tests(std::string_view name) {
    hwy::SetSupportedTargetsForTest(0);
    for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
        if (name == hwy::TargetName(target)) hwy::SetSupportedTargetsForTest(target);
    }
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

}  // namespace headscope::rows
#endif
