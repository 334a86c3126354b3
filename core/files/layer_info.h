// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/config.h"
#include "core/base/sentence.h"

namespace headscope {

/// What the names, shapes and settings of a file say about one of its layers, without its numbers.
struct LayerInfo {
    std::string path;
    std::string title;   ///< the names' prefix, such as "transformer.h.0.attn"
    std::string family;  ///< of the names, such as "GPT-2"
    std::string dtype;   ///< of the first weight
    /// The names of its weights and biases in the file. The first weight multiplies the layer's input.
    std::vector<std::string> tensors;
    std::int64_t embed_dim = 0;
    std::int64_t kv_dim = 0;  ///< rows of k and of v: embed_dim, or fewer where query heads share key/value heads
    std::optional<std::int64_t> num_heads;  ///< from the metadata, the config or the shape of other tensors
    Layout layout = Layout::Interleaved;    ///< determined by the tensors' names, unless the caller passed one
    std::optional<double> scale;            ///< of models that don't use 1/sqrt(head_dim)
    /// An expression for parse_mask(): the metadata's, else "causal" if the layer contains GPT-2's buffer or the config
    /// names a causal model.
    std::optional<std::string> mask;
    /// "in_proj_weight: rows are [Q; K; V] blocks, as in nn.MultiheadAttention (by its name)", and other assumptions.
    std::vector<Sentence> assumptions;
    /// What the model computes and this program doesn't, although no tensor shows it: rotary position embedding ...
    std::vector<Sentence> not_computed;

    std::int64_t group() const { return kv_dim ? embed_dim / kv_dim : 1; }  ///< query heads of a key/value head
};

/// InvalidPair if num_heads doesn't divide embed_dim, or the query heads that share key/value heads don't divide it.
Result<void> check_heads(const LayerInfo& layer, std::int64_t num_heads);
/// Every legal num_heads of a layer, ascending.
std::vector<std::int64_t> legal_num_heads(const LayerInfo& layer);

}  // namespace headscope
