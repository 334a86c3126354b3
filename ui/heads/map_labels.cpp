// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/heads/map_labels.h"

#include <QTransform>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "ui/tokens/tokenizer.h"

namespace headscope {

namespace {

constexpr int kMostGraphemes = 12;

/// Text begins at the origin and its middle lies on the axis; no corner of it reaches below `bottom`.
QTransform columnTransform(const QFontMetricsF& metrics, double centre, double bottom) {
    const double dip = metrics.height() / 2 * std::cos(kLabelAngle * std::numbers::pi / 180);
    return QTransform().translate(centre, bottom - dip).rotate(-kLabelAngle);
}

void drawMiddleLeft(QPainter& painter, const QPointF& at, const QString& text) {
    const QFontMetricsF metrics(painter.font());
    painter.drawText(QPointF(at.x(), at.y() + (metrics.ascent() - metrics.descent()) / 2), text);
}

}  // namespace

MapLabels MapLabels::ofTokens(const Batch& batch, int sequence) {
    MapLabels labels;
    labels.tokens = batch.tokens[static_cast<std::size_t>(sequence)];
    labels.count = static_cast<std::int64_t>(labels.tokens.size());
    const auto begin = batch.real.begin() + sequence * labels.count;
    labels.real.assign(begin, begin + labels.count);
    return labels;
}

MapLabels MapLabels::ofNumbers(std::int64_t count) {
    MapLabels labels;
    labels.count = count;
    return labels;
}

QString MapLabels::text(std::int64_t index, const QFontMetricsF& metrics, double room) const {
    if (numbers()) return QString::number(index);
    const std::string& token = tokens[static_cast<std::size_t>(index)];
    int graphemes = kMostGraphemes;
    QString shown = displayToken(token, graphemes);
    while (graphemes > 1 && metrics.horizontalAdvance(shown) > room) shown = displayToken(token, --graphemes);
    return shown;
}

std::int64_t MapLabels::step(double needed, double pitch) const {
    if (!(pitch > 0)) return count;
    auto least = static_cast<std::int64_t>(std::ceil(needed / pitch));
    least = std::clamp<std::int64_t>(least, 1, std::max<std::int64_t>(count, 1));
    if (!numbers()) return least;
    std::int64_t round = 1;  // dimensions count in powers of two
    while (round < least) round *= 2;
    return round;
}

void drawRowLabel(QPainter& painter, const QString& text, double right, double centre) {
    drawMiddleLeft(painter, {right - QFontMetricsF(painter.font()).horizontalAdvance(text), centre}, text);
}

void drawColumnLabel(QPainter& painter, const QString& text, double centre, double bottom, bool turned) {
    const QFontMetricsF metrics(painter.font());
    if (!turned) {
        painter.drawText(QPointF(centre - metrics.horizontalAdvance(text) / 2, bottom - metrics.descent()), text);
        return;
    }
    painter.save();
    QFont unhinted = painter.font();  // hinting is made for upright letters; turned ones would jump up and down
    unhinted.setHintingPreference(QFont::PreferNoHinting);
    painter.setFont(unhinted);
    painter.setTransform(columnTransform(metrics, centre, bottom), true);
    drawMiddleLeft(painter, {}, text);
    painter.restore();
}

QPolygonF rowLabelArea(const QFontMetricsF& metrics, const QString& text, double right, double centre) {
    const double width = metrics.horizontalAdvance(text), height = metrics.height() * kLineShare;
    return QPolygonF(QRectF(right - width, centre - height / 2, width, height));
}

QPolygonF columnLabelArea(const QFontMetricsF& metrics, const QString& text, double centre, double bottom,
                          bool turned) {
    const double width = metrics.horizontalAdvance(text), height = metrics.height() * kLineShare;
    if (!turned) return QPolygonF(QRectF(centre - width / 2, bottom - height, width, height));
    return columnTransform(metrics, centre, bottom).map(QPolygonF(QRectF(0, -height / 2, width, height)));
}

}  // namespace headscope
