// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QPainter>
#include <QSizeF>
#include <QString>
#include <QStringList>
#include <functional>
#include <optional>

#include "core/attention/trace.h"
#include "ui/look/color_scale.h"
#include "ui/look/theme.h"
#include "ui/state/derived_matrix.h"
#include "ui/state/selection.h"

namespace headscope {

/// A picture for paper: what is shown and how. Sizes in 1/96 inch.
struct FigureStyle {
    QSizeF size{960, 640};
    int dpi = 96;  ///< of PNG: pixels = size * dpi / 96
    Theme theme = Theme::Light;
    QString title;
    bool all_sequences = false;     ///< one below the other, instead of the one that is selected
    bool caption = true;            ///< the notes and the configuration below the maps
    bool numbers = false;           ///< in the cells, where they fit
    bool maps_only = false;         ///< no caption, headings or labels: for pictures the size of an icon
    std::int64_t cells_beside = 0;  ///< that other figures bring into the same file
};

/// What stands in the place of a trace's own, where figures are to be compared. Nothing = its own.
struct FigureInstead {
    DerivedMatrixPtr numbers{};         ///< of the head that is selected
    std::optional<ColorScale> scale{};  ///< of every map
    QString heading{};
    QStringList caption{};  ///< in the place of the configuration
};

inline constexpr int kSmallestFigure = 64, kLargestFigure = 19200;  ///< in 1/96 inch; a PDF page ends at 200 inches
inline constexpr int kSmallestDpi = 36, kLargestDpi = 1200;
/// More cells than this would make a file that no viewer opens: they are drawn as a bitmap, and the caption says so.
inline constexpr std::int64_t kMostVectorCells = 65536;

/// Draws one head or all heads of a trace with title, colour bar, token labels and a caption of the configuration.
/// Every export, the clipboard and the printer call this; text is text, cells are rectangles (and nothing else is),
/// hatching is lines. A sequence that the trace didn't keep is drawn as a sentence that says so.
void drawFigure(QPainter& painter, const Trace& trace, const Selection& selection, const FigureStyle& style,
                const FigureInstead& instead = {});

/// The size without the empty margins that the maps leave beside them, where the style's size is the room.
QSizeF trimmedSize(const Trace& trace, const Selection& selection, const FigureStyle& style);

/// InvalidValue where a size or resolution is out of bounds.
Result<void> checkFigureStyle(const FigureStyle& style);
/// The pixels of a PNG. InvalidValue where they are too many for an image, OutOfMemory where they can't be had.
Result<QSize> pixelSize(const FigureStyle& style);
/// drawFigure() on an image of those pixels that knows its resolution.
Result<QImage> figureImage(const Trace& trace, const Selection& selection, const FigureStyle& style);

/// An SVG file's bytes.
QByteArray figureSvg(const Trace& trace, const Selection& selection, const FigureStyle& style);

/// .png, .svg or .pdf by the ending of path; atomic. InvalidValue for another ending or a size out of bounds,
/// FileUnwritable where the file can't be written.
Result<void> writeFigure(const QString& path, const Trace& trace, const Selection& selection, const FigureStyle& style);

/// The same for anything that draws itself in 1/96 inch.
using Drawing = std::function<void(QPainter&)>;
Result<QImage> drawingImage(const Drawing& draw, const FigureStyle& style);
QByteArray drawingSvg(const Drawing& draw, const FigureStyle& style);
Result<void> writeDrawing(const QString& path, const Drawing& draw, const FigureStyle& style);

}  // namespace headscope
