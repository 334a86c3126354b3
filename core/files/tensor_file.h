// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/base/tensor.h"
#include "core/masks/mask.h"

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
struct TensorFile {
    std::vector<std::pair<std::string, FileTensor>> tensors;  ///< in the order of the file's data
    std::map<std::string, std::string> metadata;
    const FileTensor* find(std::string_view name) const;  ///< nullptr where there is none of that name
};

// Every reader gives FileMissing, FileUnreadable, FileFormat (with the place and what was expected), Unsupported (a
// type or a compression that is named) or OutOfMemory, and the file's name in the sentence. Sizes are checked against
// the file's own and against memory_limit() before anything is allocated.

/// As strict as the reference implementation (CONVENTIONS 22).
Result<TensorFile> read_safetensors(const std::string& path);
/// (CONVENTIONS 23) Metadata: the entries of the JSON object in the member `metadata`, as encode_npz() writes it; any
/// other member of one string as it is; a member of many strings as a JSON list.
Result<TensorFile> read_npz(const std::string& path);
/// One npy array of numbers (CONVENTIONS 23).
Result<FileTensor> read_npy(const std::string& path);
/// S×S of 0 and 1, 1 = may attend: .npy of any numeric type or bool, .csv, or .json (mask_json.h). FileContent where it
/// isn't square, is empty, or holds another value, with the place.
Result<PaintedMask> read_mask_file(const std::string& path);

/// The whole file as bytes, for an atomic writer. Never fails for tensors of the types above. Wider types come first,
/// as in the reference implementation, so that every tensor is aligned.
std::vector<std::uint8_t> encode_safetensors(const TensorFile& file);
/// Stored members NAME.npy, which numpy.load() opens; metadata as a scalar unicode array `metadata` that holds a JSON
/// object. Values that are JSON lists or objects themselves stand in it as such, all others as strings.
Result<std::vector<std::uint8_t>> encode_npz(const TensorFile& file);
/// Version 1.0. BF16, which numpy doesn't have, is widened to float32.
std::vector<std::uint8_t> encode_npy(const FileTensor& tensor);

}  // namespace headscope
