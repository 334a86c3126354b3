// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/tokens/token_chips.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QTextLayout>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <utility>

#include "ui/controls/tool_tip.h"
#include "ui/panels/tokens/chip_sizes.h"
#include "ui/panels/tokens/sequence_dots.h"

namespace headscope {
namespace {

/// A scroll bar in the margin below the rows: it takes no room from the lines and is invisible if everything fits.
const char* const kThinScrollBar = R"(
QScrollBar:horizontal { height: 8px; background: transparent; margin: 0; border: none; }
QScrollBar::handle:horizontal { background: palette(mid); border-radius: 2px; min-width: 24px; margin: 2px 0; }
QScrollBar::handle:horizontal:hover { background: palette(dark); }
QScrollBar::handle:horizontal:disabled { background: transparent; }
QScrollBar::add-line:horizontal, QScrollBar::sub-line:horizontal { width: 0; }
QScrollBar::add-page:horizontal, QScrollBar::sub-page:horizontal { background: transparent; }
)";

bool meansAnEditor(const QKeyEvent& event) {
    if (event.matches(QKeySequence::Paste) || event.key() == Qt::Key_F2) return true;
    if (event.key() == Qt::Key_Return || event.key() == Qt::Key_Enter) return true;
    const bool shortcut = event.modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier);
    return !shortcut && !event.text().isEmpty() && event.text().front().isPrint();
}

}  // namespace

TokenChips::TokenChips(Session& session, const TokenLines& lines, QWidget* parent)
    : QAbstractScrollArea(parent), session_(session), lines_(lines) {
    QAccessible::installFactory(SequenceDots::make);  // before anything asks for the interface, which is kept
    setObjectName(QStringLiteral("tokenChips"));
    setAccessibleName(tr("Tokens by sequence"));
    setFrameShape(NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOn);
    horizontalScrollBar()->setStyleSheet(QString::fromLatin1(kThinScrollBar));
    viewport()->setMouseTracking(true);
    viewport()->setAutoFillBackground(false);
    measureFonts();
    connect(&session, &Session::selectionChanged, this, [this] {
        showRow(shownRow());
        showLocked();
        describe();
        viewport()->update();
        showMarks();
    });
    connect(&session, &Session::hoverChanged, this, &TokenChips::showMarks);
}

void TokenChips::showLines(std::optional<int> edited) {
    hovered_.reset();
    edited_ = edited;
    forgetLayout();
    if (edited_) showRow(*edited_);
    describe();
    showMarks();
}

int TokenChips::rowCount() const {
    return std::max(lines_.sequenceCount(), edited_.value_or(0) + 1);
}

int TokenChips::shownRow() const {
    return std::min(session_.selection().sequence, rowCount() - 1);
}

QString TokenChips::chipText(int row, int index) const {
    if (row < 0 || row >= rowCount() || index < 0 || index >= chipCount()) return {};
    return displayToken(lines_.token(row, index), chip::kGraphemes);
}

TokenChips::Mark TokenChips::mark(int row, int index) const {
    if (row != shownRow()) return Mark::None;
    const Selection& selection = session_.selection();
    const bool keys = is_square(selection.stage);
    const auto holds = [&](const std::optional<Cell>& cell) {
        return cell && (cell->query == index || (keys && cell->key == index));
    };
    if (holds(selection.locked)) return Mark::Locked;
    return holds(session_.hover()) ? Mark::Hovered : Mark::None;
}

QFont TokenChips::indexFont() const {
    QFont small = font();
    small.setPixelSize(std::max(8, QFontInfo(small).pixelSize() * 3 / 4));
    return small;
}

QFont TokenChips::boldFont() const {
    QFont bold = font();
    bold.setBold(true);
    return bold;
}

void TokenChips::measureFonts() {
    bold_ = QFontMetrics(boldFont());
    digit_width_ = QFontMetrics(indexFont()).horizontalAdvance(u'0');
    token_widths_.clear();
}

int TokenChips::rowHeight() const {
    return fontMetrics().height() + chip::kRowPadding;
}

