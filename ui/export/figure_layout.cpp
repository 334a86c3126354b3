// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/figure_layout.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "ui/state/tokenizer.h"

namespace headscope {
namespace {

constexpr int kGraphemes = 12;

double longestLabel(const std::vector<double>& widths) {
    return widths.empty() ? 0 : *std::max_element(widths.begin(), widths.end());
}

/// Label widths at a text size of one pixel; without hinting they are proportional to the text size.
std::vector<double> labelWidths(const Trace& trace, const QList<int>& sequences, bool tokens, int count) {
    const double pixels = 20;
    const FigureType type(pixels);
    std::vector<double> widths(static_cast<std::size_t>(count), 0);
    for (const int sequence : sequences) {
        for (int i = 0; i < count; ++i) {
            const QString text =
                tokens ? displayToken(
                             trace.batch().tokens[static_cast<std::size_t>(sequence)][static_cast<std::size_t>(i)],
                             kGraphemes)
                       : QString::number(i);
            double& width = widths[static_cast<std::size_t>(i)];
            width = std::max(width, (type.width(text) + 1) / pixels);
        }
        if (!tokens) break;
    }
    return widths;
}

Subject subjectOf(const Trace& trace, const Selection& selection, const FigureStyle& style, const Surface& surface) {
    const QList<int> sequences = figureSequences(trace, selection, style);
    const Shape shape = stage_shape(selection.stage, trace.dims());
    Subject subject;
    subject.rows = static_cast<int>(trace.dims().sequence_length);
    subject.columns = static_cast<int>(shape.back());
    subject.square = is_square(selection.stage);
    subject.maps = static_cast<int>(figureHeads(trace, selection).size());
    subject.surface = surface;
    subject.labels = !style.maps_only;
    subject.bitmap = coloredCells(trace, selection, style) + style.cells_beside > kMostVectorCells;
    const auto row_labels = labelWidths(trace, sequences, true, subject.rows);
    subject.column_labels = labelWidths(trace, sequences, subject.square, subject.columns);
    subject.row_label = longestLabel(row_labels);
    subject.column_label = longestLabel(subject.column_labels);
    for (const int sequence : sequences)
        for (const int head : figureHeads(trace, selection))
            subject.marks = subject.marks || (marksFullyMaskedRows(selection.stage) &&
                                              !trace.mask.of(head).fully_masked_rows(sequence).empty());
    return subject;
}

/// Rounds to a whole unit and then to the next position that the surface can draw exactly, or to a whole pixel if a
/// pixel is larger than a unit. Doesn't round for cells smaller than a unit.
double snapped(double value, const MapGrid& grid, const Surface& surface) {
    if (surface.vectors) return std::min(grid.cell_width, grid.cell_height) < 1 ? value : std::floor(value);
    const double grain = surface.pixels_per_unit;
    return (grain < 1 ? std::floor(value * grain) : std::ceil(std::floor(value) * grain - 1e-6)) / grain;
}

/// Places the maps of a sequence, spaced a little if there is room, and centres them.
QList<Panel> placePanels(const Arrangement& plan, const QList<int>& heads, int sequence, const QRectF& room,
                         const Surface& surface) {
    const QSizeF panel = plan.panel();
    const double left = plan.outer ? plan.left : 0, top = plan.outer ? plan.top : 0;
    const double grain = surface.vectors ? 1 : std::min(1.0, surface.pixels_per_unit);
    const auto whole = [&](double pitch, double least) { return std::max(std::floor(pitch * grain) / grain, least); };
    const double pitch_x = whole(std::min((room.width() - left) / plan.across, panel.width() + 32), panel.width());
    const double pitch_y = whole(std::min((room.height() - top) / plan.down, panel.height() + 24), panel.height());
    const double spare_x = room.width() - left - pitch_x * plan.across,
                 spare_y = room.height() - top - pitch_y * plan.down;
    const QPointF first(room.left() + left + spare_x / 2 + (pitch_x - panel.width()) / 2, room.top() + spare_y / 2);
    QList<Panel> panels;
    for (int i = 0; i < heads.size(); ++i) {
        const int row = i / plan.across, column = i % plan.across;
        const double x = first.x() + pitch_x * column;
        const double y = first.y() + pitch_y * row + (row > 0 ? top : 0);
        Panel next;
        next.sequence = sequence;
        next.head = heads[i];
        next.row_labels = plan.rows.every > 0 && (!plan.outer || column == 0);
        next.column_labels = plan.columns.every > 0 && (!plan.outer || row == 0);
        const double label_top = next.column_labels ? plan.top : 0;
        const QPointF corner(snapped(x + (plan.outer ? 0 : plan.left), plan.grid, surface),
                             snapped(y + plan.title + label_top, plan.grid, surface));
        next.map = QRectF(corner, plan.grid.size());
        const double title_width = std::max(panel.width(), std::min(pitch_x - 4, 120.0));
        if (plan.title > 0)
            next.title = QRectF(std::floor(x), corner.y() - label_top - plan.title, title_width, plan.title);
        panels += next;
    }
    return panels;
}

/// Estimates the caption before its notes are known: assumes that all of them are needed.
int captionLines(const Trace& trace, double width, double height) {
    FigureNotes notes;
    notes.masked = notes.fully_masked_rows = true;
    notes.row_labels_every = notes.column_labels_every = 2;
    const FigureType type(kCaptionPixels);
    const int room = static_cast<int>(0.2 * height / kCaptionLine);
    const auto lines = wrapPieces(noteTexts(notes), type, width, room).size() +
                       wrapPieces(configurationTexts(trace.request), type, width, room).size();
    return std::min(room, static_cast<int>(lines));
}

}  // namespace

QList<int> figureSequences(const Trace& trace, const Selection& selection, const FigureStyle& style) {
    if (!style.all_sequences) return {selection.sequence};
    QList<int> all(trace.dims().batch);
    std::iota(all.begin(), all.end(), 0);
    return all;
}

QList<int> figureHeads(const Trace& trace, const Selection& selection) {
    if (!has_heads(selection.stage, trace.request)) return {0};
    if (selection.head) return {*selection.head};
    QList<int> all(trace.dims().num_heads);
    std::iota(all.begin(), all.end(), 0);
    return all;
}

bool marksFullyMaskedRows(Stage stage) {
    return stage >= Stage::Scores;
}

std::int64_t coloredCells(const Trace& trace, const Selection& selection, const FigureStyle& style) {
    const bool hatched = is_square(selection.stage) && selection.stage != Stage::Scores;
    const std::int64_t all = trace.dims().sequence_length * stage_shape(selection.stage, trace.dims()).back();
    std::int64_t cells = 0;
    for (const int sequence : figureSequences(trace, selection, style))
        for (const int head : figureHeads(trace, selection))
            cells += hatched ? trace.mask.of(head).allowed_cells(sequence) : all;
    return cells;
}

QStringList axisLabels(const Trace& trace, int sequence, bool tokens, int count, const LabelPlan& plan) {
    const FigureType type(plan.pixels);
    QStringList labels;
    for (int i = 0; i < count; ++i) {
        if (plan.every == 0 || i % plan.every != 0 || !tokens) {
            labels += plan.every && i % plan.every == 0 ? QString::number(i) : QString();
            continue;
        }
        const std::string& token =
            trace.batch().tokens[static_cast<std::size_t>(sequence)][static_cast<std::size_t>(i)];
        int graphemes = kGraphemes;
        QString label = displayToken(token, graphemes);
        while (graphemes > 1 && type.width(label) > plan.room + 1) label = displayToken(token, --graphemes);
        labels += label;
    }
    return labels;
}

FigureLayout layOut(const Trace& trace, const Selection& selection, const FigureStyle& style, const Surface& surface) {
    const double width = style.size.width(), height = style.size.height();
    const double margin = std::floor(std::min(16.0, 0.04 * std::min(width, height)));
    QRectF room(margin, margin, width - 2 * margin, height - 2 * margin);
    FigureLayout layout;
    if (!style.title.isEmpty() && height >= 100) {
        layout.title_pixels = height >= 300 ? 16 : 11;
        layout.title = QRectF(room.left(), room.top(), room.width(), std::ceil(layout.title_pixels * 1.5));
        room.setTop(layout.title.bottom());
    }
    const bool caption = style.caption && !style.maps_only;
    layout.caption_lines = caption ? captionLines(trace, room.width(), height) : 0;
    layout.caption = room;
    layout.caption.setTop(room.bottom() - layout.caption_lines * kCaptionLine);
    room.setBottom(layout.caption.top() - (layout.caption_lines ? std::floor(margin / 2) : 0));

    const QList<int> sequences = figureSequences(trace, selection, style), heads = figureHeads(trace, selection);
    const double section_height = room.height() / static_cast<double>(sequences.size());
    const double heading = section_height >= 72 && !style.maps_only ? 20 : 0;
    const Subject subject = subjectOf(trace, selection, style, surface);
    const double spacing = heading > 0 ? std::floor(margin / 2) : 1;
    const Arrangement plan = arrange(subject, QSizeF(room.width(), section_height - heading - spacing));
    layout.grid = plan.grid;
    layout.grid.bitmap = subject.bitmap || layout.grid.rows_each > 1 || layout.grid.columns_each > 1 ||
                         (!surface.vectors && std::min(layout.grid.cell_width, layout.grid.cell_height) < 1);
    layout.rows = plan.rows;
    layout.columns = plan.columns;
    for (int i = 0; i < sequences.size(); ++i) {
        const QRectF whole(room.left(), room.top() + i * section_height, room.width(), section_height);
        FigureSection section{sequences[i], QRectF(whole.topLeft(), QSizeF(whole.width(), heading)), {}};
        section.panels = placePanels(plan, heads, sequences[i], whole.adjusted(0, heading + spacing, 0, 0), surface);
        layout.sections += section;
    }
    return layout;
}

QSizeF trimmedSize(const Trace& trace, const Selection& selection, const FigureStyle& style) {
    const FigureLayout layout = layOut(trace, selection, style, {false, style.dpi / 96.0});
    QRectF maps;
    for (const FigureSection& section : layout.sections)
        for (const Panel& panel : section.panels) maps |= panel.map | panel.title;
    constexpr double kHeading = 320;  // smallest width of a heading with its colour bar
    const double beside = std::min(maps.left(), style.size.width() - maps.right());
    const double labels = layout.rows.every > 0 ? layout.rows.room + 16 : 16;
    const double spare = std::max(0.0, 2 * (beside - labels));
    return {std::max(std::min(style.size.width(), kHeading), std::ceil(style.size.width() - spare)),
            style.size.height()};
}

}  // namespace headscope
