// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/base/config.h"
#include "core/base/tensor.h"

namespace headscope {

/// Rounds n numbers in place to the precision's format, to nearest even. Does nothing in float32 and float64.
void round_all(float* values, std::int64_t n, Precision precision);
void round_all(double* values, std::int64_t n, Precision precision);

/// The tensor in storage_type(precision), rounded to the precision; the tensor itself if nothing changes.
Tensor in_precision(const Tensor& tensor, Precision precision);

}  // namespace headscope
