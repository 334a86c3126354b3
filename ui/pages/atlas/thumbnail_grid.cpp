// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/atlas/thumbnail_grid.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPaintEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>

#include "ui/controls/tool_tip.h"
#include "ui/look/theme.h"
#include "ui/maps/cell_explanation.h"

namespace headscope {

namespace {

constexpr int kGap = 8, kStripe = 3, kLeast = 24, kMost = 72;
constexpr std::size_t kNone = static_cast<std::size_t>(-1);

}  // namespace

ThumbnailGrid::ThumbnailGrid(QWidget* parent) : QWidget(parent), names_(atlasNames()) {
    setObjectName(QStringLiteral("thumbnailGrid"));
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Heads of the recording"));
}

void ThumbnailGrid::setHeads(std::shared_ptr<const RecordedHeads> heads, const std::vector<int>& shown, bool by_layer) {
    if (heads != heads_) images_.assign(heads ? heads->heads.size() : 0, QImage());
    heads_ = std::move(heads);
    shown_ = shown;
    by_layer_ = by_layer;
    arrange();
}

void ThumbnailGrid::setScale(const ColorScale& scale) {
    if (scale == scale_) return;
    scale_ = scale;
    std::fill(images_.begin(), images_.end(), QImage());
    update();
}

void ThumbnailGrid::setCurrent(int head) {
    if (head == current_) return;
    update(placeOf(current_).adjusted(-4, -4, 4, 8));
    current_ = head;
    update(placeOf(current_).adjusted(-4, -4, 4, 8));
}

void ThumbnailGrid::setRoom(int width) {
    room_ = width;
    arrange();
}

/// By layer, a row is a layer and as wide as it has heads, however narrow the room is.
void ThumbnailGrid::arrange() {
    if (!heads_) return;
    const QFontMetrics metrics(font());
    const bool labels = by_layer_ && heads_->recording->layers() > 1;
    left_ = labels ? metrics.horizontalAdvance(QString::number(heads_->recording->layers())) + 12 : 4;
    top_ = by_layer_ ? metrics.height() + 4 : 4;
    const int heads = heads_->perLayer(), room = room_ - left_ - 4;
    side_ = std::clamp(by_layer_ ? room / heads - kGap : 44, kLeast, kMost);
    columns_ = by_layer_ ? heads : std::max(1, room / (side_ + kGap));
    const int last = by_layer_ ? static_cast<int>(heads_->recording->layers())
                               : (static_cast<int>(shown_.size()) + columns_ - 1) / columns_;
    setFixedSize(std::max(room_, left_ + columns_ * (side_ + kGap)), top_ + last * (side_ + kStripe + kGap) + 4);
    update();
}

QRect ThumbnailGrid::cell(std::size_t index) const {
    const int place = by_layer_ ? shown_[index] : static_cast<int>(index);
    return {left_ + place % columns_ * (side_ + kGap), top_ + place / columns_ * (side_ + kStripe + kGap), side_,
            side_};
}

QRect ThumbnailGrid::placeOf(int head) const {
    const auto found = std::find(shown_.begin(), shown_.end(), head);
    return found == shown_.end() ? QRect() : cell(static_cast<std::size_t>(found - shown_.begin()));
}

std::size_t ThumbnailGrid::headAt(const QPoint& position) const {
    for (std::size_t i = 0; i < shown_.size(); ++i)
        if (cell(i).adjusted(0, 0, 0, kStripe).contains(position)) return i;
    return kNone;
}

const QImage& ThumbnailGrid::image(int head) {
    QImage& image = images_[static_cast<std::size_t>(head)];
    const RecordedHead& known = *heads_->of(head);
    if (!image.isNull()) return image;
    const auto side = static_cast<int>(known.side);
    image = QImage(side, side, QImage::Format_RGB32);
    for (int y = 0; y < side; ++y) {
        auto* line = reinterpret_cast<QRgb*>(image.scanLine(y));
        for (int x = 0; x < side; ++x)
            line[x] = scale_.color(static_cast<double>(known.thumbnail[static_cast<std::size_t>(y * side + x)]));
    }
    return image;
}

void ThumbnailGrid::paintHead(QPainter& painter, int head, const QRect& place) {
    const auto& known = heads_->of(head);
    const QRect stripe(place.left(), place.bottom() + 1, place.width(), kStripe);
    if (!known) {
        painter.fillRect(place, color(Role::Masked, currentTheme()));
        return;
    }
    painter.drawImage(place, image(head));
    painter.fillRect(stripe, color(nameOf(names_, known->measures.name()).role, currentTheme()));
}

void ThumbnailGrid::paintLabels(QPainter& painter) const {
    if (!by_layer_) return;
    painter.setPen(color(Role::Muted, currentTheme()));
    for (int head = 0; head < columns_; ++head)
        painter.drawText(QRect(left_ + head * (side_ + kGap), 0, side_, top_), Qt::AlignCenter, QString::number(head));
    const auto layers = static_cast<int>(heads_->recording->layers());
    for (int layer = 0; layers > 1 && layer < layers; ++layer)
        painter.drawText(QRect(0, top_ + layer * (side_ + kStripe + kGap), left_ - 6, side_),
                         Qt::AlignRight | Qt::AlignVCenter, QString::number(layer));
}

void ThumbnailGrid::paintEvent(QPaintEvent* event) {
    if (!heads_) return;
    QPainter painter(this);
    paintLabels(painter);
    for (std::size_t i = 0; i < shown_.size(); ++i) {
        const QRect place = cell(i);
        if (!place.adjusted(-4, -4, 4, 8).intersects(event->rect())) continue;
        paintHead(painter, shown_[i], place);
        if (shown_[i] != current_) continue;
        painter.setPen(QPen(color(hasFocus() ? Role::Crosshair : Role::Accent, currentTheme()), 2));
        painter.drawRect(place.adjusted(-2, -2, 2, kStripe + 2));
    }
}

void ThumbnailGrid::mousePressEvent(QMouseEvent* event) {
    const std::size_t at = headAt(event->position().toPoint());
    if (event->button() == Qt::LeftButton && at != kNone) Q_EMIT chosen(shown_[at]);
}

void ThumbnailGrid::mouseDoubleClickEvent(QMouseEvent* event) {
    const std::size_t at = headAt(event->position().toPoint());
    if (event->button() == Qt::LeftButton && at != kNone) Q_EMIT activated(shown_[at]);
}

/// The arrow keys move among the heads that are shown; by layer, up and down keep the head's number if it is shown.
void ThumbnailGrid::keyPressEvent(QKeyEvent* event) {
    const int key = event->key();
    if ((key == Qt::Key_Return || key == Qt::Key_Enter) && current_ >= 0) return Q_EMIT activated(current_);
    const int step = key == Qt::Key_Left    ? -1
                     : key == Qt::Key_Right ? 1
                     : key == Qt::Key_Up    ? -columns_
                     : key == Qt::Key_Down  ? columns_
                                            : 0;
    if (step == 0 || shown_.empty()) return QWidget::keyPressEvent(event);
    const auto found = std::find(shown_.begin(), shown_.end(), current_);
    if (found == shown_.end()) return Q_EMIT chosen(shown_.front());
    const auto last = static_cast<std::ptrdiff_t>(shown_.size()) - 1;
    auto next = std::clamp<std::ptrdiff_t>(found - shown_.begin() + step, 0, last);
    if (by_layer_ && std::abs(step) > 1) {
        const auto below = std::find(shown_.begin(), shown_.end(), current_ + step);
        if (below != shown_.end()) next = below - shown_.begin();
    }
    Q_EMIT chosen(shown_[static_cast<std::size_t>(next)]);
}

bool ThumbnailGrid::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip || !heads_) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const std::size_t at = headAt(help->pos());
    if (at == kNone) {
        QToolTip::hideText();
        return true;
    }
    QString text = headTitle(*heads_, shown_[at]);
    if (const auto& known = heads_->of(shown_[at])) {
        const auto name = known->measures.name();
        text += QStringLiteral(": ") + nameOf(names_, name).text;
        if (name) text += QStringLiteral(" ") + numberText(known->measures.of(*name), 2);
    }
    QToolTip::showText(help->globalPos(), plainToolTip(text), this, cell(at));
    return true;
}

void ThumbnailGrid::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) names_ = atlasNames();
    if (event->type() == QEvent::FontChange) arrange();
    if (event->type() == QEvent::PaletteChange) update();
}

void ThumbnailGrid::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    update();
}

void ThumbnailGrid::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    update();
}

}  // namespace headscope
