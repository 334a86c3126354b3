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

/// A layer of a real model as its file holds it (PRODUCT §6 "A weights file", CONVENTIONS 11): checked for shapes, not
/// yet permuted, because the permutation depends on num_heads.
struct LayerFile {
    std::string path;
    std::int64_t embed_dim = 0;
    std::optional<std::int64_t> num_heads;  ///< of the metadata
    Layout layout = Layout::Interleaved;    ///< decided by the tensors' names, unless the caller named one
    /// "in_proj_weight: rows are [Q; K; V] blocks, as in nn.MultiheadAttention (by its name)", and what else goes
    std::vector<Sentence> assumptions;
    Tensor fused_weight, fused_bias;  ///< (3E,E) and (3E): as [Q;K;V] blocks, or interleaved where layout says so
    Tensor out_weight, out_bias;      ///< (E,E), (E)
    std::optional<Tensor> x;          ///< (B,S,E)
    Batch batch;                      ///< labels and padding where there is an x
    /// An expression of parse_mask(), not yet parsed: the metadata's, else "causal" where the layer holds GPT-2's
    /// buffer
    std::optional<std::string> mask;
};
using LayerFilePtr = std::shared_ptr<const LayerFile>;

/// layout: what the person chose, or nothing to go by the names. Missing biases are zeros. Only the layer's tensors are
/// loaded, whatever else the file holds.
Result<LayerFilePtr> read_layer_file(const std::string& path, std::optional<Layout> layout);
/// Permutes to interleaved by head. InvalidPair where num_heads doesn't divide embed_dim.
Result<Layer> layer_from_file(const LayerFile& file, std::int64_t num_heads);

}  // namespace headscope
