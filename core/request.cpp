// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/request.h"

#include <cmath>

namespace headscope {

double Request::scale_value() const {
    return scale.value_or(1.0 / std::sqrt(static_cast<double>(dims().head_dim())));
}

}  // namespace headscope
