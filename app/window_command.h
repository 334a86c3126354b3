// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "core/base/result.h"

namespace headscope {

/// The error if no window can be opened: the reason and the alternatives.
Error noDisplay();

/// headscope [FILE]: opens the window, and the weights file if one is named. Returns the result of the event loop;
/// Unsupported if there is no display.
Result<int> openWindow(int argc, char** argv, const QString& file);

}  // namespace headscope
