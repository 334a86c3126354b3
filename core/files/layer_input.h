// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/files/file_tensor.h"
#include "core/files/layer_file.h"

namespace headscope {

/// Reads the x of a layer's file, (S,E) or (B,S,E), with its `lengths` (B) and the metadata `tokens`. Sets x and batch,
/// or leaves them unchanged if the file has no x. FileContent if they contradict each other or embed_dim.
Result<void> read_layer_input(const TensorFile& source, LayerFile& file);

}  // namespace headscope
