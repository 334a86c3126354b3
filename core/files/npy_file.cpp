// SPDX-License-Identifier: GPL-3.0-or-later
// The format: numpy.lib.format, NEP 1.
#include "core/files/npy_file.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <optional>
#include <string_view>

#include "core/base/sentence.h"
#include "core/files/input_file.h"

namespace headscope {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kLargestHeader = 64 * 1024;
constexpr std::size_t kMostAxes = 64;  // as in numpy
constexpr std::int64_t kMostTexts = 1'000'000;
constexpr std::size_t kAlignment = 64;  // of the data, as numpy writes it

struct Header {
    std::string descr;
    bool fortran_order = false;
    Shape shape;
    std::size_t data_offset = 0;
};

template <typename... Args>
tl::unexpected<Error> bad(const std::string& place, const std::string& text, const Args&... args) {
    return fail(ErrorCode::FileFormat, "{}: not a good npy array: " + text, place, args...);
}

/// Parses the Python dictionary of a header: three keys in any order, each once; strings, booleans, a tuple of numbers.
class HeaderParser {
public:
    explicit HeaderParser(std::string_view text) : text_(text) {}

    /// The header, or what was expected at the first fault.
    Result<Header> parse(const std::string& place) {
        Header header;
        bool has_descr = false, has_order = false, has_shape = false;
        if (!take('{')) return expected(place, phrase("a dictionary"));
        while (!take('}')) {
            const auto key = text();
            if (!key || !take(':')) return expected(place, phrase("a key and a colon"));
            if (*key == "descr" && !has_descr) {
                if (peek() == '[')
                    return fail(ErrorCode::Unsupported, "{}: a structured array; a plain one was expected", place);
                const auto descr = text();
                if (!descr) return expected(place, phrase("a type such as '<f4'"));
                header.descr = *descr;
                has_descr = true;
            } else if (*key == "fortran_order" && !has_order) {
                header.fortran_order = word("True");
                if (!header.fortran_order && !word("False")) return expected(place, phrase("True or False"));
                has_order = true;
            } else if (*key == "shape" && !has_shape) {
                const auto shape = numbers();
                if (!shape) return expected(place, phrase("a shape such as (3, 4)"));
                header.shape = *shape;
                has_shape = true;
            } else {
                return bad(place, "its header has '{}' where descr, fortran_order and shape, each once, belong", *key);
            }
            if (!take(',') && peek() != '}') return expected(place, phrase("a comma or a closing brace"));
        }
        skip_spaces();
        if (at_ != text_.size()) return expected(place, phrase("the header's end"));
        if (!has_descr || !has_order || !has_shape) return bad(place, "its header lacks descr, fortran_order or shape");
        return header;
    }

private:
    tl::unexpected<Error> expected(const std::string& place, const char* what) const {
        return bad(place, "byte {} of its header: {} expected", at_, what);
    }
    void skip_spaces() {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
    }
    char peek() {
        skip_spaces();
        return at_ < text_.size() ? text_[at_] : '\0';
    }
    bool take(char c) {
        if (peek() != c) return false;
        ++at_;
        return true;
    }
    bool word(std::string_view w) {
        skip_spaces();
        if (text_.substr(at_, w.size()) != w) return false;
        at_ += w.size();
        return true;
    }
    std::optional<std::string> text() {
        const char quote = peek();
        if (quote != '\'' && quote != '"') return std::nullopt;
        const auto end = text_.find(quote, at_ + 1);
        if (end == std::string_view::npos) return std::nullopt;
        std::string result(text_.substr(at_ + 1, end - at_ - 1));
        at_ = end + 1;
        return result;
    }
    std::optional<Shape> numbers() {
        if (!take('(')) return std::nullopt;
        Shape shape;
        while (!take(')')) {
            skip_spaces();
            std::int64_t value = 0;
            const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
            if (error != std::errc{} || value < 0) return std::nullopt;
            shape.push_back(value);
            at_ = static_cast<std::size_t>(end - text_.data());
            take('L');  // Python 2 wrote long integers with it
            if (!take(',') && peek() != ')') return std::nullopt;
        }
        return shape;
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

Result<Header> read_header(std::span<const std::uint8_t> bytes, const std::string& place) {
    const std::string_view all(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (!all.starts_with(kMagic)) return bad(place, "it doesn't begin with \\x93NUMPY");
    if (bytes.size() < 8) return bad(place, "it ends before its version");
    const int version = bytes[6];
    if (version < 1 || version > 3 || bytes[7] != 0)
        return fail(ErrorCode::Unsupported, "{}: npy version {}.{}; 1.0, 2.0 and 3.0 can be read", place, version,
                    static_cast<int>(bytes[7]));
    const std::size_t length_bytes = version == 1 ? 2 : 4;
    const std::size_t start = 8 + length_bytes;
    if (bytes.size() < start) return bad(place, "it ends before its header");
    std::uint32_t length = 0;
    std::memcpy(&length, bytes.data() + 8, length_bytes);
    if (length > kLargestHeader)
        return bad(place, "its header is {} bytes long; {} at most are read", length, kLargestHeader);
    if (length > bytes.size() - start)
        return bad(place, "its header is {} bytes long, and {} follow", length, bytes.size() - start);
    auto header = HeaderParser(all.substr(start, length)).parse(place);
    if (header) header->data_offset = start + length;
    return header;
}

/// The type of an element: '<f4' is a little-endian float of four bytes.
struct ElementType {
    bool swapped = false;
    char kind = 0;
    std::int64_t bytes = 0;
};

std::optional<ElementType> parse_descr(std::string_view descr) {
    ElementType type;
    if (!descr.empty() && std::string_view("<>|=").find(descr.front()) != std::string_view::npos) {
        type.swapped = descr.front() == '>';
        descr.remove_prefix(1);
    }
    if (descr.size() < 2) return std::nullopt;
    type.kind = descr.front();
    const char* end = descr.data() + descr.size();
    const auto parsed = std::from_chars(descr.data() + 1, end, type.bytes);
    if (parsed.ec != std::errc{} || parsed.ptr != end || type.bytes < 0) return std::nullopt;
    if (type.kind == 'U' && __builtin_mul_overflow(type.bytes, 4, &type.bytes)) return std::nullopt;
    return type;
}

/// safetensors' name of a number type, or empty.
std::string dtype_name(const ElementType& type) {
    if (type.kind == 'b') return type.bytes == 1 ? "BOOL" : "";
    const char letter = static_cast<char>(type.kind - 'a' + 'A');
    constexpr std::int64_t widest = 8;  // in bytes
    if ((letter != 'F' && letter != 'I' && letter != 'U') || type.bytes > widest) return {};
    std::string name = fmt::format("{}{}", letter, type.bytes * 8);
    return dtype_size(name) > 0 ? name : std::string();
}

/// Reorders elements of `size` bytes from column-major (Fortran) to row-major.
std::vector<std::uint8_t> to_row_major(std::span<const std::uint8_t> bytes, const Shape& shape, std::size_t size) {
    std::vector<std::uint8_t> result(bytes.size());
    std::vector<std::size_t> index(shape.size(), 0), stride(shape.size(), size);
    for (std::size_t axis = 1; axis < shape.size(); ++axis)
        stride[axis] = stride[axis - 1] * static_cast<std::size_t>(shape[axis - 1]);
    for (std::size_t at = 0; at < result.size(); at += size) {
        std::size_t from = 0;
        for (std::size_t axis = 0; axis < shape.size(); ++axis) from += index[axis] * stride[axis];
        std::memcpy(result.data() + at, bytes.data() + from, size);
        for (std::size_t axis = shape.size(); axis-- > 0;) {
            if (++index[axis] < static_cast<std::size_t>(shape[axis])) break;
            index[axis] = 0;
        }
    }
    return result;
}

void swap_bytes(std::vector<std::uint8_t>& bytes, std::size_t size) {
    for (std::size_t at = 0; at < bytes.size(); at += size)
        std::reverse(bytes.begin() + static_cast<std::ptrdiff_t>(at),
                     bytes.begin() + static_cast<std::ptrdiff_t>(at + size));
}

void append_utf8(std::string& text, std::uint32_t point) {
    const auto add = [&text](std::uint32_t byte) { text += static_cast<char>(byte); };
    if (point < 0x80) return add(point);
    if (point < 0x800) {
        add(0xC0 | point >> 6);
    } else if (point < 0x10000) {
        add(0xE0 | point >> 12);
        add(0x80 | (point >> 6 & 0x3F));
    } else {
        add(0xF0 | point >> 18);
        add(0x80 | (point >> 12 & 0x3F));
        add(0x80 | (point >> 6 & 0x3F));
    }
    add(0x80 | (point & 0x3F));
}

/// Decodes UTF-32 of a fixed length, padded with zeros.
Result<NpyTexts> decode_texts(const std::vector<std::uint8_t>& bytes, const Shape& shape, std::size_t count,
                              std::size_t text_bytes, const std::string& place) {
    NpyTexts result{shape, std::vector<std::string>(count)};
    for (std::size_t i = 0; i < count; ++i) {
        std::vector<std::uint32_t> points(text_bytes / 4);
        if (!points.empty()) std::memcpy(points.data(), bytes.data() + i * text_bytes, text_bytes);
        while (!points.empty() && points.back() == 0) points.pop_back();
        for (const std::uint32_t point : points) {
            if (point > 0x10FFFF || (point >= 0xD800 && point < 0xE000))
                return bad(place, "text {} holds U+{}, which is no character", i, fmt::format("{:X}", point));
            append_utf8(result.texts[i], point);
        }
    }
    return result;
}

/// numpy's name of a number type: "<f4".
std::string type_text(const std::string& dtype) {
    const std::size_t size = dtype_size(dtype);
    std::string descr = dtype == "BOOL" ? "|b1" : fmt::format("<{}{}", char(dtype[0] - 'A' + 'a'), size);
    if (size == 1) descr.front() = '|';
    return descr;
}

std::vector<std::uint8_t> with_header(const std::string& descr, const Shape& shape, const std::uint8_t* data,
                                      std::size_t size) {
    std::string header = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}{}), }}", descr,
                                     fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
    const std::size_t unpadded = kMagic.size() + 4 + header.size() + 1;
    header.append((kAlignment - unpadded % kAlignment) % kAlignment, ' ');
    header += '\n';
    std::string start(kMagic);
    start += {'\1', '\0', static_cast<char>(header.size() & 0xFF), static_cast<char>(header.size() >> 8)};
    start += header;
    std::vector<std::uint8_t> bytes(start.begin(), start.end());
    bytes.insert(bytes.end(), data, data + size);
    return bytes;
}

}  // namespace

