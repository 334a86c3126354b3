// SPDX-License-Identifier: GPL-3.0-or-later
// The kernels of the softmax: maximum, exponentials and the running step.
#include "core/engine/row_kernels.h"

#include <cmath>
// Highway compiles this file once for each level: everything between HWY_BEFORE_NAMESPACE and HWY_AFTER_NAMESPACE.
// Vectors whose length is only known at run time can't be members, as some are here. AVX3_DL, which -march=native may
// enable, adds nothing to AVX3 that is used here.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/engine/row_softmax.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/engine/row_kernels-inl.h"

HWY_BEFORE_NAMESPACE();
namespace headscope::rows::HWY_NAMESPACE {

constexpr std::int64_t kAhead = 2;
constexpr float kSmallestExponent = -87.336544F;  // exp of it is the smallest normal float

/// The larger of the two, or best if value is NaN.
HWY_INLINE V larger(V value, V best) {
#if HWY_ARCH_X86
    return hn::Max(value, best);  // the instruction returns its second operand if one is NaN
#else
    return hn::IfThenElse(hn::Gt(value, best), value, best);
#endif
}

/// Computes exp(x - offset) as 2^n · 2^r with n whole and |r| <= 1/2, and 2^r by its minimax polynomial of degree 5
/// among those that are 1 at 0, whose error is 9.2e-8.
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
    // The comparison is false for NaN, so that NaN is kept; it is true for -inf, where r is NaN.
    const auto too_small = hn::Lt(difference, hn::Set(d, kSmallestExponent));
#if HWY_TARGET <= HWY_AVX3
    return V{_mm512_maskz_scalef_ps(hn::Not(too_small).raw, p.raw, n.raw)};
#else
    const hn::RebindToSigned<D> di;
    // NaN or a huge number gives an arbitrary power of two: NaN stays NaN, and the huge number counts as too small.
    const auto power = hn::ShiftLeft<23>(hn::Add(hn::ConvertTo(di, n), hn::Set(di, 127)));
    return hn::IfThenZeroElse(too_small, hn::Mul(p, hn::BitCast(d, power)));
#endif
}

HWY_INLINE void fill_masked(float* x, const std::uint8_t* allowed, std::int64_t n, float fill) {
    const V filling = hn::Set(D(), fill);
    for_each_vector(n, [&](std::int64_t i, std::int64_t m) HWY_ATTR {
        store(hn::IfThenElse(load_allowed(allowed + i, m), load(x + i, m, 0), filling), x + i, m);
    });
}

const char* Level() {
    return hwy::TargetName(HWY_TARGET);
}

float Maximum(const float* x, std::int64_t n) {
    const D d;
    V best = hn::Set(d, kMinusInfinity);
    for_each_vector(
        n, [&](std::int64_t i, std::int64_t m) HWY_ATTR { best = larger(load(x + i, m, kMinusInfinity), best); });
    return hn::GetLane(hn::MaxOfLanes(d, best));
}

void FillMasked(float* x, const std::uint8_t* allowed, std::int64_t n, float fill) {
    fill_masked(x, allowed, n, fill);
}

float CopyMasked(const float* x, const std::uint8_t* allowed, std::int64_t n, float fill, float* out) {
    const D d;
    const V filling = hn::Set(d, fill);
    V best = hn::Set(d, kMinusInfinity), sum = hn::Zero(d);
    for_each_vector(n, [&](std::int64_t i, std::int64_t m) HWY_ATTR {
        V value = load(x + i, m, kMinusInfinity);
        if (allowed) value = hn::IfThenElse(load_allowed(allowed + i, m), value, filling);
        store(value, out + i, m);
        if (m < static_cast<std::int64_t>(hn::Lanes(d))) value = load(out + i, m, kMinusInfinity);
        best = larger(value, best);
        sum = hn::Add(sum, hn::IfThenElse(hn::IsNaN(value), value, hn::Zero(d)));
    });
    const float nan = hn::GetLane(hn::SumOfLanes(d, sum));
    return std::isnan(nan) ? nan : hn::GetLane(hn::MaxOfLanes(d, best));
}

