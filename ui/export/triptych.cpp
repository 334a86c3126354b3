// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/triptych.h"

#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "core/attention/row_reader.h"
#include "ui/export/figure_layout.h"
#include "ui/export/figure_text.h"

namespace headscope {
namespace {

constexpr double kTitle = 30, kTitlePixels = 16;

class TriptychPainter {
public:
    TriptychPainter(QPainter& painter, const Triptych& triptych, const FigureStyle& style)
        : painter_(painter), triptych_(triptych), style_(style) {}

    void draw() {
        QPainterPath ground;  // a path, because only cells are rectangles
        ground.addRect(QRectF(QPointF(0, 0), style_.size));
        painter_.fillPath(ground, color(Role::Panel, style_.theme));
        const double top = style_.title.isEmpty() || style_.size.height() < 200 ? 0 : kTitle;
        if (top > 0) drawTitle();
        // Whole units, so that the cells of all three align to whole pixels.
        const double width = std::floor(style_.size.width() / 3);
        const QSizeF each(width, style_.size.height() - top);
        drawOne({0, top}, each, triptych_.a, {.scale = triptych_.scale, .heading = triptych_.a_name});
        drawOne({width, top}, each, triptych_.b, {.scale = triptych_.scale, .heading = triptych_.b_name});
        const QPointF third(2 * width, top);
        if (triptych_.difference || triptych_.computes_difference)
            drawOne(third, each, triptych_.a,
                    {.numbers = triptych_.difference,
                     .minus = triptych_.computes_difference ? triptych_.b : nullptr,
                     .scale = triptych_.difference_scale,
                     .heading = triptych_.difference_name,
                     .caption = triptych_.remarks});
        else
            drawRemarks(QRectF(third, each), triptych_.remarks);
    }

private:
    void drawTitle() {
        const FigureType type(kTitlePixels, true);
        const QString title = type.elided(plainLine(style_.title), style_.size.width() - 32);
        drawLine({16, 16 + type.capHeight()}, title, type, Role::Text);
    }

    void drawOne(const QPointF& corner, const QSizeF& size, const TracePtr& trace, const FigureInstead& instead) {
        const int head = triptych_.selection.head.value_or(0);
        if (!has_rows(*trace, triptych_.selection.stage, triptych_.selection.sequence, head))
            return drawRemarks(QRectF(corner, size), QStringList{instead.heading} + triptych_.remarks.mid(0, 1));
        FigureStyle style = style_;
        style.size = size;
        style.title.clear();
        style.cells_beside = 2 * largest();
        painter_.save();
        painter_.translate(corner);
        drawFigure(painter_, *trace, triptych_.selection, style, instead);
        painter_.restore();
    }

    /// Either all three are bitmaps or none is.
    std::int64_t largest() const {
        return std::max(coloredCells(*triptych_.a, triptych_.selection, style_),
                        coloredCells(*triptych_.b, triptych_.selection, style_));
    }

    /// Draws sentences below each other in place of a map, with word wrap.
    void drawRemarks(const QRectF& room, const QStringList& remarks) {
        const FigureType type(10);
        double y = room.top() + 40;
        for (const QString& remark : remarks) {
            QStringList lines;
            for (const QString& word : plainLine(remark).split(u' ')) {
                const QString longer = lines.isEmpty() ? word : QString(lines.last() + QLatin1Char(' ') + word);
                if (!lines.isEmpty() && type.width(longer) <= room.width() - 32)
                    lines.last() = longer;
                else
                    lines += word;
            }
            for (const QString& line : lines) drawLine({room.left() + 16, y += kCaptionLine}, line, type, Role::Text);
            y += kCaptionLine;
        }
    }

    void drawLine(const QPointF& at, const QString& text, const FigureType& type, Role role) {
        type.draw(painter_, at, text, color(role, style_.theme));
    }

    QPainter& painter_;
    const Triptych& triptych_;
    const FigureStyle& style_;
};

}  // namespace

void drawTriptych(QPainter& painter, const Triptych& triptych, const FigureStyle& style) {
    painter.save();
    painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
    TriptychPainter(painter, triptych, style).draw();
    painter.restore();
}

Result<void> writeTriptych(const QString& path, const Triptych& triptych, const FigureStyle& style) {
    return writeDrawing(
        path, [&](QPainter& painter) { drawTriptych(painter, triptych, style); }, style);
}

}  // namespace headscope
