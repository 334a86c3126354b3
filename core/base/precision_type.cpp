// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/precision_type.h"

#include <limits>

#include "core/base/sentence.h"

namespace headscope {

namespace {

constexpr PrecisionType kPrecisionTypes[] = {
    {.precision = Precision::Float32,
     .word = "float32",
     .storage = Tensor::Type::Float32,
     .significand = 24,
     .smallest_exponent = -126,
     .largest = 0x1.FFFFFEp127,
     .underflow = "<1e-38"},
    {.precision = Precision::Float64,
     .word = "float64",
     .storage = Tensor::Type::Float64,
     .significand = 53,
     .smallest_exponent = -1022,
     .largest = std::numeric_limits<double>::max(),
     .underflow = "<1e-308"},
    {.precision = Precision::BFloat16,
     .word = "bfloat16",
     .storage = Tensor::Type::Float32,
     .significand = 8,
     .smallest_exponent = -126,
     .largest = 0x1.FEp127,
     .underflow = "<1e-38",
     .autocast = "torch.bfloat16",
     .simulated = phrase("Simulated rounding only, where PyTorch's autocast rounds: 8 bits of precision. How fast "
                         "bfloat16 is on this machine is measured under View → Speed and memory.")},
    {.precision = Precision::Float16,
     .word = "float16",
     .storage = Tensor::Type::Float32,
     .significand = 11,
     .smallest_exponent = -14,
     .largest = 65504.0,
     .underflow = "<6e-08",
     .simulated = phrase("Simulated rounding only, where PyTorch's autocast rounds: 11 bits of precision.")},
};

}  // namespace

std::span<const PrecisionType> precision_types() {
    return kPrecisionTypes;
}

const PrecisionType& type_of(Precision precision) {
    return kPrecisionTypes[static_cast<std::size_t>(precision)];
}

}  // namespace headscope