float Exponentials(const float* x, std::int64_t n, float offset, float* out) {
    const D d;
    const V shift = hn::Set(d, offset);
    V sum = hn::Zero(d);
    for_each_vector(n, [&](std::int64_t i, std::int64_t m) HWY_ATTR {
        const V value = exponential(load(x + i, m, kMinusInfinity), shift);
        store(value, out + i, m);
        sum = hn::Add(sum, value);
    });
    return hn::GetLane(hn::SumOfLanes(d, sum));
}

double Sum(const float* x, std::int64_t n) {
#if HWY_HAVE_FLOAT64
    const hn::ScalableTag<double> wide;
    const hn::Rebind<float, decltype(wide)> narrow;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(wide));
    auto sums = hn::Zero(wide);
    std::int64_t i = 0;
    for (; i + lanes <= n; i += lanes) sums = hn::Add(sums, hn::PromoteTo(wide, hn::LoadU(narrow, x + i)));
    double sum = hn::GetLane(hn::SumOfLanes(wide, sums));
#else
    std::int64_t i = 0;
    double sum = 0;
#endif
    for (; i < n; ++i) sum += static_cast<double>(x[i]);
    return sum;
}

/// Raises a row's offset if its maximum rose by more than 8, and rescales the sum and the context so far. Returns the
/// offset of the exponentials: values up to e^8 are as exact as up to 1, and an unchanged offset costs nothing.
HWY_INLINE float raised_offset(const SoftmaxTile<float>& tile, std::int64_t r, float here) {
    constexpr float kMuch = 8;
    const float before = tile.offset[r];
    if (!(here > before + kMuch)) return before == kMinusInfinity ? 0 : before;
    if (before != kMinusInfinity) {
        const float shrink = std::exp(before - here);
        float* context = tile.context + r * tile.context_width;
        tile.sum[r] *= shrink;
        row_scale(context, tile.context_width, shrink, context);
    }
    tile.offset[r] = here;
    return here;
}

HWY_INLINE void fill_masked_row(const SoftmaxTile<float>& tile, std::int64_t r) {
    const MaskedPart& masked = tile.masked;
    if (!masked.cells) return;
    fill_masked(tile.scores + r * tile.stride + masked.first, masked.cells + r * masked.stride, masked.count,
                tile.fill);
}

/// Rounds to bfloat16 in the upper 16 bits; a tie rounds up, which is allowed because no stage displays these
/// exponentials. A NaN may be lost here, but it is kept in the sum, by which the row is finally divided.
HWY_INLINE VU rounded_up_from_half(V value) {
    const U32 du;
    return hn::Add(hn::BitCast(du, value), hn::Set(du, 0x8000));
}

/// Rounds and stores next(0), next(lanes) ... two vectors at a time. Returns how many of the n numbers it stored.
template <typename Next>
HWY_INLINE std::int64_t store_pairs([[maybe_unused]] std::int64_t n, [[maybe_unused]] std::uint16_t* half,
                                    [[maybe_unused]] Next next) {
    std::int64_t i = 0;
#if HWY_TARGET != HWY_SCALAR
    const hn::Repartition<std::uint16_t, D> words;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(D()));
    for (; i + 2 * lanes <= n; i += 2 * lanes) {
        const VU low = rounded_up_from_half(next(i, lanes)), high = rounded_up_from_half(next(i + lanes, lanes));
        hn::StoreU(hn::ConcatOdd(words, hn::BitCast(words, high), hn::BitCast(words, low)), words, half + i);
    }
#endif
    return i;
}

