// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace headscope {

/// A regular file that is read from front to back, its size known before anything is allocated.
class InputFile {
public:
    /// FileMissing, or FileUnreadable where it is a folder, a device, or may not be opened.
    static Result<InputFile> open(const std::string& path);

    std::uint64_t size() const { return size_; }
    /// The next n bytes; FileUnreadable where they can't be had (the file shrank, the disk failed).
    Result<void> read(void* out, std::uint64_t n);
    /// All of it, checked against memory_limit(), together with as much again for what is made of it.
    static Result<std::vector<std::uint8_t>> read_all(const std::string& path);

private:
    std::string path_;
    std::ifstream stream_;
    std::uint64_t size_ = 0;
};

}  // namespace headscope
