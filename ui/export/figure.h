// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPainter>
#include <QSizeF>
#include <QString>

#include "core/trace.h"
#include "ui/selection.h"
#include "ui/theme.h"

namespace headscope {

/// A picture for paper: what is shown and how. Sizes in 1/96 inch.
struct FigureStyle {
    QSizeF size{960, 640};
    int dpi = 96;  ///< of PNG: pixels = size * dpi / 96
    Theme theme = Theme::Light;
    QString title;
};

/// Draws one head or all heads of a trace with title, colour bar, token labels and a caption of the configuration.
/// Every export, the clipboard and the printer call this; text is text, cells are rectangles, hatching is lines.
void drawFigure(QPainter& painter, const Trace& trace, const Selection& selection, const FigureStyle& style);

/// .png, .svg or .pdf by the ending of path; atomic.
Result<void> writeFigure(const QString& path, const Trace& trace, const Selection& selection, const FigureStyle& style);

}  // namespace headscope
