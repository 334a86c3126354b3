// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/tokens/token_chips.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>
#include <algorithm>

#include "ui/controls/tool_tip.h"
#include "ui/look/theme.h"
#include "ui/state/tokenizer.h"

namespace headscope {
namespace {

constexpr int kPadding = 7;   // left and right of a chip's text
constexpr int kSpacing = 6;   // between chips
constexpr int kIndexGap = 3;  // between a token and its index
constexpr int kGraphemes = 16;

}  // namespace

TokenChips::TokenChips(Session& session, QWidget* parent) : QAbstractScrollArea(parent), session_(session) {
    setObjectName(QStringLiteral("tokenChips"));
    setAccessibleName(tr("Tokens by sequence"));
    setFrameShape(NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    viewport()->setMouseTracking(true);
    viewport()->setAutoFillBackground(false);
    connect(&session, &Session::traceChanged, this, &TokenChips::takeTrace);
    connect(&session, &Session::selectionChanged, this, [this] {
        showRow();
        describe();
        viewport()->update();
    });
    takeTrace();
}

void TokenChips::takeTrace() {
    const TracePtr previous = std::exchange(trace_, session_.trace());
    if (previous && trace_ && previous->batch() == trace_->batch()) return;
    hovered_.reset();
    forgetLayout();
    describe();
}

int TokenChips::rowCount() const {
    return trace_ ? static_cast<int>(trace_->batch().size()) : 0;
}

int TokenChips::chipCount() const {
    return trace_ ? static_cast<int>(trace_->batch().sequence_length()) : 0;
}

QString TokenChips::chipText(int row, int index) const {
    if (row < 0 || row >= rowCount() || index < 0 || index >= chipCount()) return {};
    const auto& tokens = trace_->batch().tokens[static_cast<std::size_t>(row)];
    return displayToken(tokens[static_cast<std::size_t>(index)], kGraphemes);
}

bool TokenChips::isPadding(int row, int index) const {
    return !trace_->batch().is_real(row, index);
}

QFont TokenChips::indexFont() const {
    QFont small = font();
    small.setPixelSize(std::max(8, QFontInfo(small).pixelSize() * 3 / 4));
    return small;
}

int TokenChips::rowHeight() const {
    return fontMetrics().height() + 14;
}

int TokenChips::gutter() const {
    return fontMetrics().height() + fontMetrics().horizontalAdvance(QString::number(std::max(rowCount() - 1, 9))) + 10;
}

const std::vector<TokenChips::Chip>& TokenChips::chips(int row) const {
    auto& chips = layout_[static_cast<std::size_t>(row)];
    if (!chips.empty()) return chips;
    const QFontMetrics metrics = fontMetrics(), small(indexFont());
    int left = 0;
    for (int i = 0; i < chipCount(); ++i) {
        Chip chip{left, 0, chipText(row, i)};
        chip.width = metrics.horizontalAdvance(chip.text) + kIndexGap + small.horizontalAdvance(QString::number(i)) +
                     2 * kPadding;
        left += chip.width + kSpacing;
        chips.push_back(std::move(chip));
    }
    widest_ = std::max(widest_, left);
    return chips;
}

void TokenChips::forgetLayout() {
    layout_.assign(static_cast<std::size_t>(rowCount()), {});
    widest_ = 0;
    updateScrollBars();
    viewport()->update();
}

void TokenChips::updateScrollBars() {
    const int height = viewport()->height(), value = verticalScrollBar()->value();
    verticalScrollBar()->setPageStep(height);
    verticalScrollBar()->setSingleStep(rowHeight());
    verticalScrollBar()->setRange(0, std::max(0, rowCount() * rowHeight() - height));
    for (int row = value / rowHeight(); row < rowCount() && row * rowHeight() < value + height; ++row) chips(row);
    const int room = viewport()->width() - gutter();
    horizontalScrollBar()->setPageStep(std::max(1, room));
    horizontalScrollBar()->setSingleStep(fontMetrics().averageCharWidth() * 8);
    horizontalScrollBar()->setRange(0, std::max(0, widest_ - room));
}

QRect TokenChips::rowRect(int row) const {
    return {0, row * rowHeight() - verticalScrollBar()->value(), viewport()->width(), rowHeight()};
}

QRect TokenChips::chipRect(int row, int index) const {
    const Chip& chip = chips(row)[static_cast<std::size_t>(index)];
    const QRect line = rowRect(row);
    return {gutter() + chip.left - horizontalScrollBar()->value(), line.top() + 3, chip.width, line.height() - 6};
}

int TokenChips::rowAt(QPoint position) const {
    const int row = (position.y() + verticalScrollBar()->value()) / rowHeight();
    return position.y() >= 0 && row < rowCount() ? row : -1;
}

std::optional<TokenChips::Place> TokenChips::chipAt(QPoint position) const {
    const int row = rowAt(position);
    if (row < 0 || position.x() < gutter()) return std::nullopt;
    const int x = position.x() - gutter() + horizontalScrollBar()->value();
    const auto& line = chips(row);
    const auto after = std::upper_bound(line.begin(), line.end(), x, [](int at, const Chip& c) { return at < c.left; });
    if (after == line.begin() || x >= std::prev(after)->left + std::prev(after)->width) return std::nullopt;
    return Place{row, static_cast<int>(after - line.begin()) - 1};
}

void TokenChips::showRow() {
    if (shownRow() >= rowCount()) return;
    const QRect line = rowRect(shownRow());
    if (line.top() < 0) verticalScrollBar()->setValue(verticalScrollBar()->value() + line.top());
    const int below = line.bottom() + 1 - viewport()->height();
    if (below > 0) verticalScrollBar()->setValue(verticalScrollBar()->value() + below);
}

void TokenChips::describe() {
    if (shownRow() >= rowCount()) return setAccessibleDescription({});
    QStringList words;
    for (int i = 0; i < std::min(chipCount(), 64); ++i) words << chipText(shownRow(), i);
    setAccessibleDescription(tr("Sequence %1 of %2: %3").arg(shownRow()).arg(rowCount()).arg(words.join(u' ')));
}

QSize TokenChips::sizeHint() const {
    const int rows = std::clamp(rowCount(), 2, 3);
    return {fontMetrics().averageCharWidth() * 60, rows * rowHeight() + horizontalScrollBar()->sizeHint().height()};
}

QSize TokenChips::minimumSizeHint() const {
    return {gutter() + fontMetrics().averageCharWidth() * 16, rowHeight() * 2};
}

void TokenChips::resizeEvent(QResizeEvent*) {
    updateScrollBars();
}

void TokenChips::scrollContentsBy(int, int dy) {
    if (dy != 0) updateScrollBars();  // rows that come into sight may be wider
    viewport()->update();             // the gutter stays while the chips move
}

void TokenChips::changeEvent(QEvent* event) {
    QAbstractScrollArea::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) {
        forgetLayout();
        updateGeometry();
    }
}

void TokenChips::mousePressEvent(QMouseEvent* event) {
    const int row = rowAt(event->position().toPoint());
    if (event->button() == Qt::LeftButton && row >= 0) session_.setSequence(row);
}

void TokenChips::mouseMoveEvent(QMouseEvent* event) {
    hoverTo(chipAt(event->position().toPoint()));
}

void TokenChips::hoverTo(std::optional<Place> place) {
    if (place == hovered_) return;
    for (const auto& changed : {std::exchange(hovered_, place), place}) {
        if (changed) viewport()->update(chipRect(changed->row, changed->index).adjusted(-1, -1, 1, 1));
    }
}

void TokenChips::keyPressEvent(QKeyEvent* event) {
    const int last = rowCount() - 1;
    switch (event->key()) {
        case Qt::Key_Up:
            return session_.setSequence(std::max(0, shownRow() - 1));
        case Qt::Key_Down:
            return session_.setSequence(std::clamp(shownRow() + 1, 0, std::max(0, last)));
        case Qt::Key_Home:
            return horizontalScrollBar()->setValue(0);
        case Qt::Key_End:
            return horizontalScrollBar()->setValue(horizontalScrollBar()->maximum());
        default:
            QAbstractScrollArea::keyPressEvent(event);
    }
}

bool TokenChips::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::Leave) hoverTo(std::nullopt);
    if (event->type() != QEvent::ToolTip) return QAbstractScrollArea::viewportEvent(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const auto place = chipAt(help->pos());
    if (!place) {
        QToolTip::hideText();
        return true;
    }
    const auto& tokens = trace_->batch().tokens[static_cast<std::size_t>(place->row)];
    const QString token = QString::fromStdString(tokens[static_cast<std::size_t>(place->index)]);
    QToolTip::showText(help->globalPos(), plainToolTip(tr("token %1: %2").arg(place->index).arg(token)), viewport());
    return true;
}

