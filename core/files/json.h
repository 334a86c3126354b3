// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace headscope {

/// Parses JSON that another program wrote: UTF-8 with or without a byte-order mark, each name once in its object, lists
/// and objects at most 64 deep, because copying and writing a value recurses. `place` starts each sentence: the file,
/// and the part of it. FileFormat, or OutOfMemory. Bytes are counted from 0; `offset` is that of the text in its file.
Result<nlohmann::json> parse_json(std::string_view text, const std::string& place, std::uint64_t offset = 0);

}  // namespace headscope
