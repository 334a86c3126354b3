// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/masks/mask_edit.h"

namespace headscope {

/// What a stroke of the hand covers.
enum class PaintTool { Cells, Rectangle, Rows, Columns };
/// What it leaves there.
enum class Ink {
    Opposite,  ///< of where it begins
    Allow,
    Mask
};

/// One stroke from press to release, on the cells that are painted for the tokens of the moment. The hand may leave the
/// grid and come back.
class Stroke {
public:
    /// allowed: what it paints; see Ink.
    Stroke(PaintedMask before, PaintTool tool, bool allowed, paint::Cell first);

    void moveTo(paint::Cell at);
    const PaintedMask& mask() const { return mask_; }
    bool allowed() const { return allowed_; }
    PaintTool tool() const { return tool_; }
    paint::Cell at() const { return at_; }

private:
    PaintedMask before_, mask_;
    PaintTool tool_;
    bool allowed_;
    paint::Cell first_, at_;
};

}  // namespace headscope
