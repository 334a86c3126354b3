// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "core/base/result.h"
#include "core/files/file_tensor.h"
#include "core/files/npz_file.h"
#include "core/files/safetensors_file.h"

namespace headscope {

/// The tensors of a safetensors or npz file, or of a model in several safetensors files (shards). Only headers are read
/// until a tensor is asked for.
class TensorSource {
public:
    /// path: a file; an index, model.safetensors.index.json; or a folder with one of them. FileMissing names a shard
    /// that isn't there, FileContent a tensor that the index places where it isn't; also the errors of the readers.
    static Result<TensorSource> open(const std::string& path);

    const std::string& path() const { return path_; }  ///< as it was given
    /// config.json or params.json beside the tensors of a model; empty if there is none.
    const std::string& config_path() const { return config_path_; }
    std::vector<std::string> names() const;
    const TensorEntry* find(const std::string& name) const;  ///< nullptr if no tensor has this name
    /// Those of the files, and the scalars num_heads and embed_dim.
    const std::map<std::string, std::string>& metadata() const { return metadata_; }
    std::uint64_t bytes() const { return bytes_; }  ///< of all files together
    std::size_t files() const { return files_.size(); }
    bool is_npz() const { return std::holds_alternative<NpzFile>(files_.front()); }
    /// Reads a tensor; its name must be one of names(). Unsupported names a type that can't be read.
    Result<FileTensor> read(const std::string& name);
    /// True if parts of a tensor can be read without the rest: not of a compressed npz file.
    bool reads_parts(const std::string& name) const;
    /// Reads `count` bytes of such a tensor, row-major and little-endian, from `offset` on.
    Result<void> read_part(const std::string& name, std::uint64_t offset, std::uint64_t count, void* out);

private:
    using File = std::variant<SafetensorsFile, NpzFile>;
    struct Place {
        std::size_t file;
        TensorEntry entry;
    };
    Result<void> add_file(const std::string& path);
    Result<void> add_shards(const std::string& index);
    Result<void> read_settings();

    std::string path_, config_path_;
    std::vector<File> files_;
    std::map<std::string, Place> tensors_;
    std::map<std::string, std::string> metadata_;
    std::uint64_t bytes_ = 0;
};

}  // namespace headscope
