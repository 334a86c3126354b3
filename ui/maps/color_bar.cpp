// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/maps/color_bar.h"

#include <QEvent>
#include <QPainter>
#include <algorithm>

#include "ui/look/theme.h"

namespace headscope {

namespace {

constexpr int kGap = 5, kBarWidth = 110, kLeastBarWidth = 60, kSpare = 40;

/// One line, from the first colour to the last.
QImage paletteImage(Palette palette, int width) {
    const std::vector<QRgb>& colors = paletteColors(palette);
    QImage image(std::max(width, 1), 1, QImage::Format_RGB32);
    const int last = std::max(image.width() - 1, 1), most = static_cast<int>(colors.size()) - 1;
    for (int x = 0; x < image.width(); ++x) image.setPixel(x, 0, colors[static_cast<std::size_t>(x * most / last)]);
    return image;
}

}  // namespace

ColorBar::ColorBar(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("colorBar"));
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    follow();
}

void ColorBar::setScales(const std::vector<ColorScale>& scales) {
    if (scales.empty() || scales == scales_) return;
    scales_ = scales;
    const QString kind = kindText();
    const bool symmetric = scales.front().low < 0 && scales.front().low == -scales.front().high;
    setAccessibleName(
        tr("Colours from %1 to %2").arg(lowText(), highText()) + (kind.isEmpty() ? kind : QStringLiteral(", ") + kind) +
        (symmetric ? QStringLiteral(": ") + tr("symmetric about 0, up to the largest magnitude") : QString()));
    if (const int spare = hint_.width() - neededSize().width(); spare < 0 || spare > kSpare) follow();
    update();
}

/// The size is kept while it is a little too large, because another size lays out the window again.
void ColorBar::follow() {
    hint_ = neededSize();
    updateGeometry();
}

bool ColorBar::differ() const {
    return std::any_of(scales_.begin(), scales_.end(),
                       [&](const ColorScale& scale) { return scale != scales_.front(); });
}

QString ColorBar::lowText() const {
    if (differ()) return scales_.front().low < 0 ? tr("−max") : tr("min");
    return scaleLabel(scales_.front().low);
}

QString ColorBar::highText() const {
    return differ() ? tr("max") : scaleLabel(scales_.front().high);
}

QString ColorBar::kindText() const {
    if (differ()) return tr("per head");
    return scales_.front().logarithmic ? tr("log") : QString();
}

QSize ColorBar::neededSize() const {
    const auto room = [&](const QString& text) {
        return text.isEmpty() ? 0 : fontMetrics().horizontalAdvance(text) + kGap;
    };
    return {kBarWidth + room(lowText()) + room(highText()) + room(kindText()), fontMetrics().height() + 8};
}

QSize ColorBar::minimumSizeHint() const {
    return sizeHint() - QSize(kBarWidth - kLeastBarWidth, 0);
}

void ColorBar::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::LanguageChange) follow();
}

QRect ColorBar::barRect() const {
    const auto room = [&](const QString& text) {
        return text.isEmpty() ? 0 : fontMetrics().horizontalAdvance(text) + kGap;
    };
    const int left = room(lowText()), right = room(highText()) + room(kindText());
    const int height = std::min(fontMetrics().height(), 14);
    return {left, (this->height() - height) / 2, std::max(1, width() - left - right), height};
}

void ColorBar::paintEvent(QPaintEvent*) {
    const Theme theme = currentTheme();
    QPainter painter(this);
    const QRect bar = barRect();
    painter.drawImage(bar, paletteImage(scales_.front().palette, qRound(bar.width() * devicePixelRatioF())));
    painter.setPen(color(Role::Border, theme));
    painter.drawRect(QRectF(bar).adjusted(-0.5, -0.5, 0.5, 0.5));
    painter.setPen(color(Role::Text, theme));
    const QRect right(bar.right() + 1 + kGap, 0, width(), height());
    painter.drawText(QRect(0, 0, bar.left(), height()), Qt::AlignLeft | Qt::AlignVCenter, lowText());
    painter.drawText(right, Qt::AlignLeft | Qt::AlignVCenter, highText());
    painter.setPen(color(Role::Muted, theme));
    const int after = fontMetrics().horizontalAdvance(highText()) + kGap;
    painter.drawText(right.translated(after, 0), Qt::AlignLeft | Qt::AlignVCenter, kindText());
}

QPixmap paletteSwatch(Palette palette, const QSize& size, double pixel_ratio) {
    const QSize pixels = (QSizeF(size) * pixel_ratio).toSize();
    QPixmap swatch = QPixmap::fromImage(paletteImage(palette, pixels.width()).scaled(pixels));
    swatch.setDevicePixelRatio(pixel_ratio);
    return swatch;
}

}  // namespace headscope
