// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/base/result.h"

namespace headscope {

/// What standard error says of an error: one line for every reader, whatever a text of the user's holds.
std::string errorLine(const Error& error);
/// Exit statuses of PRODUCT §6: 2 is for what was typed, 1 for what went wrong with it.
int statusOf(ErrorCode code);

/// The whole program: reads the raw arguments (as bytes, so that invalid UTF-8 is seen), makes the application object
/// that the subcommand needs and runs it. Returns the exit status of PRODUCT §6: 0, 1 or 2.
int runCommandLine(int argc, char** argv);

}  // namespace headscope
