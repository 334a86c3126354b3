// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/attention/trace.h"

namespace headscope {

/// Numbers that were made from those of a trace, or of two: a difference, an error, a mean over heads. A heat map draws
/// them in the place of the trace's own, with the same tokens beside them.
struct DerivedMatrix {
    Tensor numbers;                        ///< (rows, columns)
    std::vector<std::uint8_t> open = {};   ///< rows×columns, 0 = hatched; empty = nothing is
    bool is_signed = false;                ///< on both sides of 0, as a difference is
    std::vector<std::uint8_t> faded = {};  ///< rows×columns, 1 = veiled, as it is not of those that count; empty = none

    MatrixView view() const {
        return {numbers.dim(0),
                numbers.dim(1),
                numbers.type(),
                numbers.type() == Tensor::Type::Float64 ? static_cast<const void*>(numbers.data<double>())
                                                        : static_cast<const void*>(numbers.data<float>()),
                numbers.dim(1),
                open.empty() ? nullptr : open.data()};
    }
};
using DerivedMatrixPtr = std::shared_ptr<const DerivedMatrix>;

}  // namespace headscope
