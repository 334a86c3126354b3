// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "core/attention/trace.h"

namespace headscope {

/// One tile of the computation in chunks: so many queries by so many keys, and the chosen row's values after it.
struct ChunkStep {
    std::int64_t first_query = 0, queries = 0, first_key = 0, keys = 0;
    std::int64_t open_cells = 0;
    bool skipped = false;    ///< it is fully masked, and the trace was computed without it
    bool holds_row = false;  ///< the chosen row is one of its queries

    // The chosen row's running softmax (Milakov and Gimelshein 2018) after this tile; before its first tile, and while
    // no key was allowed, -inf, 0 and zeros.
    double maximum = 0;             ///< of the masked scores so far
    double sum = 0;                 ///< of exp(score - maximum) so far
    double shrink = 1;              ///< exp(old - new maximum), by which the earlier sum and context were rescaled
    std::vector<double> context{};  ///< (Dh) what the row's context would be if it ended here; only where holds_row
};

/// The steps for one head of a sequence, in the order in which chunks are computed: queries from the top, for each
/// chunk of them the keys from the left.
struct ChunkStory {
    std::int64_t sequence = 0, head = 0, query = 0;
    std::int64_t chunk_size = 0, key_chunk_size = 0;  ///< as used: at most S
    std::vector<ChunkStep> steps{};
    std::int64_t skipped = 0;  ///< of the steps

    std::vector<double> weights{};  ///< (S) of the chosen row, from the last running maximum and sum; not rounded
    double weight_difference = 0;   ///< largest |weights - the row's softmax taken at once|; NaN matches NaN
    double context_difference = 0;  ///< largest |last context - the trace's| of the row

    // Of this head, in the precision's storage; see ChunkBytes.
    std::uint64_t bytes_whole = 0;      ///< scores and weights of all S×S cells
    std::uint64_t bytes_at_a_time = 0;  ///< of the largest tile, with the running values
    std::uint64_t bytes_running = 0;    ///< the running values' part of it
    std::uint64_t bytes_skipped = 0;    ///< scores and weights of the tiles that were never computed
};

/// Steps through the trace's own chunk sizes. The running values are computed in double from the row's scores, by the
/// engine's own step. Skipped are exactly the tiles that the engine didn't compute: those that are fully masked; with a
/// finite fill only where it couldn't matter; none where the stages computed the trace (computes_tiles()).
/// Errors: InvalidValue as row_account(), or where the chunks make more than 65,536 tiles.
Result<ChunkStory> chunk_steps(const Trace& trace, std::int64_t sequence, std::int64_t head, std::int64_t query);

}  // namespace headscope
