// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/background.h"

#include <new>
#include <utility>

namespace headscope {

Background::Background(QObject* parent) : QObject(parent) {
    pool_.setMaxThreadCount(1);
}

Background::~Background() {
    if (running_) *running_ = true;
    pool_.clear();
    pool_.waitForDone();
}

void Background::run(Work work, bool at_once) {
    const bool was_busy = isBusy();
    if (running_) *running_ = true;
    pool_.clear();
    const auto token = std::make_shared<std::atomic<bool>>(false);
    running_ = token;
    if (at_once) {
        const Finish finish = attempt(work, token);
        running_.reset();
        if (finish) finish();
        if (was_busy && !isBusy()) Q_EMIT busyChanged();
        return;
    }
    pool_.start([this, token, work = std::move(work)] {
        const Finish finish = *token ? Finish() : attempt(work, token);
        if (*token) return;
        QMetaObject::invokeMethod(
            this, [this, token, finish] { deliver(token, finish); }, Qt::QueuedConnection);
    });
    if (!was_busy) Q_EMIT busyChanged();
}

Background::Finish Background::attempt(const Work& work, const CancelToken& token) {
    try {
        return work(*token);
    } catch (const std::bad_alloc&) {
        const Error error{ErrorCode::OutOfMemory,
                          QT_TRANSLATE_NOOP("Error",
                                            "the system has no memory left for this; use fewer tokens or a smaller "
                                            "embed_dim"),
                          {}};
        return [this, error] { Q_EMIT failed(error); };
    } catch (const std::exception& thrown) {
        const Error error{
            ErrorCode::Unsupported, QT_TRANSLATE_NOOP("Error", "the computation failed: {}"), {thrown.what()}};
        return [this, error] { Q_EMIT failed(error); };
    }
}

void Background::report(const std::atomic<bool>& cancel, Finish what) {
    if (cancel) return;
    QMetaObject::invokeMethod(
        this,
        [this, work = &cancel, what = std::move(what)] {
            if (running_.get() == work) what();
        },
        Qt::QueuedConnection);
}

void Background::cancel() {
    if (!running_) return;
    *running_ = true;
    pool_.clear();
    running_.reset();
    Q_EMIT busyChanged();
}

void Background::deliver(const CancelToken& token, const Finish& finish) {
    if (*token) return;
    running_.reset();
    if (finish) finish();
    if (!isBusy()) Q_EMIT busyChanged();  // finish() may have begun anew
}

}  // namespace headscope
