// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace headscope {

enum class Theme { Light, Dark };

}  // namespace headscope
