// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <cstdint>

#include "core/attention/trace.h"
#include "core/masks/tile_map.h"

namespace headscope {

struct Attended {
    Tensor weights;       ///< (B',H,S,S) of the kept sequences
    Tensor head_context;  ///< (B,H,S,Dh); nothing and the rest likewise where only the weights were asked for
    FilledTiles filled_tiles;
    RowCheck row_check;
};

/// Weights and context of a trace that has its q, k, v and mask, and its scores where they are kept: by the tiled
/// engine, or by the stages (computes_tiles()). Errors: OutOfMemory, Cancelled (not always: a cancelled result means
/// nothing).
Result<Attended> attend_to(const Trace& trace, bool only_weights, const std::atomic<bool>* cancel);

/// The context (1,H,S,Dh) of one of its sequences, not computed in chunks. tiles: of its mask, the engine's own.
Result<Tensor> whole_context(const Trace& trace, const TileMap& tiles, std::int64_t sequence,
                             const std::atomic<bool>* cancel);

}  // namespace headscope
