// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QThreadPool>
#include <atomic>
#include <functional>
#include <memory>

#include "core/base/result.h"

namespace headscope {

/// Work off the GUI thread, one piece at a time: the newest replaces what waits and cancels what runs, and nothing
/// older arrives any more.
class Background : public QObject {
    Q_OBJECT
public:
    explicit Background(QObject* parent = nullptr);
    ~Background() override;  ///< cancels and waits

    /// What is done with the outcome, on the thread of this object.
    using Finish = std::function<void()>;
    /// Runs on another thread; looks at cancel, and says what to do with what it found.
    using Work = std::function<Finish(const std::atomic<bool>& cancel)>;
    /// `at_once` runs short work on this thread, and its outcome is there when the call returns.
    void run(Work work, bool at_once = false);
    /// From within the work: does `what` on the thread of this object, unless the work was cancelled by then.
    void report(const std::atomic<bool>& cancel, Finish what);
    void cancel();
    bool isBusy() const { return running_ != nullptr; }

Q_SIGNALS:
    void busyChanged();
    /// In the place of the outcome, where the work ran out of memory or threw.
    void failed(const headscope::Error& error);

private:
    using CancelToken = std::shared_ptr<std::atomic<bool>>;
    Finish attempt(const Work& work, const CancelToken& token);
    void deliver(const CancelToken& token, const Finish& finish);

    QThreadPool pool_;
    CancelToken running_;  ///< of the newest work, until its outcome arrives
};

}  // namespace headscope
