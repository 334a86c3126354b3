// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <vector>

#include "core/attention/region.h"
#include "ui/look/color_scale.h"
#include "ui/look/theme.h"

namespace headscope {

/// A run of pixels along one axis of a heat map and the cells that it shows: one cell on whole pixels or, if there are
/// more cells than pixels, several cells on one pixel.
struct Span {
    int pixel = 0, pixels = 0;
    std::int64_t cell = 0, cells = 0;
    bool operator==(const Span&) const = default;
};

/// The spans of `count` cells in the axis range lower...upper (cell i covers i - 0.5 to i + 0.5) on the given number of
/// pixels, in order. The spans cover every pixel inside and every visible cell exactly once.
std::vector<Span> spansOf(double lower, double upper, int pixels, std::int64_t count);

/// How several cells are combined into one pixel, or into one cell of a figure: maximum for weights, most of which are
/// near 0, so that a mean would hide the large ones; mean for signed numbers, whose maximum says little.
constexpr Reduction reductionOf(bool has_signs) {
    return has_signs ? Reduction::Mean : Reduction::Maximum;
}

/// The cells as an opaque image with one pixel per screen pixel: coloured by the scale, hatched if all cells are
/// masked, crossed if one is NaN. Masked cells are excluded from a reduction. Hatching is as wide as on paper (hatch.h)
/// at the given pixels per unit. leaks: the value of a masked cell is leaked weight; it is drawn as a square of its
/// colour (or a cross) inside the hatching.
QImage rasterise(const MatrixView& matrix, const ColorScale& scale, const std::vector<Span>& rows,
                 const std::vector<Span>& columns, Reduction reduction, Theme theme, double pixel_ratio = 1,
                 bool leaks = false);

}  // namespace headscope
