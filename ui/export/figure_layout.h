// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QRectF>
#include <QStringList>
#include <vector>

#include "ui/export/figure.h"
#include "ui/export/figure_fit.h"
#include "ui/export/figure_text.h"

namespace headscope {

struct Panel {
    int sequence = 0, head = 0;
    QRectF title;  ///< empty if there is no room
    QRectF map;
    bool row_labels = false, column_labels = false;
};

/// One sequence of the batch: a heading with the colour bar, and one map per head.
struct FigureSection {
    int sequence = 0;
    QRectF heading;  ///< empty if there is no room
    QList<Panel> panels;
};

struct FigureLayout {
    QRectF title;  ///< empty if there is none
    double title_pixels = 16;
    MapGrid grid;
    LabelPlan rows, columns;
    QList<FigureSection> sections;
    QRectF caption;
    int caption_lines = 0;
};

inline constexpr double kCaptionPixels = 10, kCaptionLine = 14;

/// Computes the layout; draws nothing.
FigureLayout layOut(const Trace& trace, const Selection& selection, const FigureStyle& style, const Surface& surface);

/// The sequences and heads that a figure shows.
QList<int> figureSequences(const Trace& trace, const Selection& selection, const FigureStyle& style);
QList<int> figureHeads(const Trace& trace, const Selection& selection);
/// Whether the stage marks fully masked rows: from the scores on.
bool marksFullyMaskedRows(Stage stage);
/// Number of coloured cells: all cells, except masked ones if the stage shows the mask.
std::int64_t coloredCells(const Trace& trace, const Selection& selection, const FigureStyle& style);

/// Labels along an axis: tokens if the axis has tokens, else indices. Shortened to `room` at grapheme boundaries.
QStringList axisLabels(const Trace& trace, int sequence, bool tokens, int count, const LabelPlan& plan);

}  // namespace headscope
