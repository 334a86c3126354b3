// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/files/file_tensor.h"
#include "core/files/safetensors_file.h"

struct zip;  // libzip's archive

namespace headscope {

/// An npz archive of which the headers and texts were read, and whose arrays are read one by one
/// (docs/conventions.md 23).
class NpzFile {
public:
    static Result<NpzFile> open(const std::string& path);

    const std::vector<TensorEntry>& entries() const { return entries_; }              ///< in the order of the archive
    const std::map<std::string, std::string>& metadata() const { return metadata_; }  ///< as read_npz() has it
    /// Reads an array; its name must be that of an entry.
    Result<FileTensor> read(const std::string& name) const;
    /// True if the array lies in the file as it is: neither compressed nor in another order of numbers or bytes.
    bool is_plain(const std::string& name) const { return plain_.contains(name); }
    /// Reads `count` bytes of a plain array from `offset` on, which must lie within the array.
    Result<void> read_part(const std::string& name, std::uint64_t offset, std::uint64_t count, void* out) const;

private:
    using Archive = std::unique_ptr<zip, void (*)(zip*)>;
    NpzFile(Archive archive, std::string path) : archive_(std::move(archive)), path_(std::move(path)) {}
    Result<void> read_headers();

    Archive archive_;
    std::string path_;
    std::vector<TensorEntry> entries_;  ///< begin: the member's index
    std::map<std::string, std::string> metadata_;
    std::map<std::string, std::uint64_t> plain_;  ///< where the numbers of a plain array begin in its member
};

/// Reads an npz archive (docs/conventions.md 23). Metadata: the entries of the JSON object in the member `metadata`, as
/// write_npz() writes it; every other member of one string unchanged; a member of several strings as a JSON list.
/// FileFormat if `metadata` contains numbers, or two members give the same entry.
Result<TensorFile> read_npz(const std::string& path);

/// The member that contains the metadata.
inline constexpr const char* kNpzMetadata = "metadata";

/// Writes stored members NAME.npy, which numpy.load() reads; and the metadata as a scalar unicode array `metadata` that
/// contains a JSON object. Values that are JSON lists or objects are embedded as such, all others as strings. False if
/// the sink returned it. The names must differ, and none be `metadata`; BF16 is not written.
bool write_npz(const std::vector<TensorWriter>& tensors, const std::map<std::string, std::string>& metadata,
               const ByteSink& sink);
/// The same into memory. BF16 is widened. InvalidValue for a tensor named `metadata` or with a duplicate name.
Result<std::vector<std::uint8_t>> encode_npz(const TensorFile& file);

}  // namespace headscope
