// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <atomic>
#include <chrono>
#include <memory>

#include "ui/state/compute_function.h"

namespace headscope {

/// Computes off the GUI thread, with one running and one pending job. The newest request replaces the pending one and
/// cancels the running one, unless the last picture is more than 100 ms old: then the running job may finish, so that a
/// key held down shows progress. A job whose preview was delivered is always cancelled. Results are delivered on the
/// thread of this object in the order of their requests; a cancelled job emits nothing, and if two results are waiting
/// only the newer is delivered.
class Runner : public QObject {
    Q_OBJECT
public:
    explicit Runner(QObject* parent = nullptr);
    /// patience: age of the last result above which a running job is not cancelled.
    explicit Runner(ComputeFunction compute, QObject* parent = nullptr,
                    std::chrono::milliseconds patience = std::chrono::milliseconds(100));
    ~Runner() override;  ///< cancels and waits

    void submit(const Request& request);
    /// Discards all submitted requests: none of their results is delivered.
    void cancel();
    /// True from submit() until the result of the newest request was delivered.
    bool isBusy() const;
    /// How much of the pass of the running job is done, from 0 to 1.
    double progress() const;

Q_SIGNALS:
    /// Before the result, if the pass takes long (Reports::preview).
    void previewed(const headscope::TracePtr& preview);
    void finished(const headscope::Result<headscope::TracePtr>& result);
    void busyChanged();

private:
    Q_INVOKABLE void deliver();
    void refuse();

    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace headscope
