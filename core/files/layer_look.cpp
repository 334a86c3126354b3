// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/layer_look.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>

#include "core/masks/score_rule.h"

namespace headscope {
namespace {

/// The layout, and what determined it.
struct Choice {
    Layout layout;
    std::string reason;
};

class LayerLooker {
public:
    LayerLooker(const LayerContext& context, const LayerNames& names) : context_(context), names_(names) {}

    Result<LayerInfo> look(std::optional<Layout> wanted) {
        if (names_.problem) return tl::unexpected(*names_.problem);
        info_.path = context_.source.path();
        info_.title = names_.title();
        info_.family = names_.family->name;
        info_.dtype = tensor(names_.weights.front()).dtype;
        list_tensors();
        info_.scale = names_.family->scale;
        auto choice = choose(wanted);
        if (!choice) return tl::unexpected(choice.error());
        info_.layout = choice->layout;
        return check_weights()
            .and_then([this] { return read_metadata(); })
            .and_then([this] { return read_config(); })
            .map([&] {
                describe(choice->reason);
                say_what_is_missing();
                return std::move(info_);
            });
    }

private:
    template <typename... Args>
    tl::unexpected<Error> bad(const std::string& text, const Args&... args) const {
        return fail(ErrorCode::FileContent, "{}: " + text, info_.path, args...);
    }
    const TensorEntry& tensor(const std::string& name) const { return *context_.source.find(name); }
    bool has(const std::string& name) const { return context_.source.find(name) != nullptr; }
    bool separate() const { return names_.weights.size() == 3; }

    void list_tensors() {
        info_.tensors = names_.weights;
        for (const std::string& bias : names_.biases)
            if (has(bias)) info_.tensors.push_back(bias);
        info_.tensors.push_back(names_.out_weight);
        if (has(names_.out_bias)) info_.tensors.push_back(names_.out_bias);
    }

    /// The layout that the user chose, else the metadata's, else that of the tensors' names.
    Result<Choice> choose(std::optional<Layout> wanted) const {
        Choice choice{names_.family->layout, phrase("by its name")};
        bool by_name = true;
        const auto& metadata = context_.source.metadata();
        if (const auto stated = metadata.find("layout"); stated != metadata.end()) {
            const auto layout = parse_layout(stated->second);
            if (!layout)
                return bad("metadata layout is \"{}\"; interleaved, blocks, transposed or separate was expected",
                           stated->second);
            choice = {*layout, phrase("as its metadata says")};
            by_name = false;
        }
        if (wanted) {
            choice = {*wanted, phrase("as chosen")};
            by_name = false;
        }
        if (separate() != (choice.layout == Layout::Separate))
            return bad("layout {} doesn't go with {}; {}", to_string(choice.layout), names_.weights.front(),
                       separate() ? phrase("these weights are separate already")
                                  : phrase("this weight is fused: interleaved, blocks or transposed"));
        if (by_name) correct_by_shape(choice);
        return choice;
    }

    /// Two families use the names of another: nanoGPT GPT-2's for nn.Linear, ChatGLM GPT-NeoX's for blocks.
    void correct_by_shape(Choice& choice) const {
        const Shape& shape = tensor(names_.weights.front()).shape;
        if (choice.layout == Layout::Transposed && shape.size() == 2 && shape[0] > shape[1]) {
            const bool by_head = context_.config.model_type == "gpt_bigcode" && shape[0] == 3 * shape[1];
            choice = {by_head ? Layout::Interleaved : Layout::Blocks, phrase("by its name and shape")};
        }
        if (choice.layout == Layout::Interleaved && context_.config.model_type == "chatglm")
            choice = {Layout::Blocks, phrase("as its config says")};
    }

