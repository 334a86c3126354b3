// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/figure.h"

#include <QLinearGradient>
#include <QPaintEngine>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "core/attention/region_difference.h"
#include "ui/export/figure_layout.h"
#include "ui/export/figure_map.h"
#include "ui/export/figure_text.h"
#include "ui/look/hatch.h"
#include "ui/maps/cell_explanation.h"

namespace headscope {
namespace {

constexpr double kLeastNumber = 6;  // smallest text size of numbers in cells, in pixels

/// Draws one figure.
class FigurePainter {
public:
    FigurePainter(QPainter& painter, const Trace& trace, const Selection& selection, const FigureStyle& style,
                  const FigureInstead& instead)
        : painter_(painter),
          trace_(trace),
          selection_(selection),
          style_(style),
          instead_(instead),
          layout_(layOut(trace, selection, style, surfaceOf(painter))) {}

    void draw();

private:
    static Surface surfaceOf(const QPainter& painter);
    void drawSection(const FigureSection& section);
    double drawColorBar(const QRectF& heading, const std::vector<ColorScale>& scales);
    void drawPanel(const Panel& panel, const ColorScale& scale);
    std::optional<RegionCells> computedCells(int head) const;
    void drawNumbers(const Panel& panel, const MatrixView& matrix, const DrawnMap& map);
    void drawPanelTitle(const Panel& panel, const ColorScale& scale);
    void drawRowLabels(const Panel& panel);
    void drawColumnLabels(const Panel& panel);
    void markFullyMaskedRows(const Panel& panel);
    std::vector<std::int64_t> fullyMaskedRows(const Panel& panel) const;
    void drawCaption();

    QColor of(Role role) const { return color(role, style_.theme); }
    QColor labelColor(int sequence, int index, bool token) const {
        return of(token && !trace_.batch().is_real(sequence, index) ? Role::Muted : Role::Text);
    }
    void fill(const QRectF& rect, const QBrush& brush);
    /// Draws plain text with its baseline starting at `left`; returns the width of the text.
    double text(QPointF left, const QString& text, const FigureType& type, const QColor& color);
    /// The baseline that vertically centres one line in a rectangle.
    static double baseline(const QRectF& rect, const FigureType& type) {
        return rect.center().y() + type.capHeight() / 2;
    }