/// Computes the exponentials of a row and the maximum of the row kAhead rows below in one loop: exponentials wait for
/// arithmetic, maxima for memory, and reducing a vector to its maximum takes long.
template <bool kHalf, bool kFloat>
HWY_INLINE float exponentiate_row(const SoftmaxTile<float>& tile, std::int64_t r, float here) {
    const D d;
    float* scores = tile.scores + r * tile.stride;
    std::uint16_t* half = kHalf ? tile.half + r * tile.stride : nullptr;
    const float* ahead = scores;  // the last rows have none below and read their own scores again
    if (r + kAhead < tile.rows) {
        ahead += kAhead * tile.stride;
        fill_masked_row(tile, r + kAhead);
    }
    const V offset = hn::Set(d, raised_offset(tile, r, here));
    V sum = hn::Zero(d), best = hn::Set(d, kMinusInfinity);
    const auto next = [&](std::int64_t i, std::int64_t m) HWY_ATTR {
        const V value = exponential(load(scores + i, m, kMinusInfinity), offset);
        best = larger(load(ahead + i, m, kMinusInfinity), best);
        sum = hn::Add(sum, value);
        if constexpr (kFloat) store(value, scores + i, m);
        return value;
    };
    const std::int64_t paired = kHalf ? store_pairs(tile.keys, half, next) : 0;
    for_each_vector(tile.keys - paired, [&](std::int64_t rest, std::int64_t m) HWY_ATTR {
        const std::int64_t i = paired + rest;
        [[maybe_unused]] const V value = next(i, m);
        if constexpr (kHalf) {
            store_bfloat16(hn::ShiftRight<16>(rounded_up_from_half(value)), half + i, m);
        }
    });
    tile.sum[r] += hn::GetLane(hn::SumOfLanes(d, sum));
    const auto padding = index(tile.padded_keys - tile.keys);
    if (padding > 0) {
        if constexpr (kHalf) {
            std::memset(half + tile.keys, 0, padding * sizeof(std::uint16_t));
        } else {
            std::memset(scores + tile.keys, 0, padding * sizeof(float));
        }
    }
    return hn::GetLane(hn::MaxOfLanes(d, best));
}

template <bool kHalf, bool kFloat>
HWY_INLINE void exponentiate_rows(const SoftmaxTile<float>& tile) {
    float here[kAhead];
    for (std::int64_t r = 0; r < kAhead && r < tile.rows; ++r) {
        fill_masked_row(tile, r);
        here[r] = Maximum(tile.scores + r * tile.stride, tile.keys);
    }
    for (std::int64_t r = 0; r < tile.rows; ++r) {
        here[r % kAhead] = exponentiate_row<kHalf, kFloat>(tile, r, here[r % kAhead]);
    }
}

void SoftmaxStep(const SoftmaxTile<float>& tile) {
    if (tile.rows == 0) return;
    if (!tile.half) return exponentiate_rows<false, true>(tile);
    tile.keeps_scores ? exponentiate_rows<true, true>(tile) : exponentiate_rows<true, false>(tile);
}

}  // namespace headscope::rows::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace headscope::rows {

HWY_EXPORT(Level);
HWY_EXPORT(Maximum);
HWY_EXPORT(FillMasked);
HWY_EXPORT(CopyMasked);
HWY_EXPORT(Exponentials);
HWY_EXPORT(Sum);
HWY_EXPORT(SoftmaxStep);

float maximum(const float* x, std::int64_t n) {
    return HWY_DYNAMIC_DISPATCH(Maximum)(x, n);
}
void fill_masked(float* x, const std::uint8_t* allowed, std::int64_t n, float fill) {
    HWY_DYNAMIC_DISPATCH(FillMasked)(x, allowed, n, fill);
}
float copy_masked(const float* x, const std::uint8_t* allowed, std::int64_t n, float fill, float* out) {
    return HWY_DYNAMIC_DISPATCH(CopyMasked)(x, allowed, n, fill, out);
}
float exponentials(const float* x, std::int64_t n, float offset, float* out) {
    return HWY_DYNAMIC_DISPATCH(Exponentials)(x, n, offset, out);
}
double sum(const float* x, std::int64_t n) {
    return HWY_DYNAMIC_DISPATCH(Sum)(x, n);
}
void softmax_step(const SoftmaxTile<float>& tile) {
    HWY_DYNAMIC_DISPATCH(SoftmaxStep)(tile);
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
