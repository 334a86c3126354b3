// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSizeF>
#include <vector>

namespace headscope {

/// The surface on which a figure is drawn.
struct Surface {
    bool vectors = false;        ///< a file or printer that supports any number of lines at any position
    double pixels_per_unit = 1;  ///< resolution of an image
};

/// The cells of all maps in a figure: one size for all, in whole units if there is room.
struct MapGrid {
    int rows = 0, columns = 0;            ///< number of drawn cells
    int rows_each = 1, columns_each = 1;  ///< rows and columns of the matrix in one drawn cell
    double cell_width = 0, cell_height = 0;
    bool bitmap = false;
    QSizeF size() const { return {columns * cell_width, rows * cell_height}; }
    double pitch_x() const { return cell_width / columns_each; }  ///< distance between two columns of the matrix
    double pitch_y() const { return cell_height / rows_each; }
};

/// The labels beside the rows or above the columns of the maps.
struct LabelPlan {
    int every = 0;         ///< step between labelled rows or columns; 0 = no labels
    double pixels = 9;     ///< text size
    double room = 0;       ///< longest width of a label
    bool slanted = false;  ///< whether column labels are slanted; else upright
};

/// The properties of the matrices that determine the layout of their maps.
struct Subject {
    int rows = 0, columns = 0;
    int maps = 0;                            ///< number of maps per sequence
    bool square = false;                     ///< rows and columns are the same tokens
    bool bitmap = false;                     ///< more cells than a vector file can hold
    bool marks = false;                      ///< some row is fully masked and gets a mark
    double row_label = 0, column_label = 0;  ///< width of the longest label, at a text size of one pixel
    std::vector<double> column_labels;       ///< widths of all column labels
    bool labels = true;                      ///< whether maps have labels and titles
    Surface surface;
};

/// The layout of the maps of one sequence in rows and columns, all of the same size.
struct Arrangement {
    int across = 1, down = 1;
    bool outer = false;  ///< labels only at the left and upper edge, not at each map
    MapGrid grid;
    LabelPlan rows, columns;
    double title = 0;                     ///< height of each map's title
    double left = 0, top = 0, right = 0;  ///< room for row labels, column labels, and the right ends of slanted labels

    double area() const { return grid.pitch_x() * grid.pitch_y(); }
    /// Size of one map with its title and, unless they are outer, its labels.
    QSizeF panel() const;
};

/// Finds the number of columns, the labels and the cell size that fill a room best.
Arrangement arrange(const Subject& subject, const QSizeF& room);

}  // namespace headscope
