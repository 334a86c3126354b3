// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/arguments.h"

namespace headscope {

/// --describe, --json and --layer, which also chooses the layer that the window opens.
QList<OptionSpec> describeOptions();
/// Whether the arguments ask for a description; also if only an option of it was given, which is an error.
bool isDescribe(const Arguments& arguments);
/// headscope --describe FILE [--layer LAYER] [--json]: writes what is in a file to standard output. Needs no display
/// and reads no settings. InvalidValue for illegal arguments; the errors of reading the file.
Result<void> runDescribe(const Arguments& arguments);

}  // namespace headscope
