// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/arguments.h"

namespace headscope {

/// --check-mask and --meant.
QList<OptionSpec> checkMaskOptions();
/// Whether the arguments ask for a check; also if only --meant was given, which is an error.
bool isCheckMask(const Arguments& arguments);
/// headscope --check-mask FILE [--meant EXPRESSION] [--json]: writes what is wrong with a mask file, or which
/// expression it is, to standard output. Needs no display and reads no settings. InvalidValue and InvalidMask for
/// illegal arguments; the errors of reading the file.
Result<void> runCheckMask(const Arguments& arguments);

}  // namespace headscope
