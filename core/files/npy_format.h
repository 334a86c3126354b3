// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <variant>

#include "core/files/tensor_file.h"

namespace headscope {

/// An npy array of texts: each in UTF-8, row-major.
struct NpyTexts {
    Shape shape;
    std::vector<std::string> texts;
};
using NpyArray = std::variant<FileTensor, NpyTexts>;

/// One npy array in memory, versions 1 to 3. `place` starts each sentence: the file, and the member of an archive.
/// FileFormat or Unsupported.
Result<NpyArray> decode_npy(std::span<const std::uint8_t> bytes, const std::string& place);
/// A scalar unicode array.
std::vector<std::uint8_t> encode_npy_text(const std::u32string& text);

}  // namespace headscope
