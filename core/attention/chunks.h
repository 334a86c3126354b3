// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>

#include "core/base/config.h"
#include "core/base/result.h"

namespace headscope {

/// InvalidValue where a size is below 1.
Result<void> check_chunks(std::optional<std::int64_t> chunk_size, std::optional<std::int64_t> key_chunk_size);

/// A chunk size, or nothing where it is S or more: whole.
std::optional<std::int64_t> part_of(std::int64_t sequence_length, std::optional<std::int64_t> chunk_size);

/// Do the chunks cover everything, so that nothing is computed in parts?
bool is_whole(std::int64_t sequence_length, std::optional<std::int64_t> chunk_size,
              std::optional<std::int64_t> key_chunk_size);

/// Bytes of one sequence, all of its heads at once, besides q, k, v and the result.
struct ChunkBytes {
    std::uint64_t tiles = 0;    ///< scores and weights of a tile of each head; of all cells where everything is whole
    std::uint64_t running = 0;  ///< the running maximum, sum and context of a tile's rows, where keys are in chunks
    std::uint64_t sum() const { return tiles + running; }
};
/// OutOfMemory where sizes overflow.
Result<ChunkBytes> chunk_bytes(const Dims& dims, Precision precision, std::optional<std::int64_t> chunk_size,
                               std::optional<std::int64_t> key_chunk_size);

}  // namespace headscope
