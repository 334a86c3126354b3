// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <concepts>
#include <limits>

namespace headscope {

/// Converts a count for tr(), which chooses between "1 key" and "2 keys"; resources/translations/ has the plural forms,
/// including those of English.
template <std::integral T>
int counted(T count) {
    return static_cast<int>(std::min<unsigned long long>(count, std::numeric_limits<int>::max()));
}

}  // namespace headscope
