// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/batch.h"
#include "core/base/config.h"
#include "core/base/sentence.h"
#include "core/weights/layer.h"

namespace headscope {

/// A layer of a real model as read from its file (docs/conventions.md 11): its shapes are checked, but it is not
/// permuted yet, because the permutation depends on num_heads.
struct LayerFile {
    std::string path;
    std::int64_t embed_dim = 0;
    std::optional<std::int64_t> num_heads;  ///< from the metadata
    Layout layout = Layout::Interleaved;    ///< determined by the tensors' names, unless the caller passed one
    /// "in_proj_weight: rows are [Q; K; V] blocks, as in nn.MultiheadAttention (by its name)", and other assumptions.
    std::vector<Sentence> assumptions;
    Tensor fused_weight, fused_bias;  ///< (3E,E) and (3E): as [Q;K;V] blocks, or interleaved if layout says so
    Tensor out_weight, out_bias;      ///< (E,E), (E)
    std::optional<Tensor> x;          ///< (B,S,E)
    Batch batch;                      ///< labels and padding if there is an x
    /// An expression for parse_mask(): the metadata's, else "causal" if the layer contains GPT-2's buffer.
    std::optional<std::string> mask;
};
using LayerFilePtr = std::shared_ptr<const LayerFile>;

/// layout: what the user chose, or nothing to determine it by the names. Missing biases are zeros. Loads only the
/// layer's tensors and ignores all others in the file.
Result<LayerFilePtr> read_layer_file(const std::string& path, std::optional<Layout> layout);
/// Permutes the rows to interleaved by head. InvalidPair if num_heads doesn't divide embed_dim.
Result<Layer> layer_from_file(const LayerFile& file, std::int64_t num_heads);

}  // namespace headscope
