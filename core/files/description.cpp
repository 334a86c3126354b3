// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/description.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>

#include "core/base/memory.h"

namespace headscope {
namespace {

using json = nlohmann::ordered_json;

std::string counted(std::uint64_t count, const char* one, const char* many) {
    return fmt::format("{} {}", count, count == 1 ? one : many);
}

/// "0 to 3, 7"
std::string ranges(const std::vector<std::size_t>& numbers) {
    std::string text;
    for (std::size_t first = 0, last = 0; first < numbers.size(); first = last + 1) {
        last = first;
        while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
        if (!text.empty()) text += ", ";
        text += fmt::format("{}", numbers[first]);
        if (last > first) text += (last == first + 1 ? ", " : " to ") + std::to_string(numbers[last]);
    }
    return text;
}

std::string replaced(std::string text, const std::string& part, const std::string& by) {
    for (std::size_t at = 0; !part.empty() && (at = text.find(part, at)) != std::string::npos; at += by.size())
        text.replace(at, part.size(), by);
    return text;
}

json number_or_null(const std::optional<std::int64_t>& number) {
    return number ? json(*number) : json();
}

std::optional<std::int64_t> head_dim(const LayerInfo& layer) {
    return layer.num_heads && check_heads(layer, *layer.num_heads) ? std::optional(layer.embed_dim / *layer.num_heads)
                                                                   : std::nullopt;
}

std::optional<std::int64_t> kv_heads(const LayerInfo& layer) {
    return layer.num_heads ? std::optional(*layer.num_heads / layer.group()) : std::nullopt;
}

json texts(const std::vector<Sentence>& sentences) {
    json list = json::array();
    for (const Sentence& sentence : sentences) list.push_back(sentence.str());
    return list;
}

json layer_json(const LayerInfo& layer) {
    return {{"embed_dim", layer.embed_dim},
            {"num_heads", number_or_null(layer.num_heads)},
            {"num_key_value_heads", number_or_null(kv_heads(layer))},
            {"head_dim", number_or_null(head_dim(layer))},
            {"layout", std::string(to_string(layer.layout))},
            {"dtype", layer.dtype},
            {"scale", layer.scale ? json(*layer.scale) : json("auto")},
            {"mask", layer.mask ? json(*layer.mask) : json()},
            {"assumed", texts(layer.assumptions)},
            {"not_computed", texts(layer.not_computed)}};
}

/// The tensors that a program recorded beside the layers, and their shapes.
std::vector<const TensorEntry*> recorded(const TensorSource& source) {
    std::vector<const TensorEntry*> entries;
    for (const char* name : {"x", "attention", "weights", "scores", "output"})
        if (const TensorEntry* entry = source.find(name)) entries.push_back(entry);
    return entries;
}

/// Paragraphs of sentences, each with the numbers of the layers that it holds for.
class Paragraph {
public:
    void add(const std::string& sentence, std::size_t layer) {
        const auto found =
            std::find_if(lines_.begin(), lines_.end(), [&](const auto& line) { return line.first == sentence; });
        if (found == lines_.end()) {
            lines_.push_back({sentence, {layer}});
        } else {
            found->second.push_back(layer);
        }
    }
    std::string text(const char* title, bool numbered) const {
        std::string text;
        for (const auto& [sentence, layers] : lines_)
            text += numbered ? fmt::format("  {}: {}\n", ranges(layers), sentence) : fmt::format("  {}\n", sentence);
        return text.empty() ? text : fmt::format("{}\n{}", title, text);
    }

private:
    std::vector<std::pair<std::string, std::vector<std::size_t>>> lines_;
};

}  // namespace

Result<Description> Description::of(const std::string& path, const std::string& layer) {
    auto opened = ModelFile::open(path);
    if (!opened) return tl::unexpected(opened.error());
    Description description(std::move(*opened));
    const ModelFile& file = description.file_;
    std::vector<std::size_t> numbers(file.layers().size());
    for (std::size_t n = 0; n < numbers.size(); ++n) numbers[n] = n;
    if (!layer.empty()) {
        const auto found = file.find(layer);
        if (!found) return tl::unexpected(found.error());
        numbers = {*found};
    }
    for (const std::size_t number : numbers) {
        const LayerNames& names = file.layers()[number];
        description.layers_.push_back(
            {number, names.title(), names.prefix, names.family->name, file.look(number, std::nullopt)});
    }
    return description;
}

std::string Description::line_of(const Layer& layer) const {
    std::string line = fmt::format("  {:>3}  {}  {}", layer.number, layer.title, layer.family);
    if (!layer.info) return line + ", refused";
    const LayerInfo& info = *layer.info;
    line += fmt::format(", {}, embed_dim {}", to_string(info.layout), info.embed_dim);
    if (!info.num_heads) {
        line += ", num_heads not given";
        if (info.group() > 1) line += fmt::format(", {} query heads per key/value head", info.group());
    } else {
        line += fmt::format(", {}", counted(static_cast<std::uint64_t>(*info.num_heads), "head", "heads"));
        if (info.group() > 1) line += fmt::format(", {} key/value heads", *kv_heads(info));
        if (const auto width = head_dim(info)) line += fmt::format(", head_dim {}", *width);
    }
    return line + fmt::format(", {}", info.dtype);
}

std::string Description::without_file(const std::string& sentence) const {
    const std::string start = one_line(file_.source().path()) + ": ";
    return sentence.starts_with(start) ? sentence.substr(start.size()) : sentence;
}

/// Without the file's name and the layer's prefix, so that the same sentence is printed once for all layers.
std::string Description::without_place(const std::string& sentence, const Layer& layer) const {
    const std::string plain = without_file(sentence);
    return layer.prefix.empty() ? plain : replaced(plain, layer.prefix, "");
}

std::string Description::text() const {
    const TensorSource& source = file_.source();
    std::string text = fmt::format("{}: {} {}, {}, {}\n", one_line(source.path()),
                                   counted(source.files(), source.is_npz() ? "npz" : "safetensors", "safetensors"),
                                   source.files() == 1 ? "file" : "files", format_bytes(source.bytes()),
                                   counted(source.names().size(), "tensor", "tensors"));
    if (file_.config()) {
        const AttentionConfig config = file_.config()->of("");
        text += fmt::format("{}: {}", std::filesystem::path(file_.config()->path()).filename().string(),
                            config.model_type.empty() ? "no model_type" : one_line(config.model_type));
        const std::pair<const char*, std::optional<std::int64_t>> numbers[] = {
            {"layers", config.num_layers},
            {"embed_dim", config.embed_dim},
            {"heads", config.num_heads},
            {"key/value heads", config.num_kv_heads}};
        for (const auto& [name, number] : numbers)
            if (number) text += fmt::format(", {} {}", name, *number);
        text += "\n";
    }
    text += fmt::format("attention layers: {}\n", file_.layers().size());
    if (file_.layers().empty() && !source.find("attention"))
        text += fmt::format("  {}\n", without_file(no_layer(source.names(), source.path()).message()));
    Paragraph assumed, not_computed, refused;
    for (const Layer& layer : layers_) {
        text += one_line(line_of(layer)) + "\n";
        const auto add = [&](Paragraph& into, const std::string& sentence) {
            into.add(one_line(without_place(sentence, layer)), layer.number);
        };
        if (!layer.info) {
            add(refused, layer.info.error().message());
            continue;
        }
        for (const Sentence& sentence : layer.info->assumptions) add(assumed, sentence.str());
        for (const Sentence& sentence : layer.info->not_computed) add(not_computed, sentence.str());
    }
    const bool numbered = file_.layers().size() > 1;
    text += assumed.text("assumed", numbered) + not_computed.text("not computed", numbered) +
            refused.text("refused", numbered);
    for (const TensorEntry* entry : recorded(source))
        text += one_line(fmt::format("recorded: {} {} {}", entry->name, to_string(entry->shape), entry->dtype)) + "\n";
    return text;
}

std::string Description::json() const {
    using Json = nlohmann::ordered_json;
    const TensorSource& source = file_.source();
    Json object{{"file", source.path()},
                {"format", source.is_npz() ? "npz" : "safetensors"},
                {"files", source.files()},
                {"bytes", source.bytes()},
                {"tensors", source.names().size()}};
    if (file_.config()) {
        const AttentionConfig config = file_.config()->of("");
        object["config"] = {{"file", file_.config()->path()},
                            {"model_type", config.model_type},
                            {"num_layers", number_or_null(config.num_layers)},
                            {"embed_dim", number_or_null(config.embed_dim)},
                            {"num_heads", number_or_null(config.num_heads)},
                            {"num_key_value_heads", number_or_null(config.num_kv_heads)}};
    }
    object["layers"] = Json::array();
    for (const Layer& layer : layers_) {
        Json one{{"number", layer.number}, {"name", layer.title}, {"prefix", layer.prefix}, {"family", layer.family}};
        if (layer.info) {
            one.update(layer_json(*layer.info));
        } else {
            one["refused"] = layer.info.error().message();
        }
        object["layers"].push_back(std::move(one));
    }
    object["recorded"] = Json::object();
    for (const TensorEntry* entry : recorded(source)) object["recorded"][entry->name] = entry->shape;
    return object.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace headscope
