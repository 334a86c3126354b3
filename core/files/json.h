// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace headscope {

/// Parses JSON from other programs: UTF-8 with or without a byte-order mark, no duplicate names in an object, and lists
/// and objects nested at most 64 deep, because copying and writing a value recurses. Messages begin with `place`: the
/// file, and the part of it. Errors: FileFormat, OutOfMemory. Bytes are counted from 0; `offset` is that of the text in
/// its file.
Result<nlohmann::json> parse_json(std::string_view text, const std::string& place, std::uint64_t offset = 0);

}  // namespace headscope
