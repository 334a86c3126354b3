// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace headscope {

class Session;

/// Handles a key on the map of a head in the grid: the arrows move the locked cell, Page Up and Page Down step through
/// the heads while one is enlarged, Enter toggles enlarging, Escape undoes enlarging or locking. False if the key has
/// no effect. Requires a trace.
bool handleGridKey(Session& session, int key, int head);

/// Enlarges one head to the size of the grid, or shows all heads again.
void toggleEnlarged(Session& session, int head);

}  // namespace headscope
