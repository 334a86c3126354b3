// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/runner.h"

#include <QElapsedTimer>
#include <condition_variable>
#include <mutex>
#include <new>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include "core/attention/plan.h"

namespace headscope {
namespace {

using CancelToken = std::shared_ptr<std::atomic<bool>>;

struct Job {
    Request request;
    CancelToken cancelled = std::make_shared<std::atomic<bool>>(false);  // its own token, never reused
    std::shared_ptr<WorkCounter> progress = std::make_shared<WorkCounter>();
};

struct Outcome {
    Result<TracePtr> result;
    CancelToken cancelled;
};

Result<TracePtr> computeSafely(const ComputeFunction& compute, const Job& job, const TracePtr& previous,
                               const Reports& reports) {
    try {
        return compute(job.request, previous, job.cancelled.get(), reports);
    } catch (const std::bad_alloc&) {
        return fail(ErrorCode::OutOfMemory,
                    QT_TRANSLATE_NOOP("Error",
                                      "the system has no memory left for this; use fewer tokens or a smaller "
                                      "embed_dim"));
    } catch (const std::exception& error) {
        return fail(ErrorCode::Unsupported, QT_TRANSLATE_NOOP("Error", "the computation failed: {}"), error.what());
    }
}

}  // namespace

struct Runner::Impl {
    Impl(ComputeFunction function, std::chrono::milliseconds patient)
        : compute(std::move(function)), patience(patient) {}

    ComputeFunction compute;
    std::chrono::milliseconds patience;
    QElapsedTimer shown;    ///< time since the last result was delivered; GUI thread only
    CancelToken newest;     ///< of the newest job until its result is delivered; GUI thread only
    CancelToken previewed;  ///< of the job whose preview was delivered last; GUI thread only

    std::mutex mutex;  ///< guards the members below
    std::condition_variable work;
    std::optional<Job> pending;
    CancelToken running;
    std::shared_ptr<WorkCounter> progress;    ///< of the running job
    std::optional<Outcome> preview, outcome;  ///< to be delivered
    bool stop = false;

    std::thread worker;

    bool start(Runner* runner);
    void work_until_stopped(Runner* runner);
    void post(std::optional<Outcome>& place, Outcome posted, Runner* runner);
};

/// Starts the worker thread if it does not run. Returns false if the system refuses another thread.
bool Runner::Impl::start(Runner* runner) {
    if (worker.joinable()) return true;
    try {
        worker = std::thread([this, runner] { work_until_stopped(runner); });
    } catch (const std::system_error&) {
        return false;
    }
    return true;
}

/// The loop of the worker thread. It keeps the last computed trace, even if it was not delivered, so that the next job
/// reuses as much of it as possible.
void Runner::Impl::work_until_stopped(Runner* runner) {
    TracePtr previous;
    std::unique_lock lock(mutex);
    for (;;) {
        work.wait(lock, [this] { return stop || pending; });
        if (stop) return;
        const Job job = *std::exchange(pending, std::nullopt);
        running = job.cancelled;
        progress = job.progress;
        lock.unlock();
        if (previous && outdates_large_scores(job.request, *previous)) previous = without_scores(previous);
        const auto show = [&](const TracePtr& early) {
            const std::lock_guard here(mutex);
            if (!*job.cancelled) post(preview, {early, job.cancelled}, runner);
        };
        auto result = computeSafely(compute, job, previous, {show, job.progress.get()});
        if (result) previous = *result;
        lock.lock();
        running.reset();
        progress.reset();
        if (*job.cancelled) continue;
        preview.reset();
        post(outcome, {std::move(result), job.cancelled}, runner);
    }
}

/// Called with the mutex locked.
void Runner::Impl::post(std::optional<Outcome>& place, Outcome posted, Runner* runner) {
    const bool wake = !preview && !outcome;  // otherwise a wake-up is already pending
    place = std::move(posted);
    if (wake) QMetaObject::invokeMethod(runner, "deliver", Qt::QueuedConnection);
}

Runner::Runner(QObject* parent) : Runner(headscope::compute, parent) {}

Runner::Runner(ComputeFunction compute, QObject* parent, std::chrono::milliseconds patience)
    : QObject(parent), impl_(std::make_unique<Impl>(std::move(compute), patience)) {
    impl_->start(this);  // submit() tries again
}

Runner::~Runner() {
    {
        const std::lock_guard lock(impl_->mutex);
        impl_->stop = true;
        impl_->pending.reset();
        if (impl_->running) *impl_->running = true;
    }
    impl_->work.notify_one();
    if (impl_->worker.joinable()) impl_->worker.join();
}

void Runner::submit(const Request& request) {
    Job job{request};
    const bool was_busy = isBusy();
    impl_->newest = job.cancelled;
    const bool fresh_picture = impl_->shown.isValid() && impl_->shown.elapsed() <= impl_->patience.count();
    {
        const std::lock_guard lock(impl_->mutex);
        if (impl_->running && (fresh_picture || impl_->running == impl_->previewed)) *impl_->running = true;
        impl_->pending = std::move(job);
    }
    if (!impl_->start(this)) refuse();
    impl_->work.notify_one();
    if (!was_busy) Q_EMIT busyChanged();
}

/// Answers the newest job with an error, because no thread can compute it.
void Runner::refuse() {
    const std::lock_guard lock(impl_->mutex);
    impl_->pending.reset();
    impl_->outcome =
        Outcome{fail(ErrorCode::OutOfMemory,
                     QT_TRANSLATE_NOOP("Error",
                                       "the system refused to start a thread for this computation; close other "
                                       "programs, then change a setting to try again")),
                impl_->newest};
    QMetaObject::invokeMethod(this, "deliver", Qt::QueuedConnection);
}

void Runner::cancel() {
    {
        const std::lock_guard lock(impl_->mutex);
        impl_->pending.reset();
        if (impl_->running) *impl_->running = true;
        if (impl_->outcome) *impl_->outcome->cancelled = true;
        impl_->preview.reset();
    }
    if (std::exchange(impl_->newest, nullptr)) Q_EMIT busyChanged();
}

bool Runner::isBusy() const {
    return impl_->newest != nullptr;
}

double Runner::progress() const {
    const std::lock_guard lock(impl_->mutex);
    return impl_->progress ? impl_->progress->share() : 0;
}

void Runner::deliver() {
    std::optional<Outcome> preview, outcome;
    {
        const std::lock_guard lock(impl_->mutex);
        preview = std::exchange(impl_->preview, std::nullopt);
        outcome = std::exchange(impl_->outcome, std::nullopt);
    }
    if (preview && !*preview->cancelled) {
        impl_->shown.start();
        impl_->previewed = preview->cancelled;
        Q_EMIT previewed(*preview->result);
    }
    if (!outcome || *outcome->cancelled) return;
    if (outcome->result) impl_->shown.start();
    const bool last = outcome->cancelled == impl_->newest;
    if (last) impl_->newest.reset();
    Q_EMIT finished(outcome->result);
    if (last) Q_EMIT busyChanged();
}

}  // namespace headscope
