// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <vector>

#include "core/attention/trace.h"
#include "ui/look/color_scale.h"
#include "ui/look/theme.h"

namespace headscope {

/// A run of pixels along one axis of a heat map, and the cells that it shows: one cell on whole pixels or, where the
/// screen has fewer pixels than there are cells, several cells on one pixel.
struct Span {
    int pixel = 0, pixels = 0;
    std::int64_t cell = 0, cells = 0;
    bool operator==(const Span&) const = default;
};

/// The spans of `count` cells seen through the axis range lower...upper (cell i lies between i - 0.5 and i + 0.5) on so
/// many pixels, in order: no pixel inside is left out, no visible cell is lost, none is counted twice.
std::vector<Span> spansOf(double lower, double upper, int pixels, std::int64_t count);

/// What one pixel, or one cell of a figure, says of several cells.
enum class Reduction { Maximum, Mean };
/// Weights are mostly nothing: a mean would hide them. Signed numbers have no largest that means much.
constexpr Reduction reductionOf(bool has_signs) {
    return has_signs ? Reduction::Mean : Reduction::Maximum;
}

/// The cells as an opaque picture, one pixel of the picture for one of the screen: coloured by the scale, hatched where
/// all cells are masked, crossed where one is NaN. Masked cells take no part in a reduction. Hatching is as wide as on
/// paper (hatch.h) at the given pixels per unit. leaks: what a masked cell holds is weight that came through the mask;
/// a square of its colour inside the hatching, or a cross, says so.
QImage rasterise(const MatrixView& matrix, const ColorScale& scale, const std::vector<Span>& rows,
                 const std::vector<Span>& columns, Reduction reduction, Theme theme, double pixel_ratio = 1,
                 bool leaks = false);

}  // namespace headscope
