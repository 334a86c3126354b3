// SPDX-License-Identifier: GPL-3.0-or-later
// The strips along the edges of a zoomed map that show which part is in sight, and move it.
#include <algorithm>

#include "ui/maps/heat_map.h"

namespace headscope {

namespace {

constexpr double kGrip = 4;  // how far beside a thin strip a press still counts

}  // namespace

QRectF HeatMap::overviewRect(Qt::Orientation direction) const {
    if (!detailed_ || !isZoomed()) return {};
    const QRectF map = mapRect();
    return direction == Qt::Horizontal ? QRectF(map.left(), map.top() - kEdgeRoom, map.width(), kEdgeRoom)
                                       : QRectF(map.left() - kEdgeRoom, map.top(), kEdgeRoom, map.height());
}

void HeatMap::drawOverview(QPainter& painter) const {
    for (const auto direction : {Qt::Horizontal, Qt::Vertical}) {
        const QRectF strip = overviewRect(direction);
        if (strip.isEmpty()) return;
        const bool across = direction == Qt::Horizontal;
        const QCPRange range = (across ? xAxis : yAxis)->range();
        const double length = across ? strip.width() : strip.height();
        const double cell = length / static_cast<double>(across ? column_labels_.count : row_labels_.count);
        const double size = std::max(2.0, range.size() * cell),
                     begin = std::min((range.lower + 0.5) * cell, length - size);
        painter.fillRect(strip, color(Role::Border, theme_));
        painter.fillRect(across ? QRectF(strip.left() + begin, strip.top(), size, strip.height())
                                : QRectF(strip.left(), strip.top() + begin, strip.width(), size),
                         color(Role::Accent, theme_));
    }
}

std::optional<Qt::Orientation> HeatMap::overviewAt(const QPointF& position) const {
    for (const auto direction : {Qt::Horizontal, Qt::Vertical}) {
        const QRectF strip = overviewRect(direction);
        const bool across = direction == Qt::Horizontal;
        const QRectF grip = strip.adjusted(across ? 0 : -kGrip, across ? -kGrip : 0, 0, 0);
        if (!strip.isEmpty() && grip.contains(position)) return direction;
    }
    return std::nullopt;
}

/// Puts the middle of the part in sight where the pointer is in the dragged strip.
void HeatMap::moveInOverview(const QPointF& to) {
    const Qt::Orientation wanted = in_overview_.value_or(Qt::Horizontal);
    const QRectF strip = overviewRect(wanted);
    if (strip.isEmpty()) return;
    moveRanges([&](QCPAxis& axis, Qt::Orientation direction) {
        if (direction != wanted) return;
        const bool across = wanted == Qt::Horizontal;
        const double share = across ? (to.x() - strip.left()) / strip.width() : (to.y() - strip.top()) / strip.height();
        const auto count = static_cast<double>(across ? column_labels_.count : row_labels_.count);
        axis.moveRange(share * count - 0.5 - axis.range().center());
    });
}

}  // namespace headscope
