// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace headscope {

class Session;

/// What a key does on the map of a head in the grid: the arrows move the locked cell, Page Up and Down step through the
/// heads while one is enlarged, Enter enlarges and Escape undoes. False where it does nothing. There must be a trace.
bool handleGridKey(Session& session, int key, int head);

/// One head as large as the grid, or all of them again.
void toggleEnlarged(Session& session, int head);

}  // namespace headscope
