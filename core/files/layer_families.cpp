// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/layer_families.h"

#include <initializer_list>

#include "core/base/sentence.h"

namespace headscope {

const char* const kRotary = phrase("rotary position embedding");
const char* const kSoftCapped = phrase("soft-capped scores");
const char* const kAlibi = phrase("ALiBi (a bias that depends on distance)");

namespace {

LayerFamily separate(const char* name, std::initializer_list<const char*> modules, const char* out) {
    LayerFamily family{name, Layout::Separate, {}, {}, out};
    for (const std::string module : modules) {
        family.weights.push_back(module + ".weight");
        family.biases.push_back(module + ".bias");
    }
    return family;
}

LayerFamily fused(const char* name, Layout layout, const std::string& module, const char* out) {
    return {name, layout, {module + ".weight"}, {module + ".bias"}, out};
}

/// nn.MultiheadAttention has parameters of its own in place of a module, and one bias for all three weights.
LayerFamily torch(Layout layout, std::vector<std::string> weights) {
    return {"nn.MultiheadAttention", layout, std::move(weights), {"in_proj_bias"}, "out_proj"};
}

LayerFamily with(LayerFamily family, const char* feature, const char* within = "") {
    family.feature = feature;
    family.within = within;
    return family;
}

LayerFamily unscaled(LayerFamily family) {
    family.scale = 1;
    return family;
}

LayerFamily followed_by(LayerFamily family, const char* after) {
    family.after.emplace_back(after);
    return family;
}

std::vector<LayerFamily> make_families() {
    const auto projections = {"q_proj", "k_proj", "v_proj"};
    const auto bert = {"query", "key", "value"};
    const char* relative = phrase("a relative position bias");
    const char* alternating = phrase("a window of 256 tokens in every second layer");
    const char* either = phrase("rotary position embedding or ALiBi");
    return {
        fused(phrase("the article"), Layout::Interleaved, "qkv_proj", "out_proj"),
        with(fused("Phi-3", Layout::Blocks, "qkv_proj", "o_proj"), kRotary),
        torch(Layout::Blocks, {"in_proj_weight"}),
        torch(Layout::Separate, {"q_proj_weight", "k_proj_weight", "v_proj_weight"}),
        fused("GPT-2", Layout::Transposed, "c_attn", "c_proj"),
        with(fused("GPT-NeoX", Layout::Interleaved, "query_key_value", "dense"), kRotary, "attention"),
        with(fused("BLOOM, Falcon", Layout::Interleaved, "query_key_value", "dense"), either),
        separate("BERT", bert, "../output.dense"),
        separate("Whisper", bert, "out"),
        followed_by(separate("ALBERT", bert, "dense"), "LayerNorm."),
        separate(phrase("query, key and value"), bert, "out_proj"),
        separate("DistilBERT", {"q_lin", "k_lin", "v_lin"}, "out_lin"),
        unscaled(with(separate("T5", {"q", "k", "v"}, "o"), relative, "SelfAttention")),
        unscaled(with(separate("T5", {"q", "k", "v"}, "o"), nullptr, "EncDecAttention")),
        fused("timm", Layout::Blocks, "qkv", "proj"),
        separate("diffusers", {"to_q", "to_k", "to_v"}, "to_out.0"),
        with(separate("Llama", projections, "o_proj"), kRotary),
        with(separate("Phi", projections, "dense"), kRotary),
        unscaled(with(separate("GPT-Neo", projections, "out_proj"), alternating, "attn.attention")),
        with(separate("GPT-J", projections, "out_proj"), kRotary, "h.#.attn"),
        separate("BART, CLIP, OPT", projections, "out_proj"),
        with(separate(phrase("Llama, as published by Meta"), {"wq", "wk", "wv"}, "wo"), kRotary),
    };
}

}  // namespace

const std::vector<LayerFamily>& layer_families() {
    static const std::vector<LayerFamily> families = make_families();
    return families;
}

}  // namespace headscope
