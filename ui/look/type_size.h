// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace headscope {

/// The program's fonts at this size, for every widget.
void applyTypeSize(int points);

}  // namespace headscope
