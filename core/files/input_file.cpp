// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/input_file.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>

#include "core/base/memory.h"
#include "core/base/utf8.h"

namespace headscope {

Result<InputFile> InputFile::open(const std::string& path, FileKind kind) {
    auto file = open(path);
    if (!file) return file;
    const auto start = file->start();
    if (!start) return tl::unexpected(start.error());
    if (auto right = require_kind(kind, *start, path); !right) return tl::unexpected(right.error());
    return file;
}

Result<std::string> InputFile::start_of(const std::string& path) {
    auto file = open(path);
    if (!file) return tl::unexpected(file.error());
    return file->start();
}

Result<InputFile> InputFile::open(const std::string& path) {
    namespace fs = std::filesystem;
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (status.type() == fs::file_type::not_found)
        return fail(ErrorCode::FileMissing, "{}: there is no such file", path);
    if (status.type() == fs::file_type::directory)
        return fail(ErrorCode::FileUnreadable, "{}: this is a folder; a file was expected", path);
    if (status.type() == fs::file_type::none)
        return fail(ErrorCode::FileUnreadable, "{}: the file can't be looked at: {}", path, error.message());
    if (status.type() != fs::file_type::regular)
        return fail(ErrorCode::FileUnreadable, "{}: this is a device or a pipe; a regular file was expected", path);

    InputFile file;
    file.path_ = path;
    errno = 0;
    file.stream_.open(path, std::ios::binary);
    if (!file.stream_)
        return fail(ErrorCode::FileUnreadable, "{}: the file can't be opened: {}", path,
                    std::generic_category().message(errno));
    file.size_ = fs::file_size(path, error);
    if (error) return fail(ErrorCode::FileUnreadable, "{}: the file has no size: {}", path, error.message());
    return file;
}

Result<std::string> InputFile::start() {
    std::string bytes(std::min<std::uint64_t>(size_, kKindBytes), '\0');
    if (auto done = read(bytes.data(), bytes.size()); !done) return tl::unexpected(done.error());
    seek(0);
    return bytes;
}

Result<void> InputFile::read(void* out, std::uint64_t n) {
    const auto count = static_cast<std::streamsize>(n);
    if (!stream_.read(static_cast<char*>(out), count))
        return fail(ErrorCode::FileUnreadable, "{}: the file can't be read to its end; it was {} bytes long", path_,
                    size_);
    return {};
}

void InputFile::seek(std::uint64_t offset) {
    stream_.seekg(static_cast<std::streamoff>(offset));
}

Result<std::vector<std::uint8_t>> InputFile::read_all(const std::string& path, FileKind kind) {
    auto file = open(path, kind);
    if (!file) return tl::unexpected(file.error());
    if (auto fits = require_memory(2 * file->size(), path); !fits) return tl::unexpected(fits.error());
    std::vector<std::uint8_t> bytes(file->size());
    if (auto done = file->read(bytes.data(), bytes.size()); !done) return tl::unexpected(done.error());
    return bytes;
}

Result<void> require_utf8(std::string_view text, const std::string& place, std::uint64_t offset) {
    const auto at = invalid_utf8(text);
    if (!at) return {};
    return fail(ErrorCode::FileFormat, "{}: invalid UTF-8 at byte {} ({}); save it as UTF-8", place, offset + *at,
                fmt::format("0x{:02X}", static_cast<unsigned char>(text[*at])));
}

}  // namespace headscope
