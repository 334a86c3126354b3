// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>

#include "core/base/config.h"

namespace headscope {

/// Converts q·k to a score: divides it by sqrt(Dh) or multiplies it by a number, and rounds each to the precision.
struct Scaling {
    Precision precision = Precision::Float32;
    std::optional<double> scale{};
    std::int64_t head_dim = 1;

    template <typename T>
    void apply(T* products, std::int64_t n) const;
};

}  // namespace headscope
