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

/// One tensor as a file holds it: raw little-endian numbers of a named type, row-major.
struct FileTensor {
    /// safetensors' names. F64 F32 F16 BF16 I64 I32 U8 BOOL from either kind of file; I16 I8 U64 U32 U16 from npy only.
    std::string dtype;
    Shape shape;
    std::vector<std::uint8_t> bytes;

    std::int64_t size() const;  ///< how many numbers
    bool is_floating() const;   ///< F64, F32, F16 or BF16
    /// The values widened to double, whatever the type (64-bit integers beyond 2^53 are rounded).
    std::vector<double> values() const;
    /// The same numbers as floats or doubles; only a narrower type rounds.
    Tensor to_tensor(Tensor::Type type) const;

    static FileTensor from(const Tensor& tensor);
    static FileTensor from_u8(Shape shape, std::vector<std::uint8_t> cells);
    static FileTensor from_i64(Shape shape, const std::vector<std::int64_t>& numbers);
    bool operator==(const FileTensor&) const = default;
};

/// Bytes of one number of a type that FileTensor knows; 0 for any other name.
std::size_t dtype_size(std::string_view dtype);

/// Named tensors and the text that goes with them: a safetensors or npz file.
///
/// Every reader of core/files gives FileMissing, FileUnreadable, FileFormat (with the place and what was expected),
/// Unsupported (a type or a compression that is named) or OutOfMemory, and the file's name in the sentence. Sizes are
/// checked against the file's own and against memory_limit() before anything is allocated.
struct TensorFile {
    std::vector<std::pair<std::string, FileTensor>> tensors;  ///< in the order of the file's data
    std::map<std::string, std::string> metadata;
    const FileTensor* find(std::string_view name) const;  ///< nullptr where there is none of that name
};

}  // namespace headscope