int TokenChips::gutter() const {
    return fontMetrics().height() + fontMetrics().horizontalAdvance(QString::number(std::max(rowCount() - 1, 9))) + 10;
}

/// Wide enough for bold text, so that marking a chip doesn't move others.
int TokenChips::chipWidth(int row, int index) const {
    constexpr std::size_t kMostRemembered = 100'000;
    if (token_widths_.size() > kMostRemembered) token_widths_.clear();
    const std::string& token = lines_.token(row, index);
    const auto [width, is_new] = token_widths_.try_emplace(token, 0);
    if (is_new) width->second = bold_.horizontalAdvance(displayToken(token, chip::kGraphemes));
    int digits = 1;
    for (int rest = index; rest > 9; rest /= 10) ++digits;
    return width->second + chip::kIndexGap + digits * digit_width_ + 2 * chip::kPadding;
}

/// Measures at least this many chips, and beyond x.
const std::vector<int>& TokenChips::lefts(int row, int chips, int x) const {
    auto& lefts = lefts_[static_cast<std::size_t>(row)];
    if (lefts.empty()) lefts.push_back(0);
    for (int i = static_cast<int>(lefts.size()) - 1; i < chipCount() && (i < chips || lefts.back() <= x); ++i)
        lefts.push_back(lefts.back() + chipWidth(row, i) + chip::kSpacing);
    return lefts;
}

/// Estimates chips that weren't visible yet from the mean width of the measured ones.
int TokenChips::rowWidth(int row) const {
    const auto& lefts = lefts_[static_cast<std::size_t>(row)];
    const auto measured = static_cast<std::int64_t>(lefts.size()) - 1;
    return measured <= 0 ? 0 : static_cast<int>(lefts.back() * std::int64_t{chipCount()} / measured);
}

void TokenChips::forgetLayout() {
    lefts_.assign(static_cast<std::size_t>(rowCount()), {});
    updateScrollBars();
    viewport()->update();
}

void TokenChips::updateScrollBars() {
    const int height = viewport()->height(), value = verticalScrollBar()->value();
    verticalScrollBar()->setPageStep(height);
    verticalScrollBar()->setSingleStep(rowHeight());
    verticalScrollBar()->setRange(0, std::max(0, rowCount() * rowHeight() - height));
    const int room = viewport()->width() - gutter();
    for (int row = value / rowHeight(); row < rowCount() && row * rowHeight() < value + height; ++row)
        lefts(row, 0, horizontalScrollBar()->value() + room);
    int widest = 0;
    for (int row = 0; row < rowCount(); ++row) widest = std::max(widest, rowWidth(row));
    horizontalScrollBar()->setPageStep(std::max(1, room));
    horizontalScrollBar()->setSingleStep(fontMetrics().averageCharWidth() * 8);
    horizontalScrollBar()->setRange(0, std::max(0, widest - room));
    horizontalScrollBar()->setEnabled(widest > room);
}

QRect TokenChips::rowRect(int row) const {
    return {0, row * rowHeight() - verticalScrollBar()->value(), viewport()->width(), rowHeight()};
}

QRect TokenChips::chipRect(int row, int index) const {
    const auto& line = lefts(row, index + 1);
    const auto i = static_cast<std::size_t>(index);
    const QRect area = rowRect(row);
    return {gutter() + line[i] - horizontalScrollBar()->value(), area.top() + chip::kRowMargin,
            line[i + 1] - line[i] - chip::kSpacing, area.height() - 2 * chip::kRowMargin};
}

QRect TokenChips::editRect(int row) const {
    return rowRect(row).adjusted(gutter() - 2, 1, 0, -1);
}

int TokenChips::rowAt(QPoint position) const {
    const int row = (position.y() + verticalScrollBar()->value()) / rowHeight();
    return position.y() >= 0 && row < rowCount() ? row : -1;
}

std::optional<TokenChips::Place> TokenChips::chipAt(QPoint position) const {
    const int row = rowAt(position);
    if (row < 0 || row == edited_ || position.x() < gutter()) return std::nullopt;
    const int x = position.x() - gutter() + horizontalScrollBar()->value();
    const auto& line = lefts(row, 0, x);
    const auto after = std::upper_bound(line.begin(), line.end(), x);
    if (after == line.end() || x >= *after - chip::kSpacing) return std::nullopt;
    return Place{row, static_cast<int>(after - line.begin()) - 1};
}

