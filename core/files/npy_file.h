// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "core/base/result.h"
#include "core/files/file_tensor.h"

namespace headscope {

/// One npy array of numbers (CONVENTIONS 23).
Result<FileTensor> read_npy(const std::string& path);
/// Version 1.0. BF16, which numpy doesn't have, is widened to float32.
std::vector<std::uint8_t> encode_npy(const FileTensor& tensor);

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
