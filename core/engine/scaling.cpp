// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/scaling.h"

#include <Eigen/Core>
#include <cmath>

#include "core/engine/rounding.h"

namespace headscope {

template <typename T>
void Scaling::apply(T* products, std::int64_t n) const {
    Eigen::Map<Eigen::Array<T, Eigen::Dynamic, 1>> values(products, n);
    round_all(products, n, precision);
    if (scale) {
        values *= static_cast<T>(round_to(precision, *scale));
    } else {
        values /= static_cast<T>(round_to(precision, std::sqrt(static_cast<double>(head_dim))));
    }
    round_all(products, n, precision);
}

template void Scaling::apply(float*, std::int64_t) const;
template void Scaling::apply(double*, std::int64_t) const;

}  // namespace headscope
