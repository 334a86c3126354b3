// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/attention/trace.h"

namespace headscope {

/// Numbers computed from one trace or from two: a difference, an error, a mean over heads. A heat map draws them
/// instead of the trace's own numbers, with the same token labels.
struct DerivedMatrix {
    Tensor numbers;                          ///< (rows, columns)
    std::vector<std::uint8_t> allowed = {};  ///< rows×columns, 0 = masked (hatched); empty = all allowed
    bool is_signed = false;                  ///< has both signs, as a difference has
    /// Rows×columns, 1 = faded because the cell is excluded from the result; empty = none.
    std::vector<std::uint8_t> faded = {};

    MatrixView view() const {
        return {numbers.dim(0),
                numbers.dim(1),
                numbers.type(),
                numbers.type() == Tensor::Type::Float64 ? static_cast<const void*>(numbers.data<double>())
                                                        : static_cast<const void*>(numbers.data<float>()),
                numbers.dim(1),
                allowed.empty() ? nullptr : allowed.data()};
    }
};
using DerivedMatrixPtr = std::shared_ptr<const DerivedMatrix>;

}  // namespace headscope
