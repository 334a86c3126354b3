// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/mask/stroke.h"

#include <utility>

namespace headscope {

Stroke::Stroke(PaintedMask before, PaintTool tool, bool allowed, paint::Cell first)
    : before_(std::move(before)), mask_(before_), tool_(tool), allowed_(allowed), first_(first), at_(first) {
    moveTo(first);
}

void Stroke::moveTo(paint::Cell at) {
    const std::int64_t last = mask_.size - 1;
    switch (tool_) {
        case PaintTool::Cells:
            mask_ = paint::line(std::move(mask_), at_, at, allowed_);
            break;
        case PaintTool::Rectangle:  // it may shrink again
            mask_ = paint::rectangle(before_, first_, at, allowed_);
            break;
        case PaintTool::Rows:
            mask_ = paint::rectangle(std::move(mask_), {at_.query, 0}, {at.query, last}, allowed_);
            break;
        case PaintTool::Columns:
            mask_ = paint::rectangle(std::move(mask_), {0, at_.key}, {last, at.key}, allowed_);
            break;
    }
    at_ = at;
}

}  // namespace headscope
