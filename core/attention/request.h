// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "core/base/batch.h"
#include "core/base/config.h"
#include "core/files/layer_file.h"
#include "core/masks/head_expression.h"
#include "core/masks/mask.h"

namespace headscope {

class Recording;
using RecordingPtr = std::shared_ptr<const Recording>;

inline constexpr std::int64_t kKeptBytes = 4 * Mask::kStoredBytes;  // 256 MB: 2048 tokens of 8 heads in float

/// The input of compute(), as a value.
struct Request {
    Batch batch;  ///< of the typed tokens; the file's if the file has an x
    std::int64_t embed_dim = 512, num_heads = 8;
    WeightSource source = WeightSource::Textbook;
    std::uint64_t seed = 0;
    LayerFilePtr file{};  ///< set if source is File
    /// Set if source is Recording. Its attention weights are then shown, and nothing is computed from vectors;
    /// embed_dim is num_heads.
    RecordingPtr recording{};
    std::int64_t recorded_layer = 0;
    HeadExpression mask{};  ///< and the rules that change q, k and the scores
    Fill fill = Fill::Safe;
    std::optional<double> scale{};  ///< nothing = 1/sqrt(head_dim)
    Precision precision = Precision::Float32;
    std::optional<std::int64_t> chunk_size = 256;  ///< queries per chunk; nothing = whole
    std::optional<std::int64_t> key_chunk_size{};  ///< keys per chunk; nothing = whole
    /// Whose S×S tensors are kept if those of all sequences would exceed 256 MB (kKeptBytes).
    std::int64_t kept_sequence = 0;

    /// Bytes that scores and weights of one sequence may take together. Above it neither is kept, nor are the mask's
    /// cells if they take a quarter of it: region() and row_of() compute them.
    std::int64_t kept_bytes = kKeptBytes;
    /// Whether the trace keeps its scores. The weights do not need them: if false, the trace has scores only if it can
    /// reuse those of the previous trace.
    bool keep_scores = true;

    Dims dims() const { return {batch.size(), batch.sequence_length(), embed_dim, num_heads}; }
    double scale_value() const;
};

/// Checks what compute() refuses before it computes anything: InvalidPair, InvalidValue, NoTokens.
Result<void> check_request(const Request& request);

}  // namespace headscope
