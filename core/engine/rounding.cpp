// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/rounding.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/engine/row_kernels.h"

namespace headscope {

namespace {

/// A binary format: significand bits with the hidden one, exponent of the smallest normal number, largest number.
struct Format {
    int significand;
    int smallest_exponent;
    double largest;
};

Format format_of(Precision precision) {
    switch (precision) {
        case Precision::BFloat16:
            return {8, -126, 0x1.FEp127};
        case Precision::Float16:
            return {11, -14, 65504.0};
        case Precision::Float32:
            return {24, -126, 0x1.FFFFFEp127};
        case Precision::Float64:
            break;
    }
    return {53, -1022, std::numeric_limits<double>::max()};
}

}  // namespace

bool is_half(Precision precision) {
    return precision == Precision::BFloat16 || precision == Precision::Float16;
}

NormalRange normal_range(Precision precision) {
    const Format format = format_of(precision);
    return {std::ldexp(1.0, format.smallest_exponent), format.largest};
}

double round_to(Precision precision, double value) {
    if (precision == Precision::Float64 || !std::isfinite(value) || value == 0) return value;
    // Not converted through float, because rounding twice can give the wrong neighbour.
    const Format format = format_of(precision);
    const int exponent = std::max(std::ilogb(value), format.smallest_exponent) - (format.significand - 1);
    const double rounded = std::ldexp(std::nearbyint(std::ldexp(value, -exponent)), exponent);
    return std::fabs(rounded) <= format.largest ? rounded
                                                : std::copysign(std::numeric_limits<double>::infinity(), value);
}

void round_all(float* values, std::int64_t n, Precision precision) {
    if (precision == Precision::BFloat16) {
        rows::round_to_bfloat16(values, n, values);
    } else if (precision == Precision::Float16) {
        rows::round_to_float16(values, n, values);
    }
}

void round_all(double*, std::int64_t, Precision) {}

Tensor in_precision(const Tensor& tensor, Precision precision) {
    if (!is_half(precision)) return tensor.converted(storage_type(precision));
    Tensor rounded(Tensor::Type::Float32, tensor.shape());
    float* out = rounded.data<float>();
    if (tensor.type() == Tensor::Type::Float32) {
        std::copy_n(tensor.data<float>(), tensor.size(), out);
        round_all(out, tensor.size(), precision);
    } else {
        const double* in = tensor.data<double>();
        std::transform(in, in + tensor.size(), out,
                       [&](double value) { return static_cast<float>(round_to(precision, value)); });
    }
    return rounded;
}

}  // namespace headscope
