// SPDX-License-Identifier: GPL-3.0-or-later
// Paints the chips.
#include <QPaintEvent>
#include <QPainter>
#include <QScrollBar>
#include <algorithm>

#include "ui/look/theme.h"
#include "ui/panels/tokens/chip_sizes.h"
#include "ui/panels/tokens/token_chips.h"

namespace headscope {

void TokenChips::paintEvent(QPaintEvent* event) {
    QPainter painter(viewport());
    painter.setRenderHint(QPainter::Antialiasing);
    const QRect clip = event->rect();
    for (int row = std::max(0, rowAt({0, std::max(0, clip.top())})); row < rowCount(); ++row) {
        if (rowRect(row).top() > clip.bottom()) break;
        if (row != edited_) paintRow(painter, row, event->region());
        paintGutter(painter, row);
    }
}

void TokenChips::paintRow(QPainter& painter, int row, const QRegion& dirty) {
    painter.setClipRect(QRect(gutter() - 2, 0, viewport()->width(), viewport()->height()));
    const QRect clip = dirty.boundingRect();
    const int shift = horizontalScrollBar()->value() - gutter();
    const int first = std::max(clip.left(), gutter()) + shift, last = clip.right() + shift;
    const auto& line = lefts(row, 0, last);
    const auto after = std::upper_bound(line.begin(), line.end(), first);
    for (int i = std::max(0, static_cast<int>(after - line.begin()) - 1); i < chipCount(); ++i) {
        const QRect box = chipRect(row, i);
        if (box.left() > clip.right()) break;
        if (dirty.intersects(box)) paintChip(painter, box, {row, i});
    }
    if (chipCount() == 0) paintHint(painter, row);
    painter.setClipping(false);
}

void TokenChips::paintChip(QPainter& painter, const QRect& box, Place place) {
    const Theme theme = currentTheme();
    const bool padding = isPadding(place.row, place.index);
    const Mark marked = mark(place.row, place.index);
    const Role edge = marked != Mark::None ? Role::Crosshair : hovered_ == place ? Role::Accent : Role::Border;
    const double width = marked == Mark::Locked ? 2.0 : edge == Role::Border ? 1.0 : 1.5;
    painter.setPen(QPen(color(edge, theme), width, padding ? Qt::DashLine : Qt::SolidLine));
    painter.setBrush(padding ? QBrush(Qt::NoBrush) : QBrush(color(Role::Raised, theme)));
    painter.drawRoundedRect(QRectF(box).adjusted(0.5, 0.5, -0.5, -0.5), 8, 8);

    painter.setPen(color(padding ? Role::Muted : Role::Text, theme));
    painter.setFont(marked == Mark::None ? font() : boldFont());
    // AlignAbsolute: otherwise Qt would right-align a Hebrew token and draw it over its index.
    painter.drawText(box.adjusted(chip::kPadding, 0, 0, 0),
                     Qt::AlignLeft | Qt::AlignAbsolute | Qt::AlignVCenter | Qt::TextSingleLine,
                     chipText(place.row, place.index));
    painter.setPen(color(Role::Muted, theme));
    painter.setFont(indexFont());
    painter.drawText(box.adjusted(0, fontMetrics().height() / 3, -chip::kPadding, 0),
                     Qt::AlignRight | Qt::AlignVCenter | Qt::TextSingleLine, QString::number(place.index));
}

void TokenChips::paintHint(QPainter& painter, int row) {
    painter.setPen(color(Role::Muted, currentTheme()));
    painter.setFont(font());
    painter.drawText(rowRect(row).adjusted(gutter() + chip::kPadding, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
                     tr("type a sentence here"));
}

void TokenChips::paintGutter(QPainter& painter, int row) {
    const Theme theme = currentTheme();
    const QRect line(0, rowRect(row).top(), gutter(), rowHeight());
    const bool shown = row == shownRow();
    const QColor ink = color(shown ? Role::Accent : Role::Muted, theme);
    const double radius = fontMetrics().height() / 3.5;
    painter.setPen(QPen(ink, 1.2));
    painter.setBrush(shown ? QBrush(ink) : QBrush(Qt::NoBrush));
    painter.drawEllipse(QPointF(radius + 3, line.center().y() + 0.5), radius, radius);
    if (shown && hasFocus()) {
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(QRectF(line).adjusted(0.5, 2.5, -4.5, -2.5), 4, 4);
    }
    QFont number = font();
    number.setBold(shown);
    painter.setFont(number);
    painter.drawText(line.adjusted(static_cast<int>(2 * radius) + 9, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
                     QString::number(row));
}

}  // namespace headscope
