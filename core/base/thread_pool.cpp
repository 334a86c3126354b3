// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/thread_pool.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace headscope {

namespace {

using Task = std::function<void(std::int64_t, int)>;

constexpr int kMostThreads = 64;
constexpr int kSpins = 2000;  // about ten microseconds, less than the kernel needs to wake a thread

thread_local int limit = kMostThreads;

/// Waits until value is no longer `old`. Spins first, because the next call often follows at once.
template <typename T>
void wait_while(const std::atomic<T>& value, T old) {
    for (int spin = 0; spin < kSpins; ++spin) {
        if (value.load(std::memory_order_acquire) != old) return;
#if defined(__x86_64__) || defined(__i386__)
        __builtin_ia32_pause();
#endif
    }
    value.wait(old, std::memory_order_acquire);
}

/// One call: its indices in parts, each in ascending order.
struct Job {
    struct alignas(64) Part {
        std::atomic<std::int64_t> next{0};
        std::int64_t end = 0;
    };

    const Task& task;
    int count;
    std::array<Part, kMostThreads> parts{};
    std::atomic<bool> stopped{false};
    std::mutex mutex{};
    std::exception_ptr error{};

    Job(const Task& of, std::int64_t indices, int in_parts) : task(of), count(in_parts) {
        for (int i = 0; i < count; ++i) {
            Part& part = parts[static_cast<std::size_t>(i)];
            part.next.store(indices * i / count, std::memory_order_relaxed);
            part.end = indices * (i + 1) / count;
        }
    }

    /// Runs the worker's own part first, then what is left of the others'.
    void work(int worker) {
        try {
            for (int i = 0; i < count; ++i) {
                Part& part = parts[static_cast<std::size_t>((worker + i) % count)];
                for (std::int64_t index; (index = part.next.fetch_add(1, std::memory_order_relaxed)) < part.end;) {
                    if (stopped.load(std::memory_order_relaxed)) return;
                    task(index, worker);
                }
            }
        } catch (...) {
            stopped.store(true, std::memory_order_relaxed);
            const std::lock_guard lock(mutex);
            if (!error) error = std::current_exception();
        }
    }
};

class Pool {
public:
    ~Pool() {
        stopping_.store(true, std::memory_order_relaxed);
        ring();
        for (auto& thread : threads_) thread.join();
    }

    /// Returns false and does nothing if another call uses the pool.
    bool run(int threads, Job& job) {
        if (busy_.test_and_set(std::memory_order_acquire)) return false;
        const int helpers = start(threads - 1);
        job_ = &job;
        finished_.store(0, std::memory_order_relaxed);
        tickets_.store(helpers, std::memory_order_release);
        ring();
        job.work(0);
        // A thread without a ticket by now gets none, and does not access the job.
        const int unclaimed = std::max(0, tickets_.exchange(0, std::memory_order_acq_rel));
        for (int done; (done = finished_.load(std::memory_order_acquire)) != helpers - unclaimed;) {
            wait_while(finished_, done);
        }
        busy_.clear(std::memory_order_release);
        return true;
    }

private:
    void ring() {
        bell_.fetch_add(1, std::memory_order_release);
        bell_.notify_all();
    }

    /// Starts threads until there are `helpers`, or until the system refuses another thread.
    int start(int helpers) {
        try {
            while (static_cast<int>(threads_.size()) < helpers) threads_.emplace_back([this] { serve(); });
        } catch (const std::exception&) {
            return static_cast<int>(threads_.size());
        }
        return helpers;
    }

    void serve() {
        unsigned heard = 0;
        while (true) {
            wait_while(bell_, heard);
            heard = bell_.load(std::memory_order_acquire);
            if (stopping_.load(std::memory_order_relaxed)) return;
            const int ticket = tickets_.fetch_sub(1, std::memory_order_acq_rel);
            if (ticket <= 0) continue;
            job_->work(ticket);
            finished_.fetch_add(1, std::memory_order_release);
            finished_.notify_all();
        }
    }

    std::vector<std::thread> threads_;
    std::atomic_flag busy_;
    std::atomic<bool> stopping_{false};
    std::atomic<unsigned> bell_{0};
    std::atomic<int> tickets_{0};   // how many helpers may still join; a ticket's number is the helper's
    std::atomic<int> finished_{0};  // helpers that have left the job
    Job* job_ = nullptr;            // published by tickets_
};

Pool& pool() {
    static Pool instance;
    return instance;
}

int useful_threads(int threads, std::int64_t count) {
    return static_cast<int>(std::clamp<std::int64_t>(std::min<std::int64_t>(threads, count), 1, kMostThreads));
}

void run(int threads, int parts, std::int64_t count, const Task& task) {
    Job job(task, count, parts);
    if (threads == 1 || !pool().run(threads, job)) job.work(0);
    if (job.error) std::rethrow_exception(job.error);
}

}  // namespace

ThreadLimit::ThreadLimit(int threads) : before_(limit) {
    limit = std::clamp(threads, 1, before_);
}

ThreadLimit::~ThreadLimit() {
    limit = before_;
}

int available_threads() {
    return std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 1, limit);
}

int threads_for(double operations) {
    constexpr double kWorthwhile = 3e6;  // somewhat more than waking a thread costs
    return operations < kWorthwhile ? 1 : available_threads();
}

void parallel_for(int threads, std::int64_t count, const Task& task) {
    run(useful_threads(threads, count), 1, count, task);
}

void parallel_for_parts(int threads, std::int64_t count, const Task& task) {
    const int useful = useful_threads(threads, count);
    run(useful, useful, count, task);
}

}  // namespace headscope
