// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/shapes/stage_box.h"

#include <QKeyEvent>
#include <QPainter>
#include <algorithm>

#include "core/attention/stage_type.h"
#include "ui/look/hatch.h"

namespace headscope {
namespace {

/// The colour of a dimension; its multiples have the same.
Role dimRole(Dim dim) {
    switch (dim) {
        case Dim::One:
            return Role::Muted;
        case Dim::B:
            return Role::DimB;
        case Dim::S:
            return Role::DimS;
        case Dim::E:
        case Dim::E3:
            return Role::DimE;
        case Dim::H:
            return Role::DimH;
        case Dim::Dh:
        case Dim::Dh3:
            return Role::DimDh;
    }
    return Role::Muted;
}

std::optional<Role> boxRole(Stage stage) {
    switch (type_of(stage).part) {
        case StagePart::Query:
            return Role::Query;
        case StagePart::Key:
            return Role::Key;
        case StagePart::Value:
            return Role::Value;
        case StagePart::Output:
            return Role::Output;
        case StagePart::Other:
            break;
    }
    return std::nullopt;
}

int widthOf(const QList<ShapePart>& parts, const QFont& plain) {
    QFont bold = plain;
    bold.setBold(true);
    const QFontMetrics metrics(plain), bold_metrics(bold);
    int width = 0;
    for (const ShapePart& part : parts) width += (part.role ? bold_metrics : metrics).horizontalAdvance(part.text);
    return width;
}

/// The font, reduced by up to a third so that the text measured by `width` fits `room`.
template <typename Width>
QFont fitted(QFont font, int room, Width width) {
    const int smallest = QFontInfo(font).pixelSize() * 2 / 3;
    for (int pixels = QFontInfo(font).pixelSize(); pixels > smallest && width(font) > room;)
        font.setPixelSize(--pixels);
    return font;
}

}  // namespace

QList<ShapePart> shapeParts(Stage stage, const std::optional<Dims>& dims) {
    QList<ShapePart> parts{{QStringLiteral("("), {}}};
    for (const Dim dim : type_of(stage).dims) {
        if (parts.size() > 1) parts << ShapePart{QStringLiteral(", "), {}};
        parts << ShapePart{dims ? QString::number(size_of(dim, *dims)) : QString::fromLatin1(to_string(dim)),
                           dimRole(dim)};
    }
    return parts << ShapePart{QStringLiteral(")"), {}};
}

void paintShape(QPainter& painter, const QRect& room, const QList<ShapePart>& parts, const QFont& font) {
    const QFont plain = fitted(font, room.width(), [&](const QFont& f) { return widthOf(parts, f); });
    QFont bold = plain;
    bold.setBold(true);
    int x = room.left() + std::max(0, room.width() - widthOf(parts, plain)) / 2;
    for (const ShapePart& part : parts) {
        painter.setFont(part.role ? bold : plain);
        painter.setPen(color(part.role.value_or(Role::Muted), currentTheme()));
        const int advance = QFontMetrics(painter.font()).horizontalAdvance(part.text);
        painter.drawText(QRect(x, room.top(), advance + 2, room.height()), Qt::AlignLeft | Qt::AlignVCenter, part.text);
        x += advance;
    }
}

StageBox::StageBox(Stage stage, QWidget* parent) : QAbstractButton(parent), stage_(stage) {
    setObjectName(QStringLiteral("stage_") + QString::fromStdString(std::string(to_string(stage))));
    setCursor(Qt::PointingHandCursor);
}

QString StageBox::shapeText() const {
    QString text;
    for (const ShapePart& part : text_.shape) text += part.text;
    return text;
}

void StageBox::setStageText(const StageText& text) {
    if (text == text_) return;
    text_ = text;
    setText(text.name);
    setAccessibleName(text.name + u' ' + shapeText() + (text.memory.isEmpty() ? QString() : u", " + text.memory));
    update();
}

void StageBox::setCurrent(bool current) {
    if (current == current_) return;
    current_ = current;
    setAccessibleDescription(current ? tr("shown in the grid") : QString());
    update();
}

void StageBox::setShowsShape(bool shows) {
    if (shows == shows_shape_) return;
    shows_shape_ = shows;
    update();
}

void StageBox::setHighlighted(bool highlighted) {
    if (highlighted == highlighted_) return;
    highlighted_ = highlighted;
    update();
}

QList<ShapePart> StageBox::parts() const {
    QList<ShapePart> parts{{text_.name, boxRole(stage_).value_or(Role::Text)}};
    if (shows_shape_) parts += QList<ShapePart>{{QStringLiteral(" "), {}}} + text_.shape;
    return parts;
}

QSize StageBox::sizeHint() const {
    return {widthOf(parts(), font()) + 12, fontMetrics().height() + 10};
}

void StageBox::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
        case Qt::Key_Up:
            return Q_EMIT moveRequested(-1, 0);
        case Qt::Key_Down:
            return Q_EMIT moveRequested(1, 0);
        case Qt::Key_Left:
            return Q_EMIT moveRequested(0, -1);
        case Qt::Key_Right:
            return Q_EMIT moveRequested(0, 1);
        case Qt::Key_Home:
            return Q_EMIT moveRequested(-100, 0);
        case Qt::Key_End:
            return Q_EMIT moveRequested(100, 0);
        case Qt::Key_Return:
        case Qt::Key_Enter:
            return click();
        default:
            QAbstractButton::keyPressEvent(event);
    }
}

void StageBox::enterEvent(QEnterEvent* event) {
    QAbstractButton::enterEvent(event);
    update();
}

void StageBox::leaveEvent(QEvent* event) {
    QAbstractButton::leaveEvent(event);
    update();
}

void StageBox::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (!isEnabled()) painter.setOpacity(0.4);
    paintFrame(painter);
    paintShape(painter, rect().adjusted(4, 0, -4, 0), parts(), font());
}

void StageBox::paintFrame(QPainter& painter) const {
    const Theme theme = currentTheme();
    const auto role = boxRole(stage_);
    const double pen = current_ ? 2.5 : underMouse() ? 1.8 : 1;
    const QColor border = color(current_ ? Role::Accent : role.value_or(Role::Muted), theme);
    const QRectF frame = QRectF(rect()).adjusted(pen / 2, pen / 2, -pen / 2, -pen / 2);
    QColor background = role ? tint(*role, theme) : color(Role::Raised, theme);
    if (highlighted_) background = tint(Role::Accent, theme);

    painter.setPen(Qt::NoPen);
    painter.setBrush(background);
    painter.drawRoundedRect(frame, 6, 6);
    if (stage_ == Stage::Masked) {
        painter.setPen(QPen(color(Role::Hatch, theme), 1));
        painter.drawLines(hatchLines(frame.adjusted(2, 2, -2, -2)));
    }
    painter.setPen(QPen(border, pen));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(frame, 6, 6);
    if (hasFocus()) {
        painter.setPen(QPen(color(Role::Accent, theme), 1, Qt::DotLine));
        painter.drawRoundedRect(frame.adjusted(3, 3, -3, -3), 4, 4);
    }
}

}  // namespace headscope
