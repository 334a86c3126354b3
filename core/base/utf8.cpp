// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/utf8.h"

#include <fmt/format.h>

#include <algorithm>

namespace headscope {
namespace {

struct Character {
    std::size_t length = 0;  ///< in bytes; 0 = not UTF-8
    char32_t point = 0;
};

/// Reads the character at the beginning of a text.
Character first_character(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char lead = byte(0);
    const std::size_t length = lead < 0x80                    ? 1
                               : lead >= 0xC2 && lead <= 0xDF ? 2
                               : lead >= 0xE0 && lead <= 0xEF ? 3
                               : lead >= 0xF0 && lead <= 0xF4 ? 4
                                                              : 0;
    if (length == 0 || length > text.size()) return {};
    char32_t point = length == 1 ? lead : lead & (0x7FU >> length);
    for (std::size_t i = 1; i < length; ++i) {
        const bool second = i == 1;
        const unsigned char low = second && lead == 0xE0 ? 0xA0 : second && lead == 0xF0 ? 0x90 : 0x80;
        const unsigned char high = second && lead == 0xED ? 0x9F : second && lead == 0xF4 ? 0x8F : 0xBF;
        if (byte(i) < low || byte(i) > high) return {};
        point = point << 6 | (byte(i) & 0x3FU);
    }
    return {length, point};
}

/// True if the character ends a line, moves the cursor, or reorders the text around it.
bool disturbs_a_line(char32_t point) {
    const auto within = [point](char32_t first, char32_t last) { return point >= first && point <= last; };
    return point < 0x20 || within(0x7F, 0x9F) || point == 0x061C || within(0x200E, 0x200F) || within(0x2028, 0x202E) ||
           within(0x2066, 0x2069);
}

}  // namespace

std::optional<std::size_t> invalid_utf8(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = first_character(text.substr(at)).length;
        if (length == 0) return at;
        at += length;
    }
    return std::nullopt;
}

std::string_view without_byte_order_mark(std::string_view text) {
    constexpr std::string_view mark = "\xEF\xBB\xBF";
    return text.starts_with(mark) ? text.substr(mark.size()) : text;
}

std::string one_line(std::string_view text) {
    std::string line;
    for (std::size_t at = 0; at < text.size();) {
        const auto [length, point] = first_character(text.substr(at));
        if (length == 0) {
            line += fmt::format("\\x{:02X}", static_cast<unsigned char>(text[at]));
        } else if (disturbs_a_line(point)) {
            line += fmt::format("U+{:04X}", static_cast<std::uint32_t>(point));
        } else {
            line += text.substr(at, length);
        }
        at += std::max<std::size_t>(length, 1);
    }
    return line;
}

}  // namespace headscope
