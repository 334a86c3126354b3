// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/export/figure.h"

namespace headscope {

/// Two configurations and their difference side by side, for one head of one stage.
struct Triptych {
    TracePtr a, b;
    Selection selection{};          ///< one head; sequence and stage apply to both
    ColorScale scale{};             ///< of A and of B, so that they can be compared
    QString a_name{}, b_name{};     ///< "A · no mask"
    DerivedMatrixPtr difference{};  ///< A - B; null if there is none, or it is computed
    bool computes_difference = false;
    ColorScale difference_scale{};
    QString difference_name{};
    QStringList remarks{};  ///< texts below the difference, or in place of it; the first says why it is missing
};

/// Draws the three side by side, each as drawFigure() does, with cells of equal size.
void drawTriptych(QPainter& painter, const Triptych& triptych, const FigureStyle& style);

/// Writes .png, .svg or .pdf according to the file name extension of path; errors as for writeFigure().
Result<void> writeTriptych(const QString& path, const Triptych& triptych, const FigureStyle& style);

}  // namespace headscope
