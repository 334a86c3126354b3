// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/steps/row_progress.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "ui/look/color_scale.h"
#include "ui/look/hatch.h"
#include "ui/maps/cell_explanation.h"
#include "ui/maps/cell_raster.h"

namespace headscope {

namespace {

constexpr int kLines = 4;      // the keys, and three numbers
constexpr int kDigits = 5;     // of the numbers in the columns
constexpr int kNowDigits = 9;  // of those so far: from them the row's softmax can be worked out
constexpr double kGap = 8;

double extentOf(const std::vector<double>& numbers) {
    double most = 0;
    for (const double number : numbers)
        if (std::isfinite(number)) most = std::max(most, std::abs(number));
    return most;
}

}  // namespace

RowProgress::RowProgress(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void RowProgress::setAccount(const std::shared_ptr<const ChunkAccount>& account, std::size_t step,
                             std::vector<double> whole) {
    account_ = account;
    step_ = step;
    whole_ = std::move(whole);
    tiles_.clear();
    context_.assign(whole_.size(), 0);
    for (std::size_t i = 0; account_ && i < account_->steps.size(); ++i) {
        if (!account_->steps[i].holds_row) continue;
        tiles_.push_back(i);
        if (i <= step_) context_ = account_->steps[i].context;
    }
    updateGeometry();
    update();
}

QStringList RowProgress::names() const {
    return {tr("keys"), tr("maximum"), tr("old ×"), tr("sum"), tr("context"), tr("in the end")};
}

double RowProgress::nameWidth() const {
    double widest = 0;
    for (const QString& name : names()) widest = std::max(widest, QFontMetricsF(font()).horizontalAdvance(name));
    return widest + kGap;
}

/// Room for nine digits; numbers with an exponent take what they need.
double RowProgress::nowWidth() const {
    QFont bold = font();
    bold.setBold(true);
    const QFontMetricsF metrics(bold);
    double widest = metrics.horizontalAdvance(QStringLiteral("00.0000000"));
    for (const int line : {0, 2}) widest = std::max(widest, metrics.horizontalAdvance(soFar(line)));
    return widest + kGap;
}

double RowProgress::columnWidth() const {
    return QFontMetricsF(font()).horizontalAdvance(QStringLiteral("−0.00000e−00")) + kGap;
}

std::size_t RowProgress::shownCount() const {
    const double room = std::max(0.0, (width() - nameWidth() - nowWidth()) / columnWidth());
    return std::min(static_cast<std::size_t>(room), tiles_.size());
}

/// The columns that fit end with the present tile, or show the first ones before the row has begun.
std::size_t RowProgress::firstShown() const {
    const auto behind = std::upper_bound(tiles_.begin(), tiles_.end(), step_) - tiles_.begin();
    const auto reached = static_cast<std::size_t>(behind), count = shownCount();
    return std::min(reached > count ? reached - count : 0, tiles_.size() - count);
}

QRectF RowProgress::tileRect(std::size_t index) const {
    const std::size_t first = firstShown();
    if (index < first || index >= first + shownCount()) return {};
    return {nameWidth() + nowWidth() + static_cast<double>(index - first) * columnWidth(), 0, columnWidth(),
            static_cast<double>(kLines * line())};
}

std::optional<std::size_t> RowProgress::tileAt(const QPointF& position) const {
    for (std::size_t i = firstShown(); i < firstShown() + shownCount(); ++i)
        if (tileRect(i).contains(position)) return tiles_[i];
    return std::nullopt;
}

QString RowProgress::text(int line, std::size_t index) const {
    const std::size_t step = tiles_[index];
    const ChunkStep& tile = account_->steps[step];
    if (step > step_) return {};
    if (tile.skipped) return line == 0 ? tr("skipped") : QString();
    const double numbers[] = {tile.maximum, tile.shrink, tile.sum};
    return numberText(numbers[line], kDigits);
}

QString RowProgress::soFar(int line) const {
    if (!account_) return {};
    const ChunkStep& tile = account_->steps[step_];
    return line == 1 ? QString() : numberText(line == 0 ? tile.maximum : tile.sum, kNowDigits);
}

QSize RowProgress::sizeHint() const {
    return {static_cast<int>(nameWidth() + nowWidth() + 2 * columnWidth()), (kLines + 2) * line() + 4};
}

QSize RowProgress::minimumSizeHint() const {
    return {static_cast<int>(nameWidth() + nowWidth()), sizeHint().height()};
}

QRectF RowProgress::stripRect(int strip) const {
    const double ratio = devicePixelRatioF();
    const double room = std::min<double>(width() - nameWidth(), 40.0 * static_cast<double>(whole_.size()));
    return {std::round(nameWidth()), static_cast<double>((kLines + strip) * line() + 4 + 3),
            std::floor(std::max(0.0, room - 1) * ratio) / ratio, static_cast<double>(line() - 6)};
}

void RowProgress::paintEvent(QPaintEvent*) {
    if (!account_) return;
    QPainter painter(this);
    const QStringList all = names();
    painter.setPen(color(Role::Muted, currentTheme()));
    for (int i = 0; i < all.size(); ++i)
        painter.drawText(QRectF(0, i * line() + (i >= kLines ? 4 : 0), nameWidth(), line()),
                         Qt::AlignLeft | Qt::AlignVCenter, all[i]);
    drawNow(painter);
    for (std::size_t i = firstShown(); i < firstShown() + shownCount(); ++i) drawTile(painter, i);
    const double extent = std::max(extentOf(context_), extentOf(whole_));
    drawStrip(painter, 0, context_, extent);
    drawStrip(painter, 1, whole_, extent);
}

void RowProgress::drawNow(QPainter& painter) const {
    QFont bold = font();
    bold.setBold(true);
    const QStringList lines{tr("so far"), soFar(0), soFar(1), soFar(2)};
    for (int i = 0; i < lines.size(); ++i) {
        painter.setFont(i == 0 ? font() : bold);
        painter.setPen(color(i == 0 ? Role::Muted : Role::Text, currentTheme()));
        painter.drawText(QRectF(nameWidth(), i * line(), nowWidth(), line()), Qt::AlignLeft | Qt::AlignVCenter,
                         lines[i]);
    }
    painter.setFont(font());
}

void RowProgress::drawTile(QPainter& painter, std::size_t index) const {
    const Theme theme = currentTheme();
    const std::size_t step = tiles_[index];
    const ChunkStep& tile = account_->steps[step];
    const QRectF rect = tileRect(index).adjusted(1, 0, -1, 0);
    if (tile.skipped) drawMasked(painter, rect.adjusted(0, line(), 0, 0), theme);
    const bool present = step == step_;
    QFont face = font();
    face.setBold(present);
    painter.setFont(face);
    const auto write = [&](int at, const QString& text, Role role) {
        painter.setPen(color(role, theme));
        painter.drawText(QRectF(rect.left(), at * line(), rect.width(), line()), Qt::AlignCenter, text);
    };
    const QString first = QString::number(tile.first_key), last = QString::number(tile.first_key + tile.keys - 1);
    write(0, tile.keys == 1 ? first : first + QChar(0x2013) + last, present ? Role::Text : Role::Muted);
    for (int i = 0; i < 3; ++i) {
        const QString number = text(i, index);
        if (tile.skipped && !number.isEmpty())
            painter.fillRect(QRectF(rect.left() + 4, (i + 1) * line() + 1, rect.width() - 8, line() - 2),
                             color(Role::Masked, theme));
        write(i + 1, number, Role::Text);
    }
    painter.setPen(QPen(color(present ? Role::Accent : Role::Border, theme), present ? 2 : 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(rect.adjusted(1, line(), -1, -1));
    painter.setFont(font());
}

void RowProgress::drawStrip(QPainter& painter, int strip, const std::vector<double>& numbers, double extent) const {
    const QRectF rect = stripRect(strip);
    const double ratio = devicePixelRatioF();
    const auto count = static_cast<std::int64_t>(numbers.size());
    const int pixels = static_cast<int>(rect.width() * ratio);
    if (pixels < 1 || count < 1) return;
    const MatrixView view{1, count, Tensor::Type::Float64, numbers.data(), count};
    QImage image = rasterise(
        view, {-extent, extent, false, Palette::Diverging}, {{0, static_cast<int>(rect.height() * ratio), 0, 1}},
        spansOf(-0.5, static_cast<double>(count) - 0.5, pixels, count), Reduction::Mean, currentTheme(), ratio);
    image.setDevicePixelRatio(ratio);
    painter.drawImage(rect.topLeft(), image);
}

void RowProgress::mousePressEvent(QMouseEvent* event) {
    if (const auto tile = tileAt(event->position())) Q_EMIT clicked(*tile);
}

bool RowProgress::event(QEvent* event) {
    if (event->type() == QEvent::FontChange) updateGeometry();
    if (event->type() != QEvent::ToolTip || !account_) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    QString tip;
    if (const auto tile = tileAt(help->pos()); tile && *tile <= step_) {
        const ChunkStep& told = account_->steps[*tile];
        tip = tr("maximum %1, old × %2, sum %3")
                  .arg(numberText(told.maximum, 17), numberText(told.shrink, 17), numberText(told.sum, 17));
    }
    for (int strip = 0; strip < 2; ++strip) {
        const QRectF rect = stripRect(strip);
        const auto& numbers = strip == 0 ? context_ : whole_;
        if (numbers.empty() || !rect.contains(help->pos())) continue;
        const double place = (help->pos().x() - rect.left()) / rect.width() * static_cast<double>(numbers.size());
        const std::size_t index = std::min(static_cast<std::size_t>(place), numbers.size() - 1);
        tip = tr("dimension %1: %2").arg(QString::number(index), numberText(numbers[index], 9));
    }
    QToolTip::showText(help->globalPos(), tip, this);
    return true;
}

}  // namespace headscope
