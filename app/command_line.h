// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/base/result.h"

namespace headscope {

/// The text of an error for standard error, always on one line even if it quotes the user's text.
std::string errorLine(const Error& error);
/// Exit statuses (README, "The command line"): 2 if the arguments are illegal, 1 if an operation failed.
int statusOf(ErrorCode code);

/// Runs the whole program: reads the raw arguments (as bytes, to detect invalid UTF-8), creates the application object
/// that the subcommand needs and runs the subcommand. Returns the exit status 0, 1 or 2.
int runCommandLine(int argc, char** argv);

}  // namespace headscope
