// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRgb>
#include <QString>
#include <algorithm>
#include <cmath>
#include <vector>

#include "ui/look/theme.h"
#include "ui/state/selection.h"

namespace headscope {

/// Maps numbers to positions on the palette. One scale for the whole grid, or one per head.
struct ColorScale {
    double low = 0, high = 1;
    bool logarithmic = false;  ///< floor 1e-6
    Palette palette = Palette::Viridis;

    /// Position from 0 to 1: values outside are clamped; a range of zero width gives 0.5. NaN
    /// stays NaN.
    double position(double value) const;
    /// Fully transparent if position() is NaN: such a cell is drawn with a cross, not coloured.
    QRgb color(double value) const;
    bool operator==(const ColorScale&) const = default;
};

/// ColorScale::color() for many values: what they share is computed once.
class ColorOf {
public:
    explicit ColorOf(const ColorScale& scale)
        : scale_(scale),
          colors_(paletteColors(scale.palette)),
          half_low_(scale.low / 2),
          half_range_(scale.high / 2 - half_low_),
          linear_(scale.high > scale.low && !scale.logarithmic) {}

    QRgb operator()(double value) const {
        if (std::isnan(value)) return qRgba(0, 0, 0, 0);
        // Halves each term, so that a range of nearly all doubles doesn't overflow.
        const double place =
            linear_ ? std::clamp((value / 2 - half_low_) / half_range_, 0.0, 1.0) : scale_.position(value);
        const auto at = static_cast<std::size_t>(place * static_cast<double>(colors_.size()));
        return colors_[std::min(colors_.size() - 1, at)];
    }

private:
    ColorScale scale_;
    const std::vector<QRgb>& colors_;
    double half_low_, half_range_;
    bool linear_;
};

/// The matrix of one head as it is drawn. Scores are taken before the mask, so none of their cells are hatched.
MatrixView shownMatrix(const Trace& trace, const Selection& selection, int head);

/// True if the scale has the range of a sample of the cells, because the trace does not keep them.
bool scaleIsSampled(const Trace& trace, const Selection& selection);

/// The colour scale of one head under a selection. Ignores masked cells and cells that aren't finite.
ColorScale colorScale(const Trace& trace, const Selection& selection, int head);
/// One scale for each matrix of the stage (one per head, or one for the layer). Reads each number once.
std::vector<ColorScale> colorScales(const Trace& trace, const Selection& selection);

/// "0.341", "−28", "1e−6": an end of a scale with three digits.
QString scaleLabel(double value);

}  // namespace headscope
