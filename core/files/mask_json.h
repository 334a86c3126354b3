// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/masks/mask.h"

namespace headscope {

/// A mask from JSON text: {"cells": [[1,0],[1,1]], ...} as encode_mask_file() writes it, or the rows alone; each cell
/// 0, 1, false or true, 1 = may attend. FileContent names the place and what was expected; `name` is the file's.
Result<PaintedMask> parse_mask_json(std::string_view text, const std::string& name);

/// The file that read_mask_file() reads back, by the ending of its name: .json, .csv or .npy (u8). Unsupported for any
/// other.
Result<std::vector<std::uint8_t>> encode_mask_file(const PaintedMask& mask, const std::string& name);

}  // namespace headscope
