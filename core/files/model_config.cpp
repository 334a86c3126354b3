// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/model_config.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "core/files/input_file.h"
#include "core/files/json.h"
#include "core/files/layer_families.h"

namespace headscope {
namespace {

using nlohmann::json;
using Keys = std::vector<const char*>;

/// Reads one object of a configuration.
class PartReader {
public:
    PartReader(const json& object, const std::string& path) : object_(object), path_(path) {}

    Result<AttentionConfig> read() {
        AttentionConfig config;
        config.model_type = text("model_type");
        const std::pair<std::optional<std::int64_t>*, Keys> numbers[] = {
            {&config.embed_dim, {"hidden_size", "n_embd", "d_model", "dim", "embed_dim"}},
            {&config.num_heads, {"num_attention_heads", "n_head", "num_heads", "n_heads"}},
            {&config.num_kv_heads,
             {"num_key_value_heads", "num_kv_heads", "n_kv_heads", "n_head_kv", "multi_query_group_num"}},
            {&config.head_dim, {"head_dim", "d_kv"}},
            {&config.num_layers, {"num_hidden_layers", "n_layer", "num_layers", "n_layers"}},
            {&config.window, {"sliding_window"}},
        };
        for (const auto& [into, keys] : numbers) {
            auto found = number(keys);
            if (!found) return tl::unexpected(found.error());
            *into = *found;
        }
        if (is("use_sliding_window", false)) config.window.reset();
        read_shared_heads(config);
        read_scale(config);
        read_features(config);
        return config;
    }

    /// The same with the numbers of heads and layers that an encoder or a decoder has ("encoder_attention_heads").
    Result<AttentionConfig> read(const AttentionConfig& whole, const std::string& stack) {
        AttentionConfig config = whole;
        const std::string heads = stack + "_attention_heads", layers = stack + "_layers";
        const std::pair<std::optional<std::int64_t>*, const std::string*> numbers[] = {{&config.num_heads, &heads},
                                                                                       {&config.num_layers, &layers}};
        for (const auto& [into, key] : numbers) {
            auto found = number({key->c_str()});
            if (!found) return tl::unexpected(found.error());
            if (*found) *into = *found;
        }
        if (is("is_encoder_decoder", true)) config.causal = stack == "decoder";
        return config;
    }

private:
    const json* find(const char* key) const {
        const auto at = object_.find(key);
        return at == object_.end() || at->is_null() ? nullptr : &*at;
    }
    bool is(const char* key, bool value) const {
        const json* at = find(key);
        return at && at->is_boolean() && at->get<bool>() == value;
    }
    std::string text(const char* key) const {
        const json* at = find(key);
        return at && at->is_string() ? at->get<std::string>() : std::string();
    }

    /// The first of the keys that is there; FileContent if it is not a whole number from 1 on. A list, which some
    /// models have for layers of several sizes, says nothing about one of them.
    Result<std::optional<std::int64_t>> number(const Keys& keys) const {
        for (const char* key : keys) {
            const json* at = find(key);
            if (!at || at->is_array() || at->is_boolean()) continue;
            const bool whole = at->is_number_unsigned() && at->get<std::uint64_t>() >= 1 &&
                               std::in_range<std::int32_t>(at->get<std::uint64_t>());
            if (!whole)
                return fail(ErrorCode::FileContent, "{}: {} is {}; a whole number from 1 on was expected", path_, key,
                            at->dump(-1, ' ', false, json::error_handler_t::replace));
            return static_cast<std::int64_t>(at->get<std::uint64_t>());
        }
        return std::nullopt;
    }

    std::optional<double> real(const char* key) const {
        const json* at = find(key);
        return at && at->is_number() ? std::optional(at->get<double>()) : std::nullopt;
    }

    /// Falcon and StarCoder have keys of their own for the number of key/value heads.
    void read_shared_heads(AttentionConfig& config) const {
        const std::string& type = config.model_type;
        const bool falcon = type == "falcon" || type == "RefinedWeb" || type == "RefinedWebModel";
        if (falcon && !is("new_decoder_architecture", true))
            config.num_kv_heads = is("multi_query", false) ? config.num_heads : 1;
        if (type == "gpt_bigcode" && !is("multi_query", false)) config.num_kv_heads = 1;
    }

