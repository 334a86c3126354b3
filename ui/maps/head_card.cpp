// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/maps/head_card.h"

#include <QCoreApplication>
#include <QEvent>
#include <QMouseEvent>
#include <QPainter>
#include <utility>

#include "ui/look/theme.h"
#include "ui/maps/heat_map.h"

namespace headscope {

namespace {

constexpr double kRadius = 6;
constexpr int kFocusLine = 2;  // below the title of a frameless card with keyboard focus

QFont titleFont(QFont font, bool frameless, bool bold) {
    font.setBold(bold);
    if (frameless && font.pointSizeF() > 0) font.setPointSizeF(font.pointSizeF() * 0.9);
    return font;
}

}  // namespace

HeadCard::HeadCard(QWidget* parent) : QWidget(parent), map_(new HeatMap(this)) {}

void HeadCard::setTitles(const QString& title, const QString& subtitle) {
    if (title_ == title && subtitle_ == subtitle) return;
    title_ = title;
    subtitle_ = subtitle;
    map_->setAccessibleName(subtitle.isEmpty() ? title : tr("%1, %2").arg(title, subtitle));
    update();
}

void HeadCard::setFrameless(bool frameless) {
    if (std::exchange(frameless_, frameless) == frameless) return;
    place();
    update();
}

int HeadCard::headerHeight(const QFont& font, bool frameless) {
    return QFontMetrics(titleFont(font, frameless, true)).height() + (frameless ? kFocusLine : 8);
}

int HeadCard::neededHeight(int width) const {
    return headerHeight(font(), frameless_) + map_->neededHeight(width - 2 * padding()) + padding();
}

void HeadCard::place() {
    map_->setGeometry(rect().adjusted(padding(), headerHeight(font(), frameless_), -padding(), -padding()));
}

void HeadCard::mousePressEvent(QMouseEvent* event) {
    const QRect header(0, 0, width(), headerHeight(font(), frameless_));
    if (event->button() == Qt::LeftButton && header.contains(event->position().toPoint())) Q_EMIT titleClicked();
}

void HeadCard::resizeEvent(QResizeEvent*) {
    place();
}

void HeadCard::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange) place();
}

void HeadCard::drawFrame(QPainter& painter) const {
    const Theme theme = currentTheme();
    const bool focused = map_->hasFocus();
    if (frameless_) {
        const QRect line(map_->mapRect().left(), map_->y() - kFocusLine, map_->mapRect().width(), kFocusLine);
        if (focused) painter.fillRect(line, color(Role::Accent, theme));
        return;
    }
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(color(focused ? Role::Accent : Role::Border, theme), focused ? 2 : 1));
    painter.setBrush(color(Role::Raised, theme));
    const double inset = focused ? 1 : 0.5;
    painter.drawRoundedRect(QRectF(rect()).adjusted(inset, inset, -inset, -inset), kRadius, kRadius);
}

void HeadCard::paintEvent(QPaintEvent*) {
    const Theme theme = currentTheme();
    QPainter painter(this);
    drawFrame(painter);
    const int begin = frameless_ ? static_cast<int>(map_->mapRect().left()) : padding();
    const QRect header(begin, frameless_ ? 0 : 2, width() - padding() - begin, headerHeight(font(), frameless_) - 2);
    const QFont bold = titleFont(font(), frameless_, true), thin = titleFont(font(), frameless_, false);
    painter.setFont(bold);
    painter.setPen(color(Role::Text, theme));
    const QFontMetrics metrics(bold);
    painter.drawText(header, Qt::AlignLeft | Qt::AlignVCenter,
                     metrics.elidedText(title_, Qt::ElideRight, header.width()));
    const int left = metrics.horizontalAdvance(title_) + (frameless_ ? 6 : 8);
    // A shortened role would be unreadable.
    if (QFontMetrics(thin).horizontalAdvance(subtitle_) > header.width() - left) return;
    painter.setFont(thin);
    painter.setPen(color(Role::Muted, theme));
    painter.drawText(frameless_ ? header.adjusted(left, 0, 0, 0) : header,
                     (frameless_ ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter, subtitle_);
}

QString roleName(TextbookRole role) {
    const auto tr = [](const char* text) { return QCoreApplication::translate("headscope", text); };
    switch (role) {
        case TextbookRole::Previous:
            return tr("previous token");
        case TextbookRole::Next:
            return tr("next token");
        case TextbookRole::Itself:
            return tr("itself");
        case TextbookRole::First:
            return tr("first token");
        case TextbookRole::SameWord:
            return tr("same word");
        case TextbookRole::TwoBack:
            return tr("two back");
        case TextbookRole::Neighbourhood:
            return tr("neighbourhood");
        case TextbookRole::Everything:
            return tr("everything");
    }
    return {};
}

}  // namespace headscope
