// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/files/layer_info.h"

namespace headscope {

/// Python lines that run a Hugging Face model on a text, record the input x of this layer, and save it with the layer
/// and its tokens as layer.safetensors, which HeadScope opens. They need torch, transformers and safetensors.
std::string record_code(const LayerInfo& layer);

/// A text as Python and JSON write it, in quotes and on one line.
std::string python_text(const std::string& text);

}  // namespace headscope
