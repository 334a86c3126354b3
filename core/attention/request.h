// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>

#include "core/base/batch.h"
#include "core/base/config.h"
#include "core/files/layer_file.h"
#include "core/masks/mask.h"

namespace headscope {

/// Everything that compute() needs, as a value.
struct Request {
    Batch batch;  ///< of the typed tokens; the file's where the file holds an x
    std::int64_t embed_dim = 512, num_heads = 8;
    WeightSource source = WeightSource::Textbook;
    std::uint64_t seed = 0;
    LayerFilePtr file{};  ///< where source is File
    MaskExpression mask{};
    Fill fill = Fill::Safe;
    std::optional<double> scale{};  ///< nothing = 1/sqrt(head_dim)
    Precision precision = Precision::Float32;
    std::optional<std::int64_t> chunk_size = 256;  ///< queries at a time; nothing = whole
    std::optional<std::int64_t> key_chunk_size{};  ///< keys at a time; nothing = whole
    std::int64_t kept_sequence = 0;                ///< whose S×S tensors are kept where all would pass 256 MB

    /// Are the scores a part of the trace? The weights don't need them: without it they are there only where an earlier
    /// trace had the same ones.
    bool keep_scores = true;

    Dims dims() const { return {batch.size(), batch.sequence_length(), embed_dim, num_heads}; }
    double scale_value() const;
};

/// What compute() refuses without computing: InvalidPair, InvalidValue, NoTokens.
Result<void> check_request(const Request& request);

}  // namespace headscope
