// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

#include "core/attention/stages.h"

namespace headscope {

struct ChunkedResult {
    Tensor context;                ///< (B,H,S,Dh)
    Tensor weights;                ///< (B,H,S,S) assembled from the chunks; empty where not asked for
    std::uint64_t peak_bytes = 0;  ///< chunked_bytes()
};

/// Memory-efficient attention: chunk_size queries at a time and key_chunk_size keys at a time, with a running maximum
/// and sum over the key chunks (Milakov and Gimelshein 2018; Rabe and Staats 2021). Every mask and fill; the same
/// answer as scaled_dot_product_attention(). Nothing and sizes larger than S count as S. q, k, v: as the stages give
/// them. The mask is asked about its sequences from first_sequence on.
/// Errors: InvalidValue (a size below 1), InvalidPair (shapes), Cancelled; cancel is looked at between tiles.
Result<ChunkedResult> chunked_attention(const Tensor& q, const Tensor& k, const Tensor& v, const Mask& mask, Fill fill,
                                        std::optional<double> scale, Precision precision,
                                        std::optional<std::int64_t> chunk_size,
                                        std::optional<std::int64_t> key_chunk_size, bool want_weights,
                                        const std::atomic<bool>* cancel, std::int64_t first_sequence = 0);

/// InvalidValue where a size is below 1.
Result<void> check_chunks(std::optional<std::int64_t> chunk_size, std::optional<std::int64_t> key_chunk_size);

/// Do the chunks cover everything, so that the whole computation is what they say?
bool is_whole(std::int64_t sequence_length, std::optional<std::int64_t> chunk_size,
              std::optional<std::int64_t> key_chunk_size);

/// The bytes of one sequence that the chunked way holds at a time, besides q, k, v and the context: a tile of scores
/// and one of weights for all heads, and with key chunks the running maximum, sum and context. Where the chunks cover
/// everything these are the whole scores and weights.
Result<std::uint64_t> chunked_bytes(const Dims& dims, Precision precision, std::optional<std::int64_t> chunk_size,
                                    std::optional<std::int64_t> key_chunk_size);

}  // namespace headscope
