// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/files/file_tensor.h"
#include "core/files/input_file.h"

namespace headscope {

/// A safetensors file whose header was read and checked as strictly as by the reference implementation
/// (docs/conventions.md 22). Its tensors may have any type until they are loaded.
class SafetensorsFile {
public:
    static Result<SafetensorsFile> open(const std::string& path);

    const std::vector<TensorEntry>& entries() const { return entries_; }  ///< in the order of the file's data
    const std::map<std::string, std::string>& metadata() const { return metadata_; }
    /// Loads those of the named tensors that the file contains, and its metadata. Unsupported names a type that can't
    /// be read.
    Result<TensorFile> load(const std::vector<std::string>& names);
    /// Reads a tensor; its name must be that of an entry.
    Result<FileTensor> read(const std::string& name);
    /// Reads `count` of its bytes from `offset` on, which must lie within the tensor.
    Result<void> read_part(const std::string& name, std::uint64_t offset, std::uint64_t count, void* out);

private:
    SafetensorsFile(InputFile file, std::string path) : file_(std::move(file)), path_(std::move(path)) {}
    Result<void> read_header();
    Result<FileTensor> read(const TensorEntry& entry);

    InputFile file_;
    std::string path_;
    std::uint64_t data_offset_ = 0;
    std::vector<TensorEntry> entries_;
    std::map<std::string, std::string> metadata_;
};

/// Loads every tensor of a safetensors file.
Result<TensorFile> read_safetensors(const std::string& path);

/// Receives a file's bytes one piece after another; false stops the writing.
using ByteSink = std::function<bool(const void* bytes, std::size_t count)>;

/// A tensor whose numbers are made while they are written: `write` passes all of its bytes to the sink, and returns
/// false if the sink did.
struct TensorWriter {
    std::string name, dtype;
    Shape shape;
    std::uint64_t bytes = 0;
    std::function<bool(const ByteSink&)> write;
};

/// Writes a whole file. Wider types come first, as in the reference implementation, so that every tensor is aligned.
/// False if the sink returned it.
bool write_safetensors(const std::vector<TensorWriter>& tensors, const std::map<std::string, std::string>& metadata,
                       const ByteSink& sink);
/// The same into memory. Never fails for tensors of FileTensor's types.
std::vector<std::uint8_t> encode_safetensors(const TensorFile& file);

}  // namespace headscope
