// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/rounding.h"

#include <algorithm>

#include "core/engine/row_kernels.h"

namespace headscope {

void round_all(float* values, std::int64_t n, Precision precision) {
    if (precision == Precision::BFloat16) {
        rows::round_to_bfloat16(values, n, values);
    } else if (precision == Precision::Float16) {
        rows::round_to_float16(values, n, values);
    } else if (is_half(precision)) {
        std::transform(values, values + n, values,
                       [&](float value) { return static_cast<float>(round_to(precision, value)); });
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
