// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/masks/mask.h"

namespace headscope {

/// The end of every error message about the cells of a mask file.
extern const char* const kExpectedMask;

/// Collects the numbers of a mask file row by row, and decides what they mean when all are known
/// (docs/conventions.md 24).
class MaskCells {
public:
    /// Returns false if the number is none of 0, 1, −inf or at most −1e4.
    bool add(double number);
    /// Records that the numbers are written as floats: zeros alone are then ambiguous.
    void set_floating() { floating_ = true; }
    std::int64_t count() const { return static_cast<std::int64_t>(cells_.size()); }
    /// count() must be size × size. FileContent if 1 and −inf are mixed, or if the cells are zeros alone, which could
    /// mean either.
    Result<PaintedMask> to_mask(std::int64_t size, const std::string& name) &&;

private:
    enum Cell : std::uint8_t { Zero, One, Lowest };
    std::vector<std::uint8_t> cells_;
    bool floating_ = false;
};

}  // namespace headscope
