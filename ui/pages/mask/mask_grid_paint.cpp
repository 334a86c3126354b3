// SPDX-License-Identifier: GPL-3.0-or-later
// How the mask grid is drawn. Nothing here changes what it shows.
#include <QPaintEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/pages/mask/mask_grid.h"

namespace headscope {

namespace {

constexpr double kLinedPitch = 6;  // cells that are smaller have no lines between them
constexpr int kWidestSpacing = 8;

}  // namespace

void MaskGrid::paintEvent(QPaintEvent* event) {
    QPainter painter(this);
    painter.fillRect(event->rect(), color(Role::Raised, currentTheme()));
    if (!picture_ || picture_->tooLarge() || labels_.count == 0) return;
    const Range rows = rowsIn(event->rect()), columns = columnsIn(event->rect());
    drawCells(painter, rows, columns);
    drawLines(painter, rows, columns);
    if (!overlay_.showsReach()) drawNumbers(painter, rows, columns);
    drawOverlay(painter, rows, columns);
    markFullyMaskedRows(painter, rows);
    drawLabels(painter);
    drawCrosshair(painter);
    if (hasFocus()) drawCursor(painter);
}

MaskGrid::Range MaskGrid::rowsIn(const QRectF& area) const {
    const auto row = [&](double y) {
        const double from_top = (y - mapRect().top()) / pitch();
        return std::clamp<std::int64_t>(static_cast<std::int64_t>(std::floor(from_top)), 0, labels_.count - 1);
    };
    return {row(area.top()), row(area.bottom())};
}

MaskGrid::Range MaskGrid::columnsIn(const QRectF& area) const {
    const auto column = [&](double x) {
        const double from_left = (x - mapRect().left()) / pitch();
        return std::clamp<std::int64_t>(static_cast<std::int64_t>(std::floor(from_left)), 0, labels_.count - 1);
    };
    return {column(area.left()), column(area.right())};
}

/// Row by row, a run of cells alike at a time. Hatching begins in the corner of the map, so that it joins from cell to
/// cell, and is as narrow as the cells, so that each is met by it.
void MaskGrid::drawCells(QPainter& painter, const Range& rows, const Range& columns) const {
    const Theme theme = currentTheme();
    const double ratio = devicePixelRatioF();
    const auto widest = static_cast<int>(std::lround(kWidestSpacing * ratio));
    const int spacing = std::clamp(static_cast<int>(pitch() * ratio), 3, widest);
    std::vector<QBrush> brushes;
    for (const LayerHatch& hatch : hatches_) brushes.push_back(hatchBrush(hatch, spacing, ratio, theme));
    painter.setBrushOrigin(mapRect().topLeft());
    const QColor allowed = tint(Role::Accent, theme), masked = color(Role::Masked, theme);
    for (std::int64_t i = rows.first; i <= rows.last; ++i)
        for (std::int64_t j = columns.first, end = j; j <= columns.last; j = end) {
            const std::uint32_t bits = picture_->maskedBy(i, j);
            while (end <= columns.last && picture_->maskedBy(i, end) == bits) ++end;
            const QRectF run = cellRect(i, j).united(cellRect(i, end - 1));
            painter.fillRect(run, bits ? masked : allowed);
            for (std::size_t place = 0; bits && place < brushes.size(); ++place)
                if (picture_->layers[place].on && (bits & layerBit(place))) painter.fillRect(run, brushes[place]);
        }
}

void MaskGrid::drawLines(QPainter& painter, const Range& rows, const Range& columns) const {
    const QRectF map = mapRect();
    const double thin = 1 / devicePixelRatioF();
    const QColor line = color(Role::Border, currentTheme());
    if (pitch() >= kLinedPitch) {
        for (std::int64_t i = rows.first; i <= rows.last; ++i)
            painter.fillRect(QRectF(map.left(), cellRect(i, 0).top(), map.width(), thin), line);
        for (std::int64_t j = columns.first; j <= columns.last; ++j)
            painter.fillRect(QRectF(cellRect(0, j).left(), map.top(), thin, map.height()), line);
    }
    painter.setPen(QPen(line, thin));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(map.adjusted(-thin / 2, -thin / 2, thin / 2, thin / 2));
}

/// On hatched cells they stand on a plate of the cell's own ground.
void MaskGrid::drawNumbers(QPainter& painter, const Range& rows, const Range& columns) const {
    const QString allowed = cellText(true), masked = cellText(false);
    if (allowed.isEmpty() || masked.isEmpty()) return;
    const Theme theme = currentTheme();
    painter.setFont(labelFont());
    const QFontMetricsF metrics(painter.font());
    painter.setPen(color(Role::Text, theme));
    const QSizeF plate(metrics.horizontalAdvance(masked) + 2, metrics.capHeight() + 4);
    for (std::int64_t i = rows.first; i <= rows.last; ++i)
        for (std::int64_t j = columns.first; j <= columns.last; ++j) {
            const QRectF cell = cellRect(i, j);
            if (!picture_->allowed(i, j))
                painter.fillRect(QRectF(cell.center() - QPointF(plate.width(), plate.height()) / 2, plate),
                                 color(Role::Masked, theme));
            painter.drawText(cell, Qt::AlignCenter, picture_->allowed(i, j) ? allowed : masked);
        }
}

/// A mark to the right of each fully masked row, as in the heads.
void MaskGrid::markFullyMaskedRows(QPainter& painter, const Range& rows) const {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color(Role::FullyMasked, currentTheme()));
    const double left = mapRect().right() + 2, half = std::clamp(pitch() / 2, 1.0, 4.0);
    for (std::int64_t i = rows.first; i <= rows.last; ++i) {
        if (picture_->allowed_in_row[static_cast<std::size_t>(i)] > 0) continue;
        const double middle = cellRect(i, 0).center().y();
        painter.drawPolygon(QPolygonF({{left, middle}, {left + 6, middle - half}, {left + 6, middle + half}}));
    }
    painter.restore();
}

