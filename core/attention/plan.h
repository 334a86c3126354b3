// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/attention/request.h"
#include "core/attention/trace.h"
#include "core/masks/tile_map.h"

namespace headscope {

/// The sequences whose S×S tensors are kept: all of them, only the displayed one if all would exceed 256 MB, or none if
/// one exceeds Request::kept_bytes (docs/conventions.md 16).
struct Kept {
    std::int64_t first = 0, count = 0;
    bool holds(std::int64_t sequence) const { return sequence >= first && sequence < first + count; }
    bool operator==(const Kept&) const = default;
};
Kept kept_sequences(const Request& request);
/// Bytes up to which a matrix of the mask is stored: a quarter of Request::kept_bytes, so that kept tensors have one.
std::int64_t stored_mask_bytes(const Request& request);

/// True if the request's scores are so small (16 MB) that keeping them costs nothing noticeable.
bool has_small_scores(const Request& request);

/// True if the weights and the context are computed in tiles, skipping fully masked ones. The stages compute half
/// formats with whole rows of keys, because they round where PyTorch does.
bool computes_tiles(const Request& request);
/// The tile size given by the request's chunk sizes.
TileSize tile_size(const Request& request);

/// The parts of a previous trace that a request can reuse, because their inputs are the same.
struct Reuse {
    bool layer_tensors = false;  ///< the numbers, though possibly split into other heads
    bool used_layer = false;
    bool x = false, qkv = false, heads = false, scores = false;
    bool mask = false;
    bool weights = false;
    bool context = false;  ///< head_context, context and the row check
    bool output = false;
};
/// `same_mask`: whether the masks' cells are known to be the same; see same_mask().
Reuse reusable(const Request& now, const Request& before, bool same_mask);
/// The same for a trace that may not keep its scores or weights.
Reuse reusable(const Request& now, const Trace& before, bool same_mask);
/// True if the expressions and batches show that both masks have the same cells, without building them.
bool same_mask(const Request& now, const Request& before);

/// True if the trace keeps scores or weights of more than 256 MB, so that only views that display it may keep it.
bool is_large(const Trace& trace);
/// True if the trace's scores are large and `next` has to recompute them. Old and new scores together would take twice
/// the memory, so views that do not display them free them first; see without_scores().
bool outdates_large_scores(const Request& next, const Trace& trace);

/// Bytes needed to compute what `reuse` does not include. OutOfMemory if sizes overflow.
Result<std::uint64_t> needed_bytes(const Request& request, const Reuse& reuse);
/// Bytes of the mask's cells.
Result<std::uint64_t> mask_bytes(const Request& request);

}  // namespace headscope
