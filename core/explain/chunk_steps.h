// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "core/attention/trace.h"

namespace headscope {

/// One tile of the chunked computation: so many queries by so many keys, and what the chosen row holds after it.
struct ChunkStep {
    std::int64_t first_query = 0, queries = 0, first_key = 0, keys = 0;
    std::int64_t open_cells = 0;
    bool skipped = false;    ///< the mask empties it, so that nothing of it was computed
    bool holds_row = false;  ///< the chosen row is one of its queries

    // The chosen row's running softmax (Milakov and Gimelshein 2018) after this tile; before its first tile, and where
    // nothing was open yet, -inf, 0 and zeros.
    double maximum = 0;             ///< of the masked scores so far
    double sum = 0;                 ///< of exp(score - maximum) so far
    double shrink = 1;              ///< what was gathered before was multiplied by this: exp(old - new maximum)
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

    // Of scores and weights of this head, in the precision's storage.
    std::uint64_t bytes_whole = 0;      ///< all S×S cells at once
    std::uint64_t bytes_at_a_time = 0;  ///< the largest tile, with the running values
    std::uint64_t bytes_skipped = 0;    ///< in tiles that were never computed
};

/// Steps through the trace's own chunk sizes. Running values are taken in double from the trace's scores. A tile is
/// skipped where the mask leaves none of its cells open; with -1e9 only where, besides, each of its rows has an open
/// score so far above the fill that a masked key's weight is exactly 0, and the keys' v are finite (CONVENTIONS 6).
/// Errors: InvalidValue as row_account(), or where the chunks make more than 65,536 tiles.
Result<ChunkStory> chunk_steps(const Trace& trace, std::int64_t sequence, std::int64_t head, std::int64_t query);

}  // namespace headscope
