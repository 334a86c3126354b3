// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/file_kind.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <initializer_list>

#include "core/base/sentence.h"
#include "core/base/utf8.h"

namespace headscope {
namespace {

bool starts_with(std::string_view start, std::string_view sign) {
    return start.starts_with(sign);
}

bool is_safetensors(std::string_view start) {
    constexpr std::uint64_t largest_header = 100'000'000;
    std::uint64_t header = 0;
    if (start.size() <= sizeof(header)) return false;
    std::memcpy(&header, start.data(), sizeof(header));
    return header >= 2 && header <= largest_header && start[sizeof(header)] == '{';
}

/// The name of a zip's first member; empty if the file is no zip or has none.
std::string_view first_member(std::string_view start) {
    constexpr std::size_t length_at = 26, name_at = 30;
    if (!start.starts_with("PK\3\4") || start.size() < name_at) return {};
    std::uint16_t length = 0;
    std::memcpy(&length, start.data() + length_at, sizeof(length));
    return start.substr(name_at, length);
}

std::string_view without_blanks(std::string_view text) {
    text = without_byte_order_mark(text);
    return text.substr(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
}

bool is_html(std::string_view start) {
    std::string head(without_blanks(start).substr(0, 16));
    std::transform(head.begin(), head.end(), head.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? c | 0x20 : c; });
    return starts_with(head, "<!doctype html") || starts_with(head, "<html") || starts_with(head, "<head");
}

bool is_json(std::string_view start) {
    const std::string_view text = without_blanks(start);
    return !text.empty() && (text.front() == '{' || text.front() == '[');
}

}  // namespace

bool is_npz(std::string_view start) {
    return first_member(start).ends_with(".npy");
}

bool is_model_index(std::string_view start) {
    return is_json(start) && start.find("\"weight_map\"") != std::string_view::npos;
}

namespace {

/// A kind of file, recognised by its beginning. Readers that accept the kind skip the check.
struct Sign {
    const char* name;
    bool (*matches)(std::string_view start);
    std::initializer_list<FileKind> accepted_by;
};

/// The first match decides. safetensors comes first, because its length field may look like the beginning of any other.
const Sign kSigns[] = {
    {phrase("a safetensors file"), is_safetensors, {FileKind::Safetensors}},
    {phrase("an empty file"),
     [](std::string_view start) { return start.empty(); },
     {FileKind::Json, FileKind::Csv, FileKind::Text}},  // what they lack is said by their readers
    {phrase("a Git LFS pointer: run `git lfs pull`"),
     [](std::string_view start) { return start.starts_with("version https://git-lfs.github.com/spec/"); },
     {}},
    {phrase("a PyTorch pickle (zip): save it with safetensors, or read it with torch.load and save the tensors"),
     [](std::string_view start) { return first_member(start).ends_with("data.pkl"); },
     {}},
    {phrase("a Python pickle, which is never loaded: save the tensors with safetensors"),
     [](std::string_view start) { return start.size() > 2 && start[0] == '\x80' && start[1] >= 2 && start[1] <= 5; },
     {}},
    {phrase("an npz archive: give one of its arrays as an npy file"), is_npz, {FileKind::Npz}},
    {phrase("a zip archive: unpack it first"),
     [](std::string_view start) { return start.starts_with("PK\3\4") || start.starts_with("PK\5\6"); },
     {FileKind::Npz}},
    {phrase("a NumPy array (npy)"),
     [](std::string_view start) { return start.starts_with("\x93NUMPY"); },
     {FileKind::Npy}},
    {phrase("a GGUF file: convert it to safetensors"),
     [](std::string_view start) { return start.starts_with("GGUF"); },
     {}},
    {phrase("an HDF5 file: save the tensors with safetensors"),
     [](std::string_view start) { return start.starts_with("\x89HDF\r\n"); },
     {}},
    {phrase("a compressed file (gzip, bzip2, xz or zstd): decompress it first"),
     [](std::string_view start) {
         return start.starts_with("\x1F\x8B") || start.starts_with("BZh") ||
                start.starts_with(
                    "\xFD"
                    "7zXZ") ||
                start.starts_with("\x28\xB5\x2F\xFD");
     },
     {}},
    {phrase("an HTML page: download the file itself"), is_html, {FileKind::Text}},
    {phrase("the index of a sharded model: open it as a weights file"), is_model_index, {FileKind::Text}},
    {phrase("a JSON file"), is_json, {FileKind::Json, FileKind::Text}},
};

const char* name_of(FileKind kind) {
    switch (kind) {
        case FileKind::Safetensors:
            return phrase("a safetensors file");
        case FileKind::Npy:
            return phrase("an npy file");
        case FileKind::Npz:
            return phrase("an npz file");
        case FileKind::Json:
            return phrase("a JSON file");
        case FileKind::Csv:
            return phrase("a CSV file");
        case FileKind::Text:
            break;
    }
    return phrase("a text file");
}

}  // namespace

Result<void> require_kind(FileKind expected, std::string_view start, const std::string& place) {
    const auto sign =
        std::find_if(std::begin(kSigns), std::end(kSigns), [&](const Sign& each) { return each.matches(start); });
    if (sign == std::end(kSigns)) return {};
    const auto& readers = sign->accepted_by;
    if (std::find(readers.begin(), readers.end(), expected) != readers.end()) return {};
    return fail(ErrorCode::FileFormat, "{}: {} was expected, and this is {}", place, name_of(expected), sign->name);
}

}  // namespace headscope
