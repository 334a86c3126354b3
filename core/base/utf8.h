// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace headscope {

/// Offset of the first byte that is not UTF-8 by Unicode's table 3-7; nothing if the text is well-formed.
std::optional<std::size_t> invalid_utf8(std::string_view text);

/// The text after its byte-order mark, if it begins with one.
std::string_view without_byte_order_mark(std::string_view text);

/// The text on one line for any display: control characters, line and paragraph separators and bidirectional controls
/// become names such as U+2028, and a byte that is not UTF-8 becomes \xFF. The result is well-formed UTF-8.
std::string one_line(std::string_view text);

}  // namespace headscope