Result<NpyHeader> decode_npy_header(std::span<const std::uint8_t> start, std::uint64_t total,
                                    const std::string& place) {
    const auto header = read_header(start, place);
    if (!header) return tl::unexpected(header.error());
    const auto type = parse_descr(header->descr);
    const std::string dtype = type ? dtype_name(*type) : std::string();
    const bool is_text = type && type->kind == 'U';
    if (dtype.empty() && !is_text) {
        const char* sentence =
            header->descr.find('O') != std::string::npos
                ? "{}: an array of type '{}'; numbers, bool and unicode texts can be read, objects never are"
                : "{}: an array of type '{}'; numbers, bool and unicode texts can be read";
        return fail(ErrorCode::Unsupported, sentence, place, header->descr);
    }

    if (header->shape.size() > kMostAxes)
        return bad(place, "it has {} axes; {} at most are read", header->shape.size(), kMostAxes);
    std::int64_t count = 1, needed = 0;
    bool fits = true;
    for (const std::int64_t size : header->shape) fits = fits && !__builtin_mul_overflow(count, size, &count);
    fits = fits && !__builtin_mul_overflow(count, type->bytes, &needed);
    const std::uint64_t data_bytes = total - header->data_offset;
    if (!fits) return bad(place, "its shape {} is more than any file holds", to_string(header->shape));
    if (static_cast<std::uint64_t>(needed) != data_bytes)
        return bad(place, "its shape {} in '{}' needs {} bytes, and {} follow the header", to_string(header->shape),
                   header->descr, needed, data_bytes);
    // Each becomes a std::string, although an empty one takes no bytes in the file.
    if (is_text && count > kMostTexts) return bad(place, "it holds {} texts; {} at most are read", count, kMostTexts);
    return NpyHeader{dtype,         header->shape,       header->fortran_order,
                     type->swapped, header->data_offset, static_cast<std::size_t>(type->bytes)};
}

