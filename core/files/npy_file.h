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

/// Reads one npy array of numbers (docs/conventions.md 23).
Result<FileTensor> read_npy(const std::string& path);
/// Encodes an array in version 1.0. BF16, which numpy doesn't have, is widened to float32.
std::vector<std::uint8_t> encode_npy(const FileTensor& tensor);

/// The bytes before the numbers of an array of a type that numpy has.
std::vector<std::uint8_t> encode_npy_header(const std::string& dtype, const Shape& shape);

/// What the header of an npy array says.
struct NpyHeader {
    std::string dtype;  ///< safetensors' name of a number type; empty for unicode texts
    Shape shape;
    bool fortran_order = false, swapped = false;
    std::size_t data_offset = 0;
    std::size_t element_bytes = 0;
};
/// The bytes at the beginning of an npy array that contain its header, if it is as long as that.
inline constexpr std::size_t kNpyHeaderBytes = 12 + 64 * 1024;
/// Reads the header of an array of `total` bytes from its beginning. Errors: those of decode_npy().
Result<NpyHeader> decode_npy_header(std::span<const std::uint8_t> start, std::uint64_t total, const std::string& place);

/// An npy array of strings: each in UTF-8, row-major.
struct NpyTexts {
    Shape shape;
    std::vector<std::string> texts;
};
using NpyArray = std::variant<FileTensor, NpyTexts>;

/// Parses one npy array in memory, versions 1 to 3. Messages begin with `place`: the file, and the member of an
/// archive. Errors: FileFormat, Unsupported.
Result<NpyArray> decode_npy(std::span<const std::uint8_t> bytes, const std::string& place);
/// Encodes a scalar unicode array.
std::vector<std::uint8_t> encode_npy_text(const std::u32string& text);

}  // namespace headscope
