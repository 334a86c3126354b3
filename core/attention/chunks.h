// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>

#include "core/base/config.h"
#include "core/base/result.h"

namespace headscope {

/// InvalidValue if a size is below 1.
Result<void> check_chunks(std::optional<std::int64_t> chunk_size, std::optional<std::int64_t> key_chunk_size);

/// The chunk size, or nothing (= whole) if it is S or more.
std::optional<std::int64_t> part_of(std::int64_t sequence_length, std::optional<std::int64_t> chunk_size);

/// True if each chunk covers everything, so that nothing is computed in parts.
bool is_whole(std::int64_t sequence_length, std::optional<std::int64_t> chunk_size,
              std::optional<std::int64_t> key_chunk_size);

/// Bytes for one sequence with all of its heads at once, without q, k, v and the result.
struct ChunkBytes {
    std::uint64_t tiles = 0;    ///< scores and weights of one tile per head; of all cells if nothing is chunked
    std::uint64_t running = 0;  ///< running maximum, sum and context of a tile's rows, if keys are chunked
    std::uint64_t sum() const { return tiles + running; }
};
/// OutOfMemory if sizes overflow.
Result<ChunkBytes> chunk_bytes(const Dims& dims, Precision precision, std::optional<std::int64_t> chunk_size,
                               std::optional<std::int64_t> key_chunk_size);

}  // namespace headscope
