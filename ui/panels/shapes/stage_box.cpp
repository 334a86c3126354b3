// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/shapes/stage_box.h"

#include <QFontDatabase>
#include <QKeyEvent>
#include <QPainter>
#include <algorithm>

#include "ui/look/hatch.h"

namespace headscope {
namespace {

struct Letter {
    const char* text;
    Role role;
};

/// The dimensions of a stage by name; stage_shape() has their numbers.
QList<Letter> letters(Stage stage) {
    constexpr Letter b{"B", Role::DimB}, s{"S", Role::DimS}, e{"E", Role::DimE}, h{"H", Role::DimH},
        dh{"Dh", Role::DimDh};
    switch (stage) {
        case Stage::X:
        case Stage::Concat:
        case Stage::Output:
            return {b, s, e};
        case Stage::Qkv:
            return {b, s, {"3E", Role::DimE}};
        case Stage::Heads:
            return {b, s, h, {"3Dh", Role::DimDh}};
        case Stage::Q:
        case Stage::K:
        case Stage::V:
        case Stage::HeadContext:
            return {b, h, s, dh};
        case Stage::Mask:
            return {b, {"1", Role::Muted}, s, s};
        case Stage::Scores:
        case Stage::Masked:
        case Stage::Weights:
            return {b, h, s, s};
    }
    return {};
}

std::optional<Role> boxRole(Stage stage) {
    switch (stage) {
        case Stage::Q:
            return Role::Query;
        case Stage::K:
            return Role::Key;
        case Stage::V:
        case Stage::HeadContext:
            return Role::Value;
        case Stage::Output:
            return Role::Output;
        default:
            return std::nullopt;
    }
}

int widthOf(const QList<ShapePart>& parts, const QFont& plain) {
    QFont bold = plain;
    bold.setBold(true);
    const QFontMetrics metrics(plain), bold_metrics(bold);
    int width = 0;
    for (const ShapePart& part : parts) width += (part.role ? bold_metrics : metrics).horizontalAdvance(part.text);
    return width;
}

/// "(2,8,10,64)", for narrow boxes.
QList<ShapePart> closeUp(QList<ShapePart> parts) {
    for (ShapePart& part : parts) part.text = part.text.trimmed();
    return parts;
}

/// The font, smaller where that is needed for the text that `width` measures to fit `room`, down to two thirds.
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
    const QList<Letter> names = letters(stage);
    const Shape shape = dims ? stage_shape(stage, *dims) : Shape();
    for (qsizetype i = 0; i < names.size(); ++i) {
        if (i > 0) parts << ShapePart{QStringLiteral(", "), {}};
        parts << ShapePart{
            dims ? QString::number(shape[static_cast<std::size_t>(i)]) : QString::fromLatin1(names[i].text),
            names[i].role};
    }
    return parts << ShapePart{QStringLiteral(")"), {}};
}

StageBox::StageBox(Stage stage, bool narrow, QWidget* parent)
    : QAbstractButton(parent), stage_(stage), narrow_(narrow) {
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

void StageBox::setShowsLine(bool shows) {
    if (shows == shows_line_) return;
    shows_line_ = shows;
    update();
}

void StageBox::setHighlighted(bool highlighted) {
    if (highlighted == highlighted_) return;
    highlighted_ = highlighted;
    update();
}

QFont StageBox::lineFont() const {
    QFont mono = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    mono.setPixelSize(std::max(8, QFontInfo(font()).pixelSize() * 4 / 5));
    return mono;
}

int StageBox::heightFor(bool with_line) const {
    const int titles = fontMetrics().height() * (narrow_ ? 2 : 1);
    return titles + (with_line ? QFontMetrics(lineFont()).height() + 10 : 8);
}

QSize StageBox::sizeHint() const {
    QFont bold = font();
    bold.setBold(true);
    const int shape = widthOf(narrow_ ? closeUp(text_.shape) : text_.shape, font()),
              name = QFontMetrics(bold).horizontalAdvance(text_.name);
    const int width = narrow_ ? std::max(shape, name) : name + shape + fontMetrics().averageCharWidth();
    return {width + 12, heightFor(shows_line_)};
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
    paintFrame(painter);
    paintText(painter);
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

void StageBox::paintText(QPainter& painter) const {
    const bool line = shows_line_;
    const int title = fontMetrics().height(), below = line ? QFontMetrics(lineFont()).height() : 0;
    const QRect room = rect().adjusted(6, 0, -6, 0);
    const int top = (height() - title * (narrow_ ? 2 : 1) - below) / 2;
    const QList<ShapePart> name{{text_.name, boxRole(stage_).value_or(Role::Text)}};
    if (narrow_) {
        paintParts(painter, {room.left(), top, room.width(), title}, name);
        paintParts(painter, {room.left(), top + title, room.width(), title}, closeUp(text_.shape));
    } else {
        QFont small = font();
        small.setPixelSize(std::max(8, QFontInfo(small).pixelSize() * 4 / 5));
        const int memory = QFontMetrics(small).horizontalAdvance(text_.memory);
        const auto parts = name + QList<ShapePart>{{QStringLiteral(" "), {}}} + text_.shape;
        const int width = widthOf(parts, font());
        QRect centre(room.left(), top, room.width(), title);
        // The memory stands at the right; the title moves over only as far as it must.
        if (width + memory + 8 <= room.width() && !text_.memory.isEmpty()) {
            const int over = (room.width() + width) / 2 - (room.width() - memory - 8);
            if (over > 0) centre.translate(-over, 0);
            painter.setFont(small);
            painter.setPen(color(Role::Muted, currentTheme()));
            painter.drawText(QRect(room.left(), top, room.width(), title), Qt::AlignRight | Qt::AlignVCenter,
                             text_.memory);
        }
        paintParts(painter, centre, parts);
    }
    if (line) paintLine(painter, {room.left(), top + title * (narrow_ ? 2 : 1), room.width(), below});
}

void StageBox::paintParts(QPainter& painter, const QRect& room, const QList<ShapePart>& parts) const {
    const QFont plain = fitted(font(), room.width(), [&](const QFont& f) { return widthOf(parts, f); });
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

void StageBox::paintLine(QPainter& painter, const QRect& room) const {
    const auto fit = [&](const QString& text) {
        return fitted(lineFont(), room.width(),
                      [&](const QFont& f) { return QFontMetrics(f).horizontalAdvance(text); });
    };
    QString line = text_.line;
    QFont mono = fit(line);
    if (QFontMetrics(mono).horizontalAdvance(line) > room.width() && !text_.short_line.isEmpty()) {
        line = text_.short_line;
        mono = fit(line);
    }
    painter.setFont(mono);
    painter.setPen(color(Role::Muted, currentTheme()));
    painter.drawText(room, Qt::AlignCenter | Qt::TextDontClip,
                     QFontMetrics(mono).elidedText(line, Qt::ElideRight, room.width()));
}

}  // namespace headscope
