// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/mask.h"
#include "core/result.h"
#include "core/tensor.h"

namespace headscope {

/// One tensor as a file holds it: raw little-endian numbers of a named type.
struct FileTensor {
    std::string dtype;  ///< safetensors' names: F64 F32 F16 BF16 I64 I32 U8 BOOL
    Shape shape;
    std::vector<std::uint8_t> bytes;

    std::int64_t size() const;
    /// The values widened to double; any of the types above.
    std::vector<double> values() const;
    /// As a Tensor of floats or doubles.
    Tensor to_tensor(Tensor::Type type) const;
    static FileTensor from(const Tensor& tensor);
    static FileTensor from_u8(Shape shape, std::vector<std::uint8_t> cells);
};

/// Named tensors and the text that goes with them: a safetensors or npz file.
struct TensorFile {
    std::vector<std::pair<std::string, FileTensor>> tensors;  ///< in the file's order
    std::map<std::string, std::string> metadata;
    const FileTensor* find(const std::string& name) const;
};

/// As strict as the reference implementation (CONVENTIONS 22).
Result<TensorFile> read_safetensors(const std::string& path);
/// (CONVENTIONS 23) metadata: the members that are scalar strings.
Result<TensorFile> read_npz(const std::string& path);
/// One npy array (CONVENTIONS 23).
Result<FileTensor> read_npy(const std::string& path);
/// S×S of 0 and 1 (or bool) from .npy or .csv, 1 = may attend. A square matrix of another kind is refused by name.
Result<PaintedMask> read_mask_file(const std::string& path);

/// The whole file as bytes, for an atomic writer. Never fails for tensors of the types above.
std::vector<std::uint8_t> encode_safetensors(const TensorFile& file);
/// Stored members NAME.npy; metadata as a scalar unicode array `metadata` that holds JSON.
Result<std::vector<std::uint8_t>> encode_npz(const TensorFile& file);
std::vector<std::uint8_t> encode_npy(const FileTensor& tensor);

}  // namespace headscope
