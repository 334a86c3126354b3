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

/// Facts to note below a figure, collected while it is drawn.
struct FigureNotes {
    bool square = true;  ///< columns are keys
    bool masked = false, nan = false, fully_masked_rows = false, leaked = false;
    int row_labels_every = 1, column_labels_every = 1;
    std::int64_t bitmap_cells = 0;             ///< number of cells drawn as a bitmap in a vector file
    int rows_each = 1, columns_each = 1;       ///< rows and columns of the matrix in one drawn cell
    Reduction reduction = Reduction::Maximum;  ///< how these cells are combined
};
QStringList noteTexts(const FigureNotes& notes);
/// Text that replaces a map whose numbers the trace doesn't keep.
QString notKeptText();

/// "embed_dim 512", "mask causal", ...: the settings that reproduce the figure.
QStringList configurationTexts(const Request& request);

/// Joins pieces with " · " into lines no wider than `width`; shortens the last line if `most_lines` are too few.
QStringList wrapPieces(const QStringList& pieces, const FigureType& type, double width, int most_lines);

QString sectionHeading(const Trace& trace, Stage stage, int sequence);
QString rangeName(const Selection& selection);
/// "Head 3", or the name of the stage if it has no heads.
QString panelTitle(const Trace& trace, Stage stage, int head);
/// The role of a textbook head; empty for other weights.
QString panelRole(const Trace& trace, Stage stage, int head);

/// Converts to one line of plain text: line ends and control characters become spaces, invalid characters (U+FFFE, lone
/// surrogates) become U+FFFD.
QString plainLine(const QString& text);

}  // namespace headscope
