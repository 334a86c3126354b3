// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSizeF>
#include <vector>

namespace headscope {

/// What a figure is drawn on.
struct Surface {
    bool vectors = false;        ///< a file or printer that can hold any number of lines at any place
    double pixels_per_unit = 1;  ///< of an image
};

/// The cells of every map in a figure: one size for all, whole units wherever they have the room.
struct MapGrid {
    int rows = 0, columns = 0;            ///< as drawn
    int rows_each = 1, columns_each = 1;  ///< of the matrix, in one drawn cell
    double cell_width = 0, cell_height = 0;
    bool bitmap = false;
    QSizeF size() const { return {columns * cell_width, rows * cell_height}; }
    double pitch_x() const { return cell_width / columns_each; }  ///< from one column of the matrix to the next
    double pitch_y() const { return cell_height / rows_each; }
};

/// The texts beside the rows or above the columns of the maps.
struct LabelPlan {
    int every = 0;         ///< of the matrix's rows or columns; 0 = no labels
    double pixels = 9;     ///< of the type
    double room = 0;       ///< how long a label may be
    bool slanted = false;  ///< of column labels; else upright
};

/// Everything about the matrices that the places of their maps depend on.
struct Subject {
    int rows = 0, columns = 0;
    int maps = 0;                            ///< of one sequence
    bool square = false;                     ///< rows and columns are the same tokens
    bool bitmap = false;                     ///< more cells than a file of vectors can hold
    bool marks = false;                      ///< some row has nothing to attend to and is marked
    double row_label = 0, column_label = 0;  ///< the longest of each, at one pixel of type
    std::vector<double> column_labels;       ///< all of them
    bool labels = true;                      ///< and titles of the maps
    Surface surface;
};

/// The maps of one sequence in rows and columns, all alike.
struct Arrangement {
    int across = 1, down = 1;
    bool outer = false;  ///< labels at the left and upper edge only, instead of at each map
    MapGrid grid;
    LabelPlan rows, columns;
    double title = 0;                     ///< height of each map's title
    double left = 0, top = 0, right = 0;  ///< room for row labels, column labels, and what leans out at the right

    double area() const { return grid.pitch_x() * grid.pitch_y(); }
    /// Of one map with its title and, unless they are outer, its labels.
    QSizeF panel() const;
};

/// The number of maps beside each other, the labels and the cells that fill a room best.
Arrangement arrange(const Subject& subject, const QSizeF& room);

}  // namespace headscope