    QPainter& painter_;
    const Trace& trace_;
    Selection selection_;
    const FigureStyle& style_;
    const FigureInstead& instead_;
    FigureLayout layout_;
    FigureNotes notes_;
};

Surface FigurePainter::surfaceOf(const QPainter& painter) {
    const QPaintEngine::Type type = painter.paintEngine()->type();
    const bool vectors = type == QPaintEngine::SVG || type == QPaintEngine::Pdf;
    return {vectors, std::max(1e-3, painter.deviceTransform().m11())};
}

void FigurePainter::fill(const QRectF& rect, const QBrush& brush) {
    QPainterPath path;
    path.addRect(rect);
    painter_.fillPath(path, brush);
}

double FigurePainter::text(QPointF left, const QString& text, const FigureType& type, const QColor& color) {
    return type.draw(painter_, left, text, color);
}

void FigurePainter::draw() {
    painter_.save();
    painter_.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
    fill(QRectF(QPointF(0, 0), style_.size), of(Role::Panel));
    if (!layout_.title.isEmpty()) {
        const FigureType type(layout_.title_pixels, true);
        const QString title = type.elided(plainLine(style_.title), layout_.title.width());
        text({layout_.title.left(), baseline(layout_.title, type)}, title, type, of(Role::Text));
    }
    notes_.square = is_square(selection_.stage);
    notes_.row_labels_every = layout_.rows.every;
    notes_.column_labels_every = layout_.columns.every;
    notes_.rows_each = layout_.grid.rows_each;
    notes_.columns_each = layout_.grid.columns_each;
    notes_.reduction =
        reductionOf(instead_.minus || (instead_.numbers ? instead_.numbers->is_signed : isSigned(selection_.stage)));
    if (surfaceOf(painter_).vectors && layout_.grid.bitmap)
        notes_.bitmap_cells = coloredCells(trace_, selection_, style_) + style_.cells_beside;
    for (const FigureSection& section : layout_.sections) drawSection(section);
    drawCaption();
    painter_.restore();
}

void FigurePainter::drawSection(const FigureSection& section) {
    selection_.sequence = section.sequence;
    std::vector<ColorScale> scales = colorScales(trace_, selection_);
    if (instead_.scale) scales.assign(scales.size(), *instead_.scale);
    if (!section.heading.isEmpty()) {
        const double bar = drawColorBar(section.heading, scales);
        const FigureType type(12, true);
        const QString own = sectionHeading(trace_, selection_.stage, section.sequence);
        const QString heading = type.elided(instead_.heading.isEmpty() ? own : plainLine(instead_.heading),
                                            std::max(0.0, section.heading.width() - bar - 16));
        text({section.heading.left(), baseline(section.heading, type)}, heading, type, of(Role::Text));
    }
    for (const Panel& panel : section.panels) drawPanel(panel, scales[static_cast<std::size_t>(panel.head)]);
}

/// Draws the colour bar with its meaning, range and end values at the right end of a heading. Returns its width.
double FigurePainter::drawColorBar(const QRectF& heading, const std::vector<ColorScale>& scales) {
    const FigureType type(10);
    const ColorScale& scale = scales.front();
    const bool own = selection_.shownRange() == Range::Head && has_heads(selection_.stage, trace_.request) &&
                     !selection_.head && !instead_.scale;
    const ColorScale& shown = selection_.head && has_heads(selection_.stage, trace_.request)
                                  ? scales[static_cast<std::size_t>(*selection_.head)]
                                  : scale;
    const bool mirrored = isSigned(selection_.stage);
    const QString low = !own ? scaleLabel(shown.low) : mirrored ? QStringLiteral("−max") : QStringLiteral("min");
    const QString high = own ? QStringLiteral("max") : scaleLabel(shown.high);
    const QString name = instead_.isDerived() ? toWord(shown.palette) : rangeName(selection_);
    const double bar = std::floor(std::min(120.0, heading.width() / 5));
    const double ends = type.width(low) + type.width(high) + 8;
    const double named = type.width(name) + 10;
    if (bar + ends > 0.6 * heading.width()) return 0;
    const bool with_name = bar + ends + named <= 0.6 * heading.width();
    const double whole = bar + ends + (with_name ? named : 0);
    const double y = baseline(heading, type);
    double x = heading.right() - whole;
    if (with_name) {
        text({x, y}, name, type, of(Role::Muted));
        x += named;
    }
    x += text({x, y}, low, type, of(Role::Text)) + 4;
    const QRectF box(std::round(x), std::round(heading.center().y()) - 5, bar, 10);
    QLinearGradient gradient(box.topLeft(), box.topRight());
    const std::vector<QRgb>& colors = paletteColors(shown.palette);
    const int stops = 33;
    for (int i = 0; i < stops; ++i)
        gradient.setColorAt(i / (stops - 1.0),
                            QColor::fromRgb(colors[(colors.size() - 1) * static_cast<std::size_t>(i) / (stops - 1)]));
    fill(box, gradient);
    text({box.right() + 4, y}, high, type, of(Role::Text));
    return whole;
}

void FigurePainter::drawPanel(const Panel& panel, const ColorScale& scale) {
    MatrixView matrix;
    if (instead_.numbers)
        matrix = instead_.numbers->view();
    else if (!instead_.minus)
        matrix = shownMatrix(trace_, selection_, panel.head);
    std::optional<RegionCells> computed;
    if (!matrix && (computed = computedCells(panel.head)))
        matrix = {computed->rows, computed->columns, Tensor::Type::Float64, computed->values.data(), computed->columns};
    drawPanelTitle(panel, scale);
    if (!matrix) {
        text(panel.map.topLeft() + QPointF(0, 10), notKeptText(), FigureType(9), of(Role::Muted));
        return;
    }
    QPainterPath frame;  // outside and below the cells, so that it doesn't cover border cells
    frame.addRect(panel.map.adjusted(-0.5, -0.5, 0.5, 0.5));
    painter_.strokePath(frame, QPen(of(Role::Border), 1));
    const bool weights = selection_.stage == Stage::Weights && !instead_.isDerived();
    const DrawnMap map = computed ? drawnMap(*computed, layout_.grid, scale, weights)
                                  : drawnMap(matrix, layout_.grid, scale, notes_.reduction, weights);
    paintMap(painter_, panel.map.topLeft(), map, layout_.grid, style_.theme);
    if (style_.numbers) drawNumbers(panel, matrix, map);
    notes_.masked = notes_.masked || map.has(DrawnCell::Kind::Masked) || map.has(DrawnCell::Kind::MaskedNan);
    notes_.nan = notes_.nan || map.has(DrawnCell::Kind::Nan) || map.has(DrawnCell::Kind::MaskedNan);
    notes_.leaked = notes_.leaked || (!layout_.grid.bitmap && map.has(DrawnCell::Kind::Leaked));
    if (panel.row_labels) drawRowLabels(panel);
    if (panel.column_labels) drawColumnLabels(panel);
    if (marksFullyMaskedRows(selection_.stage)) markFullyMaskedRows(panel);
}

/// The drawn cells of numbers that the trace does not keep. Nothing if it can't compute them, or the export is
/// cancelled.
std::optional<RegionCells> FigurePainter::computedCells(int head) const {
    const MapGrid& grid = layout_.grid;
    const std::int64_t size = trace_.dims().sequence_length;
    if (!is_square(selection_.stage)) return std::nullopt;
    Region wanted{.stage = selection_.stage, .sequence = selection_.sequence, .head = head};
    wanted.reduction = notes_.reduction;
    for (std::int64_t row = 0; row < size; row += grid.rows_each) wanted.row_edges.push_back(row);
    for (std::int64_t column = 0; column < size; column += grid.columns_each) wanted.column_edges.push_back(column);
    wanted.row_edges.push_back(size);
    wanted.column_edges.push_back(size);
    auto cells = instead_.minus ? difference_region(trace_, *instead_.minus, wanted, style_.cancel)
                                : region(trace_, wanted, style_.cancel);
    return cells ? std::optional(std::move(*cells)) : std::nullopt;
}

/// Draws numbers with two digits in the cells if they fit and each drawn cell is one cell of the matrix; skips masked
/// cells.
void FigurePainter::drawNumbers(const Panel& panel, const MatrixView& matrix, const DrawnMap& map) {
    const MapGrid& grid = layout_.grid;
    if (grid.bitmap || grid.rows_each > 1 || grid.columns_each > 1) return;
    const double pixels = std::min(11.0, std::floor(std::min(grid.cell_height / 2, grid.cell_width / 3)));
    if (pixels < kLeastNumber) return;
    const FigureType type(pixels);
    for (int row = 0; row < map.rows; ++row)
        for (int column = 0; column < map.columns; ++column) {
            const DrawnCell& cell = map.at(row, column);
            if (cell.kind != DrawnCell::Kind::Colored) continue;
            const QString number = numberText(matrix.at(row, column), 2);
            const double width = type.width(number);
            if (width + 2 > grid.cell_width) continue;
            const QPointF corner = panel.map.topLeft() + QPointF(column * grid.cell_width, row * grid.cell_height);
            text(corner + QPointF((grid.cell_width - width) / 2, (grid.cell_height + type.capHeight()) / 2), number,
                 type, qGray(cell.color) > 128 ? Qt::black : Qt::white);
        }
}

void FigurePainter::drawPanelTitle(const Panel& panel, const ColorScale& scale) {
    if (panel.title.isEmpty()) return;
    const FigureType bold(11, true), plain(10);
    const double y = panel.title.top() + 11;
    const QString title = bold.elided(panelTitle(trace_, selection_.stage, panel.head), panel.title.width());
    const double used = text({panel.title.left(), y}, title, bold, of(Role::Text)) + 8;
    QStringList remarks;
    if (const QString role = panelRole(trace_, selection_.stage, panel.head); !role.isEmpty()) remarks += role;
    if (selection_.shownRange() == Range::Head)
        remarks += isSigned(selection_.stage)
                       ? QStringLiteral("±%1").arg(scaleLabel(scale.high))
                       : QStringLiteral("%1 – %2").arg(scaleLabel(scale.low), scaleLabel(scale.high));
    while (!remarks.isEmpty()) {
        const QString remark = remarks.join(QStringLiteral(" · "));
        const double width = plain.width(remark);
        if (width <= panel.title.width() - used) {
            text({panel.title.right() - width, y}, remark, plain, of(Role::Muted));
            return;
        }
        remarks.removeFirst();  // drops remarks from the first on, because the last ones explain the colours
    }
}

void FigurePainter::drawRowLabels(const Panel& panel) {
    const LabelPlan& plan = layout_.rows;
    const FigureType type(plan.pixels);
    const auto rows = static_cast<int>(trace_.dims().sequence_length);
    const QStringList labels = axisLabels(trace_, panel.sequence, true, rows, plan);
    const double pitch = layout_.grid.pitch_y();
    for (int i = 0; i < rows; i += plan.every) {
        const double y = panel.map.top() + (i + 0.5) * pitch + type.capHeight() / 2;
        const double x = panel.map.left() - 4 - type.width(labels[i]);
        text({x, y}, labels[i], type, labelColor(panel.sequence, i, true));
    }
}

void FigurePainter::drawColumnLabels(const Panel& panel) {
    const LabelPlan& plan = layout_.columns;
    const FigureType type(plan.pixels);
    const double middle = type.capHeight() / 2;
    const bool tokens = is_square(selection_.stage);
    const auto columns = static_cast<int>(stage_shape(selection_.stage, trace_.dims()).back());
    const QStringList labels = axisLabels(trace_, panel.sequence, tokens, columns, plan);
    const double pitch = layout_.grid.pitch_x();
    for (int j = 0; j < columns; j += plan.every) {
        painter_.save();
        painter_.translate(panel.map.left() + (j + 0.5) * pitch, panel.map.top() - 4);
        painter_.rotate(plan.slanted ? -60 : -90);
        text({0, middle}, labels[j], type, labelColor(panel.sequence, j, tokens));
        painter_.restore();
    }
}

/// Fully masked rows; for derived numbers, rows without an allowed cell.
std::vector<std::int64_t> FigurePainter::fullyMaskedRows(const Panel& panel) const {
    std::vector<std::int64_t> rows;
    if (!instead_.numbers) rows = trace_.mask.of(panel.head).fully_masked_rows(panel.sequence);
    if (instead_.minus)
        std::erase_if(rows, [&](std::int64_t row) {
            return instead_.minus->mask.of(panel.head).allowed_in_row(panel.sequence, row) > 0;
        });
    if (!instead_.numbers) return rows;
    const MatrixView matrix = instead_.numbers->view();
    for (std::int64_t row = 0; row < matrix.rows && matrix.mask; ++row) {
        const auto first = matrix.mask + row * matrix.columns;
        if (std::none_of(first, first + matrix.columns, [](auto allowed) { return allowed; })) rows.push_back(row);
    }
    return rows;
}

/// Draws a triangle beside each fully masked row, whatever the fill value.
void FigurePainter::markFullyMaskedRows(const Panel& panel) {
    const double pitch = layout_.grid.pitch_y(), left = panel.map.right() + 2;
    const double half = std::clamp(pitch / 2, 1.0, 4.0);
    for (const std::int64_t row : fullyMaskedRows(panel)) {
        const double middle = panel.map.top() + (static_cast<double>(row) + 0.5) * pitch;
        QPainterPath path({left, middle});
        path.lineTo(left + 6, middle - half);
        path.lineTo(left + 6, middle + half);
        painter_.fillPath(path, of(Role::FullyMasked));
        notes_.fully_masked_rows = true;
    }
}

void FigurePainter::drawCaption() {
    const FigureType type(kCaptionPixels);
    QStringList lines = wrapPieces(noteTexts(notes_), type, layout_.caption.width(), layout_.caption_lines);
    const QStringList& caption = instead_.caption.isEmpty() ? configurationTexts(trace_.request) : instead_.caption;
    lines += wrapPieces(caption, type, layout_.caption.width(), layout_.caption_lines - static_cast<int>(lines.size()));
    double y = layout_.caption.top() + 10;
    for (const QString& line : lines) {
        text({layout_.caption.left(), y}, line, type, of(Role::Muted));
        y += kCaptionLine;
    }
}

}  // namespace

void drawFigure(QPainter& painter, const Trace& trace, const Selection& selection, const FigureStyle& style,
                const FigureInstead& instead) {
    FigurePainter(painter, trace, selection, style, instead).draw();
}

}  // namespace headscope
