// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/masks/head_expression.h"
#include "core/masks/mask.h"

namespace headscope {

/// Reads a mask of S×S cells (docs/conventions.md 24): .npy of shape (S,S) or (1,…,1,S,S), of any numeric type or bool;
/// .csv or .tsv with commas, semicolons or tabs; .json. Cells are either 0 and 1, 1 = allowed, or additive: 0 =
/// allowed, −inf or at most −1e4 = masked. FileContent says where the fault is and what was expected.
Result<PaintedMask> read_mask_file(const std::string& path);

/// Reads the cells of every File pattern. Errors as read_mask_file().
Result<MaskExpression> load_mask_files(MaskExpression mask);
Result<HeadExpression> load_mask_files(HeadExpression expression);

/// Encodes a mask for read_mask_file(), by the extension of the name: .json, .csv or .npy (u8). Unsupported for any
/// other.
Result<std::vector<std::uint8_t>> encode_mask_file(const PaintedMask& mask, const std::string& name);

/// Reads a mask from JSON text: {"cells": [[1,0],[1,1]], ...} as encode_mask_file() writes it, or the rows alone; each
/// cell is a number, false or true. `name` is the file's.
Result<PaintedMask> parse_mask_json(std::string_view text, const std::string& name);

/// Reads a mask from CSV text (RFC 4180), also with semicolons or tabs; each cell is a number, FALSE or TRUE in any
/// case.
Result<PaintedMask> parse_mask_csv(std::string_view text, const std::string& name);

}  // namespace headscope
