// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/maps/map_layout.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace headscope {

namespace {

constexpr double kLabelShare = 0.3, kMostOfHeight = 0.45;
constexpr double kRadians = kLabelAngle * std::numbers::pi / 180;

/// Labels that must be cut to less than six letters say nothing.
double granted(double wanted, double most, const QFontMetricsF& metrics) {
    const double enough = std::min(wanted, 6 * metrics.averageCharWidth());
    return most < enough ? 0 : std::min(wanted, most);
}

/// How far the last labels reach beyond the cells.
double overhang(const MapLabels& columns, const QFontMetricsF& metrics, double room, double pitch) {
    double most = 0;
    const std::int64_t first = std::max<std::int64_t>(0, columns.count - 8);
    for (std::int64_t i = first; i < columns.count; ++i) {
        const double length = std::min(room, metrics.horizontalAdvance(columns.text(i, metrics, room)));
        const double reach = length * std::cos(kRadians) + metrics.height() / 2 * std::sin(kRadians);
        most = std::max(most, reach - (static_cast<double>(columns.count - i) - 0.5) * pitch);
    }
    return most;
}

int fitted(int room, std::int64_t cells) {
    if (room <= cells) return std::max(room, 1);
    const auto equal = static_cast<int>(room / cells * cells);
    return equal * 8 >= room * 7 ? equal : room;
}

}  // namespace

MapLayout layoutMap(const QSize& size, double pixel_ratio, const MapLabels& rows, const MapLabels& columns, bool square,
                    const QFontMetricsF& metrics) {
    MapLayout layout;
    const double width = size.width(), height = size.height();
    layout.turned = !columns.numbers();
    layout.row_room = granted(rows.widest(metrics), width * kLabelShare, metrics);
    const double rise = layout.turned ? std::sin(kRadians) : 1;
    const double thick = layout.turned ? metrics.height() * std::cos(kRadians) : 0;
    const double highest = height * kMostOfHeight;
    if (!layout.turned)
        layout.column_room = metrics.height() < highest ? columns.widest(metrics) : 0;
    else if (layout.row_room > 0)  // both or none: one of them would be half an answer
        layout.column_room =
            granted(columns.widest(metrics), std::min(width * kLabelShare, (highest - thick) / rise), metrics);

    const double left = layout.row_room > 0 ? std::ceil(layout.row_room + kLabelGap) : 0;
    double top = 0;
    if (layout.column_room > 0)
        top = std::ceil((layout.turned ? layout.column_room * rise + thick : metrics.height()) + kLabelGap);
    const double rough = (width - left - kMarkRoom) / static_cast<double>(columns.count);
    double right = kMarkRoom;
    if (layout.turned && layout.column_room > 0)
        right = std::max(right, std::ceil(overhang(columns, metrics, layout.column_room, rough)));

    const auto pixels = [&](double units) { return static_cast<int>(std::floor(units * pixel_ratio)); };
    const double below = roomBelow(layout, (height - top - kEdgeRoom) / static_cast<double>(rows.count), metrics);
    const int room_x = std::max(1, pixels(width - left - right)), room_y = std::max(1, pixels(height - top - below));
    int across = fitted(room_x, columns.count), down = fitted(room_y, rows.count);
    if (square) {
        across = down = fitted(std::min(room_x, room_y), columns.count);
    } else {
        // A few rows of many dimensions shouldn't become towers, nor a few dimensions of many rows beams.
        const double cell_x = static_cast<double>(across) / static_cast<double>(columns.count);
        const double cell_y = static_cast<double>(down) / static_cast<double>(rows.count);
        const double most_x = std::max(3 * cell_y, 24 * pixel_ratio), most_y = std::max(3 * cell_x, 24 * pixel_ratio);
        if (cell_x > most_x) across = static_cast<int>(most_x) * static_cast<int>(columns.count);
        if (cell_y > most_y) down = static_cast<int>(most_y) * static_cast<int>(rows.count);
    }
    const int x = pixels(left) + std::max(0, (room_x - across) / 2);
    layout.map = QRect(x, pixels(top), across, down);
    return layout;
}

double roomBelow(const MapLayout& layout, double row_height, const QFontMetricsF& metrics) {
    const double label = layout.row_room > 0 ? std::ceil((metrics.height() - row_height) / 2) : 0;
    return std::max(kEdgeRoom, label);
}

}  // namespace headscope