/// The position in the line's text that is nearest to x of the viewport.
qsizetype TokenChips::columnAt(int row, int x) const {
    const auto& line = lefts(row, 0, x - gutter() + horizontalScrollBar()->value());
    const auto after = std::upper_bound(line.begin(), line.end(), x - gutter() + horizontalScrollBar()->value());
    const int index = static_cast<int>(after - line.begin()) - 1;
    if (index < 0) return 0;
    if (index >= chipCount()) return lines_.line(row).size();
    const QRect box = chipRect(row, index);
    if (x > box.right()) return lines_.columnOf(row, index + 1);
    const qsizetype begin = lines_.columnOf(row, index);
    if (begin >= lines_.line(row).size()) return begin;
    const QString token = QString::fromStdString(lines_.token(row, index));
    if (token != chipText(row, index)) return x > box.center().x() ? begin + token.size() : begin;
    QTextLayout text(token, font());
    text.beginLayout();
    const QTextLine only = text.createLine();
    text.endLayout();
    return begin + only.xToCursor(x - box.left() - chip::kPadding);
}

void TokenChips::showRow(int row) {
    const QRect line = rowRect(row);
    if (line.top() < 0) verticalScrollBar()->setValue(verticalScrollBar()->value() + line.top());
    const int below = line.bottom() + 1 - viewport()->height();
    if (below > 0) verticalScrollBar()->setValue(verticalScrollBar()->value() + below);
}

/// Scrolls to the query of a cell that was just locked.
void TokenChips::showLocked() {
    const auto& locked = session_.selection().locked;
    if (std::exchange(locked_, locked) == locked || !locked || locked->query >= chipCount()) return;
    const int room = viewport()->width() - gutter(), value = horizontalScrollBar()->value();
    const QRect chip = chipRect(shownRow(), locked->query).translated(value - gutter(), 0);  // in the line
    if (chip.left() >= value && chip.right() < value + room) return;
    updateScrollBars();  // the line is measured as far as the chip
    horizontalScrollBar()->setValue(chip.center().x() - room / 2);
}

QString TokenChips::lineText(int row) const {
    QStringList words;
    for (int i = 0; i < std::min(chipCount(), 64); ++i) words << chipText(row, i);
    return words.join(u' ');
}

QRect TokenChips::dotRect(int row) const {
    return {0, rowRect(row).top(), gutter(), rowHeight()};
}

void TokenChips::showSequence(int row) {
    session_.setSequence(row);
}

void TokenChips::describe() {
    setAccessibleDescription(tr("Sequence %1 of %2: %3").arg(shownRow()).arg(rowCount()).arg(lineText(shownRow())));
    if (!QAccessible::isActive()) return;
    QAccessible::State changed;
    changed.checked = true;
    for (int row = 0; row < rowCount(); ++row) {
        QAccessibleStateChangeEvent event(this, changed);
        event.setChild(row);
        QAccessible::updateAccessibility(&event);
    }
}

QSize TokenChips::sizeHint() const {
    return {fontMetrics().averageCharWidth() * 40, 2 * rowHeight() + horizontalScrollBar()->sizeHint().height()};
}

QSize TokenChips::minimumSizeHint() const {
    return {gutter() + fontMetrics().averageCharWidth() * 16, sizeHint().height()};
}

void TokenChips::resizeEvent(QResizeEvent*) {
    updateScrollBars();
    Q_EMIT linesMoved();
}

void TokenChips::scrollContentsBy(int, int) {
    updateScrollBars();  // chips that become visible may be wider
    viewport()->update();
    Q_EMIT linesMoved();
}

void TokenChips::changeEvent(QEvent* event) {
    QAbstractScrollArea::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) {
        measureFonts();
        forgetLayout();
        updateGeometry();
        Q_EMIT linesMoved();
    }
}

