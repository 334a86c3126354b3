// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/mask/mask_grid.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "ui/controls/tool_tip.h"
#include "ui/pages/mask/layer_words.h"

namespace headscope {

namespace {

constexpr double kLeastPitch = 3;   // of a cell that a hand can still hit
constexpr double kMapShare = 0.68;  // of the widget, at least, is cells: labels take the rest
constexpr int kLeastSide = 120;

}  // namespace

MaskGrid::MaskGrid(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("maskGrid"));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAccessibleName(tr("Mask"));
    setMinimumSize(kLeastSide, kLeastSide);
}

void MaskGrid::setPicture(std::shared_ptr<const MaskPicture> picture) {
    picture_ = std::move(picture);
    hatches_ = picture_ ? layerHatches(picture_->layers) : std::vector<LayerHatch>();
    const MapLabels labels = picture_ && !picture_->tooLarge() ? MapLabels::ofTokens(picture_->batch, 0) : MapLabels();
    if (labels != labels_) {
        labels_ = labels;
        const int side =
            std::max(kLeastSide, static_cast<int>(kLeastPitch * static_cast<double>(labels.count) / kMapShare));
        setMinimumSize(side, side);
        if (cursor_ && std::max(cursor_->query, cursor_->key) >= labels.count) cursor_.reset();
        relayout();
    }
    update();
}

void MaskGrid::setConvention(MaskConvention convention) {
    convention_ = convention;
    update();
}

void MaskGrid::setCrosshair(const std::optional<Cell>& hovered, const std::optional<Cell>& locked) {
    if (hovered_ == hovered && locked_ == locked) return;
    hovered_ = hovered;
    locked_ = locked;
    update();
}

void MaskGrid::setOverlay(const MaskOverlay& overlay) {
    overlay_ = overlay;
    update();
}

void MaskGrid::relayout() {
    layout_ = labels_.count == 0
                  ? MapLayout()
                  : layoutMap(size(), devicePixelRatioF(), labels_, labels_, true, QFontMetricsF(labelFont(true)));
    update();
}

QFont MaskGrid::labelFont(bool bold) const {
    constexpr double kLabelSize = 0.9;
    QFont small = font();
    small.setBold(bold);
    if (small.pointSizeF() > 0) small.setPointSizeF(small.pointSizeF() * kLabelSize);
    return small;
}

QRectF MaskGrid::mapRect() const {
    const double ratio = devicePixelRatioF();
    return QRectF(QPointF(layout_.map.topLeft()) / ratio, QSizeF(layout_.map.size()) / ratio);
}

double MaskGrid::pitch() const {
    return labels_.count > 0 ? mapRect().width() / static_cast<double>(labels_.count) : 0;
}

/// On whole pixels of the screen, so that neighbours meet.
QRectF MaskGrid::cellRect(std::int64_t query, std::int64_t key) const {
    if (labels_.count == 0) return {};
    const double ratio = devicePixelRatioF();
    const auto edge = [&](int from, std::int64_t cell) {
        return static_cast<double>(from + layout_.map.width() * cell / labels_.count) / ratio;
    };
    const int left = layout_.map.left(), top = layout_.map.top();
    return QRectF(QPointF(edge(left, key), edge(top, query)), QPointF(edge(left, key + 1), edge(top, query + 1)));
}

QPointF MaskGrid::rowHandle(std::int64_t query) const {
    return {mapRect().left() / 2, cellRect(query, 0).center().y()};
}

/// Column labels lean to the right: their middle lies beside the column.
QPointF MaskGrid::columnHandle(std::int64_t key) const {
    const double rise = mapRect().top() / 2;
    const double lean = layout_.turned ? rise / std::tan(kLabelAngle * std::numbers::pi / 180) : 0;
    return {cellRect(0, key).center().x() + lean, mapRect().top() - rise};
}

MaskGrid::Zone MaskGrid::zoneAt(const QPointF& position) const {
    if (labels_.count == 0) return Zone::Nowhere;
    const QRectF map = mapRect();
    if (map.contains(position)) return Zone::Cells;
    if (position.x() < map.left() && position.y() >= map.top() && position.y() < map.bottom()) return Zone::RowLabels;
    if (position.y() >= map.top()) return Zone::Nowhere;
    const std::int64_t key = cellAt(position).key;
    return key >= 0 && key < labels_.count ? Zone::ColumnLabels : Zone::Nowhere;
}

paint::Cell MaskGrid::cellAt(const QPointF& position) const {
    const QRectF map = mapRect();
    double x = position.x();
    if (position.y() < map.top() && layout_.turned)
        x -= (map.top() - position.y()) / std::tan(kLabelAngle * std::numbers::pi / 180);
    const auto cell = [&](double from_edge) { return static_cast<std::int64_t>(std::floor(from_edge / pitch())); };
    return {cell(position.y() - map.top()), cell(x - map.left())};
}

QString MaskGrid::cellText(bool allowed) const {
    const std::string_view word = cell_text(convention_, allowed);
    QString text = QString::fromUtf8(word.data(), static_cast<qsizetype>(word.size()));
    text.replace(QStringLiteral("-inf"), QStringLiteral("−∞"));
    const QFontMetricsF metrics(labelFont());
    const double room = pitch() - 4;
    if (metrics.height() > room + 2) return {};
    if (metrics.horizontalAdvance(QStringLiteral("False")) > room && convention_ == MaskConvention::Ignored)
        text.truncate(1);
    return metrics.horizontalAdvance(text) <= room ? text : QString();
}

