// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QImage>
#include <QPainter>
#include <QSizeF>
#include <QString>
#include <QStringList>
#include <atomic>
#include <functional>
#include <optional>

#include "core/attention/trace.h"
#include "ui/look/color_scale.h"
#include "ui/look/theme.h"
#include "ui/state/derived_matrix.h"
#include "ui/state/selection.h"

namespace headscope {

/// Settings of a figure: what is shown and how. Sizes in 1/96 inch.
struct FigureStyle {
    QSizeF size{960, 640};
    int dpi = 96;  ///< of PNG: pixels = size * dpi / 96
    Theme theme = Theme::Light;
    QString title;
    bool all_sequences = false;                 ///< draws all sequences one below the other, not only the selected one
    bool caption = true;                        ///< the notes and the configuration below the maps
    bool numbers = false;                       ///< draws numbers in the cells if they fit
    bool maps_only = false;                     ///< no caption, headings or labels: for images of the size of an icon
    std::int64_t cells_beside = 0;              ///< cells that other figures add to the same file
    QByteArray state{};                         ///< a session file that a written picture carries; empty = none
    const std::atomic<bool>* cancel = nullptr;  ///< once it is true, maps that have to be computed are left out
};

/// Overrides of a trace's own values, used to compare figures. Nothing = the trace's own.
struct FigureInstead {
    DerivedMatrixPtr numbers{};         ///< of the selected head
    TracePtr minus{};                   ///< whose numbers are subtracted; a map of A - B is computed
    std::optional<ColorScale> scale{};  ///< of every map
    QString heading{};
    QStringList caption{};  ///< replaces the configuration

    bool isDerived() const { return numbers || minus; }
};

inline constexpr int kSmallestFigure = 64, kLargestFigure = 19200;  ///< in 1/96 inch; a PDF page is at most 200 inches
inline constexpr int kSmallestDpi = 36, kLargestDpi = 1200;
/// Above this number of cells a file would be too large for viewers: the cells are drawn as a bitmap and the caption
/// notes it.
inline constexpr std::int64_t kMostVectorCells = 65536;

/// Draws one head or all heads of a trace with title, colour bar, token labels and a caption of the configuration.
/// Every export, the clipboard and the printer use this function. Text is drawn as text, each cell as a rectangle (no
/// other element is a rectangle), hatching as lines. Numbers that the trace doesn't keep are computed.
void drawFigure(QPainter& painter, const Trace& trace, const Selection& selection, const FigureStyle& style,
                const FigureInstead& instead = {});

/// The size without the empty margins beside the maps, if the style's size is the available room.
QSizeF trimmedSize(const Trace& trace, const Selection& selection, const FigureStyle& style);

/// InvalidValue if a size or resolution is out of range.
Result<void> checkFigureStyle(const FigureStyle& style);
/// Size of a PNG in pixels. InvalidValue if it exceeds the limit of an image, OutOfMemory if it can't be allocated.
Result<QSize> pixelSize(const FigureStyle& style);
/// Renders drawFigure() to an image of that size, with its resolution set.
Result<QImage> figureImage(const Trace& trace, const Selection& selection, const FigureStyle& style);

/// The content of an SVG file.
QByteArray figureSvg(const Trace& trace, const Selection& selection, const FigureStyle& style);

/// Writes .png, .svg or .pdf according to the file name extension of path. The write is atomic. InvalidValue for
/// another extension or a size out of range, FileUnwritable if the file can't be written, Cancelled (and no file) once
/// `cancel` is true.
Result<void> writeFigure(const QString& path, const Trace& trace, const Selection& selection, const FigureStyle& style,
                         const std::atomic<bool>* cancel = nullptr);

/// The same for any drawing function that uses units of 1/96 inch.
using Drawing = std::function<void(QPainter&)>;
Result<QImage> drawingImage(const Drawing& draw, const FigureStyle& style);
Result<QByteArray> drawingPng(const Drawing& draw, const FigureStyle& style);
QByteArray drawingSvg(const Drawing& draw, const FigureStyle& style);
QByteArray drawingPdf(const Drawing& draw, const FigureStyle& style);
Result<void> writeDrawing(const QString& path, const Drawing& draw, const FigureStyle& style,
                          const std::atomic<bool>* cancel = nullptr);

}  // namespace headscope
