// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRgb>
#include <QString>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
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
          colors_(paletteColors(scale.palette).data()),
          size_(static_cast<double>(paletteColors(scale.palette).size())),
          half_low_(scale.low / 2),
          half_range_(scale.high / 2 - half_low_),
          linear_(scale.high > scale.low && !scale.logarithmic) {}

    QRgb operator()(double value) const {
        if (std::isnan(value)) return qRgba(0, 0, 0, 0);
        return colors_[index(linear_ ? linearPosition(value) : scale_.position(value))];
    }

    /// One colour for each value, none of which is NaN. The compiler vectorises the first loop.
    void paint(std::span<const double> values, QRgb* out) const {
        constexpr std::size_t kRun = 128;
        std::array<std::int32_t, kRun> indices;
        for (std::size_t begin = 0; begin < values.size(); begin += kRun) {
            const auto run = values.subspan(begin, std::min(kRun, values.size() - begin));
            if (linear_)
                for (std::size_t i = 0; i < run.size(); ++i) indices[i] = index(linearPosition(run[i]));
            else
                for (std::size_t i = 0; i < run.size(); ++i) indices[i] = index(scale_.position(run[i]));
            for (std::size_t i = 0; i < run.size(); ++i) *out++ = colors_[indices[i]];
        }
    }

private:
    /// Halves each term, so that a range of nearly all doubles doesn't overflow.
    double linearPosition(double value) const { return (value / 2 - half_low_) / half_range_; }
    /// Conditional expressions are vectorised; std::clamp() is not.
    std::int32_t index(double position) const {
        const double place = position * size_, last = size_ - 1, above = place > 0 ? place : 0;
        return static_cast<std::int32_t>(above < last ? above : last);
    }

    ColorScale scale_;
    const QRgb* colors_;
    double size_;  ///< number of colours
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
