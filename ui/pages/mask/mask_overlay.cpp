// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/mask/mask_overlay.h"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>

#include "ui/look/theme.h"

namespace headscope {

namespace {

constexpr double kMarkedPitch = 5;  // smaller cells are filled where larger ones are marked

QColor mixed(const QColor& a, const QColor& b, double part_of_b) {
    const auto mix = [part_of_b](float x, float y) { return static_cast<float>(x * (1 - part_of_b) + y * part_of_b); };
    return QColor::fromRgbF(mix(a.redF(), b.redF()), mix(a.greenF(), b.greenF()), mix(a.blueF(), b.blueF()));
}

/// Calls each(row, first, last, kind) for the runs of cells with an equal kind other than 0, row by row: small cells
/// are many, but their runs are few.
template <typename KindOf, typename Each>
void eachRun(const OverlayArea& area, KindOf&& kindOf, Each&& each) {
    for (std::int64_t i = area.first_row; i <= area.last_row; ++i)
        for (std::int64_t j = area.first_column, end = j; j <= area.last_column; j = end) {
            const int kind = kindOf(i, j);
            while (end <= area.last_column && kindOf(i, end) == kind) ++end;
            if (kind != 0) each(i, j, end - 1, kind);
        }
}

QRectF runRect(const OverlayArea& area, std::int64_t row, std::int64_t first, std::int64_t last) {
    return area.cell(row, first).united(area.cell(row, last));
}

/// A cross over a small cell; in the corner of a larger one, whose number stays legible.
void cross(QPainter& painter, const QRectF& cell) {
    constexpr double kSide = 8, kLegible = 18;
    const QRectF inside = cell.adjusted(2, 2, -1, -1);
    const QRectF area =
        cell.height() < kLegible ? inside : QRectF(inside.right() - kSide - 1, inside.top() + 1, kSide, kSide);
    painter.drawLine(area.topLeft(), area.bottomRight());
    painter.drawLine(area.topRight(), area.bottomLeft());
    if (area != inside) painter.drawRect(inside);
}

void drawSteps(QPainter& painter, const QRectF& cell, int steps, const QColor& ground) {
    const QFontMetricsF metrics(painter.font());
    const QString text = QString::number(steps);
    if (metrics.height() > cell.height() + 2 || metrics.horizontalAdvance(text) > cell.width() - 2) return;
    painter.setPen(readableOn(ground));
    painter.drawText(cell, Qt::AlignCenter, text);
}

void drawLeak(QPainter& painter, const QRectF& cell) {
    const QRectF frame = cell.adjusted(1.5, 1.5, -1, -1);
    painter.setPen(QPen(color(Role::Raised, currentTheme()), 4));
    painter.drawRect(frame);
    painter.setPen(QPen(color(Role::Error, currentTheme()), 2));
    painter.drawRect(frame);
}

}  // namespace

bool MaskOverlay::leaks(std::int64_t query, std::int64_t key) const {
    if (!reach || !forbidden || query == key || forbidden->queries() != reach->size()) return false;
    const int steps = reach->steps(query, key);
    return steps > 0 && steps <= layers && forbidden->at(query, key);
}

QColor reachColor(int steps, int layers, Theme theme) {
    const double faintest = 0.75, part = layers > 1 ? faintest * (steps - 1) / (layers - 1) : 0;
    return mixed(color(Role::Accent, theme), color(Role::Raised, theme), part);
}

void drawReach(QPainter& painter, const MaskOverlay& overlay, const OverlayArea& area, const QFont& font) {
    if (overlay.reach->size() != area.size) return;
    constexpr int kLeak = 1000;  // added to the number of layers
    const Theme theme = currentTheme();
    const bool marked = area.pitch >= kMarkedPitch;
    const auto kindOf = [&](std::int64_t i, std::int64_t j) {
        const int steps = overlay.reach->steps(i, j);
        return steps > overlay.layers ? 0 : overlay.leaks(i, j) ? steps + kLeak : steps;
    };
    painter.setFont(font);
    painter.setBrush(Qt::NoBrush);
    eachRun(area, kindOf, [&](std::int64_t i, std::int64_t first, std::int64_t last, int kind) {
        const bool leak = kind > kLeak;
        const int steps = leak ? kind - kLeak : kind;
        const QColor ground = leak && !marked ? color(Role::Error, theme) : reachColor(steps, overlay.layers, theme);
        painter.fillRect(runRect(area, i, first, last), ground);
        for (std::int64_t j = first; j <= last && marked; ++j) {
            drawSteps(painter, area.cell(i, j), steps, ground);
            if (leak) drawLeak(painter, area.cell(i, j));
        }
    });
}

void drawPath(QPainter& painter, const MaskOverlay& overlay, const OverlayArea& area) {
    const auto& path = overlay.path;
    if (path.size() < 2 || !overlay.reach || overlay.reach->size() != area.size) return;
    const QColor ink = color(Role::Crosshair, currentTheme());
    QPolygonF line;
    for (std::size_t n = 1; n < path.size(); ++n) {
        if (n > 1) line << area.cell(path[n - 1], path[n - 1]).center();
        line << area.cell(path[n - 1], path[n]).center();
    }
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(ink, 2));
    painter.drawPolyline(line);
    painter.setPen(QPen(ink, 3));
    for (std::size_t n = 1; n < path.size(); ++n)
        painter.drawRect(area.cell(path[n - 1], path[n]).adjusted(1, 1, -1, -1));
    painter.restore();
}

void drawWrongCells(QPainter& painter, const MaskDiagnosis& diagnosis, const OverlayArea& area) {
    if (diagnosis.wrong_cells.queries() != area.size) return;
    const QColor ink = color(Role::Error, currentTheme());
    painter.save();
    painter.setPen(QPen(ink, area.pitch < 3 * kMarkedPitch ? 1 : 1.5));
    painter.setBrush(Qt::NoBrush);
    const auto kindOf = [&](std::int64_t i, std::int64_t j) { return int{diagnosis.wrong_cells.at(i, j)}; };
    eachRun(area, kindOf, [&](std::int64_t i, std::int64_t first, std::int64_t last, int) {
        if (area.pitch < kMarkedPitch) return painter.fillRect(runRect(area, i, first, last), ink);
        for (std::int64_t j = first; j <= last; ++j) cross(painter, area.cell(i, j));
    });
    if (const auto& first = diagnosis.first_wrong) {
        const double room = std::max(1.0, (12 - area.pitch) / 2);  // a frame that is found among small cells
        painter.setPen(QPen(ink, 3, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(area.cell(first->query, first->key).adjusted(-room, -room, room, room));
    }
    painter.restore();
}

}  // namespace headscope