    Result<void> check_shape(const std::string& name, const Shape& expected, bool by_layout) const {
        const TensorEntry& found = tensor(name);
        if (dtype_size(found.dtype) == 0)
            return fail(ErrorCode::Unsupported, "{}: {} is of type {}; F32, F64, F16 or BF16 was expected", info_.path,
                        name, found.dtype);
        if (!is_floating(found.dtype))
            return bad("{} is of type {}; F32, F64, F16 or BF16 was expected", name, found.dtype);
        if (found.shape == expected) return {};
        if (!by_layout)
            return bad("{} has the shape {}; {} was expected", name, to_string(found.shape), to_string(expected));
        return bad("{} has the shape {}; {} was expected in layout {}", name, to_string(found.shape),
                   to_string(expected), to_string(info_.layout));
    }

    /// Takes embed_dim from the first weight; the shapes of all others must agree with it.
    Result<void> check_weights() {
        const std::string& first = names_.weights.front();
        const Shape& shape = tensor(first).shape;
        const bool transposed = info_.layout == Layout::Transposed;
        const std::int64_t e = shape.size() == 2 ? shape[transposed ? 0 : 1] : 0;
        info_.embed_dim = e;
        if (shape.size() != 2 || e < 1 || e > kLargestEmbedDim)
            return bad("{} has the shape {}; a matrix of embed_dim {} was expected", first, to_string(shape),
                       transposed ? phrase("rows") : phrase("columns"));
        if (separate() && shape[0] != e)
            return bad(
                "{} has the shape {}; {} was expected in layout {}: the heads together have another size than "
                "embed_dim, which HeadScope does not compute",
                first, to_string(shape), to_string(Shape{e, e}), to_string(info_.layout));
        const std::int64_t rows = separate()
                                      ? tensor(names_.weights[1]).shape.empty() ? 0 : tensor(names_.weights[1]).shape[0]
                                      : (shape[transposed ? 1 : 0] - e) / 2;
        // Key/value heads may be fewer than query heads; each is then shared by as many of them.
        info_.kv_dim = rows >= 1 && rows < e && e % rows == 0 ? rows : e;
        return check_parts();
    }

    Result<void> check_parts() const {
        const std::int64_t e = info_.embed_dim, k = info_.kv_dim, all = e + 2 * k;
        const auto shape_of = [&](std::size_t part) {
            const std::int64_t rows = part == 0 ? e : k;
            return separate() ? Shape{rows, e} : info_.layout == Layout::Transposed ? Shape{e, all} : Shape{all, e};
        };
        for (std::size_t part = 0; part < names_.weights.size(); ++part)
            if (auto done = check_shape(names_.weights[part], shape_of(part), true); !done) return done;
        for (std::size_t part = 0; part < names_.biases.size(); ++part) {
            const bool one = names_.biases.size() == 1;
            if (has(names_.biases[part]))
                if (auto done = check_shape(names_.biases[part], {one ? all : part == 0 ? e : k}, true); !done)
                    return done;
        }
        if (auto done = check_shape(names_.out_weight, {e, e}, false); !done) return done;
        return has(names_.out_bias) ? check_shape(names_.out_bias, {e}, false) : Result<void>();
    }

    Result<std::optional<std::int64_t>> metadata_number(const char* key) const {
        const auto& metadata = context_.source.metadata();
        const auto stated = metadata.find(key);
        if (stated == metadata.end()) return std::nullopt;
        const std::string& text = stated->second;
        std::int64_t number = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
        if (error != std::errc{} || end != text.data() + text.size() || number < 1)
            return bad("metadata {} is \"{}\"; a whole number from 1 on was expected", key, text);
        return number;
    }

    Result<void> read_metadata() {
        const auto embed_dim = metadata_number("embed_dim");
        if (!embed_dim) return tl::unexpected(embed_dim.error());
        if (*embed_dim && **embed_dim != info_.embed_dim)
            return bad("metadata embed_dim is {}, and {} has {}", **embed_dim, names_.weights.front(), info_.embed_dim);
        const auto num_heads = metadata_number("num_heads");
        if (!num_heads) return tl::unexpected(num_heads.error());
        info_.num_heads = *num_heads;
        const auto& metadata = context_.source.metadata();
        if (const auto mask = metadata.find("mask"); mask != metadata.end()) info_.mask = mask->second;
        return {};
    }

