// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/lesson/answer_map.h"

#include <QPainter>

#include "ui/look/theme.h"

namespace headscope {

AnswerMap::AnswerMap(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("answerMap"));
    setAccessibleName(tr("The painted mask; wrong cells are crossed"));
    setToolTip(accessibleName());
}

void AnswerMap::setAnswer(const PaintedMask& painted, const MaskAnswer& answer) {
    painted_ = painted;
    answer_ = answer;
    update();
}

void AnswerMap::paintEvent(QPaintEvent*) {
    const Theme theme = currentTheme();
    const auto size = static_cast<int>(painted_.size);
    if (size == 0) return;
    QPainter painter(this);
    const double cell = qMin(width(), height()) / static_cast<double>(size);
    for (int i = 0; i < size; ++i)
        for (int j = 0; j < size; ++j) {
            const auto at = static_cast<std::size_t>(i * size + j);
            const QRectF rect(j * cell, i * cell, cell, cell);
            painter.fillRect(rect, painted_.cells[at] ? tint(Role::Query, theme) : color(Role::Masked, theme));
            painter.setPen(color(Role::Border, theme));
            painter.drawRect(rect);
            if (!answer_.wrong_cells[at]) continue;
            painter.setPen(QPen(color(Role::Error, theme), 2));
            painter.drawLine(rect.topLeft(), rect.bottomRight());
            painter.drawLine(rect.topRight(), rect.bottomLeft());
        }
}

}  // namespace headscope
