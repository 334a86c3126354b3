// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <functional>

#include "core/attention/trace.h"
#include "core/base/work_counter.h"

namespace headscope {

/// What compute() tells while it runs.
struct Reports {
    /// Called at most once, on the thread of compute(), if the pass that follows takes long and keeps no scores: with a
    /// preview of its trace (core/attention/preview.h).
    std::function<void(const TracePtr& preview)> preview{};
    WorkCounter* progress = nullptr;  ///< of the pass
};

/// Computes a request. Reuses each stage of `previous` whose inputs are identical. The tiled engine computes the
/// weights and the context, or the stages do (computes_tiles()). Checks `cancel` between tiles and returns
/// ErrorCode::Cancelled once it is true. Errors: InvalidPair, InvalidValue, InvalidMask, NoTokens, OutOfMemory,
/// Cancelled.
Result<TracePtr> compute(const Request& request, const TracePtr& previous = nullptr,
                         const std::atomic<bool>* cancel = nullptr, const Reports& reports = {});

/// The peak memory of a request in bytes, estimated before anything is allocated. OutOfMemory if the sizes overflow.
Result<std::uint64_t> estimated_bytes(const Request& request);

}  // namespace headscope
