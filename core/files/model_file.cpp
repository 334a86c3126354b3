// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/model_file.h"

#include <algorithm>
#include <charconv>

namespace headscope {
namespace {

/// A text that is a whole number, and nothing else.
std::optional<std::size_t> whole_number(const std::string& text) {
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc{} && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

/// The place of a layer by its title, with or without a last dot, or by its number.
std::optional<std::size_t> place_of(const std::vector<std::string>& titles, const std::string& choice) {
    const auto named = std::find_if(titles.begin(), titles.end(),
                                    [&](const std::string& title) { return choice == title || choice == title + "."; });
    if (named != titles.end()) return static_cast<std::size_t>(named - titles.begin());
    const auto number = whole_number(choice);
    return number && *number < titles.size() ? number : std::nullopt;
}

/// The number of a layer in its model: the last in its names, else its place in the file.
std::size_t number_of(const LayerNames& layer, std::size_t place) {
    std::size_t number = place, begin = 0;
    while (begin < layer.prefix.size()) {
        const auto dot = std::min(layer.prefix.find('.', begin), layer.prefix.size());
        if (const auto found = whole_number(layer.prefix.substr(begin, dot - begin))) number = *found;
        begin = dot + 1;
    }
    return number;
}

}  // namespace

Result<ModelFile> ModelFile::open(const std::string& path) {
    auto source = TensorSource::open(path);
    if (!source) return tl::unexpected(source.error());
    ModelFile file(std::move(*source));
    if (const std::string& config = file.source_.config_path(); !config.empty()) {
        auto read = ModelConfig::read(config);
        if (!read) return tl::unexpected(read.error());
        file.config_ = std::move(*read);
    }
    file.layers_ = find_layers(file.source_.names(), path);
    return file;
}

Result<std::size_t> ModelFile::find(const std::string& choice) const {
    const std::string& path = source_.path();
    if (layers_.empty()) return tl::unexpected(no_layer(source_.names(), path));
    if (choice.empty() && layers_.size() == 1) return 0;
    const std::size_t last = layers_.size() - 1;
    if (choice.empty())
        return fail(ErrorCode::InvalidValue,
                    "{}: holds more than one attention layer, from {} to {}; a file with one of them was expected",
                    path, layers_.front().weights.front(), layers_.back().weights.front());
    std::vector<std::string> titles;
    for (const LayerNames& layer : layers_) titles.push_back(layer.title());
    if (const auto place = place_of(titles, choice)) return *place;
    return fail(ErrorCode::InvalidValue,
                "layer is '{}'; the layers of {} are numbered from 0 ({}) to {} ({}), and their names can be given too",
                choice, path, layers_.front().title(), last, layers_.back().title());
}

Result<LayerInfo> ModelFile::look(std::size_t layer, std::optional<Layout> layout) const {
    const LayerNames& names = layers_[layer];
    const auto number = static_cast<std::int64_t>(number_of(names, layer));
    if (!config_) return look_at_layer({source_, {}, {}, number}, names, layout);
    return look_at_layer({source_, config_->of(names.prefix), config_->path(), number}, names, layout);
}

ModelLayers ModelFile::list() const {
    ModelLayers list;
    for (std::size_t n = 0; n < layers_.size(); ++n)
        list.push_back({layers_[n].title(), layers_[n].family->name, look(n, std::nullopt)});
    return list;
}

std::optional<std::size_t> find_layer(const ModelLayers& layers, const std::string& choice) {
    std::vector<std::string> titles;
    for (const ListedLayer& layer : layers) titles.push_back(layer.title);
    return place_of(titles, choice);
}

Result<ModelLayersPtr> list_layers(const std::string& path) {
    return ModelFile::open(path).map(
        [](const ModelFile& file) { return std::make_shared<const ModelLayers>(file.list()); });
}

}  // namespace headscope
