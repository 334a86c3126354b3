// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>

#include "core/attention/trace.h"

namespace headscope {

/// Computes a request. A stage whose inputs are the very objects of `previous` is reused, not computed again.
/// Scores, weights and context come from the tiled engine (computes_tiles()), or from the stages.
/// `cancel` is looked at between tiles; once true the result is ErrorCode::Cancelled.
/// Errors: InvalidPair, InvalidValue, InvalidMask, NoTokens, OutOfMemory, Cancelled.
Result<TracePtr> compute(const Request& request, const TracePtr& previous = nullptr,
                         const std::atomic<bool>* cancel = nullptr);

/// Bytes that a request would take at its peak, before any is taken; or OutOfMemory where the sizes overflow.
Result<std::uint64_t> estimated_bytes(const Request& request);

}  // namespace headscope
