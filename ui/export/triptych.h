// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/export/figure.h"

namespace headscope {

/// Two configurations and their difference side by side: one head of one stage.
struct Triptych {
    TracePtr a, b;
    Selection selection{};          ///< with a head; sequence and stage of both
    ColorScale scale{};             ///< of A and of B, that they can be compared
    QString a_name{}, b_name{};     ///< "A · no mask"
    DerivedMatrixPtr difference{};  ///< A - B; null where there is none
    ColorScale difference_scale{};
    QString difference_name{};
    QStringList remarks{};  ///< below the difference, or in its place; the first says why a picture isn't there
};

/// Draws the three beside each other, each as drawFigure() draws it, with cells of one size.
void drawTriptych(QPainter& painter, const Triptych& triptych, const FigureStyle& style);

/// .png, .svg or .pdf by the ending of path; errors as writeFigure().
Result<void> writeTriptych(const QString& path, const Triptych& triptych, const FigureStyle& style);

}  // namespace headscope
