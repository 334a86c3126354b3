// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

#include "core/attention/trace.h"
#include "ui/export/figure_type.h"
#include "ui/look/color_scale.h"
#include "ui/maps/cell_raster.h"
#include "ui/state/selection.h"

namespace headscope {

/// What has to be explained below a figure, found out while it is drawn.
struct FigureNotes {
    bool square = true;  ///< columns are keys
    bool masked = false, nan = false, empty_rows = false, leaked = false;
    int row_labels_every = 1, column_labels_every = 1;
    std::int64_t bitmap_cells = 0;             ///< of a file of vectors that had to take a bitmap
    int rows_each = 1, columns_each = 1;       ///< cells of the matrix in one drawn cell
    Reduction reduction = Reduction::Maximum;  ///< what is drawn of them
};
QStringList noteTexts(const FigureNotes& notes);
/// In the place of a map whose numbers the trace doesn't hold.
QString notKeptText();

/// "embed_dim 512", "mask causal", ...: what somebody needs to make the figure again.
QStringList configurationTexts(const Request& request);

/// Pieces set one after the other with " · " into lines no wider than `width`; the last one shortened where
/// `most_lines` are too few.
QStringList wrapPieces(const QStringList& pieces, const FigureType& type, double width, int most_lines);

QString sectionHeading(const Trace& trace, Stage stage, int sequence);
QString rangeName(const Selection& selection);
/// "Head 3", or the stage where it has no heads.
QString panelTitle(Stage stage, int head);
/// What a textbook head is built to do; empty for other weights.
QString panelRole(const Trace& trace, Stage stage, int head);

/// One line of plain text: line ends and control characters become spaces, what is no
/// character (U+FFFE, half a surrogate pair) U+FFFD.
QString plainLine(const QString& text);

}  // namespace headscope