void TokenChips::mousePressEvent(QMouseEvent* event) {
    const QPoint position = event->position().toPoint();
    const int row = rowAt(position);
    if (event->button() != Qt::LeftButton || row < 0) return;
    if (position.x() < gutter()) return showSequence(row);
    Q_EMIT pressed(row, columnAt(row, position.x()));
}

void TokenChips::mouseMoveEvent(QMouseEvent* event) {
    const QPoint position = event->position().toPoint();
    hoverTo(chipAt(position));
    const bool edits = lines_.isEditable() && position.x() >= gutter() && rowAt(position) >= 0;
    viewport()->setCursor(edits ? Qt::IBeamCursor : Qt::ArrowCursor);
}

void TokenChips::hoverTo(std::optional<Place> place) {
    if (place == hovered_) return;
    for (const auto& changed : {std::exchange(hovered_, place), place}) {
        if (changed) viewport()->update(chipRect(changed->row, changed->index).adjusted(-1, -1, 1, 1));
    }
}

/// Repaints only the chips whose mark changed.
void TokenChips::showMarks() {
    std::vector<std::pair<int, Mark>> marks;
    for (const auto& cell : {session_.selection().locked, session_.hover()}) {
        if (!cell) continue;
        for (const int index : {cell->query, cell->key})
            if (index < chipCount() && mark(shownRow(), index) != Mark::None)
                marks.emplace_back(index, mark(shownRow(), index));
    }
    const auto update = [this](int row, const auto& changed, const auto& others) {
        for (const auto& one : changed) {
            const bool same = marked_row_ == shownRow() && std::find(others.begin(), others.end(), one) != others.end();
            if (!same && row != edited_ && row < rowCount() && one.first < chipCount())
                viewport()->update(chipRect(row, one.first).adjusted(-1, -1, 1, 1));
        }
    };
    update(marked_row_, marks_, marks);
    update(shownRow(), marks, marks_);
    marks_ = std::move(marks);
    marked_row_ = shownRow();
}

/// Scrolls horizontally with Shift, or if there is nothing to scroll vertically.
void TokenChips::wheelEvent(QWheelEvent* event) {
    const bool sideways = event->modifiers() & Qt::ShiftModifier || verticalScrollBar()->maximum() == 0;
    if (!sideways) return QAbstractScrollArea::wheelEvent(event);
    QCoreApplication::sendEvent(horizontalScrollBar(), event);
}

void TokenChips::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
        case Qt::Key_Up:
            return session_.setSequence(std::max(0, shownRow() - 1));
        case Qt::Key_Down:
            return session_.setSequence(std::min(shownRow() + 1, rowCount() - 1));
        case Qt::Key_Home:
            return horizontalScrollBar()->setValue(0);
        case Qt::Key_End:
            lefts(shownRow(), chipCount());
            updateScrollBars();
            return horizontalScrollBar()->setValue(horizontalScrollBar()->maximum());
        default:
            if (!meansAnEditor(*event)) return QAbstractScrollArea::keyPressEvent(event);
            Q_EMIT typed(event);
    }
}

void TokenChips::focusInEvent(QFocusEvent* event) {
    QAbstractScrollArea::focusInEvent(event);
    viewport()->update(rowRect(shownRow()));
}

void TokenChips::focusOutEvent(QFocusEvent* event) {
    QAbstractScrollArea::focusOutEvent(event);
    viewport()->update(rowRect(shownRow()));
}

bool TokenChips::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::Leave) hoverTo(std::nullopt);
    if (event->type() != QEvent::ToolTip) return QAbstractScrollArea::viewportEvent(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    QToolTip::showText(help->globalPos(), toolTipAt(help->pos()), viewport());
    return true;
}

QString TokenChips::toolTipAt(QPoint position) const {
    if (rowAt(position) >= 0 && position.x() < gutter())
        return plainToolTip(tr("Shows sequence %1 (Up and Down do, too)").arg(rowAt(position)));
    const auto place = chipAt(position);
    if (!place) return {};
    const QString token = QString::fromStdString(lines_.token(place->row, place->index));
    return plainToolTip(tr("token %1: %2").arg(place->index).arg(token));
}

}  // namespace headscope
