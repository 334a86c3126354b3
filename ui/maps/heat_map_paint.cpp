// SPDX-License-Identifier: GPL-3.0-or-later
// Paints a heat map: cells, labels, crosshair. The functions here don't change its content.
#include <QTextOption>
#include <algorithm>
#include <cmath>

#include "ui/look/number_text.h"
#include "ui/maps/heat_map.h"

namespace headscope {

namespace {

/// Distance between the centres of adjacent cells.
double pitch(const QCPAxis* axis, double units) {
    return units / axis->range().size();
}

/// At most five characters: "0.28", "−13.2", "1e9".
QString shortNumber(double value) {
    const double size = std::abs(value);
    if (size < 0.005) return QStringLiteral("0.00");
    if (size >= 9999.5) return forPeople(QString::number(value, 'g', 1));
    return forPeople(QString::number(value, 'f', size < 9.995 ? 2 : size < 99.95 ? 1 : 0));
}

}  // namespace

LabelBand HeatMap::labelBand(bool rows) const {
    return {.labels = rows ? row_labels_ : column_labels_,
            .spans = rows ? rows_ : columns_,
            .room = rows ? layout_.row_room : layout_.column_room,
            .step = rows ? rowStep() : columnStep(),
            .rows = rows,
            .turned = !rows && layout_.turned};
}

/// Step between shown labels; the same for keys and queries, so that the note needs only one number.
std::int64_t HeatMap::rowStep() const {
    return square_ ? std::max(ownStep(true), ownStep(false)) : ownStep(true);
}

std::int64_t HeatMap::columnStep() const {
    return square_ ? std::max(ownStep(true), ownStep(false)) : ownStep(false);
}

std::int64_t HeatMap::ownStep(bool rows) const {
    LabelBand band{.labels = rows ? row_labels_ : column_labels_, .rows = rows, .turned = !rows && layout_.turned};
    band.room = layout_.column_room;
    return labelStep(band, QFontMetricsF(labelFont(font())),
                     rows ? pitch(yAxis, mapRect().height()) : pitch(xAxis, mapRect().width()));
}

QString HeatMap::note() const {
    if (!content_.trace) return {};
    QStringList parts;
    const std::int64_t labels = rowStep();
    if (layout_.row_room <= 0)
        parts.append(tr("labels: enlarge a head"));
    else if (labels > 1)
        parts.append(tr("labels: 1 in %1").arg(labels));
    if (const QString cells = cellNote(); !cells.isEmpty()) parts.append(cells);
    return parts.join(QStringLiteral(" · "));
}

QString HeatMap::cellNote() const {
    const auto most = [](const std::vector<Span>& spans) {
        std::int64_t cells = 1;
        for (const Span& span : spans) cells = std::max(cells, span.cells);
        return cells;
    };
    const auto down = most(rows_), across = most(columns_);
    if (!content_.trace || down * across == 1) return {};
    const QString text = reduction() == Reduction::Maximum ? tr("1 pixel = largest of up to %1×%2 cells")
                                                           : tr("1 pixel = mean of up to %1×%2 cells");
    return text.arg(down).arg(across);
}

/// The cells on the background, in an image of their own: a buffered layer of QCustomPlot is transparent, so that it is
/// cleared and blended as well.
void HeatMap::paintCells() {
    const double ratio = devicePixelRatioF();
    const QSize pixels = (QSizeF(size()) * ratio).toSize();
    if (cells_.size() != pixels) cells_ = QImage(pixels, QImage::Format_RGB32);
    cells_.setDevicePixelRatio(ratio);
    cells_.fill(color(Role::Raised, theme_));
    QPainter painter(&cells_);
    drawCells(painter);
}

void HeatMap::paintEvent(QPaintEvent* event) {
    if (!qFuzzyCompare(bufferDevicePixelRatio(), devicePixelRatioF())) {
        setBufferDevicePixelRatio(devicePixelRatioF());
        relayout();
        dirty_ = Everything;
    }
    const int dirty = std::exchange(dirty_, Nothing);
    if (dirty & Cells) paintCells();
    if (dirty & Labels && !bare_) {
        setAttribute(Qt::WA_UpdatesDisabled, true);  // replotting requests a further paint event, which is not needed
        replot(QCustomPlot::rpQueuedRefresh);
        setAttribute(Qt::WA_UpdatesDisabled, false);
    }
    QPainter(this).drawImage(QPointF(), cells_);
    if (!bare_) QCustomPlot::paintEvent(event);
    QPainter painter(this);
    drawCrosshair(painter);
    drawProgress(painter);
    drawOverview(painter);
}

void HeatMap::drawCells(QPainter& painter) {
    if (!content_.trace) return;
    if (tiles_) {
        drawTiles(painter);
        return markFullyMaskedRows(painter);
    }
    const MatrixView numbers = matrix();
    if (!numbers) return;
    const double ratio = devicePixelRatioF();
    QImage image = rasterise(numbers, content_.scale, rows_, columns_, reduction(), theme_, ratio, canLeak());
    image.setDevicePixelRatio(ratio);
    painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
    painter.drawImage(mapRect().topLeft(), image);
    drawFaded(painter);
    if (detailed_ && numbers.data) drawNumbers(painter, numbers);
    markFullyMaskedRows(painter);
}

/// If a pixel shows several cells, it is faded if all of its allowed cells are.
void HeatMap::drawFaded(QPainter& painter) {
    if (!content_.derived || content_.derived->faded.empty()) return;
    const DerivedMatrix& derived = *content_.derived;
    QColor veil = color(Role::Raised, theme_);
    veil.setAlphaF(0.85F);
    for (const Span& row : rows_)
        for (const Span& column : columns_) {
            bool any = false, all = true;
            for (std::int64_t i = row.cell; i < row.cell + row.cells && all; ++i)
                for (std::int64_t j = column.cell; j < column.cell + column.cells && all; ++j) {
                    const auto cell = static_cast<std::size_t>(i * column_labels_.count + j);
                    const bool faded = derived.faded[cell] != 0;
                    any |= faded;
                    all &= faded || (!derived.allowed.empty() && !derived.allowed[cell]);
                }
            if (any && all) painter.fillRect(cellRect(static_cast<int>(row.cell), static_cast<int>(column.cell)), veil);
        }
}

/// The numbers begin at this row and column of the matrix.
void HeatMap::drawNumbers(QPainter& painter, const MatrixView& numbers, std::int64_t first_row,
                          std::int64_t first_column) {
    const bool with_sign = hasSigns();
    painter.setFont(labelFont(font()));
    const QFontMetricsF metrics(painter.font());
    const double widest = metrics.horizontalAdvance(with_sign ? QStringLiteral("−00.0") : QStringLiteral("0.00")) + 4;
    const QSizeF cell(mapRect().width() / xAxis->range().size(), mapRect().height() / yAxis->range().size());
    if (cell.width() < widest || cell.height() < metrics.height()) return;
    for (const Span& row : rows_)
        for (const Span& column : columns_) {
            const std::int64_t i = row.cell - first_row, j = column.cell - first_column;
            const double value = numbers.at(i, j);
            const bool masked = numbers.masked(i, j);
            // A masked cell shows a number only for leaked weight, on the square of its colour.
            if (std::isnan(value) || (masked && (value == 0 || !canLeak()))) continue;
            const QString text = shortNumber(value);
            const QRectF place = cellRect(static_cast<int>(row.cell), static_cast<int>(column.cell));
            if (metrics.horizontalAdvance(text) > (masked ? place.width() / 2 : place.width()) - 2) continue;
            painter.setPen(readableOn(QColor(content_.scale.color(value))));
            painter.drawText(place, Qt::AlignCenter, text);
        }
}

/// Draws a mark to the right of each fully masked row.
void HeatMap::markFullyMaskedRows(QPainter& painter) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color(Role::FullyMasked, theme_));
    const double ratio = devicePixelRatioF(), left = mapRect().right() + 2;
    for (const Span& row : rows_) {
        bool empty = false;
        for (std::int64_t i = row.cell; i < row.cell + row.cells; ++i) empty |= isFullyMasked(i);
        if (!empty) continue;
        const double middle = (layout_.map.top() + row.pixel + row.pixels / 2.0) / ratio;
        const double half = std::clamp(row.pixels / ratio / 2, 1.0, 4.0);
        painter.drawPolygon(QPolygonF({{left, middle}, {left + 6, middle - half}, {left + 6, middle + half}}));
    }
    painter.restore();
}

