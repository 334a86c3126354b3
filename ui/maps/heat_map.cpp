// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/maps/heat_map.h"

#include <QHelpEvent>
#include <QToolTip>
#include <algorithm>
#include <cmath>
#include <functional>

#include "core/attention/preview.h"
#include "ui/controls/tool_tip.h"
#include "ui/maps/cell_explanation.h"

namespace headscope {

namespace {

constexpr double kSmallestView = 4;  // cells across at the largest zoom
constexpr double kZoomStep = 0.8;    // of the range, for each notch of the wheel
constexpr double kClickDistance = 4;

/// The labels of the map: QCustomPlot calls it to draw when it is replotted.
class PaintedLayer : public QCPLayerable {
public:
    PaintedLayer(QCustomPlot* plot, const QString& layer, std::function<void(QPainter&)> paint)
        : QCPLayerable(plot, layer), paint_(std::move(paint)) {}

protected:
    void applyDefaultAntialiasingHint(QCPPainter* painter) const override { painter->setAntialiasing(false); }
    void draw(QCPPainter* painter) override { paint_(*painter); }

private:
    std::function<void(QPainter&)> paint_;
};

const Span* spanAtPixel(const std::vector<Span>& spans, int pixel) {
    const auto after = std::upper_bound(spans.begin(), spans.end(), pixel,
                                        [](int place, const Span& span) { return place < span.pixel; });
    if (after == spans.begin()) return nullptr;
    const Span& span = *std::prev(after);
    return pixel < span.pixel + span.pixels ? &span : nullptr;
}

const Span* spanOfCell(const std::vector<Span>& spans, std::int64_t cell) {
    const auto after = std::upper_bound(spans.begin(), spans.end(), cell,
                                        [](std::int64_t place, const Span& span) { return place < span.cell; });
    if (after == spans.begin()) return nullptr;
    const Span& span = *std::prev(after);
    return cell < span.cell + span.cells ? &span : nullptr;
}

}  // namespace

HeatMap::HeatMap(QWidget* parent) : QCustomPlot(parent), theme_(currentTheme()) {
    axisRect()->setAutoMargins(QCP::msNone);
    for (QCPAxis* axis : {xAxis, yAxis, xAxis2, yAxis2}) axis->setVisible(false);
    yAxis->setRangeReversed(true);

    for (const auto name : {"background", "grid", "axes", "legend", "overlay"}) removeLayer(layer(QLatin1String(name)));
    new PaintedLayer(this, QStringLiteral("main"), [this](QPainter& painter) { drawLabels(painter); });

    for (QCPAxis* axis : {xAxis, yAxis})
        connect(axis, qOverload<const QCPRange&>(&QCPAxis::rangeChanged), this, &HeatMap::rangeMoved);
    setBackground(Qt::NoBrush);  // cells_ covers it
    setFocusPolicy(Qt::StrongFocus);
    setMinimumSize(1, 1);
}

void HeatMap::setContent(const Content& content) {
    const Content old = std::exchange(content_, content);
    const TiledMatrix* old_tiles = tiles_.get();
    followTiles();
    if (!content_.trace) return markDirty(Everything);
    const Stage stage = content_.selection.stage;
    const auto identity = [](const Content& of) {
        return std::tuple(of.trace->identity(of.selection.stage), of.trace->mask.pointer(of.head).get(),
                          of.selection.sequence, of.head, of.derived.get());
    };
    const bool same_shape = old.trace && old.selection.stage == stage && old.trace->dims() == content_.trace->dims();
    if (!same_shape || tiles_.get() != old_tiles || identity(old) != identity(content_) ||
        old.scale != content_.scale || old.trace->request.fill != content_.trace->request.fill)
        markDirty(Cells);

    const MapLabels tokens = MapLabels::ofTokens(content_.trace->batch(), content_.selection.sequence);
    const MapLabels columns =
        is_square(stage) ? tokens : MapLabels::ofNumbers(stage_shape(stage, content_.trace->dims()).back());
    const bool same_layout =
        old.trace && square_ == is_square(stage) && row_labels_ == tokens && column_labels_ == columns;
    const bool same_size = row_labels_.count == tokens.count && column_labels_.count == columns.count;
    square_ = is_square(stage);
    row_labels_ = tokens;
    column_labels_ = columns;
    if (!same_size) setFullRange();
    if (!same_layout)
        relayout();
    else if (!tiles_ != !old_tiles || (tiles_ && old.selection.stage != stage))
        rangeMoved();
    else
        announceNote();
}

void HeatMap::setCrosshair(const std::optional<Cell>& hovered, const std::optional<Cell>& locked) {
    if (hovered_ == hovered && locked_ == locked) return;
    hovered_ = hovered;
    locked_ = locked;
    if (tiles_ && isVisible() && !row_blocks_.empty() && !tiles_->progress(this).complete())
        tiles_->show(this, visibleTiles());
    markDirty(bare_ ? Nothing : Labels);
}

void HeatMap::setNoteDrawn(bool drawn) {
    if (std::exchange(note_drawn_, drawn) != drawn) markDirty(Labels);
}

void HeatMap::setDetailed(bool detailed) {
    if (detailed_ == detailed) return;
    detailed_ = detailed;
    resetZoom();
    markDirty(Everything);
}

void HeatMap::setBare(bool bare) {
    if (std::exchange(bare_, bare) == bare) return;
    relayout();
    markDirty(Everything);
}

void HeatMap::markDirty(int parts) {
    dirty_ |= parts;
    update();
}

void HeatMap::relayout() {
    if (!content_.trace) return;
    const double ratio = devicePixelRatioF();
    layout_ =
        bare_ ? layoutBareMap(size(), ratio, row_labels_.count, column_labels_.count, square_)
              : layoutMap(size(), ratio, row_labels_, column_labels_, square_, QFontMetricsF(labelFont(font(), true)));
    const QRect map = mapRect().toRect();
    axisRect()->setMargins(QMargins(map.left(), map.top(), width() - map.right() - 1, height() - map.bottom() - 1));
    rangeMoved();
}

int HeatMap::neededHeight(int width) const {
    constexpr int plenty = 16384;
    if (!content_.trace) return plenty;
    const QFontMetricsF metrics(labelFont(font(), true));
    const MapLayout ample = layoutMap({width, plenty}, 1, row_labels_, column_labels_, square_, metrics);
    const double row_height = static_cast<double>(ample.map.height()) / static_cast<double>(row_labels_.count);
    return ample.map.bottom() + 1 + static_cast<int>(roomBelow(ample, row_height, metrics));
}

void HeatMap::setFullRange() {
    const QSignalBlocker quiet_x(xAxis), quiet_y(yAxis);
    xAxis->setRange(-0.5, static_cast<double>(column_labels_.count) - 0.5);
    yAxis->setRange(-0.5, static_cast<double>(row_labels_.count) - 0.5);
}

/// Keeps the view inside the matrix and recomputes the positions of the cells.
void HeatMap::rangeMoved() {
    const auto inside = [](QCPAxis* axis, std::int64_t count) {
        const QSignalBlocker quiet(axis);
        const double full = static_cast<double>(count), size = axis->range().size();
        const double kept = std::clamp(size, std::min(kSmallestView, full), full);
        const double lower = std::clamp(axis->range().lower + (size - kept) / 2, -0.5, full - 0.5 - kept);
        axis->setRange(lower, lower + kept);
    };
    if (!content_.trace) return;
    inside(xAxis, column_labels_.count);
    inside(yAxis, row_labels_.count);
    if (tiles_) {
        placeBlocks();
    } else {
        columns_ = spansOf(xAxis->range().lower, xAxis->range().upper, layout_.map.width(), column_labels_.count);
        rows_ = spansOf(yAxis->range().lower, yAxis->range().upper, layout_.map.height(), row_labels_.count);
    }
    markDirty(Everything);
    announceNote();
}

void HeatMap::announceNote() {
    const QString now = note();
    if (std::exchange(shown_note_, now) == now) return;
    markDirty(Labels);  // the note is in the corner of the labels
    Q_EMIT noteChanged();
}

void HeatMap::reveal(const Cell& cell) {
    if (!content_.trace || (xAxis->range().contains(cell.key) && yAxis->range().contains(cell.query))) return;
    moveRanges([&](QCPAxis& axis, Qt::Orientation direction) {
        axis.moveRange((direction == Qt::Horizontal ? cell.key : cell.query) - axis.range().center());
    });
}

bool HeatMap::isZoomed() const {
    return content_.trace && (xAxis->range().size() < static_cast<double>(column_labels_.count) - 1e-6 ||
                              yAxis->range().size() < static_cast<double>(row_labels_.count) - 1e-6);
}

void HeatMap::resetZoom() {
    if (!content_.trace) return;
    setFullRange();
    rangeMoved();
}

MatrixView HeatMap::matrix() const {
    if (content_.derived) return content_.derived->view();
    return shownMatrix(*content_.trace, content_.selection, content_.head);
}

bool HeatMap::hasSigns() const {
    if (content_.minus) return true;
    return content_.derived ? content_.derived->is_signed : isSigned(content_.selection.stage);
}

/// The value of a masked weight is leaked weight, not the fill value.
bool HeatMap::canLeak() const {
    return !content_.derived && !content_.minus && content_.selection.stage == Stage::Weights;
}

Reduction HeatMap::reduction() const {
    return reductionOf(hasSigns());
}

QRectF HeatMap::mapRect() const {
    const double ratio = devicePixelRatioF();
    return QRectF(QPointF(layout_.map.topLeft()) / ratio, QSizeF(layout_.map.size()) / ratio);
}

QRectF HeatMap::cellRect(int query, int key) const {
    const Span *row = spanOfCell(rows_, query), *column = spanOfCell(columns_, key);
    if (!row || !column) return {};
    const double ratio = devicePixelRatioF();
    return QRectF((layout_.map.left() + column->pixel) / ratio, (layout_.map.top() + row->pixel) / ratio,
                  column->pixels / ratio, row->pixels / ratio);
}

/// If a pixel shows several cells, returns the one that determines its colour: the maximum, or else the first.
std::optional<Cell> HeatMap::cellAt(const QPointF& position) const {
    if (!content_.trace) return std::nullopt;
    const QPointF place = position * devicePixelRatioF() - QPointF(layout_.map.topLeft());
    const Span* row = spanAtPixel(rows_, static_cast<int>(std::floor(place.y())));
    const Span* column = spanAtPixel(columns_, static_cast<int>(std::floor(place.x())));
    if (!row || !column) return std::nullopt;
    Cell cell{static_cast<int>(row->cell), static_cast<int>(column->cell), content_.head};
    if (tiles_ && tiles_->source().isOnlySampled())
        return Cell{static_cast<int>(sampled_query(row_labels_.count, row->cell, row->cell + row->cells)),
                    static_cast<int>(sampled_query(column_labels_.count, column->cell, column->cell + column->cells)),
                    content_.head};
    if (tiles_ && row->cells * column->cells > 1 && reduction() == Reduction::Maximum)
        return largestCell(*row, *column).value_or(cell);
    const MatrixView numbers = matrix();
    if (row->cells * column->cells == 1 || reduction() != Reduction::Maximum || !numbers || !numbers.data) return cell;
    double largest = -std::numeric_limits<double>::infinity();
    for (std::int64_t i = row->cell; i < row->cell + row->cells; ++i)
        for (std::int64_t j = column->cell; j < column->cell + column->cells; ++j)
            if (!numbers.masked(i, j) && numbers.at(i, j) > largest) {
                largest = numbers.at(i, j);
                cell = {static_cast<int>(i), static_cast<int>(j), content_.head};
            }
    return cell;
}

bool HeatMap::isFullyMasked(std::int64_t row) const {
    if (content_.derived) {
        const auto& allowed = content_.derived->allowed;
        const auto first = allowed.begin() + static_cast<std::ptrdiff_t>(row * column_labels_.count);
        return !allowed.empty() && std::none_of(first, first + column_labels_.count, [](auto cell) { return cell; });
    }
    const auto masked = [&](const Trace& trace) {
        return trace.mask && trace.mask.of(content_.head).allowed_in_row(content_.selection.sequence, row) == 0;
    };
    return content_.selection.stage >= Stage::Scores && masked(*content_.trace) &&
           (!content_.minus || masked(*content_.minus));
}

void HeatMap::resizeEvent(QResizeEvent*) {
    setViewport(rect());
    relayout();
    markDirty(Everything);
}

void HeatMap::changeEvent(QEvent* event) {
    QCustomPlot::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && theme_ != currentTheme()) {
        theme_ = currentTheme();
        markDirty(Everything);
    } else if (event->type() == QEvent::FontChange) {
        relayout();
    }
}

