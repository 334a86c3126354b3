// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/masks/mask.h"

namespace headscope {

/// The cells of a painted mask as they are written in an expression, "painted:S:CELLS": one bit per cell, row-major,
/// the first in the highest bit of the first byte, the bytes in base64url (RFC 4648, section 5) without "=", and unused
/// bits zero. Ten tokens take 18 characters, 64 tokens 683. Each mask has exactly one text.
std::string painted_cells_text(const PaintedMask& mask);

/// Parses the cells. InvalidMask if the number of characters does not match S, a character isn't base64url, an unused
/// bit is not zero, or S < 1.
Result<PaintedMask> parse_painted_cells(std::int64_t size, std::string_view text);

}  // namespace headscope
