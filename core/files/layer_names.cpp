// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/layer_names.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "core/base/sentence.h"

namespace headscope {
namespace {

struct Family {
    Layout layout;
    std::vector<std::string> weights, biases;
};

const std::vector<Family>& families() {
    static const std::vector<Family> list = {
        {Layout::Interleaved, {"qkv_proj.weight"}, {"qkv_proj.bias"}},
        {Layout::Interleaved, {"query_key_value.weight"}, {"query_key_value.bias"}},
        {Layout::Blocks, {"in_proj_weight"}, {"in_proj_bias"}},
        {Layout::Transposed, {"c_attn.weight"}, {"c_attn.bias"}},
        {Layout::Separate, {"query.weight", "key.weight", "value.weight"}, {"query.bias", "key.bias", "value.bias"}},
        {Layout::Separate,
         {"q_proj.weight", "k_proj.weight", "v_proj.weight"},
         {"q_proj.bias", "k_proj.bias", "v_proj.bias"}},
    };
    return list;
}

/// One occurrence of a family's first weight: "transformer.h.0.attn." + "c_attn.weight".
struct Found {
    const Family* family;
    std::string prefix;
};

/// The part of a name before `ending`, if the name ends with it after a dot or equals it.
std::optional<std::string> prefix_of(const std::string& name, const std::string& ending) {
    if (!name.ends_with(ending)) return std::nullopt;
    std::string prefix = name.substr(0, name.size() - ending.size());
    if (!prefix.empty() && prefix.back() != '.') return std::nullopt;
    return prefix;
}

/// Joins the first few names, so that the message stays short.
std::string listed(std::vector<std::string> names) {
    constexpr std::size_t most = 8;
    const std::size_t count = names.size();
    names.resize(std::min(count, most));
    return fmt::format("{}{}", fmt::join(names, ", "), count > most ? fmt::format(" and {} more", count - most) : "");
}

bool holds(const std::vector<std::string>& all, const std::string& name) {
    return std::find(all.begin(), all.end(), name) != all.end();
}

Result<Found> find_family(const std::vector<std::string>& all, const std::string& path) {
    std::vector<Found> found;
    std::vector<std::string> names;
    for (const std::string& name : all) {
        for (const Family& family : families()) {
            const auto prefix = prefix_of(name, family.weights.front());
            if (!prefix) continue;
            found.push_back({&family, *prefix});
            names.push_back(name);
        }
    }
    if (found.size() == 1) return found.front();
    if (found.size() > 1)
        return fail(ErrorCode::FileContent,
                    "{}: holds more than one attention layer ({}); a file with one of them was expected", path,
                    listed(names));
    return fail(ErrorCode::FileContent,
                "{}: holds no attention layer; qkv_proj.weight, in_proj_weight, c_attn.weight, query_key_value.weight, "
                "query/key/value or q_proj/k_proj/v_proj was expected, and it holds {}",
                path, all.empty() ? phrase("nothing") : listed(all));
}

/// Finds the output projection beside the others; BERT puts it into a module next to theirs.
std::optional<std::string> find_out(const std::vector<std::string>& all, const std::string& prefix) {
    std::vector<std::string> modules;
    for (const char* name : {"out_proj", "c_proj", "o_proj", "dense"}) modules.push_back(prefix + name);
    if (!prefix.empty()) {
        const auto dot = prefix.rfind('.', prefix.size() - 2);
        modules.push_back((dot == std::string::npos ? "" : prefix.substr(0, dot + 1)) + "output.dense");
    }
    for (const auto& module : modules)
        if (holds(all, module + ".weight")) return module;
    return std::nullopt;
}

/// True for a tensor at the top level that records the layer's input or a result, as this program's exports do.
bool is_recorded(std::string_view name) {
    static constexpr std::array<std::string_view, 15> names = {
        "x",         "lengths", "qkv",          "q",      "k",     "v", "scores", "mask", "masked", "weights",
        "attention", "context", "head_context", "concat", "output"};
    constexpr std::string_view exact = "exact_";
    if (name.starts_with(exact)) name.remove_prefix(exact.size());
    return std::find(names.begin(), names.end(), name) != names.end();
}

/// Sorts every other tensor: it belongs to the attention if its name has the prefix or that of the output projection.
Result<void> sort_others(const std::vector<std::string>& all, const std::string& prefix, const std::string& out,
                         const std::string& path, LayerNames& names) {
    std::vector<std::string> used = names.weights;
    used.insert(used.end(), names.biases.begin(), names.biases.end());
    used.insert(used.end(), {names.out_weight, names.out_bias});
    std::vector<std::string> unknown;
    for (const std::string& name : all) {
        if (holds(used, name)) continue;
        if (is_recorded(name)) {
            if (name != "x" && name != "lengths") names.results.push_back(name);
        } else if (name == prefix + "bias") {
            names.causal_buffer = name;
        } else if (name == prefix + "masked_bias") {
            names.fill_buffer = name;
        } else if (name.starts_with(prefix) || name.starts_with(out + ".")) {
            unknown.push_back(name);
        }
    }
    if (unknown.empty()) return {};
    return fail(ErrorCode::Unsupported,
                "{}: the attention has {}, which HeadScope does not compute with; a layer of the projections alone was "
                "expected",
                path, fmt::format("{}", fmt::join(unknown, ", ")));
}

}  // namespace

std::vector<std::string> LayerNames::to_load() const {
    std::vector<std::string> names = {"x", "lengths", out_weight, out_bias};
    names.insert(names.end(), weights.begin(), weights.end());
    names.insert(names.end(), biases.begin(), biases.end());
    for (const std::string& buffer : {causal_buffer, fill_buffer})
        if (!buffer.empty()) names.push_back(buffer);
    return names;
}

Result<LayerNames> find_layer_names(const std::vector<std::string>& all, const std::string& path) {
    const auto found = find_family(all, path);
    if (!found) return tl::unexpected(found.error());
    const auto& [family, prefix] = *found;
    LayerNames names;
    names.layout = family->layout;
    for (const auto& weight : family->weights) {
        names.weights.push_back(prefix + weight);
        if (!holds(all, names.weights.back()))
            return fail(ErrorCode::FileContent, "{}: {} is there, but {} isn't; query, key and value were expected",
                        path, names.weights.front(), names.weights.back());
    }
    for (const auto& bias : family->biases) names.biases.push_back(prefix + bias);
    const auto out = find_out(all, prefix);
    if (!out)
        return fail(ErrorCode::FileContent, "{}: {} is there, but no output projection; {}out_proj.weight was expected",
                    path, names.weights.front(), prefix);
    names.out_weight = *out + ".weight";
    names.out_bias = *out + ".bias";
    names.out_turned_by_name = out->ends_with("c_proj");
    if (auto sorted = sort_others(all, prefix, *out, path, names); !sorted) return tl::unexpected(sorted.error());
    return names;
}

}  // namespace headscope