bool HeatMap::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QCustomPlot::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const Span* row = spanAtPixel(rows_, static_cast<int>(help->pos().y() * devicePixelRatioF()) - layout_.map.top());
    if (content_.trace && row && isFullyMasked(row->cell)) {
        const QString text = fullyMaskedRowSentence(*content_.trace, content_.selection.sequence, content_.head,
                                                    static_cast<int>(row->cell));
        QToolTip::showText(help->globalPos(), plainToolTip(text), this);
    } else if (overviewAt(help->pos())) {
        QToolTip::showText(help->globalPos(), tr("The part in sight. Click or drag to move it."), this);
    } else {
        QToolTip::hideText();
        event->ignore();
    }
    return true;
}

void HeatMap::leaveEvent(QEvent* event) {
    QCustomPlot::leaveEvent(event);
    Q_EMIT hovered(std::nullopt);
}

void HeatMap::mousePressEvent(QMouseEvent* event) {
    QCustomPlot::mousePressEvent(event);
    pressed_ = dragged_ = event->position();
    in_overview_ = event->button() == Qt::LeftButton ? overviewAt(pressed_) : std::nullopt;
    press_counts_ = event->button() == Qt::LeftButton && !in_overview_;
    if (in_overview_) moveInOverview(pressed_);
}

