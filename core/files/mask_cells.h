// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/masks/mask.h"

namespace headscope {

/// What every error about the cells of a mask file says at its end.
extern const char* const kExpectedMask;

/// The numbers of a mask file, gathered row by row; decides what they mean once all are there (CONVENTIONS 24).
class MaskCells {
public:
    /// False where it is none of 0, 1, −inf or a number of at most −1e4.
    bool add(double number);
    /// The numbers are written as floats: zeros alone are ambiguous.
    void set_floating() { floating_ = true; }
    std::int64_t count() const { return static_cast<std::int64_t>(cells_.size()); }
    /// count() must be size × size. FileContent where 1 and −inf are mixed, or where zeros alone could mean either.
    Result<PaintedMask> to_mask(std::int64_t size, const std::string& name) &&;

private:
    enum Cell : std::uint8_t { Zero, One, Lowest };
    std::vector<std::uint8_t> cells_;
    bool floating_ = false;
};

}  // namespace headscope
