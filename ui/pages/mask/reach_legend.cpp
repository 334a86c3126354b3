// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/mask/reach_legend.h"

#include <QPainter>

#include "ui/look/theme.h"
#include "ui/pages/mask/mask_overlay.h"

namespace headscope {

ReachLegend::ReachLegend(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("reachLegend"));
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    setToolTip(tr("A cell's number and colour: the fewest layers after which the query depends on the key"));
}

void ReachLegend::display(int layers, bool leaks) {
    layers_ = layers;
    leaks_ = leaks;
    const QString text = tr("1 to %n layers: the fewer, the stronger the colour", nullptr, layers);
    setAccessibleName(leaks ? text + QStringLiteral(", ") + tr("leak") : text);
    update();
}

int ReachLegend::side() const {
    return fontMetrics().height();
}

QSize ReachLegend::sizeHint() const {
    constexpr int kMost = 12, kGap = 6;
    return {kMost * side() + kGap + side() + kGap + fontMetrics().horizontalAdvance(tr("leak")), side()};
}

void ReachLegend::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Theme theme = currentTheme();
    QRect cell(0, 0, side(), side());
    for (int steps = 1; steps <= layers_; ++steps, cell.translate(side(), 0)) {
        const QColor ground = reachColor(steps, layers_, theme);
        painter.fillRect(cell, ground);
        painter.setPen(readableOn(ground));
        painter.drawText(cell, Qt::AlignCenter, QString::number(steps));
    }
    if (!leaks_) return;
    cell.translate(side() / 2, 0);
    painter.setPen(QPen(color(Role::Error, theme), 2));
    painter.drawRect(cell.adjusted(1, 1, -1, -1));
    painter.setPen(color(Role::Text, theme));
    painter.drawText(cell.translated(side() + 6, 0).adjusted(0, 0, width(), 0), Qt::AlignLeft | Qt::AlignVCenter,
                     tr("leak"));
}

}  // namespace headscope
