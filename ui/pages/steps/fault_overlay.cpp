// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/steps/fault_overlay.h"

#include <QPainter>
#include <algorithm>
#include <set>

#include "ui/maps/heat_map.h"

namespace headscope {

namespace {

constexpr double kSmallest = 6, kLargest = 14;  // of a mark

QPolygonF triangle(const FaultOverlay::Mark& mark) {
    const double half = mark.size / 2, way = mark.fault == CellFault::Overflow ? -half : half;
    return QPolygonF(
        {mark.centre + QPointF(-half, -way), mark.centre + QPointF(half, -way), mark.centre + QPointF(0, way)});
}

}  // namespace

void FaultOverlay::setLens(const LensPtr& lens, Precision precision) {
    lens_ = lens;
    precision_ = precision;
    update();
}

/// Overflows first: where one mark stands for many, the rarer and graver fault is the one that is seen.
void FaultOverlay::place() {
    if (placed_lens_ == lens_ && placed_ == map()->mapRect() && placed_theme_ == currentTheme()) return;
    placed_lens_ = lens_;
    placed_theme_ = currentTheme();
    placed_ = map()->mapRect();
    marks_.clear();
    if (!lens_) return;
    const PrecisionError& error = lens_->error(precision_);
    std::vector<QRectF> rows, columns;
    for (int i = 0; i < static_cast<int>(error.size); ++i) {
        rows.push_back(map()->cellRect(i, 0));
        columns.push_back(map()->cellRect(0, i));
    }
    std::set<std::pair<int, int>> taken;
    for (const CellFault fault : {CellFault::Overflow, CellFault::Underflow}) {
        for (std::size_t n = 0; n < error.faults.size(); ++n) {
            if (error.faults[n] != fault) continue;
            const QRectF &row = rows[n / rows.size()], &column = columns[n % rows.size()];
            const QPointF centre(column.center().x(), row.center().y());
            const double cell = std::min(column.width(), row.height());
            const double room = std::max(cell, kSmallest + 1);
            const std::pair block(static_cast<int>((centre.x() - placed_.left()) / room),
                                  static_cast<int>((centre.y() - placed_.top()) / room));
            if (cell < room && !taken.insert(block).second) continue;
            marks_.push_back({centre, std::clamp(cell / 2, kSmallest, kLargest), fault, inkAt(n)});
        }
    }
}

/// What is read on the cell's colour.
QColor FaultOverlay::inkAt(std::size_t cell) const {
    const PrecisionError& error = lens_->error(precision_);
    const auto& allowed = lens_->map(precision_)->allowed;
    if (!allowed.empty() && !allowed[cell]) return color(Role::Text, currentTheme());
    return readableOn(QColor(lens_->scale(precision_).color(error.error[cell])));
}

void FaultOverlay::paintEvent(QPaintEvent*) {
    place();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    for (const Mark& mark : marks_) {
        painter.setBrush(mark.color);
        painter.drawPolygon(triangle(mark));
    }
}

}  // namespace headscope
