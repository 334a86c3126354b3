// SPDX-License-Identifier: GPL-3.0-or-later
// How a heat map draws its three layers. Nothing here changes what it shows.
#include <QTextOption>
#include <algorithm>
#include <cmath>

#include "ui/heads/heat_map.h"

namespace headscope {

namespace {

constexpr double kLabelSize = 0.8;  // of the widget's type

/// Of a part that takes `needed` units along an axis of `pixels` that shows `range` cells: one label in how many?
double pitch(const QCPAxis* axis, double units) {
    return units / axis->range().size();
}

}  // namespace

QFont HeatMap::labelFont() const {
    QFont small = font();
    if (small.pointSizeF() > 0)
        small.setPointSizeF(small.pointSizeF() * kLabelSize);
    else
        small.setPixelSize(std::max(1, qRound(small.pixelSize() * kLabelSize)));
    return small;
}

std::int64_t HeatMap::rowStep() const {
    const QFontMetricsF metrics(labelFont());
    return row_labels_.step(metrics.height() * 0.85, pitch(yAxis, mapRect().height()));
}

std::int64_t HeatMap::columnStep() const {
    const QFontMetricsF metrics(labelFont());
    const double needed = layout_.turned ? metrics.height() : layout_.column_room + metrics.averageCharWidth();
    return column_labels_.step(needed, pitch(xAxis, mapRect().width()));
}

QString HeatMap::note() const {
    if (!content_.trace) return {};
    QStringList parts;
    const std::int64_t labels = std::max(rowStep(), is_square(content_.selection.stage) ? columnStep() : 1);
    if (layout_.row_room <= 0)
        parts.append(tr("labels: enlarge a head"));
    else if (labels > 1)
        parts.append(tr("labels: 1 in %1").arg(labels));
    const auto most = [](const std::vector<Span>& spans) {
        std::int64_t cells = 1;
        for (const Span& span : spans) cells = std::max(cells, span.cells);
        return cells;
    };
    if (const auto down = most(rows_), across = most(columns_); down * across > 1) {
        const QString text = reduction() == Reduction::Maximum ? tr("1 pixel = largest of up to %1×%2 cells")
                                                               : tr("1 pixel = mean of up to %1×%2 cells");
        parts.append(text.arg(down).arg(across));
    }
    return parts.join(QStringLiteral(" · "));
}

void HeatMap::drawCells(QPainter& painter) {
    if (!content_.trace) return;
    const MatrixView numbers = matrix();
    if (!numbers) return;
    const double ratio = devicePixelRatioF();
    QImage image = rasterise(numbers, content_.scale, rows_, columns_, reduction(), theme_, ratio);
    image.setDevicePixelRatio(ratio);
    painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
    painter.drawImage(mapRect().topLeft(), image);
    if (detailed_ && numbers.data) drawNumbers(painter, numbers);
    drawEmptyRows(painter);
}

void HeatMap::drawNumbers(QPainter& painter, const MatrixView& numbers) {
    const bool with_sign = isSigned(content_.selection.stage);
    painter.setFont(labelFont());
    const QFontMetricsF metrics(painter.font());
    const double widest = metrics.horizontalAdvance(with_sign ? QStringLiteral("-0.00") : QStringLiteral("0.00")) + 4;
    const QSizeF cell(mapRect().width() / xAxis->range().size(), mapRect().height() / yAxis->range().size());
    if (cell.width() < widest || cell.height() < metrics.height()) return;
    for (const Span& row : rows_)
        for (const Span& column : columns_) {
            const double value = numbers.at(row.cell, column.cell);
            const bool masked = numbers.masked(row.cell, column.cell);
            // A masked cell shows a number only where weight leaked onto it; what fills a masked score is no secret.
            if (std::isnan(value) || (masked && (value == 0 || content_.selection.stage != Stage::Weights))) continue;
            const QString text = with_sign ? QString::number(value, 'g', 3) : QString::number(value, 'f', 2);
            const QRectF place = cellRect(static_cast<int>(row.cell), static_cast<int>(column.cell));
            if (metrics.horizontalAdvance(text) > place.width() - 2) continue;
            painter.setPen(masked ? color(Role::Text, theme_) : readableOn(QColor(content_.scale.color(value))));
            painter.drawText(place, Qt::AlignCenter, text);
        }
}

/// A mark to the right of each row that may attend to nothing.
void HeatMap::drawEmptyRows(QPainter& painter) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color(Role::Empty, theme_));
    const double ratio = devicePixelRatioF(), left = mapRect().right() + 2;
    for (const Span& row : rows_) {
        bool empty = false;
        for (std::int64_t i = row.cell; i < row.cell + row.cells; ++i) empty |= isEmptyRow(i);
        if (!empty) continue;
        const double middle = (layout_.map.top() + row.pixel + row.pixels / 2.0) / ratio;
        const double half = std::clamp(row.pixels / ratio / 2, 1.0, 4.0);
        painter.drawPolygon(QPolygonF({{left, middle}, {left + 6, middle - half}, {left + 6, middle + half}}));
    }
    painter.restore();
}