    void read_scale(AttentionConfig& config) const {
        if (is("scale_attn_weights", false)) config.scale = 1;
        if (const auto scalar = real("query_pre_attn_scalar"); scalar && *scalar > 0)
            config.scale = 1 / std::sqrt(*scalar);
        if (const auto multiplier = real("attention_multiplier")) config.scale = *multiplier;
        config.scale_by_layer = is("scale_attn_by_inverse_layer_idx", true);
    }

    void read_features(AttentionConfig& config) const {
        static constexpr std::array rotary = {"rope_theta", "rope_scaling",    "rope_parameters",       "rotary_dim",
                                              "rotary_pct", "rotary_emb_base", "partial_rotary_factor", "rotary",
                                              "rope_ratio"};
        const bool turns =
            std::any_of(rotary.begin(), rotary.end(), [this](const char* key) { return find(key) && !is(key, false); });
        const std::string& type = config.model_type;
        if (is("alibi", true) || type == "bloom" || type == "mpt") {
            config.positions = kAlibi;
        } else if (turns || type == "falcon" || text("position_embedding_type") == "rotary") {
            config.positions = kRotary;
        }
        const auto keys = std::count_if(rotary.begin(), rotary.end(), [this](const char* key) { return find(key); });
        if (config.positions == kRotary && keys == 1) config.rope_base = real("rope_theta");
        config.soft_cap = real("attn_logit_softcapping");
        if (find("attn_logit_softcapping")) config.features.push_back(kSoftCapped);
        if (find("clip_qkv")) config.features.push_back(phrase("clipped q, k and v"));
        config.causal = is("is_decoder", true) || names_causal_model();
    }

    bool names_causal_model() const {
        const json* list = find("architectures");
        if (!list || !list->is_array() || is("is_encoder_decoder", true)) return false;
        return std::any_of(list->begin(), list->end(), [](const json& name) {
            if (!name.is_string()) return false;
            const auto& text = name.get_ref<const std::string&>();
            return text.find("ForCausalLM") != std::string::npos || text == "GPT2LMHeadModel";
        });
    }

    const json& object_;
    const std::string& path_;
};

}  // namespace

Result<ModelConfig> ModelConfig::read(const std::string& path) {
    const auto bytes = InputFile::read_all(path, FileKind::Json);
    if (!bytes) return tl::unexpected(bytes.error());
    const auto parsed = parse_json({reinterpret_cast<const char*>(bytes->data()), bytes->size()}, path);
    if (!parsed) return tl::unexpected(parsed.error());
    if (!parsed->is_object())
        return fail(ErrorCode::FileContent, "{}: a JSON object of the model's settings was expected", path);
    ModelConfig config;
    config.path_ = path;
    auto whole = PartReader(*parsed, path).read();
    if (!whole) return tl::unexpected(whole.error());
    for (const std::string stack : {"encoder", "decoder"}) {
        auto part = PartReader(*parsed, path).read(*whole, stack);
        if (!part) return tl::unexpected(part.error());
        config.parts_[stack] = std::move(*part);
    }
    for (const std::string name : {"text", "vision"}) {
        const auto object = parsed->find(name + "_config");
        if (object == parsed->end() || !object->is_object()) continue;
        auto part = PartReader(*object, path).read();
        if (!part) return tl::unexpected(part.error());
        config.parts_[name] = std::move(*part);
    }
    config.parts_[""] = std::move(*whole);
    return config;
}

AttentionConfig ModelConfig::of(const std::string& prefix) const {
    const auto has = [&](const char* word) { return prefix.find(word) != std::string::npos; };
    const auto part = [&](const char* name) {
        const auto found = parts_.find(name);
        return found == parts_.end() ? AttentionConfig() : found->second;
    };
    const bool parts = parts_.contains("text") || parts_.contains("vision");
    if (parts && (has("vision") || has("visual"))) return part("vision");
    if (parts) return part(parts_.contains("text") ? "text" : "");  // some have the text's settings at the top
    if (has("encoder.") && !has("decoder.")) return part("encoder");
    if (has("decoder.") && !has("encoder.")) return part("decoder");
    return part("");
}

}  // namespace headscope
