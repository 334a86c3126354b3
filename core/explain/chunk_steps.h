// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "core/attention/trace.h"

namespace headscope {

/// One tile of the chunked computation, and the running values of the chosen row after it.
struct ChunkStep {
    std::int64_t first_query = 0, queries = 0, first_key = 0, keys = 0;
    std::int64_t allowed_cells = 0;
    bool skipped = false;    ///< fully masked, and not computed for the trace
    bool holds_row = false;  ///< the chosen row is one of its queries

    // The chosen row's running softmax (Milakov and Gimelshein 2018) after this tile: -inf, 0 and zeros before its
    // first tile and as long as every masked score is -inf. A sink counts as a key before the first: its logit and 1.
    double maximum = 0;             ///< running maximum of the masked scores
    double sum = 0;                 ///< running sum of exp(score - maximum)
    double shrink = 1;              ///< exp(old - new maximum), by which the earlier sum and context were rescaled
    std::vector<double> context{};  ///< (Dh) the row's context if no tile followed; only if holds_row
};

/// The steps for one head of a sequence, sorted by chunks of queries from the top, and for each of them by chunks of
/// keys from the left. The engine itself may compute the tiles in another order.
struct ChunkAccount {
    std::int64_t sequence = 0, head = 0, query = 0;
    std::int64_t chunk_size = 0, key_chunk_size = 0;  ///< in effect: at most S
    std::vector<ChunkStep> steps{};
    std::int64_t skipped = 0;  ///< number of skipped steps

    std::vector<double> weights{};  ///< (S) of the chosen row, from the final maximum and sum; not rounded
    double weight_difference = 0;   ///< largest |weights - the row's softmax computed whole|; NaN matches NaN
    double context_difference = 0;  ///< largest |final context - the trace's| of the row

    // Of this head, in the precision's storage; see ChunkBytes.
    std::uint64_t bytes_whole = 0;      ///< scores and weights of all S×S cells
    std::uint64_t bytes_at_a_time = 0;  ///< of the largest tile, with the running values
    std::uint64_t bytes_running = 0;    ///< the running values' part of it
    std::uint64_t bytes_skipped = 0;    ///< scores and weights of the skipped tiles
};

/// Steps through the tiles of the trace's own chunk sizes. The running values are computed in double from the row's
/// scores, by the engine's own step. Marks exactly those tiles as skipped that the engine did not compute: fully masked
/// tiles; with a finite fill only those where it could not matter; none if the stages computed the trace
/// (computes_tiles()). Errors: InvalidValue as row_account(), or if the chunks make more than 65,536 tiles.
Result<ChunkAccount> chunk_steps(const Trace& trace, std::int64_t sequence, std::int64_t head, std::int64_t query);

}  // namespace headscope
