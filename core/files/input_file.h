// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/files/file_kind.h"

namespace headscope {

/// A regular file that is read from front to back. Its size is known before anything is allocated.
class InputFile {
public:
    /// FileMissing; FileUnreadable if it is a folder, a device, or permission is denied; FileFormat if it begins like
    /// another kind of file.
    static Result<InputFile> open(const std::string& path, FileKind kind);

    /// The first kKindBytes bytes of a file of any kind, or all.
    static Result<std::string> start_of(const std::string& path);

    std::uint64_t size() const { return size_; }
    /// The next n bytes; FileUnreadable if they can't be read (the file shrank, the disk failed).
    Result<void> read(void* out, std::uint64_t n);
    /// Moves to a byte of the file, counted from 0.
    void seek(std::uint64_t offset);
    /// The whole file. Its size is checked against memory_limit(), together with as much again for the parsed result.
    static Result<std::vector<std::uint8_t>> read_all(const std::string& path, FileKind kind);

private:
    static Result<InputFile> open(const std::string& path);
    Result<std::string> start();

    std::string path_;
    std::ifstream stream_;
    std::uint64_t size_ = 0;
};

/// FileFormat with the offset of the first byte that is not UTF-8, counted from 0; `offset` is that of the text in the
/// file.
Result<void> require_utf8(std::string_view text, const std::string& place, std::uint64_t offset = 0);

}  // namespace headscope
