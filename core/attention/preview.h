// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "core/attention/trace.h"

namespace headscope {

/// A preview is the trace of a computation whose pass has not ended: it has everything up to q, k, v and the mask, and
/// the softmax of every preview_step()-th query, so that a coarse map can be drawn at once. row_of() and region()
/// compute the softmax of other queries from the whole row, so that their numbers are exact. It has no context and no
/// output, and its rows are not checked. Its heads have one mask, and no rules for their scores.
bool is_preview(const Trace& trace);

/// Distance between the queries whose softmax a preview knows: a power of two, for 128 to 256 of them.
std::int64_t preview_step(std::int64_t size);
/// The query that stands for the queries first ... end - 1 in a sample of any trace: one that previews know, near the
/// middle, or else the middle. Keys are sampled alike.
std::int64_t sampled_query(std::int64_t size, std::int64_t first, std::int64_t end);

/// Makes a preview of a trace that has q, k, v and the mask. On several threads; incomplete after a cancellation.
void add_known_rows(Trace& trace, const std::atomic<bool>* cancel);
/// Bytes that a preview takes, with its scratch.
Result<std::uint64_t> preview_bytes(const Dims& dims, Precision precision);

/// Computes offset and sum (Trace::row_offsets) of chosen queries, stored at their index in arrays of S numbers. Leaves
/// out those that a preview knows. On several threads.
template <typename T>
void add_softmax(const Trace& trace, std::int64_t sequence, std::int64_t head, const std::vector<std::int64_t>& queries,
                 T* offsets, T* sums, const std::atomic<bool>* cancel);

}  // namespace headscope
