// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/maps/head_card.h"

#include <QCoreApplication>
#include <QEvent>
#include <QPainter>

#include "ui/look/theme.h"
#include "ui/maps/heat_map.h"

namespace headscope {

namespace {

constexpr double kRadius = 6;

}  // namespace

HeadCard::HeadCard(QWidget* parent) : QWidget(parent), map_(new HeatMap(this)) {}

void HeadCard::setTitles(const QString& title, const QString& subtitle) {
    if (title_ == title && subtitle_ == subtitle) return;
    title_ = title;
    subtitle_ = subtitle;
    map_->setAccessibleName(subtitle.isEmpty() ? title : tr("%1, %2").arg(title, subtitle));
    update();
}

void HeadCard::setCompact(bool compact) {
    if (compact_ == compact) return;
    compact_ = compact;
    place();
    update();
}

QFont HeadCard::titleFont(QFont font, bool compact) {
    font.setBold(true);
    if (compact && font.pointSizeF() > 0) font.setPointSizeF(font.pointSizeF() * 0.8);
    return font;
}

int HeadCard::headerHeight(const QFont& font, bool compact) {
    return QFontMetrics(titleFont(font, compact)).height() + (compact ? 4 : 8);
}

int HeadCard::neededHeight(int width) const {
    return headerHeight(font(), compact_) + map_->neededHeight(width - 2 * padding()) + padding();
}

void HeadCard::place() {
    map_->setGeometry(rect().adjusted(padding(), headerHeight(font(), compact_), -padding(), -padding()));
}

void HeadCard::resizeEvent(QResizeEvent*) {
    place();
}

void HeadCard::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange) place();
}

void HeadCard::paintEvent(QPaintEvent*) {
    const Theme theme = currentTheme();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const bool focused = map_->hasFocus();
    painter.setPen(QPen(color(focused ? Role::Accent : Role::Border, theme), focused ? 2 : 1));
    painter.setBrush(color(Role::Raised, theme));
    const double inset = focused ? 1 : 0.5;
    painter.drawRoundedRect(QRectF(rect()).adjusted(inset, inset, -inset, -inset), kRadius, kRadius);

    const QRect header(padding(), compact_ ? 1 : 2, width() - 2 * padding(), headerHeight(font(), compact_) - 2);
    const QFont bold = titleFont(font(), compact_);
    painter.setFont(bold);
    painter.setPen(color(Role::Text, theme));
    const QFontMetrics metrics(bold);
    painter.drawText(header, Qt::AlignLeft | Qt::AlignVCenter,
                     metrics.elidedText(title_, Qt::ElideRight, header.width()));
    const int left = metrics.horizontalAdvance(title_) + 8;
    if (fontMetrics().horizontalAdvance(subtitle_) > header.width() - left) return;  // shortened it would say nothing
    painter.setFont(font());
    painter.setPen(color(Role::Muted, theme));
    painter.drawText(header, Qt::AlignRight | Qt::AlignVCenter, subtitle_);
}

QString stageTitle(Stage stage) {
    const auto tr = [](const char* text) { return QCoreApplication::translate("headscope", text); };
    switch (stage) {
        case Stage::Q:
            return QStringLiteral("Q");
        case Stage::K:
            return QStringLiteral("K");
        case Stage::V:
            return QStringLiteral("V");
        case Stage::Heads:
            return tr("heads");
        case Stage::Scores:
            return tr("scores");
        case Stage::Mask:
            return tr("mask");
        case Stage::Masked:
            return tr("masked");
        case Stage::Weights:
            return tr("weights");
        case Stage::HeadContext:
            return tr("context");
        case Stage::Concat:
            return tr("concat");
        case Stage::Output:
            return tr("output");
        default:
            return QString::fromUtf8(to_string(stage).data(), static_cast<qsizetype>(to_string(stage).size()));
    }
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
