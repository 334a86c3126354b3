// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/arguments.h"

namespace headscope {

QList<OptionSpec> benchOptions();
/// headscope bench [options]: one JSON object a line on standard output for each case, size and number of threads.
/// Needs no display and reads no settings.
Result<void> runBench(const Arguments& arguments);

}  // namespace headscope
