// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/files/layer_look.h"
#include "core/files/model_layers.h"

namespace headscope {

/// A file or a folder with one or more attention layers, of which nothing but names, shapes and settings was read.
class ModelFile {
public:
    /// Errors: those of TensorSource::open() and ModelConfig::read(); no_layer() is one of layer().
    static Result<ModelFile> open(const std::string& path);

    const std::vector<LayerNames>& layers() const { return layers_; }  ///< in their order; may be empty
    /// The place of a layer in layers(). choice: its number, its prefix, or empty for the only one. InvalidValue if
    /// there are several and none was chosen, or no such layer; no_layer() if there is none.
    Result<std::size_t> find(const std::string& choice) const;
    ModelLayers list() const;
    Result<LayerInfo> look(std::size_t layer, std::optional<Layout> layout) const;

    TensorSource& source() { return source_; }
    const TensorSource& source() const { return source_; }
    const std::optional<ModelConfig>& config() const { return config_; }

private:
    explicit ModelFile(TensorSource source) : source_(std::move(source)) {}

    TensorSource source_;
    std::optional<ModelConfig> config_;
    std::vector<LayerNames> layers_;
};

}  // namespace headscope
