// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/files/layer_info.h"

namespace headscope {

/// A layer of a file, as a list of all of them shows it.
struct ListedLayer {
    std::string title;       ///< LayerInfo::title
    std::string family;      ///< of the names
    Result<LayerInfo> info;  ///< or why the layer can't be computed
};
using ModelLayers = std::vector<ListedLayer>;
using ModelLayersPtr = std::shared_ptr<const ModelLayers>;

/// The place of a layer by its number, its title, or its prefix with the last dot; nothing if there is none.
std::optional<std::size_t> find_layer(const ModelLayers& layers, const std::string& choice);

/// The attention layers of a file or folder, in their order, without reading any of them. Errors: those of
/// ModelFile::open().
Result<ModelLayersPtr> list_layers(const std::string& path);

}  // namespace headscope
