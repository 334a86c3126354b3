// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRgb>
#include <QString>
#include <vector>

#include "ui/state/selection.h"

namespace headscope {

/// From a number to a place on the palette. One for the whole grid, or one a head.
struct ColorScale {
    double low = 0, high = 1;
    bool logarithmic = false;  ///< floor 1e-6
    Palette palette = Palette::Viridis;

    /// 0 to 1; values outside are clamped, a range of zero width gives the middle (0 where signed). NaN stays NaN.
    double position(double value) const;
    /// Wholly transparent where position() is NaN: such a cell is crossed, not coloured.
    QRgb color(double value) const;
    bool operator==(const ColorScale&) const = default;
};

/// The matrix of one head as it is drawn. Scores are before the mask: nothing of them is hatched.
MatrixView shownMatrix(const Trace& trace, const Selection& selection, int head);

/// The scale of one head under a selection. Masked cells don't count, nor do cells that aren't finite.
ColorScale colorScale(const Trace& trace, const Selection& selection, int head);
/// One for each matrix of the stage: every head, or the layer's one. Looks at each number once.
std::vector<ColorScale> colorScales(const Trace& trace, const Selection& selection);

/// "0.341", "−28", "1e−6": the end of a scale in three digits.
QString scaleLabel(double value);

}  // namespace headscope
