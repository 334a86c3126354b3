// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/files/layer_info.h"
#include "core/files/layer_names.h"
#include "core/files/model_config.h"
#include "core/files/tensor_source.h"

namespace headscope {

/// The source, settings and number of a layer.
struct LayerContext {
    const TensorSource& source;
    AttentionConfig config;   ///< empty if the file has none
    std::string config_path;  ///< empty if the file has none
    std::int64_t number = 0;  ///< of the layer in its model, for scales that depend on it
};

/// Checks the layer's shapes against each other, the metadata and the config. layout: what the user chose, or nothing
/// to determine it by the names. Errors: LayerNames::problem; FileContent for a contradiction.
Result<LayerInfo> look_at_layer(const LayerContext& context, const LayerNames& names, std::optional<Layout> layout);

}  // namespace headscope