/// Changes the ranges of both axes before the cells are placed again: QCustomPlot's own zoom and drag replot at once
/// and for each axis.
void HeatMap::moveRanges(const std::function<void(QCPAxis&, Qt::Orientation)>& move) {
    {
        const QSignalBlocker quiet_x(xAxis), quiet_y(yAxis);
        move(*xAxis, Qt::Horizontal);
        move(*yAxis, Qt::Vertical);
    }
    rangeMoved();
}

void HeatMap::drag(const QPointF& to) {
    const QPointF from = std::exchange(dragged_, to);
    moveRanges([&](QCPAxis& axis, Qt::Orientation direction) {
        const bool across = direction == Qt::Horizontal;
        axis.moveRange(axis.pixelToCoord(across ? from.x() : from.y()) - axis.pixelToCoord(across ? to.x() : to.y()));
    });
}

void HeatMap::mouseMoveEvent(QMouseEvent* event) {
    QCustomPlot::mouseMoveEvent(event);
    if (in_overview_) return moveInOverview(event->position());
    if (detailed_ && event->buttons() & Qt::LeftButton && mapRect().contains(pressed_)) drag(event->position());
    const Qt::CursorShape shape = overviewAt(event->position()) ? Qt::PointingHandCursor : Qt::ArrowCursor;
    if (cursor().shape() != shape) setCursor(shape);
    Q_EMIT hovered(cellAt(event->position()));
}

