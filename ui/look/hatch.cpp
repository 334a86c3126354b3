// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/look/hatch.h"

#include <algorithm>
#include <cmath>

namespace headscope {

QList<QLineF> hatchLines(const QRectF& rect, double spacing) {
    QList<QLineF> lines;
    if (rect.isEmpty() || !(spacing > 0)) return lines;
    const double first = std::floor((rect.left() + rect.top()) / spacing) + 1;
    const double last = std::ceil((rect.right() + rect.bottom()) / spacing) - 1;
    for (double step = first; step <= last; ++step) {
        const double sum = step * spacing;  // x + y on the line
        const double left = std::max(rect.left(), sum - rect.bottom());
        const double right = std::min(rect.right(), sum - rect.top());
        lines.append(QLineF(left, sum - left, right, sum - right));
    }
    return lines;
}

void drawMasked(QPainter& painter, const QRectF& rect, Theme theme, double spacing) {
    painter.save();
    painter.fillRect(rect, color(Role::Masked, theme));
    painter.setPen(QPen(color(Role::Hatch, theme), 1, Qt::SolidLine, Qt::FlatCap));
    painter.drawLines(hatchLines(rect, spacing));
    painter.restore();
}

void drawNan(QPainter& painter, const QRectF& rect, Theme theme) {
    painter.save();
    painter.fillRect(rect, color(Role::Raised, theme));
    painter.setPen(QPen(color(Role::Nan, theme), 1, Qt::SolidLine, Qt::FlatCap));
    painter.drawLine(QLineF(rect.topLeft(), rect.bottomRight()));
    painter.drawLine(QLineF(rect.topRight(), rect.bottomLeft()));
    painter.restore();
}

}  // namespace headscope