void TokenChips::paintEvent(QPaintEvent* event) {
    QPainter painter(viewport());
    painter.setRenderHint(QPainter::Antialiasing);
    if (rowCount() == 0) {
        painter.setPen(color(Role::Muted, currentTheme()));
        painter.drawText(viewport()->rect().adjusted(8, 0, -8, 0), Qt::AlignCenter | Qt::TextWordWrap,
                         tr("The tokens appear here as you type, a row for each line."));
        return;
    }
    const QRect clip = event->rect();
    for (int row = std::max(0, rowAt({0, std::max(0, clip.top())})); row < rowCount(); ++row) {
        if (rowRect(row).top() > clip.bottom()) break;
        paintRow(painter, row, clip);
        paintGutter(painter, row);
    }
}

void TokenChips::paintRow(QPainter& painter, int row, const QRect& clip) {
    painter.setClipRect(QRect(gutter() - 2, 0, viewport()->width(), viewport()->height()));
    const auto& line = chips(row);
    const int from = std::max(clip.left(), gutter()) - gutter() + horizontalScrollBar()->value();
    auto chip = std::upper_bound(line.begin(), line.end(), from, [](int at, const Chip& c) { return at < c.left; });
    if (chip != line.begin()) --chip;
    for (; chip != line.end(); ++chip) {
        const Place place{row, static_cast<int>(chip - line.begin())};
        const QRect box = chipRect(row, place.index);
        if (box.left() > clip.right()) break;
        paintChip(painter, box, place, chip->text);
    }
    painter.setClipping(false);
}