void HeatMap::drawLabels(QPainter& painter) {
    if (!content_.trace || bare_) return;
    const auto emphasis = [&](bool rows) {
        Emphasis bold;
        for (std::size_t i = 0; i < 2; ++i)
            if (const auto& cell = i == 0 ? locked_ : hovered_) bold[i] = rows ? cell->query : cell->key;
        return bold;
    };
    for (const bool rows : {true, false})
        headscope::drawLabels(painter, labelBand(rows), mapRect().topLeft(), font(), emphasis(rows), theme_,
                              devicePixelRatioF());
    drawNote(painter);
}

/// Draws the note in the corner between the labels, if it fits above the first label.
void HeatMap::drawNote(QPainter& painter) {
    const QString text = note();
    painter.setFont(labelFont(font()));
    const double label = QFontMetricsF(painter.font()).height();
    const QRectF corner(0, 0, mapRect().left() - kLabelGap, mapRect().top() - label / 2);
    const int flags = Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap;
    if (!note_drawn_ || text.isEmpty() || layout_.row_room <= 0) return;
    if (!corner.contains(QFontMetricsF(painter.font()).boundingRect(corner, flags, text))) return;
    painter.setPen(color(Role::Muted, theme_));
    painter.drawText(corner, flags, text);
}

void HeatMap::drawCrosshair(QPainter& painter) {
    if (!content_.trace) return;
    const int stroke = std::max(1, qRound(devicePixelRatioF()));
    if (locked_) outline(painter, *locked_, 2 * stroke);
    if (hovered_ && (!locked_ || hovered_->query != locked_->query || hovered_->key != locked_->key))
        outline(painter, *hovered_, stroke);
}

/// Outlines row and column with frames of the given number of device pixels, around the cells so that small cells stay
/// visible.
void HeatMap::outline(QPainter& painter, const Cell& cell, int stroke) {
    const double ratio = devicePixelRatioF(), pen = stroke / ratio;
    const QRectF map = mapRect(), place = cellRect(cell.query, cell.key);
    if (place.isEmpty()) return;
    const QColor accent = color(Role::Crosshair, theme_);
    const auto frame = [&](const QRectF& inner) {
        const QRectF outer = inner.adjusted(-pen, -pen, pen, pen);
        painter.fillRect(QRectF(outer.topLeft(), QPointF(outer.right(), inner.top())), accent);
        painter.fillRect(QRectF(QPointF(outer.left(), inner.bottom()), outer.bottomRight()), accent);
        painter.fillRect(QRectF(QPointF(outer.left(), inner.top()), inner.bottomLeft()), accent);
        painter.fillRect(QRectF(inner.topRight(), QPointF(outer.right(), inner.bottom())), accent);
    };
    frame(QRectF(map.left(), place.top(), map.width(), place.height()));
    frame(QRectF(place.left(), map.top(), place.width(), map.height()));
}

}  // namespace headscope
