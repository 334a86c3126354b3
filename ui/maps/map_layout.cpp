// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/maps/map_layout.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace headscope {

namespace {

constexpr double kLabelShare = 0.3, kMostOfHeight = 0.45;
constexpr double kRadians = kLabelAngle * std::numbers::pi / 180;

int fitted(int room, std::int64_t cells) {
    if (room <= cells) return std::max(room, 1);
    const auto equal = static_cast<int>(room / cells * cells);
    return equal * 8 >= room * 7 ? equal : room;
}

int devicePixels(double units, double pixel_ratio) {
    return static_cast<int>(std::floor(units * pixel_ratio));
}

}  // namespace

QSize fittedCells(const QSize& room, std::int64_t rows, std::int64_t columns, bool square, double pixel_ratio) {
    int across = fitted(std::max(1, room.width()), columns), down = fitted(std::max(1, room.height()), rows);
    if (square) {
        across = down = fitted(std::max(1, std::min(room.width(), room.height())), columns);
    } else {
        // Limit the aspect ratio of a few rows with many dimensions, and of a few dimensions with many rows.
        const double cell_x = static_cast<double>(across) / static_cast<double>(columns);
        const double cell_y = static_cast<double>(down) / static_cast<double>(rows);
        const double most_x = std::max(3 * cell_y, 24 * pixel_ratio), most_y = std::max(3 * cell_x, 24 * pixel_ratio);
        if (cell_x > most_x) across = static_cast<int>(most_x) * static_cast<int>(columns);
        if (cell_y > most_y) down = static_cast<int>(most_y) * static_cast<int>(rows);
    }
    return {across, down};
}

/// Labels shortened to less than six letters are useless.
double grantedRoom(double wanted, double most, const QFontMetricsF& metrics) {
    const double enough = std::min(wanted, 6 * metrics.averageCharWidth());
    return most < enough ? 0 : std::min(wanted, most);
}

double labelOverhang(const MapLabels& columns, const QFontMetricsF& metrics, double room, double pitch) {
    double most = 0;
    const std::int64_t first = std::max<std::int64_t>(0, columns.count - 8);
    for (std::int64_t i = first; i < columns.count; ++i) {
        const double length = std::min(room, metrics.horizontalAdvance(columns.text(i, metrics, room)));
        const double reach = length * std::cos(kRadians) + metrics.height() / 2 * std::sin(kRadians);
        most = std::max(most, reach - (static_cast<double>(columns.count - i) - 0.5) * pitch);
    }
    return most;
}

double labelHeight(double room, bool turned, const QFontMetricsF& metrics) {
    return turned ? room * std::sin(kRadians) + metrics.height() * std::cos(kRadians) : metrics.height();
}

double longestTurned(double height, const QFontMetricsF& metrics) {
    return (height - metrics.height() * std::cos(kRadians)) / std::sin(kRadians);
}

MapLayout layoutBareMap(const QSize& size, double pixel_ratio, std::int64_t rows, std::int64_t columns, bool square) {
    const QSize room(devicePixels(size.width() - kEdgeRoom - kMarkRoom, pixel_ratio),
                     devicePixels(size.height() - 2 * kEdgeRoom, pixel_ratio));
    const int edge = devicePixels(kEdgeRoom, pixel_ratio);
    MapLayout layout;
    layout.map = QRect({edge, edge}, fittedCells(room, rows, columns, square, pixel_ratio));
    return layout;
}

MapLayout layoutMap(const QSize& size, double pixel_ratio, const MapLabels& rows, const MapLabels& columns, bool square,
                    const QFontMetricsF& metrics) {
    MapLayout layout;
    const double width = size.width(), height = size.height();
    layout.turned = !columns.numbers();
    layout.row_room = grantedRoom(rows.widest(metrics), width * kLabelShare, metrics);
    const double highest = height * kMostOfHeight;
    if (!layout.turned)
        layout.column_room = metrics.height() < highest ? columns.widest(metrics) : 0;
    else if (layout.row_room > 0)  // both or none: labels on one side only would be incomplete
        layout.column_room = grantedRoom(columns.widest(metrics),
                                         std::min(width * kLabelShare, longestTurned(highest, metrics)), metrics);

    const double left = layout.row_room > 0 ? std::ceil(layout.row_room + kLabelGap) : kEdgeRoom;
    double top = kEdgeRoom;
    if (layout.column_room > 0) top = std::ceil(labelHeight(layout.column_room, layout.turned, metrics) + kLabelGap);
    const double rough = (width - left - kMarkRoom) / static_cast<double>(columns.count);
    double right = kMarkRoom;
    if (layout.turned && layout.column_room > 0)
        right = std::max(right, std::ceil(labelOverhang(columns, metrics, layout.column_room, rough)));
    const double row = (height - top - kEdgeRoom) / static_cast<double>(rows.count);
    const double bottom = roomBelow(layout, square ? std::min(row, rough) : row, metrics);
    const QSize room(devicePixels(width - left - right, pixel_ratio), devicePixels(height - top - bottom, pixel_ratio));
    const QSize cells = fittedCells(room, rows.count, columns.count, square, pixel_ratio);
    const int x = devicePixels(left, pixel_ratio) + std::max(0, (room.width() - cells.width()) / 2);
    layout.map = QRect({x, devicePixels(top, pixel_ratio)}, cells);
    return layout;
}

double roomBelow(const MapLayout& layout, double row_height, const QFontMetricsF& metrics) {
    const double label = layout.row_room > 0 ? std::ceil((metrics.height() - row_height) / 2) : 0;
    return std::max(kEdgeRoom, label);
}

}  // namespace headscope
