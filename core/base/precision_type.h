// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

#include "core/base/config.h"

namespace headscope {

/// The description of a precision. To add one, add an enumerator of Precision, a row of the table in
/// precision_type.cpp and its place in kPrecisions (core/explain/precision_lens.h); core/engine/rounding.cpp may have a
/// faster way to round many numbers.
struct PrecisionType {
    Precision precision;
    const char* word;  ///< of the command line: "bfloat16"
    /// The type in which its tensors are stored: the half formats as floats with rounded values.
    Tensor::Type storage;
    int significand;        ///< bits, with the hidden one
    int smallest_exponent;  ///< of a normal number
    double largest;
    const char* underflow;            ///< what is shown for a weight that the softmax rounded to 0: "<1e-38"
    const char* autocast = nullptr;   ///< the type of torch.autocast on the CPU that rounds where it rounds
    const char* simulated = nullptr;  ///< remark in the window if its rounding is only simulated: a phrase()

    /// True if it keeps fewer bits than the type in which its tensors are stored.
    bool is_half() const { return significand < (storage == Tensor::Type::Float64 ? 53 : 24); }
};
/// The table in the order of Precision.
std::span<const PrecisionType> precision_types();
const PrecisionType& type_of(Precision precision);

}  // namespace headscope