    std::string config_name() const { return std::filesystem::path(context_.config_path).filename().string(); }

    Result<void> read_config() {
        if (context_.config_path.empty()) return {};
        const AttentionConfig& config = context_.config;
        const std::string name = config_name();
        if (config.model_type == "codegen" && !separate())
            return fail(ErrorCode::Unsupported,
                        "{}: {} says model_type codegen, whose fused weights are stored in another order, which "
                        "HeadScope does not read",
                        info_.path, name);
        if (config.embed_dim && *config.embed_dim != info_.embed_dim)
            return bad("{} says embed_dim {}, and {} has {}", name, *config.embed_dim, names_.weights.front(),
                       info_.embed_dim);
        if (auto heads = read_config_heads(name); !heads) return heads;
        read_config_scale();
        if (config.causal && !info_.mask && names_.causal_buffer.empty()) {
            info_.mask = "causal";
            info_.assumptions.push_back(
                say("{} names a causal model: the mask is causal where no mask is given", name));
        }
        return {};
    }

    Result<void> read_config_heads(const std::string& name) {
        const AttentionConfig& config = context_.config;
        if (!config.num_heads) return {};
        const std::int64_t heads = *config.num_heads, e = info_.embed_dim;
        if (info_.num_heads && *info_.num_heads != heads)
            return bad("{} says num_heads {}, and the metadata {}", name, heads, *info_.num_heads);
        if (e % heads != 0)
            return bad("{} says num_heads {}, which does not divide the {} columns of {}", name, heads, e,
                       names_.weights.front());
        if (config.head_dim && *config.head_dim != e / heads)
            return bad("{} says head_dim {}, and {} heads of {} have {}", name, *config.head_dim, heads,
                       names_.weights.front(), e / heads);
        const std::int64_t shared = config.num_kv_heads.value_or(heads);
        if (shared * (e / heads) != info_.kv_dim)
            return bad("{} says {} key/value heads of {} numbers, which are {} rows, and the file has {}", name, shared,
                       e / heads, shared * (e / heads), info_.kv_dim);
        info_.num_heads = heads;
        return {};
    }

    void read_config_scale() {
        const AttentionConfig& config = context_.config;
        if (config.scale) info_.scale = config.scale;
        if (!config.scale_by_layer || !info_.num_heads) return;
        const std::int64_t head_dim = info_.embed_dim / *info_.num_heads;
        info_.scale = info_.scale.value_or(1 / std::sqrt(static_cast<double>(head_dim))) /
                      static_cast<double>(context_.number + 1);
    }

    void describe(const std::string& reason) {
        auto& assumptions = info_.assumptions;
        assumptions.insert(assumptions.begin(),
                           say("{}: {} ({})", fmt::format("{}", fmt::join(names_.weights, ", ")), meaning(), reason));
        if (info_.layout == Layout::Transposed)
            assumptions.push_back(names_.out_weight.ends_with("c_proj.weight")
                                      ? say("{} is stored as (in, out), too", names_.out_weight)
                                      : say("{} is stored as (out, in)", names_.out_weight));
        if (info_.group() > 1)
            assumptions.push_back(
                say("each key/value head serves {} query heads (grouped-query attention): its rows are repeated "
                    "for each of them, which computes the same",
                    info_.group()));
        if (info_.scale)
            assumptions.push_back(say("with scale auto, {} is used, as in this family of models", *info_.scale));
        const auto lacks = [this](const std::string& name) { return !has(name); };
        if (lacks(names_.out_bias) || std::any_of(names_.biases.begin(), names_.biases.end(), lacks))
            assumptions.push_back(say("missing biases are zeros"));
        if (!names_.causal_buffer.empty())
            assumptions.push_back(say("{} is a causal mask; it is used if no mask is given", names_.causal_buffer));
        if (!names_.fill_buffer.empty())
            assumptions.push_back(say("{} is a fill value; the one that is set here is used", names_.fill_buffer));
        if (!has("x"))
            assumptions.push_back(say("the file has no x: the vectors of typed tokens are drawn from the seed"));
        if (!names_.results.empty())
            assumptions.push_back(
                say("not read, because they are results: {}", fmt::format("{}", fmt::join(names_.results, ", "))));
    }