Result<NpyArray> decode_npy(std::span<const std::uint8_t> bytes, const std::string& place) {
    auto header = decode_npy_header(bytes, bytes.size(), place);
    if (!header) return tl::unexpected(header.error());
    const auto data = bytes.subspan(header->data_offset);
    const bool is_text = header->dtype.empty();
    std::vector<std::uint8_t> ordered = header->fortran_order && header->shape.size() > 1
                                            ? to_row_major(data, header->shape, header->element_bytes)
                                            : std::vector<std::uint8_t>(data.begin(), data.end());
    if (header->swapped && !ordered.empty()) swap_bytes(ordered, is_text ? 4 : header->element_bytes);
    if (!is_text) return FileTensor{std::move(header->dtype), std::move(header->shape), std::move(ordered)};
    std::int64_t count = 1;
    for (const std::int64_t size : header->shape) count *= size;
    auto texts = decode_texts(ordered, header->shape, static_cast<std::size_t>(count), header->element_bytes, place);
    if (!texts) return tl::unexpected(texts.error());
    return std::move(*texts);
}

Result<FileTensor> read_npy(const std::string& path) {
    const auto bytes = InputFile::read_all(path, FileKind::Npy);
    if (!bytes) return tl::unexpected(bytes.error());
    auto array = decode_npy(*bytes, path);
    if (!array) return tl::unexpected(array.error());
    if (auto* tensor = std::get_if<FileTensor>(&*array)) return std::move(*tensor);
    return fail(ErrorCode::Unsupported, "{}: an array of texts; one of numbers was expected", path);
}

std::vector<std::uint8_t> encode_npy(const FileTensor& tensor) {
    if (tensor.dtype == "BF16") return encode_npy(FileTensor::from(tensor.to_tensor(Tensor::Type::Float32)));
    return with_header(type_text(tensor.dtype), tensor.shape, tensor.bytes.data(), tensor.bytes.size());
}

std::vector<std::uint8_t> encode_npy_header(const std::string& dtype, const Shape& shape) {
    return with_header(type_text(dtype), shape, nullptr, 0);
}

std::vector<std::uint8_t> encode_npy_text(const std::u32string& text) {
    const auto* data = reinterpret_cast<const std::uint8_t*>(text.data());
    return with_header(fmt::format("<U{}", text.size()), {}, data, text.size() * 4);
}

}  // namespace headscope
