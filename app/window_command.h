// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "core/base/result.h"

namespace headscope {

/// Why there can be no window here, and what can be done instead.
Error noDisplay();

/// headscope [FILE]: the window, with a weights file where one is named. Returns what the event loop returned;
/// Unsupported where there is no display.
Result<int> openWindow(int argc, char** argv, const QString& file);

}  // namespace headscope
