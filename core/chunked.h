// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

#include "core/stages.h"

namespace headscope {

/// Memory-efficient attention: chunk_size queries at a time and key_chunk_size keys at a time, with a running maximum
/// and sum over the key chunks (Milakov and Gimelshein 2018; Rabe and Staats 2021). Every mask and fill; the same
/// answer as scaled_dot_product_attention(). Sizes below 1 were refused before; larger than S count as S.
struct ChunkedResult {
    Tensor context;  ///< (B,H,S,Dh)
    Tensor weights;  ///< (B,H,S,S) assembled from the chunks; empty where not asked for
    std::uint64_t peak_bytes = 0;  ///< of one sequence: the most that is held at a time
};
Result<ChunkedResult> chunked_attention(const Tensor& q, const Tensor& k, const Tensor& v, const Mask& mask, Fill fill,
                                        std::optional<double> scale, Precision precision,
                                        std::optional<std::int64_t> chunk_size,
                                        std::optional<std::int64_t> key_chunk_size, bool want_weights,
                                        const std::atomic<bool>* cancel);

}  // namespace headscope
