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
    QRectF title;  ///< empty where it has no room
    QRectF map;
    bool row_labels = false, column_labels = false;
};

/// One sequence of the batch: a heading with the colour bar, and a map for each head.
struct FigureSection {
    int sequence = 0;
    QRectF heading;  ///< empty where it has no room
    QList<Panel> panels;
};

struct FigureLayout {
    QRectF title;  ///< empty where there is none
    double title_pixels = 16;
    MapGrid grid;
    LabelPlan rows, columns;
    QList<FigureSection> sections;
    QRectF caption;
    int caption_lines = 0;
};

inline constexpr double kCaptionPixels = 10, kCaptionLine = 14;

/// Places everything; draws nothing.
FigureLayout layOut(const Trace& trace, const Selection& selection, const FigureStyle& style, const Surface& surface);

/// The sequences and heads that a figure shows.
QList<int> figureSequences(const Trace& trace, const Selection& selection, const FigureStyle& style);
QList<int> figureHeads(const Trace& trace, const Selection& selection);
/// From the scores on, rows with nothing to attend to are marked.
bool marksEmptyRows(Stage stage);
/// How many cells get a colour: all but those that are masked where masking shows.
std::int64_t coloredCells(const Trace& trace, const Selection& selection, const FigureStyle& style);

/// Labels along an axis: tokens where it stands for tokens, else indexes. Shortened to `room` at graphemes.
QStringList axisLabels(const Trace& trace, int sequence, bool tokens, int count, const LabelPlan& plan);

}  // namespace headscope
