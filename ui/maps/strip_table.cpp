// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/maps/strip_table.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "ui/look/color_scale.h"
#include "ui/maps/cell_explanation.h"
#include "ui/maps/cell_raster.h"

namespace headscope {

namespace {

constexpr int kGap = 10;
constexpr int kWidestCell = 40;  // keeps a short vector a strip

QFont bold(QFont font) {
    font.setBold(true);
    return font;
}

}  // namespace

StripTable::StripTable(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void StripTable::setStrips(const QList<NumberStrip>& strips, Tensor::Type type, int common) {
    if (strips_.size() != strips.size()) updateGeometry();
    strips_ = strips;
    type_ = type;
    common_ = common;
    update();
}

int StripTable::left() const {
    const QFontMetrics metrics(bold(font()));
    int widest = 0;
    for (const NumberStrip& strip : strips_) widest = std::max(widest, metrics.horizontalAdvance(strip.name));
    return widest + kGap;
}

QRectF StripTable::stripRect(qsizetype index) const {
    const auto count = static_cast<double>(strips_[index].numbers.size());
    const double width = std::min<double>(this->width() - left(), count * kWidestCell);
    return QRectF(left(), static_cast<double>(index * line() + 3), std::max(0.0, std::floor(width)), line() - 6);
}

double StripTable::extent(qsizetype index) const {
    const bool shared = index >= strips_.size() - common_;
    double largest = 0;
    for (qsizetype i = shared ? strips_.size() - common_ : index; i <= (shared ? strips_.size() - 1 : index); ++i)
        for (const double number : strips_[i].numbers)
            if (std::isfinite(number)) largest = std::max(largest, std::abs(number));
    return largest;
}

QString StripTable::textAt(const QPoint& position) const {
    for (qsizetype i = 0; i < strips_.size(); ++i) {
        const QRectF rect = stripRect(i);
        if (!rect.contains(position)) continue;
        const auto& numbers = strips_[i].numbers;
        const auto place =
            static_cast<std::size_t>((position.x() - rect.left()) / rect.width() * static_cast<double>(numbers.size()));
        const std::size_t index = std::min(place, numbers.size() - 1);
        const QString name = strips_[i].name.section(QStringLiteral(" ("), 0, 0);
        return QStringLiteral("%1[%2] = %3").arg(name, QString::number(index), exactText(numbers[index], type_));
    }
    return {};
}

QSize StripTable::sizeHint() const {
    return {400, static_cast<int>(strips_.size()) * line()};
}

bool StripTable::event(QEvent* event) {
    if (event->type() == QEvent::FontChange) updateGeometry();
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    QToolTip::showText(help->globalPos(), textAt(help->pos()), this);
    return true;
}

void StripTable::paintEvent(QPaintEvent*) {
    const Theme theme = currentTheme();
    const double ratio = devicePixelRatioF();
    QPainter painter(this);
    painter.setFont(bold(font()));
    for (qsizetype i = 0; i < strips_.size(); ++i) {
        const NumberStrip& strip = strips_[i];
        painter.setPen(color(strip.role, theme));
        painter.drawText(QRectF(0, static_cast<double>(i * line()), left() - kGap, line()),
                         Qt::AlignLeft | Qt::AlignVCenter, strip.name);
        const QRectF rect = stripRect(i);
        const auto count = static_cast<std::int64_t>(strip.numbers.size());
        const int pixels = static_cast<int>(rect.width() * ratio);
        if (pixels < 1) continue;
        const double most = extent(i);
        const MatrixView view{1, count, Tensor::Type::Float64, strip.numbers.data(), count};
        QImage image = rasterise(
            view, {-most, most, false, Palette::Diverging}, {{0, static_cast<int>(rect.height() * ratio), 0, 1}},
            spansOf(-0.5, static_cast<double>(count) - 0.5, pixels, count), Reduction::Mean, theme, ratio);
        image.setDevicePixelRatio(ratio);
        painter.drawImage(rect.topLeft(), image);
    }
}

}  // namespace headscope
