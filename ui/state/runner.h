// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <atomic>
#include <chrono>
#include <functional>
#include <memory>

#include "core/attention/compute.h"

namespace headscope {

/// core's compute(), or a replacement in tests.
using ComputeFunction = std::function<Result<TracePtr>(const Request&, const TracePtr&, const std::atomic<bool>*)>;

/// Computes off the GUI thread, with one running and one pending job. The newest request replaces the pending one and
/// cancels the running one, unless the last result is more than 100 ms old: then the running job may finish, so that a
/// key held down shows progress. Results are delivered on the thread of this object in the order of their requests; a
/// cancelled job emits nothing, and if two results are waiting only the newer is delivered.
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

Q_SIGNALS:
    void finished(const headscope::Result<headscope::TracePtr>& result);
    void busyChanged();

private:
    Q_INVOKABLE void deliver();
    void refuse();

    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace headscope
