// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace headscope {

/// Sets the text size of all widgets.
void applyTypeSize(int points);

}  // namespace headscope
