// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/base/config.h"
#include "core/base/result.h"

namespace headscope {

/// Which tensors of a file make up its layer.
struct LayerNames {
    Layout layout = Layout::Interleaved;  ///< what the names say
    std::vector<std::string> weights;     ///< one fused weight, or query, key, value
    std::vector<std::string> biases;      ///< as many; the file may lack them
    std::string out_weight, out_bias;     ///< the file may lack the bias
    bool out_turned_by_name = false;      ///< c_proj of GPT-2 lies (in, out) where its c_attn does
    std::string causal_buffer;            ///< GPT-2's attn.bias, a causal mask; empty where there is none
    std::string fill_buffer;              ///< GPT-2's attn.masked_bias, the fill value; empty where there is none
    std::vector<std::string> results;     ///< what a program recorded beside the layer: not read

    /// Of these tensors, and of x and lengths, those that there are to read.
    std::vector<std::string> to_load() const;
};

/// Knows the article's qkv_proj, in_proj_weight of nn.MultiheadAttention, GPT-2's c_attn and c_proj, query_key_value of
/// GPT-NeoX and BLOOM, and separate query/key/value or q_proj/k_proj/v_proj, behind any prefix such as
/// "transformer.h.0.attn.". `all`: the names of the file's tensors. FileContent where none is there, more than one (the
/// sentence lists them), or a part lacks; Unsupported, with their names, where the attention has tensors that this
/// program does not compute with.
Result<LayerNames> find_layer_names(const std::vector<std::string>& all, const std::string& path);

}  // namespace headscope
