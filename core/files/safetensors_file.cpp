// SPDX-License-Identifier: GPL-3.0-or-later
// The format and its rules: https://github.com/huggingface/safetensors (README, "Format").
#include "core/files/safetensors_file.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <set>
#include <utility>

#include "core/base/memory.h"
#include "core/files/json.h"

namespace headscope {
namespace {

using nlohmann::json;

constexpr std::uint64_t kLengthBytes = 8;
constexpr std::uint64_t kLargestHeader = 100'000'000;
const char* const kMetadata = "__metadata__";

/// An error about the header; every message begins with the file's name.
template <typename... Args>
tl::unexpected<Error> bad(const std::string& path, const std::string& text, const Args&... args) {
    return fail(ErrorCode::FileFormat, "{}: not a good safetensors file: " + text, path, args...);
}

/// Reads a list of whole numbers that fit std::int64_t.
std::optional<Shape> whole_numbers(const json& object, const char* key) {
    const auto list = object.find(key);
    if (list == object.end() || !list->is_array()) return std::nullopt;
    Shape numbers;
    for (const json& number : *list) {
        if (!number.is_number_unsigned() || !std::in_range<std::int64_t>(number.get<std::uint64_t>()))
            return std::nullopt;
        numbers.push_back(number.get<std::int64_t>());
    }
    return numbers;
}

bool can_be_read(const std::string& dtype) {
    static const std::set<std::string> types = {"F64", "F32", "F16", "BF16", "I64", "I32", "U8", "BOOL"};
    return types.contains(dtype);
}

Result<void> check_type(const TensorEntry& entry, const std::string& path) {
    if (can_be_read(entry.dtype)) return {};
    return fail(ErrorCode::Unsupported, "{}: {} is of type {}; F64, F32, F16, BF16, I64, I32, U8 and BOOL can be read",
                path, entry.name, entry.dtype);
}

/// Checks that a tensor's bytes match its type and shape. The size of other types is not known here.
Result<void> check_size(const TensorEntry& entry, const std::string& path) {
    if (!can_be_read(entry.dtype)) return {};
    std::int64_t bytes = static_cast<std::int64_t>(dtype_size(entry.dtype));
    for (const std::int64_t size : entry.shape)
        if (__builtin_mul_overflow(bytes, size, &bytes))
            return bad(path, "{} has the shape {}, which no file can hold", entry.name, to_string(entry.shape));
    if (static_cast<std::uint64_t>(bytes) != entry.end - entry.begin)
        return bad(path, "the size of {} in bytes is {}; its shape {} in {} needs {}", entry.name,
                   entry.end - entry.begin, to_string(entry.shape), entry.dtype, bytes);
    return {};
}

Result<TensorEntry> read_entry(const std::string& name, const json& object, const std::string& path) {
    if (!object.is_object()) return bad(path, "{} must be an object with dtype, shape and data_offsets", name);
    TensorEntry entry{name, {}, {}, 0, 0};
    const auto dtype = object.find("dtype");
    if (dtype == object.end() || !dtype->is_string()) return bad(path, "{} needs a dtype, a text such as F32", name);
    entry.dtype = dtype->get<std::string>();
    const auto shape = whole_numbers(object, "shape");
    if (!shape) return bad(path, "{} needs a shape, a list of whole numbers", name);
    entry.shape = *shape;
    const auto offsets = whole_numbers(object, "data_offsets");
    if (!offsets || offsets->size() != 2 || (*offsets)[0] > (*offsets)[1])
        return bad(path, "{} needs data_offsets, two whole numbers, begin ≤ end", name);
    entry.begin = static_cast<std::uint64_t>((*offsets)[0]);
    entry.end = static_cast<std::uint64_t>((*offsets)[1]);
    if (auto size = check_size(entry, path); !size) return tl::unexpected(size.error());
    return entry;
}

Result<std::map<std::string, std::string>> read_metadata(const json& object, const std::string& path) {
    std::map<std::string, std::string> metadata;
    if (object.is_null()) return metadata;
    if (!object.is_object()) return bad(path, "{} must be an object of texts", kMetadata);
    for (const auto& [key, value] : object.items()) {
        if (!value.is_string()) return bad(path, "{} must hold texts only, and \"{}\" isn't one", kMetadata, key);
        metadata[key] = value.get<std::string>();
    }
    return metadata;
}

/// Checks that the tensors cover the data from its beginning to its end, without a gap or overlap.
Result<void> check_cover(const std::vector<TensorEntry>& entries, std::uint64_t data_bytes, const std::string& path) {
    std::uint64_t at = 0;
    for (const TensorEntry& entry : entries) {
        if (entry.begin != at)
            return bad(path, "{} begins at {} of the data; {} was expected, without a hole or overlap", entry.name,
                       entry.begin, at);
        at = entry.end;
    }
    if (at != data_bytes) return bad(path, "its tensors end at {} of the data, which is {} bytes long", at, data_bytes);
    return {};
}

/// Reads the text of the header and checks its length.
Result<std::string> read_header_text(InputFile& file, const std::string& path) {
    if (file.size() < kLengthBytes)
        return bad(path, "its length in bytes is {}, and its header alone takes more than {}", file.size(),
                   kLengthBytes);
    std::uint64_t length = 0;
    if (auto done = file.read(&length, kLengthBytes); !done) return tl::unexpected(done.error());
    if (length > kLargestHeader || length > file.size() - kLengthBytes)
        return bad(path, "its first 8 bytes say that the header is {} bytes long; {} at most can be", length,
                   std::min(kLargestHeader, file.size() - kLengthBytes));
    if (auto fits = require_memory(length, path); !fits) return tl::unexpected(fits.error());
    std::string text(length, '\0');
    if (auto done = file.read(text.data(), length); !done) return tl::unexpected(done.error());
    if (text.empty() || text.front() != '{') return bad(path, "its header must begin with '{{'");
    return text;
}

/// Quotes and escapes a string for JSON. A byte that is not UTF-8 becomes U+FFFD, so that every program can read the
/// header.
std::string quoted(const std::string& text) {
    return json(text).dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace

Result<SafetensorsFile> SafetensorsFile::open(const std::string& path) {
    auto opened = InputFile::open(path, FileKind::Safetensors);
    if (!opened) return tl::unexpected(opened.error());
    SafetensorsFile file(std::move(*opened), path);
    if (auto done = file.read_header(); !done) return tl::unexpected(done.error());
    return file;
}

Result<void> SafetensorsFile::read_header() {
    const auto text = read_header_text(file_, path_);
    if (!text) return tl::unexpected(text.error());
    data_offset_ = kLengthBytes + text->size();
    const auto parsed = parse_json(*text, path_, kLengthBytes);
    if (!parsed) return tl::unexpected(parsed.error());
    for (const auto& [name, object] : parsed->items()) {
        if (name == kMetadata) {
            auto metadata = read_metadata(object, path_);
            if (!metadata) return tl::unexpected(metadata.error());
            metadata_ = std::move(*metadata);
            continue;
        }
        auto entry = read_entry(name, object, path_);
        if (!entry) return tl::unexpected(entry.error());
        entries_.push_back(std::move(*entry));
    }
    std::stable_sort(entries_.begin(), entries_.end(), [](const TensorEntry& a, const TensorEntry& b) {
        return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
    });
    return check_cover(entries_, file_.size() - data_offset_, path_);
}

Result<TensorFile> SafetensorsFile::load(const std::vector<std::string>& names) {
    const std::set<std::string> wanted(names.begin(), names.end());
    std::vector<const TensorEntry*> found;
    std::uint64_t bytes = 0;
    for (const TensorEntry& entry : entries_) {
        if (!wanted.contains(entry.name)) continue;
        if (auto known = check_type(entry, path_); !known) return tl::unexpected(known.error());
        found.push_back(&entry);
        bytes += entry.end - entry.begin;
    }
    if (auto fits = require_memory(bytes, path_); !fits) return tl::unexpected(fits.error());
    TensorFile result{{}, metadata_};
    for (const TensorEntry* entry : found) {
        auto tensor = read(*entry);
        if (!tensor) return tl::unexpected(tensor.error());
        result.tensors.emplace_back(entry->name, std::move(*tensor));
    }
    return result;
}

Result<FileTensor> SafetensorsFile::read(const std::string& name) {
    const auto entry =
        std::find_if(entries_.begin(), entries_.end(), [&](const auto& each) { return each.name == name; });
    if (auto known = check_type(*entry, path_); !known) return tl::unexpected(known.error());
    if (auto fits = require_memory(entry->end - entry->begin, path_); !fits) return tl::unexpected(fits.error());
    return read(*entry);
}

Result<void> SafetensorsFile::read_part(const std::string& name, std::uint64_t offset, std::uint64_t count, void* out) {
    const auto entry =
        std::find_if(entries_.begin(), entries_.end(), [&](const auto& each) { return each.name == name; });
    file_.seek(data_offset_ + entry->begin + offset);
    return file_.read(out, count);
}

Result<FileTensor> SafetensorsFile::read(const TensorEntry& entry) {
    FileTensor tensor{entry.dtype, entry.shape, std::vector<std::uint8_t>(entry.end - entry.begin)};
    file_.seek(data_offset_ + entry.begin);
    if (auto done = file_.read(tensor.bytes.data(), tensor.bytes.size()); !done) return tl::unexpected(done.error());
    return tensor;
}

Result<TensorFile> read_safetensors(const std::string& path) {
    auto file = SafetensorsFile::open(path);
    if (!file) return tl::unexpected(file.error());
    std::vector<std::string> names;
    for (const TensorEntry& entry : file->entries()) names.push_back(entry.name);
    return file->load(names);
}

bool write_safetensors(const std::vector<TensorWriter>& tensors, const std::map<std::string, std::string>& metadata,
                       const ByteSink& sink) {
    std::vector<const TensorWriter*> order;
    order.reserve(tensors.size());
    for (const TensorWriter& tensor : tensors) order.push_back(&tensor);
    std::stable_sort(order.begin(), order.end(), [](const TensorWriter* a, const TensorWriter* b) {
        return dtype_size(a->dtype) > dtype_size(b->dtype);
    });

    std::string header = "{";
    const auto add = [&header](const std::string& member) {
        if (header.size() > 1) header += ',';
        header += member;
    };
    if (!metadata.empty()) {
        std::vector<std::string> texts;
        texts.reserve(metadata.size());
        for (const auto& [key, value] : metadata) texts.push_back(fmt::format("{}:{}", quoted(key), quoted(value)));
        add(fmt::format(R"("{}":{{{}}})", kMetadata, fmt::join(texts, ",")));
    }
    std::uint64_t begin = 0;
    for (const TensorWriter* tensor : order) {
        const std::uint64_t end = begin + tensor->bytes;
        add(fmt::format(R"({}:{{"dtype":"{}","shape":[{}],"data_offsets":[{},{}]}})", quoted(tensor->name),
                        tensor->dtype, fmt::join(tensor->shape, ","), begin, end));
        begin = end;
    }
    header += '}';
    header.resize((header.size() + kLengthBytes - 1) / kLengthBytes * kLengthBytes, ' ');

    const std::uint64_t length = header.size();
    if (!sink(&length, kLengthBytes) || !sink(header.data(), header.size())) return false;
    return std::all_of(order.begin(), order.end(), [&](const TensorWriter* tensor) { return tensor->write(sink); });
}

std::vector<std::uint8_t> encode_safetensors(const TensorFile& file) {
    std::vector<TensorWriter> sources;
    std::size_t data_bytes = 0;
    for (const auto& entry : file.tensors) data_bytes += entry.second.bytes.size();
    sources.reserve(file.tensors.size());
    for (const auto& entry : file.tensors) {
        const FileTensor& tensor = entry.second;
        sources.push_back({entry.first, tensor.dtype, tensor.shape, tensor.bytes.size(),
                           [&tensor](const ByteSink& sink) { return sink(tensor.bytes.data(), tensor.bytes.size()); }});
    }
    std::vector<std::uint8_t> bytes;
    bytes.reserve(data_bytes + 128 * (file.tensors.size() + file.metadata.size() + 1));  // and about the header
    write_safetensors(sources, file.metadata, [&bytes](const void* piece, std::size_t count) {
        const auto* first = static_cast<const std::uint8_t*>(piece);
        bytes.insert(bytes.end(), first, first + count);
        return true;
    });
    return bytes;
}

}  // namespace headscope