void HeatMap::drawLabels(QPainter& painter) {
    if (!content_.trace) return;
    painter.setFont(labelFont());
    const QFontMetricsF metrics(painter.font());
    const double ratio = devicePixelRatioF();
    const auto pen = [&](const MapLabels& labels, std::int64_t index) {
        painter.setPen(color(labels.isPadding(index) ? Role::Muted : Role::Text, theme_));
    };
    const std::int64_t row_step = rowStep(), column_step = columnStep();
    for (const Span& row : rows_) {
        if (layout_.row_room <= 0) break;
        const std::int64_t index = (row.cell + row_step - 1) / row_step * row_step;  // the first one that has a label
        if (index >= row.cell + row.cells) continue;
        pen(row_labels_, index);
        drawRowLabel(painter, row_labels_.text(index, metrics, layout_.row_room), mapRect().left() - kLabelGap,
                     (layout_.map.top() + row.pixel + row.pixels / 2.0) / ratio);
    }
    for (const Span& column : columns_) {
        if (layout_.column_room <= 0) break;
        const std::int64_t index = (column.cell + column_step - 1) / column_step * column_step;
        if (index >= column.cell + column.cells) continue;
        pen(column_labels_, index);
        drawColumnLabel(painter, column_labels_.text(index, metrics, layout_.column_room),
                        (layout_.map.left() + column.pixel + column.pixels / 2.0) / ratio, mapRect().top() - kLabelGap,
                        layout_.turned);
    }
    drawNote(painter);
}

/// In the corner between the labels, where it fits.
void HeatMap::drawNote(QPainter& painter) {
    const QString text = note();
    const QRectF corner(0, 0, mapRect().left() - kLabelGap, mapRect().top() - kLabelGap);
    const int flags = Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap;
    if (text.isEmpty() || layout_.row_room <= 0) return;
    if (!corner.contains(QFontMetricsF(painter.font()).boundingRect(corner, flags, text))) return;
    painter.setPen(color(Role::Muted, theme_));
    painter.drawText(corner, flags, text);
}

void HeatMap::drawCrosshair(QPainter& painter) {
    if (!content_.trace) return;
    const int stroke = std::max(1, qRound(devicePixelRatioF()));
    if (locked_) outline(painter, *locked_, 2 * stroke);
    if (hovered_ && (!locked_ || hovered_->query != locked_->query || hovered_->key != locked_->key))
        outline(painter, *hovered_, stroke);
    for (const auto& cell : {locked_, hovered_})
        if (cell) emphasise(painter, *cell);
}

/// Row and column as frames of so many device pixels, drawn around the cells so that small ones stay visible.
void HeatMap::outline(QPainter& painter, const Cell& cell, int stroke) {
    const double ratio = devicePixelRatioF(), pen = stroke / ratio;
    const QRectF map = mapRect(), place = cellRect(cell.query, cell.key);
    if (place.isEmpty()) return;
    const QColor accent = color(Role::Crosshair, theme_);
    const auto frame = [&](const QRectF& inner) {
        const QRectF outer = inner.adjusted(-pen, -pen, pen, pen);
        painter.fillRect(QRectF(outer.topLeft(), QPointF(outer.right(), inner.top())), accent);
        painter.fillRect(QRectF(QPointF(outer.left(), inner.bottom()), outer.bottomRight()), accent);
        painter.fillRect(QRectF(QPointF(outer.left(), inner.top()), inner.bottomLeft()), accent);
        painter.fillRect(QRectF(inner.topRight(), QPointF(outer.right(), inner.bottom())), accent);
    };
    frame(QRectF(map.left(), place.top(), map.width(), place.height()));
    frame(QRectF(place.left(), map.top(), place.width(), map.height()));
}

void HeatMap::emphasise(QPainter& painter, const Cell& cell) {
    const QRectF place = cellRect(cell.query, cell.key);
    if (place.isEmpty()) return;
    QFont bold = labelFont();
    const QFontMetricsF thin(bold);
    bold.setBold(true);
    const QFontMetricsF thick(bold);
    painter.setFont(bold);
    const QPointF middle = place.center();
    const auto wipe = [&](const QPolygonF& area) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(color(Role::Raised, theme_));
        painter.drawPolygon(area);
        painter.setPen(color(Role::Text, theme_));
    };
    if (layout_.row_room > 0) {
        const double right = mapRect().left() - kLabelGap;
        wipe(rowLabelArea(thin, row_labels_.text(cell.query, thin, layout_.row_room), right, middle.y()));
        const QString text = row_labels_.text(cell.query, thick, layout_.row_room);
        wipe(rowLabelArea(thick, text, right, middle.y()));
        drawRowLabel(painter, text, right, middle.y());
    }
    if (layout_.column_room > 0) {
        const double bottom = mapRect().top() - kLabelGap;
        const double room = layout_.column_room;
        const bool turned = layout_.turned;
        wipe(columnLabelArea(thin, column_labels_.text(cell.key, thin, room), middle.x(), bottom, turned));
        const QString text = column_labels_.text(cell.key, thick, room);
        wipe(columnLabelArea(thick, text, middle.x(), bottom, turned));
        drawColumnLabel(painter, text, middle.x(), bottom, turned);
    }
}

}  // namespace headscope
