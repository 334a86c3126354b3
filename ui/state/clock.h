// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>

namespace headscope {

using Moment = std::chrono::steady_clock::time_point;

/// The time by which edits are merged into one undo step.
Moment now();
/// Advances now() for a test, which then needs no wait.
void advanceClockForTests(std::chrono::milliseconds by);

}  // namespace headscope
