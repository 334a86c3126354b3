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

void Background::run(Work work) {
    const bool was_busy = isBusy();
    if (running_) *running_ = true;
    pool_.clear();
    running_ = std::make_shared<std::atomic<bool>>(false);
    pool_.start([this, token = running_, work = std::move(work)] {
        Finish finish;
        try {
            if (!*token) finish = work(*token);
        } catch (const std::bad_alloc&) {
            const Error error{ErrorCode::OutOfMemory,
                              QT_TRANSLATE_NOOP("Error",
                                                "the system has no memory left for this; use fewer tokens or a smaller "
                                                "embed_dim"),
                              {}};
            finish = [this, error] { Q_EMIT failed(error); };
        } catch (const std::exception& thrown) {
            const Error error{
                ErrorCode::Unsupported, QT_TRANSLATE_NOOP("Error", "the computation failed: {}"), {thrown.what()}};
            finish = [this, error] { Q_EMIT failed(error); };
        }
        if (*token) return;
        QMetaObject::invokeMethod(
            this, [this, token, finish] { deliver(token, finish); }, Qt::QueuedConnection);
    });
    if (!was_busy) Q_EMIT busyChanged();
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
