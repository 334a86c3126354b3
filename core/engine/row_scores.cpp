// SPDX-License-Identifier: GPL-3.0-or-later
// The kernels that change scores: the soft cap and the bias for distance.
#include "core/engine/row_kernels.h"

// Highway compiles this file once for each level: everything between HWY_BEFORE_NAMESPACE and HWY_AFTER_NAMESPACE.
// Vectors whose length is only known at run time can't be members, as some are here. AVX3_DL, which -march=native may
// enable, adds nothing to AVX3 that is used here.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/engine/row_scores.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/engine/row_kernels-inl.h"

HWY_BEFORE_NAMESPACE();
namespace headscope::rows::HWY_NAMESPACE {

/// tanh as x · P(x²) / Q(x²), of degrees 13 and 6, which Eigen uses as well, with its bound.
HWY_INLINE V hyperbolic_tangent(V x) {
    const D d;
    const V most = hn::Set(d, 7.90531110763549805F);
    const V bounded = hn::Min(hn::Max(x, hn::Neg(most)), most);
    const V square = hn::Mul(bounded, bounded);
    V p = hn::Set(d, -2.76076847742355e-16F);
    p = hn::MulAdd(p, square, hn::Set(d, 2.00018790482477e-13F));
    p = hn::MulAdd(p, square, hn::Set(d, -8.60467152213735e-11F));
    p = hn::MulAdd(p, square, hn::Set(d, 5.12229709037114e-08F));
    p = hn::MulAdd(p, square, hn::Set(d, 1.48572235717979e-05F));
    p = hn::MulAdd(p, square, hn::Set(d, 6.37261928875436e-04F));
    p = hn::MulAdd(p, square, hn::Set(d, 4.89352455891786e-03F));
    V q = hn::Set(d, 1.19825839466702e-06F);
    q = hn::MulAdd(q, square, hn::Set(d, 1.18534705686654e-04F));
    q = hn::MulAdd(q, square, hn::Set(d, 2.26843463243900e-03F));
    q = hn::MulAdd(q, square, hn::Set(d, 4.89352518554385e-03F));
    const V tangent = hn::Div(hn::Mul(bounded, p), q);
    return hn::IfThenElse(hn::IsNaN(x), x, tangent);
}

void SoftCap(float* x, std::int64_t n, float cap) {
    const V by = hn::Set(D(), cap), inverse = hn::Set(D(), 1 / cap);
    for_each_vector(n, [&](std::int64_t i, std::int64_t m) HWY_ATTR {
        store(hn::Mul(by, hyperbolic_tangent(hn::Mul(load(x + i, m, 0), inverse))), x + i, m);
    });
}

void SubtractDistances(float* x, std::int64_t n, float slope, std::int64_t first) {
    const D d;
    const V by = hn::Set(d, slope), lanes = hn::Iota(d, 0);
    for_each_vector(n, [&](std::int64_t i, std::int64_t m) HWY_ATTR {
        const V distance = hn::Abs(hn::Add(hn::Set(d, static_cast<float>(first + i)), lanes));
        store(hn::NegMulAdd(by, distance, load(x + i, m, 0)), x + i, m);
    });
}

}  // namespace headscope::rows::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace headscope::rows {

HWY_EXPORT(SoftCap);
HWY_EXPORT(SubtractDistances);

void soft_cap(float* x, std::int64_t n, float cap) {
    HWY_DYNAMIC_DISPATCH(SoftCap)(x, n, cap);
}
void subtract_distances(float* x, std::int64_t n, float slope, std::int64_t first) {
    HWY_DYNAMIC_DISPATCH(SubtractDistances)(x, n, slope, first);
}

}  // namespace headscope::rows
#endif
