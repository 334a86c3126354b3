// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/masks/mask.h"

namespace headscope {

/// The cells of a painted mask as they stand in an expression, "painted:S:CELLS": a bit a cell, row after row, the
/// first in the highest bit of the first byte, the bytes in base64url (RFC 4648, section 5) without "=", and the bits
/// left over zero. Ten tokens take 18 characters, 64 tokens 683. One mask has one text.
std::string painted_cells_text(const PaintedMask& mask);

/// Reads them back. InvalidMask: another number of characters than S asks for, a character that isn't base64url, bits
/// that are left over and not zero, S < 1.
Result<PaintedMask> parse_painted_cells(std::int64_t size, std::string_view text);

}  // namespace headscope
