// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/presentation_ink.h"

#include <QCursor>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>

#include "ui/look/theme.h"

namespace headscope {

PresentationInk::PresentationInk(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("presentationInk"));
    setMouseTracking(true);
    setFocusPolicy(Qt::NoFocus);
    follow();
}

void PresentationInk::setPen(bool on) {
    pen_ = on;
    follow();
}

void PresentationInk::setSpotlight(bool on) {
    spotlight_ = on;
    pointer_ = mapFromGlobal(QCursor::pos());
    follow();
}

void PresentationInk::clear() {
    strokes_.clear();
    update();
}

void PresentationInk::follow() {
    setAttribute(Qt::WA_TransparentForMouseEvents, !pen_ && !spotlight_);
    if (pen_)
        setCursor(Qt::CrossCursor);
    else
        unsetCursor();
    update();
}

void PresentationInk::mousePressEvent(QMouseEvent* event) {
    if (pen_ && event->button() == Qt::LeftButton) strokes_ << QPolygonF{event->position()};
    update();
}

void PresentationInk::mouseMoveEvent(QMouseEvent* event) {
    pointer_ = event->position();
    if (pen_ && (event->buttons() & Qt::LeftButton) && !strokes_.isEmpty()) strokes_.last() << pointer_;
    update();
}

void PresentationInk::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (spotlight_) {
        QPainterPath dark;
        dark.addRect(rect());
        dark.addEllipse(pointer_, height() / 6.0, height() / 6.0);
        painter.fillPath(dark, QColor(0, 0, 0, 150));
    }
    painter.setPen(
        QPen(color(Role::Error, currentTheme()), height() / 180.0, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    for (const QPolygonF& stroke : strokes_)
        if (stroke.size() == 1)
            painter.drawPoint(stroke.front());
        else
            painter.drawPolyline(stroke);
}

}  // namespace headscope
