// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>

#include "core/base/config.h"

namespace headscope {

/// How q·k becomes a score: divided by sqrt(Dh), or multiplied by a number; each rounded to the precision.
struct Scaling {
    Precision precision = Precision::Float32;
    std::optional<double> scale{};
    std::int64_t head_dim = 1;

    template <typename T>
    void apply(T* products, std::int64_t n) const;
};

}  // namespace headscope
