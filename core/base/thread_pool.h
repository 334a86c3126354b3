// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>

namespace headscope {

/// The number of threads that the machine has for this process, or fewer if the calling thread is under a ThreadLimit.
int available_threads();

/// Limits the threads that computations of the calling thread use, during its lifetime.
class ThreadLimit {
public:
    explicit ThreadLimit(int threads);
    ~ThreadLimit();
    ThreadLimit(const ThreadLimit&) = delete;
    ThreadLimit& operator=(const ThreadLimit&) = delete;

private:
    int before_;
};

/// The number of threads worth waking for so many arithmetic operations.
int threads_for(double operations);

/// Runs task(index, worker) for every index in [0, count), starting them in ascending order, on up to `threads` threads
/// of a persistent pool. worker is below `threads`, and tasks with the same worker never run at once. The calling
/// thread takes part as worker 0, so that one thread means the caller alone. If the pool is busy with another call, or
/// the call comes from within a task, the caller runs every task. Rethrows the first exception of a task.
void parallel_for(int threads, std::int64_t count, const std::function<void(std::int64_t index, int worker)>& task);

/// The same, but each worker first runs a fixed part of the indices, the same in every call, and then helps with the
/// parts of others. Data that a task left in a core's cache can thus be reused by the task of the same index in the
/// next call.
void parallel_for_parts(int threads, std::int64_t count,
                        const std::function<void(std::int64_t index, int worker)>& task);

}  // namespace headscope
