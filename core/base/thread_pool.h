// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>

namespace headscope {

/// Threads that the machine has for this process, or fewer where the calling thread is under a ThreadLimit.
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

/// Runs task(index, worker) for every index in [0, count), in ascending order of their start, on up to `threads`
/// threads of a pool that is kept; worker is below `threads` and no two run at once under the same number. The calling
/// thread takes part as worker 0, so that one thread means the caller alone. Where the pool is busy with another call,
/// or the call comes from within a task, the caller does all of it. The first exception of a task is thrown here.
void parallel_for(int threads, std::int64_t count, const std::function<void(std::int64_t index, int worker)>& task);

/// The same, but each worker begins with a part of the indices of its own, the same in every call, and takes those of
/// others when it is done: what a task left in a core's cache is there for the task of the same index in the next call.
void parallel_for_parts(int threads, std::int64_t count,
                        const std::function<void(std::int64_t index, int worker)>& task);

}  // namespace headscope