void MaskGrid::mousePressEvent(QMouseEvent* event) {
    const Zone zone = zoneAt(event->position());
    if (event->button() != Qt::LeftButton || zone == Zone::Nowhere) return QWidget::mousePressEvent(event);
    endKeyStroke();
    if (overlay_.showsReach()) {
        if (zone == Zone::Cells) Q_EMIT lockWanted(*(cursor_ = cellAt(event->position())));
        return;
    }
    const PaintTool tool = zone == Zone::RowLabels                          ? PaintTool::Rows
                           : zone == Zone::ColumnLabels                     ? PaintTool::Columns
                           : event->modifiers().testFlag(Qt::ShiftModifier) ? PaintTool::Rectangle
                                                                            : tool_;
    paint::Cell at = cellAt(event->position());
    if (zone == Zone::RowLabels) at.key = 0;
    if (zone == Zone::ColumnLabels) at.query = 0;
    dragging_ = true;
    if (zone == Zone::Cells) cursor_ = at;
    Q_EMIT pressed(at, tool);
}

void MaskGrid::mouseMoveEvent(QMouseEvent* event) {
    const Zone zone = zoneAt(event->position());
    const paint::Cell at = cellAt(event->position());
    if (dragging_) {
        if (zone == Zone::Cells) cursor_ = at;
        Q_EMIT dragged(at);
    }
    setCursor(zone == Zone::Cells ? Qt::CrossCursor : zone == Zone::Nowhere ? Qt::ArrowCursor : Qt::PointingHandCursor);
    Q_EMIT hovered(zone == Zone::Cells ? std::optional(at) : std::nullopt);
}

void MaskGrid::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !std::exchange(dragging_, false)) return;
    Q_EMIT released();
}

void MaskGrid::leaveEvent(QEvent* event) {
    QWidget::leaveEvent(event);
    if (!dragging_) Q_EMIT hovered(std::nullopt);
}

/// Shift held: what the cursor passes is painted, as one stroke until Shift is let go.
void MaskGrid::moveCursor(int queries, int keys, bool paint) {
    const auto inside = [&](std::int64_t n) { return std::clamp<std::int64_t>(n, 0, labels_.count - 1); };
    const paint::Cell from = cursor_.value_or(paint::Cell{});
    cursor_ = cursor_ ? paint::Cell{inside(from.query + queries), inside(from.key + keys)} : from;
    if (paint && !dragging_ && !overlay_.showsReach()) {
        if (!std::exchange(key_stroke_, true)) Q_EMIT pressed(from, tool_);
        Q_EMIT dragged(*cursor_);
    }
    Q_EMIT cursorMoved(*cursor_);
    update();
}

void MaskGrid::setCursorCell(const paint::Cell& cell) {
    cursor_ = cell;
    moveCursor(0, 0, false);
}

void MaskGrid::endKeyStroke() {
    if (std::exchange(key_stroke_, false)) Q_EMIT released();
}

void MaskGrid::keyPressEvent(QKeyEvent* event) {
    if (labels_.count == 0) return QWidget::keyPressEvent(event);
    const bool paint = event->modifiers().testFlag(Qt::ShiftModifier);
    const int far = static_cast<int>(labels_.count);
    switch (event->key()) {
        case Qt::Key_Left:
            return moveCursor(0, -1, paint);
        case Qt::Key_Right:
            return moveCursor(0, 1, paint);
        case Qt::Key_Up:
            return moveCursor(-1, 0, paint);
        case Qt::Key_Down:
            return moveCursor(1, 0, paint);
        case Qt::Key_Home:
            return moveCursor(0, -far, paint);
        case Qt::Key_End:
            return moveCursor(0, far, paint);
        case Qt::Key_Space:
            if (dragging_) return;
            endKeyStroke();
            if (!cursor_) moveCursor(0, 0, false);
            if (overlay_.showsReach()) {
                Q_EMIT lockWanted(*cursor_);
                return;
            }
            Q_EMIT pressed(*cursor_, tool_);
            Q_EMIT released();
            return;
        case Qt::Key_Return:
        case Qt::Key_Enter:
            if (cursor_) Q_EMIT lockWanted(*cursor_);
            return;
        case Qt::Key_Escape:
            if (!dragging_ && !key_stroke_) break;
            dragging_ = key_stroke_ = false;
            Q_EMIT cancelled();
            return;
        default:
            break;
    }
    QWidget::keyPressEvent(event);
}

void MaskGrid::keyReleaseEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Shift) endKeyStroke();
    QWidget::keyReleaseEvent(event);
}

void MaskGrid::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    if (labels_.count == 0) return;
    if (!cursor_) cursor_ = paint::Cell{};
    update();
}

void MaskGrid::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    endKeyStroke();
    update();
}

void MaskGrid::resizeEvent(QResizeEvent*) {
    relayout();
}

void MaskGrid::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange) relayout();
    if (event->type() == QEvent::PaletteChange) update();
}

bool MaskGrid::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip || !picture_) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const paint::Cell at = cellAt(help->pos());
    QString text;
    switch (zoneAt(help->pos())) {
        case Zone::RowLabels:
            text = rowWords(*picture_, at.query) + u'\n' + tr("Drag to toggle whole rows.");
            break;
        case Zone::ColumnLabels:
            text = columnWords(*picture_, at.key) + u'\n' + tr("Drag to toggle whole columns.");
            break;
        default:
            break;
    }
    if (text.isEmpty())
        QToolTip::hideText();
    else
        QToolTip::showText(help->globalPos(), plainToolTip(text), this);
    return true;
}

}  // namespace headscope
