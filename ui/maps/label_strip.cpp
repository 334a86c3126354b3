// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/maps/label_strip.h"

#include <QEvent>
#include <cmath>
#include <utility>

namespace headscope {

LabelStrip::LabelStrip(QWidget* parent) : QWidget(parent) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
}

void LabelStrip::renew() {
    image_ = {};
    update();
}

void LabelStrip::setBand(const LabelBand& band, const std::vector<int>& origins, int edge) {
    if (band_ == band && origins_ == origins && edge_ == edge) return;
    band_ = band;
    origins_ = origins;
    edge_ = edge;
    renew();
}

void LabelStrip::setEmphasis(const Emphasis& emphasis) {
    if (std::exchange(emphasis_, emphasis) != emphasis) renew();
}

void LabelStrip::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) renew();
}

/// How far the first and the last label may extend beyond the cells.
double LabelStrip::overlap() const {
    return std::ceil(QFontMetricsF(labelFont(font(), true)).height() + (band_.rows ? 0 : band_.room));
}

QImage LabelStrip::drawn() const {
    const Span& last = band_.spans.back();
    const double ratio = devicePixelRatioF(), along = 2 * overlap() + (last.pixel + last.pixels) / ratio;
    const QSizeF size = band_.rows ? QSizeF(width(), along) : QSizeF(along, height());
    QImage image((size * ratio).toSize() + QSize(1, 1), QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(ratio);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    const QPointF corner = band_.rows ? QPointF(edge_, overlap()) : QPointF(overlap(), edge_);
    drawLabels(painter, band_, corner, font(), emphasis_, currentTheme(), ratio);
    return image;
}

void LabelStrip::paintEvent(QPaintEvent*) {
    if (band_.room <= 0 || band_.spans.empty()) return;
    if (image_.isNull() || image_.devicePixelRatio() != devicePixelRatioF()) image_ = drawn();
    QPainter painter(this);
    for (const int origin : origins_)
        painter.drawImage(band_.rows ? QPointF(0, origin - overlap()) : QPointF(origin - overlap(), 0), image_);
}

}  // namespace headscope
