// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/figure_preview.h"

#include <QPainter>
#include <utility>

namespace headscope {
namespace {

QImage drawScaled(const TracePtr& trace, const Selection& selection, const FigureStyle& style, const QSize& room) {
    const double scale = std::min(room.width() / style.size.width(), room.height() / style.size.height());
    QImage image((style.size * scale).toSize().expandedTo({1, 1}), QImage::Format_RGB32);
    image.fill(color(Role::Panel, style.theme));
    QPainter painter(&image);
    painter.scale(scale, scale);
    drawFigure(painter, *trace, selection, style);
    return image;
}

}  // namespace

FigurePreview::FigurePreview(QWidget* parent) : QWidget(parent) {
    setMinimumSize(240, 160);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    setAccessibleName(tr("Preview"));
    timer_.setSingleShot(true);
    timer_.setInterval(0);
    connect(&timer_, &QTimer::timeout, this, &FigurePreview::start);
}

void FigurePreview::show(const TracePtr& trace, const Selection& selection, const FigureStyle& style) {
    trace_ = trace;
    selection_ = selection;
    style_ = style;
    timer_.start();
}

void FigurePreview::clear() {
    work_.cancel();
    trace_ = nullptr;
    image_ = QImage();
    update();
}

void FigurePreview::start() {
    if (!trace_) return;
    const QSize room = ((size() - QSize(16, 16)) * devicePixelRatio()).expandedTo({16, 16});
    work_.run([this, trace = trace_, selection = selection_, style = style_,
               room](const std::atomic<bool>& cancel) -> Background::Finish {
        FigureStyle own = style;
        own.cancel = &cancel;
        const QImage image = drawScaled(trace, selection, own, room);
        return [this, image] {
            image_ = image;
            image_.setDevicePixelRatio(devicePixelRatio());
            update();
            Q_EMIT drawn();
        };
    });
}

void FigurePreview::paintEvent(QPaintEvent*) {
    if (image_.isNull()) return;
    QPainter painter(this);
    const QSizeF shown = image_.deviceIndependentSize();
    const QRectF place(QPointF(std::floor((width() - shown.width()) / 2), std::floor((height() - shown.height()) / 2)),
                       shown);
    painter.drawImage(place.topLeft(), image_);
    painter.setPen(color(Role::Border, currentTheme()));
    painter.drawRect(place.adjusted(-0.5, -0.5, 0.5, 0.5));
}

void FigurePreview::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    if (trace_) timer_.start();
}

}  // namespace headscope
