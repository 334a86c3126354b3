// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/files/file_tensor.h"
#include "core/files/layer_file.h"

namespace headscope {

/// The x of a layer's file, with its labels and lengths: (S,E) or (B,S,E), `lengths` (B), metadata `tokens`. Fills x
/// and batch, or leaves them where the file has no x. FileContent where they contradict each other or embed_dim.
Result<void> read_layer_input(const TensorFile& source, LayerFile& file);

}  // namespace headscope
