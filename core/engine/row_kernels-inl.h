// SPDX-License-Identifier: GPL-3.0-or-later
// Shared by the row kernels: vectors of floats, and the remaining numbers at the end of a row. Highway compiles it once
// for each level of the processor family, as part of the file that includes it; hence the toggling include guard.
#if defined(HEADSCOPE_ROW_KERNELS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef HEADSCOPE_ROW_KERNELS_INL_H
#undef HEADSCOPE_ROW_KERNELS_INL_H
#else
#define HEADSCOPE_ROW_KERNELS_INL_H
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>

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

HWY_INLINE std::size_t index(std::int64_t i) {
    return static_cast<std::size_t>(i);
}

/// Calls part(i, m) for every whole vector (m = its length) and for the rest at the end.
template <typename Part>
HWY_INLINE void for_each_vector(std::int64_t n, Part part) {
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(D()));
    std::int64_t i = 0;
    for (; i + lanes <= n; i += lanes) part(i, lanes);
    if (i < n) part(i, n - i);
}

// Load and store m numbers: a whole vector, or the rest through a small buffer that is filled with `rest`.
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

HWY_INLINE hn::Mask<D> load_allowed(const std::uint8_t* allowed, std::int64_t m) {
    const U32 du;
    const Bytes db;
    VU cells;
    if (m == static_cast<std::int64_t>(hn::Lanes(du))) {
        cells = hn::PromoteTo(du, hn::LoadU(db, allowed));
    } else {
        HWY_ALIGN std::uint8_t buffer[hn::MaxLanes(Bytes())] = {};
        std::memcpy(buffer, allowed, std::min(index(m), sizeof(buffer)));  // the bound avoids a warning of GCC
        cells = hn::PromoteTo(du, hn::Load(db, buffer));
    }
    return hn::RebindMask(D(), hn::Ne(cells, hn::Zero(du)));
}

HWY_INLINE void row_scale(const float* x, std::int64_t n, float factor, float* out) {
    const V by = hn::Set(D(), factor);
    for_each_vector(
        n, [&](std::int64_t i, std::int64_t m) HWY_ATTR { store(hn::Mul(load(x + i, m, 0), by), out + i, m); });
}

/// Rounds to nearest even without shifting down by 16. A NaN may become any value.
HWY_INLINE VU rounded_bits(V x) {
    const U32 du;
    const VU bits = hn::BitCast(du, x);
    const VU odd = hn::And(hn::ShiftRight<16>(bits), hn::Set(du, 1));
    return hn::Add(bits, hn::Add(odd, hn::Set(du, 0x7FFF)));
}

HWY_INLINE VU bfloat16_bits(V x) {
    const U32 du;
    const VU quiet = hn::Or(hn::BitCast(du, x), hn::Set(du, 0x400000));
    return hn::ShiftRight<16>(hn::IfThenElse(hn::RebindMask(du, hn::IsNaN(x)), quiet, rounded_bits(x)));
}

HWY_INLINE void store_bfloat16(VU bits, std::uint16_t* out, std::int64_t m) {
    const auto words = hn::TruncateTo(Words(), bits);
    if (m == static_cast<std::int64_t>(hn::Lanes(D()))) return hn::StoreU(words, Words(), out);
    HWY_ALIGN std::uint16_t buffer[hn::MaxLanes(Words())];
    hn::Store(words, Words(), buffer);
    std::memcpy(out, buffer, index(m) * sizeof(std::uint16_t));
}

}  // namespace headscope::rows::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
