// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/tensor.h"

namespace headscope {

bool is_floating(std::string_view dtype);  ///< F64, F32, F16 or BF16

/// One tensor as stored in a file: raw little-endian numbers of a named type, row-major.
struct FileTensor {
    /// safetensors' names. Both kinds of file: F64 F32 F16 BF16 I64 I32 U8 BOOL; npy only: I16 I8 U64 U32 U16.
    std::string dtype;
    Shape shape;
    std::vector<std::uint8_t> bytes;

    std::int64_t size() const;  ///< number of elements
    bool is_floating() const;   ///< F64, F32, F16 or BF16
    /// The values widened to double from any type (64-bit integers beyond 2^53 are rounded).
    std::vector<double> values() const;
    /// The same numbers as floats or doubles, rounded only if that type is narrower.
    Tensor to_tensor(Tensor::Type type) const;

    static FileTensor from(const Tensor& tensor);
    static FileTensor from_u8(Shape shape, std::vector<std::uint8_t> cells);
    static FileTensor from_i64(Shape shape, const std::vector<std::int64_t>& numbers);
    bool operator==(const FileTensor&) const = default;
};

/// Bytes per number of a type that FileTensor supports; 0 for any other name.
std::size_t dtype_size(std::string_view dtype);

/// One tensor as named in the header of a file.
struct TensorEntry {
    std::string name;
    std::string dtype;  ///< any name
    Shape shape;
    std::uint64_t begin = 0, end = 0;  ///< in safetensors: range of its bytes, counted from the end of the header
};

/// Named tensors and their metadata: a safetensors or npz file.
///
/// The errors of every reader in core/files are FileMissing, FileUnreadable, FileFormat (with the place and what was
/// expected), Unsupported (with the type or compression) and OutOfMemory. Messages contain the file's name. Sizes are
/// checked against the file's own and against memory_limit() before anything is allocated.
struct TensorFile {
    std::vector<std::pair<std::string, FileTensor>> tensors;  ///< in the order of the file's data
    std::map<std::string, std::string> metadata;
    const FileTensor* find(std::string_view name) const;  ///< nullptr if no tensor has this name
};

}  // namespace headscope
