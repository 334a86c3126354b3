// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/layer_names.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "core/base/sentence.h"

namespace headscope {
namespace {

/// The names of a file's tensors, sorted.
class Names {
public:
    explicit Names(std::vector<std::string> all) : all_(std::move(all)) { std::sort(all_.begin(), all_.end()); }

    const std::vector<std::string>& all() const { return all_; }
    bool hold(const std::string& name) const { return std::binary_search(all_.begin(), all_.end(), name); }
    std::vector<std::string> beginning_with(const std::string& prefix) const {
        std::vector<std::string> found;
        for (auto at = std::lower_bound(all_.begin(), all_.end(), prefix); at != all_.end() && at->starts_with(prefix);
             ++at)
            found.push_back(*at);
        return found;
    }

private:
    std::vector<std::string> all_;
};

/// The part of a name before `ending`, if the name ends with it after a dot or equals it.
std::optional<std::string> prefix_of(const std::string& name, const std::string& ending) {
    if (!name.ends_with(ending)) return std::nullopt;
    std::string prefix = name.substr(0, name.size() - ending.size());
    if (!prefix.empty() && prefix.back() != '.') return std::nullopt;
    return prefix;
}

/// "layers.0.attn." as {"layers", "0", "attn"}.
std::vector<std::string> modules_of(std::string_view prefix) {
    std::vector<std::string> modules;
    while (!prefix.empty()) {
        const auto dot = prefix.find('.');
        modules.emplace_back(prefix.substr(0, dot));
        prefix.remove_prefix(dot == std::string_view::npos ? prefix.size() : dot + 1);
    }
    return modules;
}

bool is_number(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// Whether a prefix ends with the modules of LayerFamily::within.
bool ends_within(const std::string& prefix, const std::string& within) {
    const auto modules = modules_of(prefix), wanted = modules_of(within);
    return modules.size() >= wanted.size() &&
           std::equal(wanted.rbegin(), wanted.rend(), modules.rbegin(), [](const auto& want, const auto& module) {
               return want == "#" ? is_number(module) : want == module;
           });
}

/// "layers.0." of "layers.0.attn."
std::string parent_of(const std::string& prefix) {
    if (prefix.empty()) return {};
    const auto dot = prefix.rfind('.', prefix.size() - 2);
    return dot == std::string::npos ? "" : prefix.substr(0, dot + 1);
}

/// The module of an output projection (LayerFamily::out), if the file holds its weight.
std::optional<std::string> find_out(const Names& names, const std::string& prefix, const std::string& out) {
    constexpr std::string_view beside = "../";
    const std::string module = out.starts_with(beside) ? parent_of(prefix) + out.substr(beside.size()) : prefix + out;
    return names.hold(module + ".weight") ? std::optional(module) : std::nullopt;
}

/// Joins the first few names, so that the message stays short.
std::string listed(std::vector<std::string> names) {
    constexpr std::size_t most = 8;
    const std::size_t count = names.size();
    names.resize(std::min(count, most));
    return fmt::format("{}{}", fmt::join(names, ", "), count > most ? fmt::format(" and {} more", count - most) : "");
}

Error not_computed(const std::vector<std::string>& unknown, const std::string& path) {
    return fail(ErrorCode::Unsupported,
                "{}: the attention has {}, which HeadScope does not compute with; a layer of the projections alone was "
                "expected",
                path, fmt::format("{}", fmt::join(unknown, ", ")))
        .value();
}

/// True if the keys of this attention come from another sequence: by the names of its modules, or because a
/// self-attention lies beside it.
bool is_cross(const Names& names, const std::string& prefix) {
    static constexpr std::array<std::string_view, 5> cross = {"EncDecAttention", "encoder_attn", "cross_attn",
                                                              "crossattention", "cross_attention"};
    const auto modules = modules_of(prefix);
    for (const std::string& module : modules)
        if (std::find(cross.begin(), cross.end(), module) != cross.end()) return true;
    const auto has_beside = [&](const char* module, const char* self) {
        return !modules.empty() && modules.back() == module &&
               !names.beginning_with(parent_of(prefix) + self + ".").empty();
    };
    return has_beside("multihead_attn", "self_attn") || has_beside("attn2", "attn1");
}

/// T5's relative position bias, which lies in the first layer of a stack and is added in all of them.
std::optional<std::string> shared_bias(const Names& names, const std::string& prefix) {
    const std::string stack = prefix.substr(0, std::min(prefix.find("block."), prefix.size()));
    for (const std::string& name : names.beginning_with(stack))
        if (name.ends_with("SelfAttention.relative_attention_bias.weight")) return name;
    return std::nullopt;
}

/// One layer and its names, while they are being collected.
class Collector {
public:
    Collector(const Names& names, const LayerFamily& family, std::string prefix, const std::string& path)
        : names_(names), path_(path) {
        layer_.family = &family;
        layer_.prefix = std::move(prefix);
    }

    LayerNames collect(const std::optional<std::string>& out) {
        for (const auto& weight : layer_.family->weights) layer_.weights.push_back(layer_.prefix + weight);
        for (const auto& bias : layer_.family->biases) layer_.biases.push_back(layer_.prefix + bias);
        if (out) {
            layer_.out_weight = *out + ".weight";
            layer_.out_bias = *out + ".bias";
        }
        sort_others(out);
        if (auto error = fault(out)) layer_.problem = std::move(error);
        return std::move(layer_);
    }

private:
    /// What is wrong with the layer as a whole, reported instead of an unknown tensor.
    std::optional<Error> fault(const std::optional<std::string>& out) const {
        if (is_cross(names_, layer_.prefix))
            return fail(ErrorCode::Unsupported,
                        "{}: {} is cross-attention: its keys come from another sequence, which HeadScope does not "
                        "compute with; self-attention was expected",
                        path_, layer_.title())
                .value();
        for (const std::string& weight : layer_.weights)
            if (!names_.hold(weight))
                return fail(ErrorCode::FileContent, "{}: {} was found, but not {}; query, key and value were expected",
                            path_, layer_.weights.front(), weight)
                    .value();
        if (!out)
            return fail(ErrorCode::FileContent,
                        "{}: {} was found, but no output projection; {}out_proj.weight was expected", path_,
                        layer_.weights.front(), layer_.prefix)
                .value();
        return std::nullopt;
    }

    /// Sorts every other tensor: it belongs to the attention if its name has the prefix or that of the output
    /// projection.
    void sort_others(const std::optional<std::string>& out) {
        std::vector<std::string> unknown;
        for (const std::string& name : names_.beginning_with(layer_.prefix)) sort(name, unknown);
        if (out && !out->starts_with(layer_.prefix))
            for (const std::string& name : names_.beginning_with(*out + ".")) sort(name, unknown);
        if (layer_.weights.front().ends_with("SelfAttention.q.weight"))
            if (const auto bias = shared_bias(names_, layer_.prefix);
                bias && std::find(unknown.begin(), unknown.end(), *bias) == unknown.end())
                unknown.push_back(*bias);
        if (!unknown.empty()) layer_.problem = not_computed(unknown, path_);
    }

    void sort(const std::string& name, std::vector<std::string>& unknown) {
        const auto is = [&](const std::vector<std::string>& list) {
            return std::find(list.begin(), list.end(), name) != list.end();
        };
        const auto& after = layer_.family->after;
        if (is(layer_.weights) || is(layer_.biases) || name == layer_.out_weight || name == layer_.out_bias) return;
        if (is_recorded(name)) {
            static constexpr std::array<std::string_view, 4> read = {"x", "lengths", "num_heads", "embed_dim"};
            if (std::find(read.begin(), read.end(), name) == read.end()) layer_.results.push_back(name);
        } else if (name == layer_.prefix + "bias") {
            layer_.causal_buffer = name;
        } else if (name == layer_.prefix + "masked_bias") {
            layer_.fill_buffer = name;
        } else if (std::none_of(after.begin(), after.end(),
                                [&](const auto& part) { return name.starts_with(layer_.prefix + part); })) {
            unknown.push_back(name);
        }
    }

    const Names& names_;
    const std::string& path_;
    LayerNames layer_;
};

/// The layer whose first weight is `name`, of the first family all of whose names match; else of one that has other
/// names for its output projection.
std::optional<LayerNames> layer_at(const Names& names, const std::string& name, const std::string& path) {
    const LayerFamily* likely = nullptr;
    for (const LayerFamily& family : layer_families()) {
        const auto prefix = prefix_of(name, family.weights.front());
        if (!prefix || (!family.within.empty() && !ends_within(*prefix, family.within))) continue;
        if (const auto out = find_out(names, *prefix, family.out))
            return Collector(names, family, *prefix, path).collect(out);
        if (!likely) likely = &family;
    }
    if (!likely) return std::nullopt;
    const std::string prefix = *prefix_of(name, likely->weights.front());
    std::optional<std::string> out;
    for (const char* module : {"out_proj", "c_proj", "o_proj", "dense", "../output.dense"})
        if (!out) out = find_out(names, prefix, module);
    return Collector(names, *likely, prefix, path).collect(out);
}

/// Orders texts by the numbers in them: layers.2 before layers.10.
bool by_numbers(std::string_view a, std::string_view b) {
    const auto modules = modules_of(a), others = modules_of(b);
    const auto before = [](const std::string& left, const std::string& right) {
        const bool number = is_number(left);
        if (number != is_number(right)) return number;
        return number && left.size() != right.size() ? left.size() < right.size() : left < right;
    };
    return std::lexicographical_compare(modules.begin(), modules.end(), others.begin(), others.end(), before);
}

}  // namespace

bool is_recorded(std::string_view name) {
    static constexpr std::array<std::string_view, 18> names = {
        "x",         "lengths",   "qkv",          "q",      "k",
        "v",         "scores",    "mask",         "masked", "weights",
        "attention", "context",   "head_context", "concat", "output",
        "tokens",    "num_heads", "embed_dim"};
    constexpr std::string_view exact = "exact_";
    if (name.starts_with(exact)) name.remove_prefix(exact.size());
    return std::find(names.begin(), names.end(), name) != names.end();
}

std::string LayerNames::title() const {
    return prefix.empty() ? phrase("(top level)") : prefix.substr(0, prefix.size() - 1);
}

std::vector<LayerNames> find_layers(std::vector<std::string> all, const std::string& path) {
    const Names names(std::move(all));
    std::vector<LayerNames> layers;
    for (const std::string& name : names.all())
        if (auto layer = layer_at(names, name, path)) layers.push_back(std::move(*layer));
    std::stable_sort(layers.begin(), layers.end(),
                     [](const LayerNames& a, const LayerNames& b) { return by_numbers(a.prefix, b.prefix); });
    return layers;
}

Error no_layer(const std::vector<std::string>& all, const std::string& path) {
    static constexpr std::array<std::string_view, 6> signs = {".lora_",         ".base_layer.",  ".qweight",
                                                              ".weight_packed", ".weight_scale", ".quant_map"};
    for (const std::string& name : all)
        for (const std::string_view sign : signs)
            if (name.find(sign) != std::string::npos)
                return fail(
                           ErrorCode::Unsupported,
                           "{}: holds no attention layer of plain weights; it has {}, which HeadScope does not compute "
                           "with: merge LoRA, or save quantised weights in a floating-point type",
                           path, name)
                    .value();
    return fail(ErrorCode::FileContent,
                "{}: holds no attention layer; qkv_proj.weight, in_proj_weight, c_attn.weight, query_key_value.weight, "
                "query/key/value, q_proj/k_proj/v_proj or the names of another known family were expected, and it "
                "holds {}",
                path, all.empty() ? phrase("nothing") : listed(all))
        .value();
}

}  // namespace headscope