void HeatMap::mouseReleaseEvent(QMouseEvent* event) {
    QCustomPlot::mouseReleaseEvent(event);
    if (event->button() == Qt::LeftButton) in_overview_.reset();
    if (event->button() != Qt::LeftButton || !std::exchange(press_counts_, false)) return;
    if ((event->position() - pressed_).manhattanLength() >= kClickDistance) return;
    if (const auto cell = cellAt(pressed_)) Q_EMIT clicked(*cell);
}

void HeatMap::mouseDoubleClickEvent(QMouseEvent* event) {
    QCustomPlot::mouseDoubleClickEvent(event);
    press_counts_ = false;
    if (event->button() == Qt::LeftButton && !overviewAt(event->position())) Q_EMIT doubleClicked();
}

void HeatMap::wheelEvent(QWheelEvent* event) {
    if (!detailed_) return event->ignore();  // so that the grid scrolls
    const QPointF at = event->position();
    const double factor = std::pow(kZoomStep, event->angleDelta().y() / 120.0);
    moveRanges([&](QCPAxis& axis, Qt::Orientation direction) {
        axis.scaleRange(factor, axis.pixelToCoord(direction == Qt::Horizontal ? at.x() : at.y()));
    });
}

void HeatMap::focusInEvent(QFocusEvent* event) {
    QCustomPlot::focusInEvent(event);
    if (parentWidget()) parentWidget()->update();
}

void HeatMap::focusOutEvent(QFocusEvent* event) {
    QCustomPlot::focusOutEvent(event);
    if (parentWidget()) parentWidget()->update();
}

}  // namespace headscope
