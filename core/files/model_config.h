// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/base/sentence.h"

namespace headscope {

/// What a config.json (Hugging Face) or params.json (Meta) says about the attention of one part of a model.
struct AttentionConfig {
    std::string model_type;                    ///< "gpt2"; may be empty
    std::optional<std::int64_t> embed_dim;     ///< hidden_size, n_embd, d_model, dim
    std::optional<std::int64_t> num_heads;     ///< num_attention_heads, n_head ...
    std::optional<std::int64_t> num_kv_heads;  ///< num_key_value_heads ...; nothing = as many as heads
    std::optional<std::int64_t> head_dim;      ///< head_dim, d_kv
    std::optional<std::int64_t> num_layers;
    std::optional<double> scale;  ///< nothing = 1/sqrt(head_dim)
    bool scale_by_layer = false;  ///< the scale is divided by the layer's number + 1
    bool causal = false;
    const char* positions = nullptr;      ///< kRotary or kAlibi; nullptr where it says neither
    std::optional<double> rope_base;      ///< of kRotary, if the config describes nothing but a plain rotation
    std::optional<double> soft_cap;       ///< attn_logit_softcapping
    std::vector<const char*> features{};  ///< what else is not computed, as phrases
    std::optional<std::int64_t> window;   ///< of sliding-window attention, in tokens
};

/// The configuration of a model, which may have parts with sizes of their own.
class ModelConfig {
public:
    /// FileMissing, FileFormat; FileContent if a number is none.
    static Result<ModelConfig> read(const std::string& path);

    const std::string& path() const { return path_; }
    /// The part that a layer belongs to, by its prefix: of text or vision, of the encoder or the decoder.
    AttentionConfig of(const std::string& prefix) const;

private:
    std::string path_;
    std::map<std::string, AttentionConfig> parts_;  ///< "" = the whole; "text", "vision", "encoder", "decoder"
};

}  // namespace headscope
