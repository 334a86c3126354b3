// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/base/config.h"
#include "core/base/result.h"

namespace headscope {

/// The tensors of a file that make up its layer.
struct LayerNames {
    Layout layout = Layout::Interleaved;  ///< determined by the names
    std::vector<std::string> weights;     ///< one fused weight, or query, key, value
    std::vector<std::string> biases;      ///< as many as weights; the file may lack them
    std::string out_weight, out_bias;     ///< the file may lack the bias
    bool out_turned_by_name = false;      ///< GPT-2's c_proj is stored (in, out) if its c_attn is
    std::string causal_buffer;            ///< GPT-2's attn.bias, a causal mask; empty if there is none
    std::string fill_buffer;              ///< GPT-2's attn.masked_bias, the fill value; empty if there is none
    std::vector<std::string> results;     ///< results that a program recorded beside the layer: not read

    /// The names in `all` that are read: these tensors, x and lengths.
    std::vector<std::string> to_load() const;
};

/// Recognises the article's qkv_proj, in_proj_weight of nn.MultiheadAttention, GPT-2's c_attn and c_proj,
/// query_key_value of GPT-NeoX and BLOOM, and separate query/key/value or q_proj/k_proj/v_proj, after any prefix such
/// as "transformer.h.0.attn.". `all`: the names of the file's tensors. FileContent if there is no layer, more than one
/// (the message lists them), or a part is missing; Unsupported, with their names, if the attention has tensors that
/// this program does not compute with.
Result<LayerNames> find_layer_names(const std::vector<std::string>& all, const std::string& path);

}  // namespace headscope
