// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPainter>
#include <vector>

#include "ui/export/figure_layout.h"
#include "ui/look/color_scale.h"
#include "ui/maps/cell_raster.h"

namespace headscope {

/// What a drawn cell shows.
struct DrawnCell {
    enum class Kind : std::uint8_t { Colored, Masked, Leaked, Nan, MaskedNan };
    Kind kind = Kind::Masked;
    QRgb color = 0;
};

/// The drawn cells of one map: those of the matrix or, if there are too many, the maximum or the mean of each block, as
/// on the screen; NaN if the block contains one.
struct DrawnMap {
    int rows = 0, columns = 0;
    std::vector<DrawnCell> cells;
    const DrawnCell& at(int row, int column) const {
        return cells[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) +
                     static_cast<std::size_t>(column)];
    }
    bool has(DrawnCell::Kind kind) const;
};
/// weights: only weights can leak through a mask; the value of a masked score is no leak.
DrawnMap drawnMap(const MatrixView& matrix, const MapGrid& grid, const ColorScale& scale, Reduction reduction,
                  bool weights);
/// The same of reduced cells, one for each drawn cell.
DrawnMap drawnMap(const RegionCells& cells, const MapGrid& grid, const ColorScale& scale, bool weights);

/// Paints a map with its top left corner at `corner`. Each coloured cell is one rectangle, grouped by
/// palette entry; if the grid requires it, all cells are one bitmap. Masked cells are a path with hatching lines
/// clipped to its borders; NaN cells have a cross.
void paintMap(QPainter& painter, const QPointF& corner, const DrawnMap& map, const MapGrid& grid, Theme theme);

}  // namespace headscope