/// One in how many labels is shown, rows and columns alike.
std::int64_t MaskGrid::labelStep() const {
    const QFontMetricsF metrics(labelFont());
    return std::max(labels_.step(metrics.height() * 0.85, pitch()), labels_.step(metrics.height(), pitch()));
}

void MaskGrid::drawLabels(QPainter& painter) const {
    const std::int64_t step = labelStep();
    // Thinned out, those beside a bold one make room for it.
    const auto yields = [&](std::int64_t index, bool row) {
        for (const auto& cell : {hovered_, locked_})
            if (cell && step > 1 && std::abs(index - (row ? cell->query : cell->key)) < step) return true;
        return false;
    };
    for (std::int64_t i = 0; i < labels_.count; i += step)
        for (const bool row : {true, false})
            if (!yields(i, row)) drawLabel(painter, i, row, false);
}

void MaskGrid::drawLabel(QPainter& painter, std::int64_t index, bool row, bool bold) const {
    const double room = row ? layout_.row_room : layout_.column_room;
    if (room <= 0) return;
    const auto label = labels_.laidOut(index, labelFont(bold), room, !row && layout_.turned);
    const QPointF middle = row ? cellRect(index, 0).center() : cellRect(0, index).center();
    const double edge = (row ? mapRect().left() : mapRect().top()) - kLabelGap;
    const Theme theme = currentTheme();
    if (bold) {  // what was there is wiped
        painter.setPen(Qt::NoPen);
        painter.setBrush(color(Role::Raised, theme));
        for (const QFontMetricsF& type : {QFontMetricsF(labelFont(false)), label->metrics()}) {
            const QString drawn = labels_.text(index, type, room);
            painter.drawPolygon(row ? rowLabelArea(type, drawn, edge, middle.y())
                                    : columnLabelArea(type, drawn, middle.x(), edge, layout_.turned));
        }
    }
    painter.setPen(color(labels_.isPadding(index) ? Role::Muted : Role::Text, theme));
    if (row)
        drawRowLabel(painter, *label, edge, middle.y());
    else
        drawColumnLabel(painter, *label, middle.x(), edge);
}

void MaskGrid::drawCrosshair(QPainter& painter) const {
    const auto draw = [&](const std::optional<Cell>& cell, double pen) {
        if (!cell || !picture_->inside(cell->query, cell->key)) return;
        const QRectF map = mapRect(), place = cellRect(cell->query, cell->key);
        for (const bool row : {true, false}) drawLabel(painter, row ? cell->query : cell->key, row, true);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(color(Role::Crosshair, currentTheme()), pen, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
        const double half = pen / 2;
        painter.drawRect(
            QRectF(map.left(), place.top(), map.width(), place.height()).adjusted(-half, -half, half, half));
        painter.drawRect(
            QRectF(place.left(), map.top(), place.width(), map.height()).adjusted(-half, -half, half, half));
    };
    draw(locked_, 2);
    draw(hovered_, 1);
}

void MaskGrid::drawOverlay(QPainter& painter, const Range& rows, const Range& columns) const {
    const OverlayArea area{rows.first,   rows.last,     columns.first,
                           columns.last, labels_.count, [this](auto query, auto key) { return cellRect(query, key); },
                           pitch()};
    if (overlay_.showsReach()) {
        drawReach(painter, overlay_, area, labelFont());
        drawLines(painter, rows, columns);
        drawPath(painter, overlay_, area);
    }
    if (overlay_.diagnosis) drawWrongCells(painter, *overlay_.diagnosis, area);
}

void MaskGrid::drawCursor(QPainter& painter) const {
    if (!cursor_) return;
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(color(Role::Accent, currentTheme()), 2, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
    painter.drawRect(cellRect(cursor_->query, cursor_->key).adjusted(1, 1, -1, -1));
}

}  // namespace headscope
