// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <atomic>
#include <memory>
#include <optional>

#include "core/compute.h"

namespace headscope {

/// Computes off the GUI thread: one job in flight, one pending. The newest request replaces the pending one and cancels
/// the running one, unless the last result is more than 100 ms old: then that one may finish, so that a held key shows
/// progress. Results arrive on the thread of this object, in the order of their requests; a cancelled job says nothing.
class Runner : public QObject {
    Q_OBJECT
public:
    explicit Runner(QObject* parent = nullptr);
    ~Runner() override;  ///< cancels and waits

    void submit(const Request& request);
    bool isBusy() const;

Q_SIGNALS:
    void finished(const headscope::Result<headscope::TracePtr>& result);
    void busyChanged();

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace headscope
