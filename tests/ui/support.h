// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QEvent>
#include <QTest>
#include <QWidget>
#include <utility>

#include "ui/state/session.h"

namespace headscope {

inline QString utf8(const char* text) {
    return QString::fromUtf8(text);
}

/// Runs the event loop until the trace of the last legal draft has arrived, or its computation failed.
inline bool waitForTrace(const Session& session, int timeout_ms = 30000) {
    return QTest::qWaitFor([&] { return !session.isComputing() && (session.trace() || session.computeError()); },
                           timeout_ms);
}

/// Handles every event that was sent so far, and those that follow from them. What is still computed in another thread
/// is known by isComputing() and isBusy(), not by waiting for it.
inline void handleEvents() {
    for (int round = 0; round < 4; ++round) {
        QCoreApplication::sendPostedEvents();
        QCoreApplication::processEvents();
    }
}

/// Counts the paint events of widgets.
class PaintCounter : public QObject {
public:
    void watch(QWidget* widget) { widget->installEventFilter(this); }
    /// Number of paint events since the last call, including those that are pending.
    int take() {
        QTest::qWait(20);
        return std::exchange(count_, 0);
    }

protected:
    bool eventFilter(QObject*, QEvent* event) override {
        count_ += event->type() == QEvent::Paint;
        return false;
    }

private:
    int count_ = 0;
};

}  // namespace headscope
