// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace headscope {

/// The whole program: reads the raw arguments (as bytes, so that invalid UTF-8 is seen), makes the application object
/// that the subcommand needs and runs it. Returns the exit status of PRODUCT §6: 0, 1 or 2.
int runCommandLine(int argc, char** argv);

}  // namespace headscope
