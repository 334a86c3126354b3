// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <concepts>
#include <limits>

namespace headscope {

/// A count as tr() takes it to choose between "1 key" and "2 keys"; resources/translations/ has the forms, those of
/// English too.
template <std::integral T>
int counted(T count) {
    return static_cast<int>(std::min<unsigned long long>(count, std::numeric_limits<int>::max()));
}

}  // namespace headscope