void TokenChips::paintChip(QPainter& painter, const QRect& box, Place place, const QString& text) {
    const Theme theme = currentTheme();
    const bool padding = isPadding(place.row, place.index), hovered = hovered_ == place;
    painter.setPen(QPen(color(hovered ? Role::Accent : Role::Border, theme), hovered ? 1.5 : 1.0,
                        padding ? Qt::DashLine : Qt::SolidLine));
    painter.setBrush(padding ? QBrush(Qt::NoBrush) : QBrush(color(Role::Raised, theme)));
    painter.drawRoundedRect(QRectF(box).adjusted(0.5, 0.5, -0.5, -0.5), 8, 8);

    painter.setPen(color(padding ? Role::Muted : Role::Text, theme));
    painter.setFont(font());
    painter.drawText(box.adjusted(kPadding, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, text);
    painter.setPen(color(Role::Muted, theme));
    painter.setFont(indexFont());
    painter.drawText(box.adjusted(0, fontMetrics().height() / 3, -kPadding, 0),
                     Qt::AlignRight | Qt::AlignVCenter | Qt::TextSingleLine, QString::number(place.index));
}

void TokenChips::paintGutter(QPainter& painter, int row) {
    const Theme theme = currentTheme();
    const QRect line(0, rowRect(row).top(), gutter(), rowHeight());
    const bool shown = row == shownRow();
    const QColor ink = color(shown ? Role::Accent : Role::Muted, theme);
    const double radius = fontMetrics().height() / 3.5;
    painter.setPen(QPen(ink, 1.2));
    painter.setBrush(shown ? QBrush(ink) : QBrush(Qt::NoBrush));
    painter.drawEllipse(QPointF(radius + 3, line.center().y() + 0.5), radius, radius);
    if (shown && hasFocus()) {
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(QRectF(line).adjusted(0.5, 4.5, -4.5, -4.5), 4, 4);
    }
    QFont number = font();
    number.setBold(shown);
    painter.setFont(number);
    painter.drawText(line.adjusted(static_cast<int>(2 * radius) + 9, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
                     QString::number(row));
}

}  // namespace headscope
