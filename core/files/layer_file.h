// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/batch.h"
#include "core/files/layer_info.h"
#include "core/weights/layer.h"

namespace headscope {

/// A layer of a real model as read from its file (docs/conventions.md 11): its shapes are checked, but it is not
/// permuted yet, because the permutation depends on num_heads.
struct LayerFile : LayerInfo {
    /// (E+2K,E) and (E+2K), where K is kv_dim: as [Q;K;V] blocks, or interleaved if layout says so.
    Tensor fused_weight, fused_bias;
    Tensor out_weight, out_bias;  ///< (E,E), (E)
    std::optional<Tensor> x;      ///< (B,S,E)
    Batch batch;                  ///< labels and padding if there is an x
    /// The names of all attention layers of the file, in their order; this one is number `number`.
    std::vector<std::string> layers;
    std::size_t number = 0;
};
using LayerFilePtr = std::shared_ptr<const LayerFile>;

/// path: as for TensorSource::open(). layout: what the user chose, or nothing to determine it by the names. layer: as
/// for ModelFile::find(). Missing biases are zeros. Reads only the layer's tensors.
Result<LayerFilePtr> read_layer_file(const std::string& path, std::optional<Layout> layout,
                                     const std::string& layer = {});
/// Permutes the rows to interleaved by head, and repeats those of key/value heads that query heads share. InvalidPair
/// as for check_heads().
Result<Layer> layer_from_file(const LayerFile& file, std::int64_t num_heads);

}  // namespace headscope