    const char* meaning() const {
        switch (info_.layout) {
            case Layout::Interleaved:
                return info_.group() > 1 ? phrase("rows are grouped by key/value head, [q0 q1 ... k0 v0 ...]")
                                         : phrase("rows are interleaved by head, [q0 k0 v0 q1 k1 v1 ...]");
            case Layout::Blocks:
                return phrase("rows are [Q; K; V] blocks, as in nn.MultiheadAttention");
            case Layout::Transposed:
                return phrase("columns are [Q K V] blocks, as in GPT-2");
            case Layout::Separate:
                break;
        }
        return phrase("separate projections of query, key and value");
    }

    /// The mask with the rule that computes a feature; empty if no rule does, or if the config doesn't describe all of
    /// it. Of these models' families Hugging Face rotates the two halves of a head; Meta's own Llama rotates
    /// neighbours.
    std::string mask_with_rule(const char* feature) const {
        const AttentionConfig& config = context_.config;
        constexpr std::array kHalves{"llama", "mistral", "mixtral", "qwen2", "gemma", "gemma2", "olmo", "starcoder2"};
        const bool meta = names_.weights.front().find("wq.") != std::string::npos;
        const bool halves = !meta && std::find(kHalves.begin(), kHalves.end(), config.model_type) != kHalves.end();
        const bool neighbours = meta && (config.model_type.empty() || config.model_type == "llama");
        std::optional<ScoreRule> rule;
        if (feature == kRotary && config.rope_base && (halves || neighbours))
            rule = ScoreRule{ScoreRule::Kind::Rope, *config.rope_base, neighbours};
        if (feature == kAlibi && config.model_type == "bloom") rule = ScoreRule{ScoreRule::Kind::Alibi, 2};
        if (feature == kSoftCapped && config.soft_cap) rule = ScoreRule{ScoreRule::Kind::SoftCap, *config.soft_cap};
        if (!rule || !parse_score_rule(to_string(*rule))) return {};
        return (info_.mask ? *info_.mask + "," : std::string()) + to_string(*rule);
    }

    /// What changes the attention of such models although no tensor shows it. The config takes precedence over the
    /// names.
    void say_what_is_missing() {
        const AttentionConfig& config = context_.config;
        const auto add = [this](const char* who, const char* what) {
            if (const std::string mask = mask_with_rule(what); !mask.empty()) {
                info_.not_computed.push_back(say("{} {}, which is not set; the mask {} sets it", who, what, mask));
                return;
            }
            info_.not_computed.push_back(
                say("{} {}, which is not computed: scores and weights are those without it", who, what));
        };
        const char* by_config = phrase("the config asks for");
        if (config.positions) add(by_config, config.positions);
        if (!config.positions && names_.family->feature)
            add(phrase("models with these names have"), names_.family->feature);
        for (const char* feature : config.features) add(by_config, feature);
        if (config.window)
            info_.not_computed.push_back(
                say("the config asks for a sliding window of {} tokens, which is not set; the mask causal,local:{}:0 "
                    "sets it",
                    *config.window, *config.window - 1));
    }

    const LayerContext& context_;
    const LayerNames& names_;
    LayerInfo info_;
};

}  // namespace

Result<LayerInfo> look_at_layer(const LayerContext& context, const LayerNames& names, std::optional<Layout> layout) {
    return LayerLooker(context, names).look(layout);
}

}  // namespace headscope
