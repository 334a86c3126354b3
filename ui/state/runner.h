// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <atomic>
#include <chrono>
#include <functional>
#include <memory>

#include "core/attention/compute.h"

namespace headscope {

/// core's compute(), or what a test puts in its place.
using ComputeFunction = std::function<Result<TracePtr>(const Request&, const TracePtr&, const std::atomic<bool>*)>;

/// Computes off the GUI thread: one job in flight, one pending. The newest request replaces the pending one and cancels
/// the running one, unless the last result is more than 100 ms old: then that one may finish, so that a held key shows
/// progress. Results arrive on the thread of this object, in the order of their requests; a cancelled job says nothing,
/// and where two are waiting only the newer arrives.
class Runner : public QObject {
    Q_OBJECT
public:
    explicit Runner(QObject* parent = nullptr);
    /// patience: how old the last result may become before a running job is left to finish.
    explicit Runner(ComputeFunction compute, QObject* parent = nullptr,
                    std::chrono::milliseconds patience = std::chrono::milliseconds(100));
    ~Runner() override;  ///< cancels and waits

    void submit(const Request& request);
    /// Forgets everything that was submitted: nothing of it arrives any more.
    void cancel();
    /// From a submit() until the result of the newest arrived.
    bool isBusy() const;

Q_SIGNALS:
    void finished(const headscope::Result<headscope::TracePtr>& result);
    void busyChanged();

private:
    Q_INVOKABLE void deliver();

    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace headscope
