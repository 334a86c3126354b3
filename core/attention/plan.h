// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/attention/request.h"
#include "core/attention/trace.h"
#include "core/masks/tile_map.h"

namespace headscope {

/// Whose S×S tensors are kept: every sequence's, or the shown one's where all would pass 256 MB (CONVENTIONS 16).
struct Kept {
    std::int64_t first = 0, count = 0;
    bool holds(std::int64_t sequence) const { return sequence >= first && sequence < first + count; }
    bool operator==(const Kept&) const = default;
};
Kept kept_sequences(const Request& request);
/// Another limit than 256 MB, in bytes; 0 takes it back.
void set_kept_bytes_for_tests(std::int64_t bytes);

/// Are the scores of a request so small (16 MB) that keeping them costs nothing that anybody notices?
bool has_small_scores(const Request& request);

/// Are the weights and the context computed in tiles, of which fully masked ones are skipped? Half formats with whole
/// rows of keys are computed by the stages, which round where PyTorch does.
bool computes_tiles(const Request& request);
/// The tiles that the chunk sizes ask for.
TileSize tile_size(const Request& request);

/// Which parts of a previous trace a request can take over as they are: those whose inputs are the same.
struct Reuse {
    bool layer_tensors = false;  ///< the numbers, though maybe cut into other heads
    bool used_layer = false;
    bool x = false, qkv = false, heads = false, scores = false;
    bool mask = false;
    bool weights = false;
    bool context = false;  ///< head_context, context and the row check
    bool output = false;
};
/// `same_mask`: what is known of the mask's cells; see same_mask().
Reuse reusable(const Request& now, const Request& before, bool same_mask);
/// The same of a trace that may have let some of its tensors go.
Reuse reusable(const Request& now, const Trace& before, bool same_mask);
/// Must the cells of the two masks be the same, by what they are made from?
bool same_mask(const Request& now, const Request& before);

/// Does it keep scores or weights of more than 256 MB, so that nobody should hold it who doesn't show it?
bool is_large(const Trace& trace);
/// Are its scores large, and does `next` make them anew? The old and the new side by side would take twice the memory,
/// so whoever doesn't show them lets them go first; see without_scores().
bool outdates_large_scores(const Request& next, const Trace& trace);

/// The bytes that are taken to compute what `reuse` doesn't hold; OutOfMemory where sizes overflow.
Result<std::uint64_t> needed_bytes(const Request& request, const Reuse& reuse);
/// The bytes of the mask's cells.
Result<std::uint64_t> mask_bytes(const Request& request);

}  // namespace headscope
