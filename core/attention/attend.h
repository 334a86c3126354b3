// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <cstdint>

#include "core/attention/trace.h"
#include "core/base/work_counter.h"
#include "core/engine/head_tiles.h"
#include "core/masks/tile_map.h"

namespace headscope {

struct Attended {
    Tensor weights;                ///< (B',H,S,S) of the kept sequences; empty if none are
    Tensor head_context;           ///< (B,H,S,Dh); like the members below empty if only the weights were requested
    Tensor row_offsets, row_sums;  ///< (B,H,S), see Trace
    FilledTiles filled_tiles;
    RowCheck row_check;
};

/// Computes weights and context of a trace that has q, k, v and the mask, and the scores if they are kept; with the
/// tiled engine or with the stages (computes_tiles()). Errors: OutOfMemory, Cancelled. After a cancellation it may also
/// return an incomplete result without an error. progress: counts blocks of rows, of each head; may be null.
Result<Attended> attend_to(const Trace& trace, bool only_weights, const std::atomic<bool>* cancel,
                           WorkCounter* progress = nullptr);

/// The context (1,H,S,Dh) of one sequence, computed without chunks. tiles: the mask's, in the engine's own tile size.
Result<Tensor> whole_context(const Trace& trace, const HeadTileMaps& tiles, std::int64_t sequence,
                             const std::atomic<bool>* cancel);

}  // namespace headscope
