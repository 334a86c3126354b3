// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/figure_preview.h"

#include <QCoreApplication>
#include <QPainter>
#include <QPointer>
#include <QThreadPool>
#include <utility>

#include "ui/export/tables.h"

namespace headscope {
namespace {

QImage drawScaled(const TracePtr& trace, const Selection& selection, const FigureStyle& style, const QSize& room) {
    const double scale = std::min(room.width() / style.size.width(), room.height() / style.size.height());
    QImage image((style.size * scale).toSize().expandedTo({1, 1}), QImage::Format_RGB32);
    image.fill(color(Role::Panel, style.theme));
    const auto shown = style.all_sequences ? Result<TracePtr>(trace) : traceFor(trace, selection);
    if (!shown) return image;
    QPainter painter(&image);
    painter.scale(scale, scale);
    drawFigure(painter, **shown, selection, style);
    return image;
}

}  // namespace

void doElsewhere(QObject* receiver, std::function<void()> work, std::function<void()> done) {
    QThreadPool::globalInstance()->start(
        [guard = QPointer<QObject>(receiver), work = std::move(work), done = std::move(done)] {
            work();
            // The guard is looked at on the thread where the receiver lives and dies.
            QMetaObject::invokeMethod(
                QCoreApplication::instance(),
                [guard, done] {
                    if (guard) done();
                },
                Qt::QueuedConnection);
        });
}

Result<TracePtr> traceFor(const TracePtr& trace, const Selection& selection, const std::atomic<bool>* cancel) {
    if (trace->matrix(selection.stage, selection.sequence, 0)) return trace;
    return traceOf(*trace, selection.sequence, cancel);
}

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
    trace_ = nullptr;
    image_ = QImage();
    update();
}

void FigurePreview::start() {
    if (drawing_) {
        again_ = true;
        return;
    }
    if (!trace_) return;
    drawing_ = true;
    again_ = false;
    const auto result = std::make_shared<QImage>();
    doElsewhere(
        this,
        [result, trace = trace_, selection = selection_, style = style_,
         room = (size() - QSize(16, 16)) * devicePixelRatio()] {
            *result = drawScaled(trace, selection, style, room.expandedTo({16, 16}));
        },
        [this, result] { received(*result); });
}

void FigurePreview::received(const QImage& image) {
    drawing_ = false;
    if (again_) start();
    if (!trace_) return;
    image_ = image;
    image_.setDevicePixelRatio(devicePixelRatio());
    update();
    Q_EMIT drawn();
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
