// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>

#include "core/attention/trace.h"

namespace headscope {

/// Computes a request. Reuses each stage of `previous` whose inputs are identical. The tiled engine computes the
/// weights and the context, or the stages do (computes_tiles()). Checks `cancel` between tiles and returns
/// ErrorCode::Cancelled once it is true. Errors: InvalidPair, InvalidValue, InvalidMask, NoTokens, OutOfMemory,
/// Cancelled.
Result<TracePtr> compute(const Request& request, const TracePtr& previous = nullptr,
                         const std::atomic<bool>* cancel = nullptr);

/// The peak memory of a request in bytes, estimated before anything is allocated. OutOfMemory if the sizes overflow.
Result<std::uint64_t> estimated_bytes(const Request& request);

}  // namespace headscope
