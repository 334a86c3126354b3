// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

/// Sizes of a chip, in pixels.
namespace headscope::chip {

constexpr int kPadding = 7;      // left and right of a chip's text
constexpr int kSpacing = 6;      // between chips
constexpr int kIndexGap = 3;     // between a token and its index
constexpr int kRowPadding = 10;  // sum above and below the text of a row
constexpr int kRowMargin = 2;    // between a row's edge and its chips
constexpr int kGraphemes = 16;   // of a token; longer tokens are shortened

}  // namespace headscope::chip
