// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/figure_map.h"

#include <QPaintEngine>
#include <QPainterPath>
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "ui/look/hatch.h"

namespace headscope {
namespace {

using Kind = DrawnCell::Kind;

bool isMasked(Kind kind) {
    return kind == Kind::Masked || kind == Kind::Leaked || kind == Kind::MaskedNan;
}
bool isNan(Kind kind) {
    return kind == Kind::Nan || kind == Kind::MaskedNan;
}

DrawnCell cellOf(const MatrixView& matrix, const ColorScale& scale, bool weights, int row, int column) {
    const double value = matrix.at(row, column);
    if (!matrix.masked(row, column))
        return std::isnan(value) ? DrawnCell{Kind::Nan, 0} : DrawnCell{Kind::Colored, scale.color(value)};
    if (weights && std::isnan(value)) return {Kind::MaskedNan, 0};
    return weights && value != 0 ? DrawnCell{Kind::Leaked, scale.color(value)} : DrawnCell{Kind::Masked, 0};
}

DrawnCell blockOf(const MatrixView& matrix, const MapGrid& grid, const ColorScale& scale, Reduction reduction, int row,
                  int column) {
    const auto last_row = std::min<std::int64_t>(matrix.rows, std::int64_t{row + 1} * grid.rows_each);
    const auto last_column = std::min<std::int64_t>(matrix.columns, std::int64_t{column + 1} * grid.columns_each);
    const bool mean = reduction == Reduction::Mean;
    double shown = mean ? 0 : -std::numeric_limits<double>::infinity();
    int allowed = 0;
    for (std::int64_t i = std::int64_t{row} * grid.rows_each; i < last_row; ++i) {
        for (std::int64_t j = std::int64_t{column} * grid.columns_each; j < last_column; ++j) {
            if (matrix.masked(i, j)) continue;
            const double value = matrix.at(i, j);
            if (std::isnan(value)) return {Kind::Nan, 0};
            shown = mean ? shown + value : std::max(shown, value);
            ++allowed;
        }
    }
    if (allowed == 0) return {Kind::Masked, 0};
    if (mean) shown /= allowed;
    return std::isnan(shown) ? DrawnCell{Kind::Nan, 0} : DrawnCell{Kind::Colored, scale.color(shown)};
}

/// Covers the cells of a kind with disjoint rectangles, in cell coordinates: runs along the rows, merged downwards.
template <typename Wanted>
QList<QRect> runs(const DrawnMap& map, Wanted wanted) {
    QList<QRect> rects;
    std::vector<qsizetype> ending(static_cast<std::size_t>(map.columns), -1);  // run that ends in the row above
    for (int row = 0; row < map.rows; ++row) {
        for (int column = 0; column < map.columns;) {
            if (!wanted(map.at(row, column).kind)) {
                ++column;
                continue;
            }
            int end = column;
            while (end < map.columns && wanted(map.at(row, end).kind)) ++end;
            qsizetype& above = ending[static_cast<std::size_t>(column)];
            if (above >= 0 && rects[above].bottom() + 1 == row && rects[above].width() == end - column) {
                rects[above].setBottom(row);
            } else {
                above = rects.size();
                rects += QRect(column, row, end - column, 1);
            }
            column = end;
        }
    }
    return rects;
}

/// Converts cell coordinates to units.
struct Place {
    QPointF corner;
    const MapGrid& grid;
    double x(double column) const { return corner.x() + column * grid.cell_width; }
    double y(double row) const { return corner.y() + row * grid.cell_height; }
    QRectF rect(const QRect& cells) const {
        return {QPointF(x(cells.left()), y(cells.top())), QPointF(x(cells.right() + 1), y(cells.bottom() + 1))};
    }
    QRectF cell(int row, int column) const { return rect(QRect(column, row, 1, 1)); }
};

/// The parts of a line across the map that lie on the wanted cells. `across` returns the fraction of the line at which
/// it crosses each border between cells.
template <typename Wanted>
void appendInside(QList<QLineF>& lines, const QLineF& line, const DrawnMap& map, const Place& place, Wanted wanted) {
    std::vector<double> stops{0, 1};
    const auto meet = [&](double border, double from, double to) {
        const double at = (border - from) / (to - from);
        if (at > 0 && at < 1) stops.push_back(at);
    };
    for (int column = 1; column < map.columns; ++column) meet(place.x(column), line.x1(), line.x2());
    for (int row = 1; row < map.rows; ++row) meet(place.y(row), line.y1(), line.y2());
    std::sort(stops.begin(), stops.end());
    double start = -1;
    for (std::size_t i = 0; i < stops.size(); ++i) {
        bool inside = false;
        if (i + 1 < stops.size()) {
            const QPointF middle = line.pointAt((stops[i] + stops[i + 1]) / 2);
            const int column = static_cast<int>((middle.x() - place.corner.x()) / place.grid.cell_width);
            const int row = static_cast<int>((middle.y() - place.corner.y()) / place.grid.cell_height);
            inside = wanted(map.at(std::clamp(row, 0, map.rows - 1), std::clamp(column, 0, map.columns - 1)).kind);
        }
        if (inside && start < 0) start = stops[i];
        if (!inside && start >= 0) {
            lines += QLineF(line.pointAt(start), line.pointAt(stops[i]));
            start = -1;
        }
    }
}

template <typename Wanted>
QList<QLineF> hatching(const DrawnMap& map, const Place& place, double spacing, Wanted wanted) {
    QList<QLineF> lines;
    for (const QLineF& line : hatchLines(QRectF(place.corner, place.grid.size()), spacing))
        if (line.length() > 0) appendInside(lines, line, map, place, wanted);
    return lines;
}

void paintMasked(QPainter& painter, const DrawnMap& map, const Place& place, Theme theme) {
    QPainterPath path;
    for (const QRect& run : runs(map, isMasked)) path.addRect(place.rect(run));
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.fillPath(path, color(Role::Masked, theme));
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(QPen(color(Role::Hatch, theme), 1, Qt::SolidLine, Qt::FlatCap));
    painter.drawLines(hatching(map, place, kHatchSpacing, isMasked));
}

void paintCrosses(QPainter& painter, const DrawnMap& map, const Place& place, Theme theme) {
    QList<QLineF> lines;
    if (std::min(place.grid.cell_width, place.grid.cell_height) >= 4) {
        for (int row = 0; row < map.rows; ++row) {
            for (int column = 0; column < map.columns; ++column) {
                if (!isNan(map.at(row, column).kind)) continue;
                const QRectF cell = place.cell(row, column);
                lines += {QLineF(cell.topLeft(), cell.bottomRight()), QLineF(cell.topRight(), cell.bottomLeft())};
            }
        }
    } else {
        // Too small for one cross per cell: draw lines in both directions over all of them.
        const QRectF whole(place.corner, place.grid.size());
        for (const QLineF& line : hatchLines(whole, 4)) {
            if (line.length() == 0) continue;
            appendInside(lines, line, map, place, isNan);
            const auto mirrored = [&](const QPointF& p) {
                return QPointF(whole.left() + whole.right() - p.x(), p.y());
            };
            appendInside(lines, QLineF(mirrored(line.p1()), mirrored(line.p2())), map, place, isNan);
        }
    }
    painter.setPen(QPen(color(Role::Nan, theme), 1, Qt::SolidLine, Qt::FlatCap));
    painter.drawLines(lines);
}

/// Fills the background with the most frequent palette entry, so that a viewer that smooths the edges between cells
/// blends them with a similar colour and not with the paper. It is a path, because only cells are rectangles.
void paintBacking(QPainter& painter, const std::map<QRgb, QList<QRectF>>& cells, const DrawnMap& map,
                  const Place& place) {
    const auto most = std::max_element(cells.begin(), cells.end(),
                                       [](const auto& a, const auto& b) { return a.second.size() < b.second.size(); });
    if (most == cells.end()) return;
    QPainterPath path;
    for (const QRect& run : runs(map, [](Kind kind) { return !isMasked(kind); })) path.addRect(place.rect(run));
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.fillPath(path, QColor::fromRgb(most->first));
}

void paintCells(QPainter& painter, const DrawnMap& map, const Place& place, Theme theme) {
    const QRgb nan = color(Role::Raised, theme).rgb();
    std::map<QRgb, QList<QRectF>> cells;
    for (int row = 0; row < map.rows; ++row) {
        for (int column = 0; column < map.columns; ++column) {
            const DrawnCell& cell = map.at(row, column);
            if (!isMasked(cell.kind)) cells[cell.kind == Kind::Nan ? nan : cell.color] += place.cell(row, column);
        }
    }
    paintBacking(painter, cells, map, place);
    if (std::any_of(map.cells.begin(), map.cells.end(), [](const DrawnCell& cell) { return isMasked(cell.kind); }))
        paintMasked(painter, map, place, theme);
    painter.setPen(Qt::NoPen);
    painter.setRenderHint(QPainter::Antialiasing, false);
    for (const auto& [rgb, rects] : cells) {
        painter.setBrush(QColor::fromRgb(rgb));
        // Draw each separately: PDF viewers align a path of one rectangle to whole pixels.
        for (const QRectF& rect : rects) painter.drawRect(rect);
    }
}

void paintBitmap(QPainter& painter, const DrawnMap& map, const Place& place, Theme theme) {
    const bool vectors =
        painter.paintEngine()->type() == QPaintEngine::SVG || painter.paintEngine()->type() == QPaintEngine::Pdf;
    if (std::any_of(map.cells.begin(), map.cells.end(), [](const DrawnCell& cell) { return isMasked(cell.kind); }))
        paintMasked(painter, map, place, theme);
    // Viewers smooth an image that they enlarge: with several pixels per cell its edges stay sharp.
    const int times = vectors ? std::clamp(2048 / std::max(map.rows, map.columns), 1, 8) : 1;
    QImage image(map.columns, map.rows, QImage::Format_ARGB32);
    const QRgb nan = color(Role::Raised, theme).rgb();
    for (int row = 0; row < map.rows; ++row) {
        auto* line = reinterpret_cast<QRgb*>(image.scanLine(row));
        for (int column = 0; column < map.columns; ++column) {
            const DrawnCell& cell = map.at(row, column);
            line[column] = isMasked(cell.kind) ? qRgba(0, 0, 0, 0) : cell.kind == Kind::Nan ? nan : cell.color;
        }
    }
    if (times > 1) image = image.scaled(image.size() * times, Qt::IgnoreAspectRatio, Qt::FastTransformation);
    painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
    painter.setRenderHint(QPainter::LosslessImageRendering);  // Qt would write JPEG into a PDF, which blurs the cells
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.drawImage(QRectF(place.corner, place.grid.size()), image);
}

/// Draws leaked weight (fill value 1e9) as a square of its colour inside the hatching.
void paintLeaks(QPainter& painter, const DrawnMap& map, const Place& place) {
    painter.setRenderHint(QPainter::Antialiasing, false);
    for (int row = 0; row < map.rows; ++row) {
        for (int column = 0; column < map.columns; ++column) {
            const DrawnCell& cell = map.at(row, column);
            if (cell.kind != Kind::Leaked) continue;
            const QRectF rect = place.cell(row, column);
            const double margin_x = std::floor(rect.width() / 4), margin_y = std::floor(rect.height() / 4);
            QPainterPath path;
            path.addRect(rect.adjusted(margin_x, margin_y, -margin_x, -margin_y));
            painter.fillPath(path, QColor::fromRgb(cell.color));
        }
    }
}

}  // namespace

bool DrawnMap::has(DrawnCell::Kind kind) const {
    return std::any_of(cells.begin(), cells.end(), [kind](const DrawnCell& cell) { return cell.kind == kind; });
}

DrawnMap drawnMap(const MatrixView& matrix, const MapGrid& grid, const ColorScale& scale, Reduction reduction,
                  bool weights) {
    DrawnMap map{grid.rows, grid.columns, {}};
    map.cells.reserve(static_cast<std::size_t>(grid.rows) * static_cast<std::size_t>(grid.columns));
    const bool single = grid.rows_each == 1 && grid.columns_each == 1;
    for (int row = 0; row < grid.rows; ++row)
        for (int column = 0; column < grid.columns; ++column)
            map.cells.push_back(single ? cellOf(matrix, scale, weights, row, column)
                                       : blockOf(matrix, grid, scale, reduction, row, column));
    return map;
}

DrawnMap drawnMap(const RegionCells& cells, const MapGrid& grid, const ColorScale& scale, bool weights) {
    DrawnMap map{grid.rows, grid.columns, {}};
    map.cells.reserve(cells.values.size());
    const bool leaks = weights && grid.rows_each == 1 && grid.columns_each == 1;
    for (std::size_t n = 0; n < cells.values.size(); ++n) {
        const double value = cells.values[n];
        const bool nan = std::isnan(value), masked = cells.states[n] == RegionCells::State::Masked;
        if (!masked)
            map.cells.push_back(nan ? DrawnCell{Kind::Nan, 0} : DrawnCell{Kind::Colored, scale.color(value)});
        else if (leaks && nan)
            map.cells.push_back({Kind::MaskedNan, 0});
        else
            map.cells.push_back(leaks && value != 0 ? DrawnCell{Kind::Leaked, scale.color(value)}
                                                    : DrawnCell{Kind::Masked, 0});
    }
    return map;
}

void paintMap(QPainter& painter, const QPointF& corner, const DrawnMap& map, const MapGrid& grid, Theme theme) {
    const Place place{corner, grid};
    painter.save();
    if (grid.bitmap) {
        paintBitmap(painter, map, place, theme);
    } else {
        paintCells(painter, map, place, theme);
        paintLeaks(painter, map, place);
    }
    painter.setRenderHint(QPainter::Antialiasing, true);
    if (map.has(Kind::Nan) || map.has(Kind::MaskedNan)) paintCrosses(painter, map, place, theme);
    painter.restore();
}

}  // namespace headscope
