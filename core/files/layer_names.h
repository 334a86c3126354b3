// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/config.h"
#include "core/base/result.h"
#include "core/files/layer_families.h"

namespace headscope {

/// The tensors of a file that make up one attention layer.
struct LayerNames {
    const LayerFamily* family = nullptr;
    std::string prefix;                ///< of its tensors, such as "transformer.h.0.attn."; empty at the top level
    std::vector<std::string> weights;  ///< one fused weight, or query, key, value
    std::vector<std::string> biases;   ///< one for each weight, or one for all; the file may lack them
    std::string out_weight, out_bias;  ///< the file may lack the bias
    std::string causal_buffer;         ///< GPT-2's attn.bias, a causal mask; empty if there is none
    std::string fill_buffer;           ///< GPT-2's attn.masked_bias, the fill value; empty if there is none
    std::vector<std::string> results;  ///< results that a program recorded beside the layer: not read
    /// Why the layer can't be computed: FileContent if a part is missing; Unsupported if it is cross-attention or has
    /// tensors that this program does not compute with, which the message names.
    std::optional<Error> problem;

    /// "transformer.h.0.attn", and "(top level)" where the names have no prefix.
    std::string title() const;
};

/// Every attention layer among the names of a file's tensors, whatever their prefix, in the order of the numbers in
/// the prefixes.
std::vector<LayerNames> find_layers(std::vector<std::string> all, const std::string& path);

/// The error for a file in which find_layers() finds nothing. Unsupported if its weights are in a form that is not
/// computed (LoRA, quantised), else FileContent.
Error no_layer(const std::vector<std::string>& all, const std::string& path);

/// True for a tensor at the top level that records the layer's input or a result, as this program's exports do.
bool is_recorded(std::string_view name);

}  // namespace headscope
