// SPDX-License-Identifier: GPL-3.0-or-later
// The format and its rules: https://github.com/huggingface/safetensors (README, "Format").
#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <utility>

#include "core/base/memory.h"
#include "core/files/input_file.h"
#include "core/files/tensor_file.h"

namespace headscope {
namespace {

using nlohmann::json;

constexpr std::uint64_t kLengthBytes = 8;
constexpr std::uint64_t kLargestHeader = 100'000'000;
constexpr std::uint64_t kParsedPerByte = 32;  // what the parsed header may take at most, a byte of its text
constexpr int kDeepest = 3;                   // header, tensor, list, number; what lies deeper is not kept
const char* const kMetadata = "__metadata__";

/// Where one tensor's bytes lie, counted from the end of the header.
struct Entry {
    std::string name, dtype;
    Shape shape;
    std::uint64_t begin = 0, end = 0;
};

/// Every error of a header says which file, and starts alike.
struct Header {
    std::string path;
    std::uint64_t data_bytes = 0;
    std::vector<Entry> entries;
    std::map<std::string, std::string> metadata;

    template <typename... Args>
    tl::unexpected<Error> bad(const std::string& text, const Args&... args) const {
        return fail(ErrorCode::FileFormat, "{}: not a good safetensors file: " + text, path, args...);
    }
};

/// Sees what a parser would take silently: a name that stands twice in an object. Keeps nesting from piling up.
class Watch {
public:
    bool operator()(int depth, json::parse_event_t event, json& parsed) {
        if (depth > kDeepest) return false;
        if (event == json::parse_event_t::object_start) names_.emplace_back();
        if (event == json::parse_event_t::object_end) names_.pop_back();
        if (event == json::parse_event_t::key) {
            const auto& name = parsed.get_ref<const std::string&>();
            if (!names_.back().insert(name).second && repeated_.empty()) repeated_ = fmt::format("\"{}\"", name);
        }
        return true;
    }
    const std::string& repeated() const { return repeated_; }

private:
    std::vector<std::set<std::string>> names_;
    std::string repeated_;
};

Result<json> parse(const std::string& text, const Header& header) {
    if (text.empty() || text.front() != '{') return header.bad("its header must begin with '{{'");
    Watch watch;
    try {
        json parsed = json::parse(text, std::ref(watch));
        if (!watch.repeated().empty()) return header.bad("its header holds {} twice", watch.repeated());
        return parsed;
    } catch (const json::parse_error& error) {
        return header.bad("its header is not JSON (byte {} of the file)", kLengthBytes + error.byte - 1);
    } catch (const json::out_of_range&) {  // 1e400
        return header.bad("its header holds a number beyond what a computer counts");
    }
}

/// A list of whole numbers that an std::int64_t can hold.
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

Result<Entry> read_entry(const std::string& name, const json& object, const Header& header) {
    if (!object.is_object()) return header.bad("{} must be an object with dtype, shape and data_offsets", name);
    Entry entry{name, {}, {}, 0, 0};
    const auto dtype = object.find("dtype");
    if (dtype == object.end() || !dtype->is_string()) return header.bad("{} needs a dtype, a text such as F32", name);
    entry.dtype = dtype->get<std::string>();
    if (!can_be_read(entry.dtype))
        return fail(ErrorCode::Unsupported,
                    "{}: {} is of type {}; F64, F32, F16, BF16, I64, I32, U8 and BOOL can be read", header.path, name,
                    entry.dtype);
    const auto shape = whole_numbers(object, "shape");
    if (!shape) return header.bad("{} needs a shape, a list of whole numbers", name);
    entry.shape = *shape;
    const auto offsets = whole_numbers(object, "data_offsets");
    if (!offsets || offsets->size() != 2 || (*offsets)[0] > (*offsets)[1])
        return header.bad("{} needs data_offsets, two whole numbers that don't fall", name);
    entry.begin = static_cast<std::uint64_t>((*offsets)[0]);
    entry.end = static_cast<std::uint64_t>((*offsets)[1]);

    std::int64_t bytes = static_cast<std::int64_t>(dtype_size(entry.dtype));
    for (const std::int64_t size : entry.shape)
        if (__builtin_mul_overflow(bytes, size, &bytes))
            return header.bad("{} has the shape {}, which no file can hold", name, to_string(entry.shape));
    if (static_cast<std::uint64_t>(bytes) != entry.end - entry.begin)
        return header.bad("the size of {} in bytes is {}; its shape {} in {} needs {}", name, entry.end - entry.begin,
                          to_string(entry.shape), entry.dtype, bytes);
    return entry;
}

Result<void> read_metadata(const json& object, Header& header) {
    if (object.is_null()) return {};
    if (!object.is_object()) return header.bad("{} must be an object of texts", kMetadata);
    for (const auto& [key, value] : object.items()) {
        if (!value.is_string()) return header.bad("{} must hold texts only, and \"{}\" isn't one", kMetadata, key);
        header.metadata[key] = value.get<std::string>();
    }
    return {};
}

/// The data must be covered from its beginning to its end, without a hole and without overlap.
Result<void> check_cover(const Header& header) {
    std::uint64_t at = 0;
    for (const Entry& entry : header.entries) {
        if (entry.begin != at)
            return header.bad("{} begins at {} of the data; {} was expected, without a hole or overlap", entry.name,
                              entry.begin, at);
        at = entry.end;
    }
    if (at != header.data_bytes)
        return header.bad("its tensors end at {} of the data, which is {} bytes long", at, header.data_bytes);
    return {};
}

Result<Header> read_header(InputFile& file, const std::string& path) {
    Header header{path, 0, {}, {}};
    if (file.size() < kLengthBytes)
        return header.bad("its length in bytes is {}, and its header alone takes more than {}", file.size(),
                          kLengthBytes);
    std::uint64_t length = 0;
    if (auto done = file.read(&length, kLengthBytes); !done) return tl::unexpected(done.error());
    if (length > kLargestHeader || length > file.size() - kLengthBytes)
        return header.bad("its first 8 bytes say that the header is {} bytes long; {} at most can be", length,
                          std::min(kLargestHeader, file.size() - kLengthBytes));
    header.data_bytes = file.size() - kLengthBytes - length;
    if (auto fits = require_memory(file.size() + kParsedPerByte * length, path); !fits)
        return tl::unexpected(fits.error());

    std::string text(length, '\0');
    if (auto done = file.read(text.data(), length); !done) return tl::unexpected(done.error());
    const auto parsed = parse(text, header);
    if (!parsed) return tl::unexpected(parsed.error());
    for (const auto& [name, object] : parsed->items()) {
        if (name == kMetadata) {
            if (auto done = read_metadata(object, header); !done) return tl::unexpected(done.error());
            continue;
        }
        auto entry = read_entry(name, object, header);
        if (!entry) return tl::unexpected(entry.error());
        header.entries.push_back(std::move(*entry));
    }
    std::stable_sort(header.entries.begin(), header.entries.end(), [](const Entry& a, const Entry& b) {
        return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
    });
    if (auto covered = check_cover(header); !covered) return tl::unexpected(covered.error());
    return header;
}

/// Quotes and escapes for JSON. A byte that is no UTF-8 becomes U+FFFD, so that every reader can read the header.
std::string quoted(const std::string& text) {
    return json(text).dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace

Result<TensorFile> read_safetensors(const std::string& path) {
    auto file = InputFile::open(path);
    if (!file) return tl::unexpected(file.error());
    auto header = read_header(*file, path);
    if (!header) return tl::unexpected(header.error());
    TensorFile result;
    result.metadata = std::move(header->metadata);
    for (Entry& entry : header->entries) {
        FileTensor tensor{std::move(entry.dtype), std::move(entry.shape), {}};
        tensor.bytes.resize(entry.end - entry.begin);
        if (auto done = file->read(tensor.bytes.data(), tensor.bytes.size()); !done)
            return tl::unexpected(done.error());
        result.tensors.emplace_back(std::move(entry.name), std::move(tensor));
    }
    return result;
}

std::vector<std::uint8_t> encode_safetensors(const TensorFile& file) {
    std::vector<const std::pair<std::string, FileTensor>*> order;
    for (const auto& tensor : file.tensors) order.push_back(&tensor);
    std::stable_sort(order.begin(), order.end(), [](const auto* a, const auto* b) {
        return dtype_size(a->second.dtype) > dtype_size(b->second.dtype);
    });

    std::string header = "{";
    const auto add = [&header](const std::string& member) {
        if (header.size() > 1) header += ',';
        header += member;
    };
    if (!file.metadata.empty()) {
        std::vector<std::string> texts;
        for (const auto& [key, value] : file.metadata)
            texts.push_back(fmt::format("{}:{}", quoted(key), quoted(value)));
        add(fmt::format(R"("{}":{{{}}})", kMetadata, fmt::join(texts, ",")));
    }
    std::uint64_t data_bytes = 0;
    for (const auto* entry : order) {
        const auto& [name, tensor] = *entry;
        const std::uint64_t end = data_bytes + tensor.bytes.size();
        add(fmt::format(R"({}:{{"dtype":"{}","shape":[{}],"data_offsets":[{},{}]}})", quoted(name), tensor.dtype,
                        fmt::join(tensor.shape, ","), data_bytes, end));
        data_bytes = end;
    }
    header += '}';
    header.resize((header.size() + kLengthBytes - 1) / kLengthBytes * kLengthBytes, ' ');

    const std::uint64_t length = header.size();
    std::vector<std::uint8_t> bytes(kLengthBytes + length + data_bytes);
    std::memcpy(bytes.data(), &length, kLengthBytes);
    auto at = std::copy(header.begin(), header.end(), bytes.begin() + kLengthBytes);
    for (const auto* entry : order) at = std::copy(entry->second.bytes.begin(), entry->second.bytes.end(), at);
    return bytes;
}

}  // namespace headscope
