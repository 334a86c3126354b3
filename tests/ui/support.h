// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTest>

#include "ui/session.h"

namespace headscope {

/// Lets the event loop run until the picture of the last legal draft is there, or computing it failed.
inline bool waitForTrace(const Session& session, int timeout_ms = 30000) {
    return QTest::qWaitFor([&] { return !session.isComputing() && (session.trace() || session.computeError()); },
                           timeout_ms);
}

}  // namespace headscope
