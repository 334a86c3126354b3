// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFontMetricsF>
#include <QRect>
#include <QSize>

#include "ui/maps/map_labels.h"

namespace headscope {

/// The positions of the parts of a heat map. The map is in device pixels from the widget's corner, so that cells have
/// whole pixels at any scale factor; the rest is in the widget's units.
struct MapLayout {
    QRect map;
    double row_room = 0;     ///< longest row label; 0 = no labels
    double column_room = 0;  ///< longest column label along its direction, rotated or not
    bool turned = false;     ///< column labels are rotated
};

/// Room between labels and cells, for the marks of fully masked rows at the right, and for the crosshair's frame.
inline constexpr double kLabelGap = 3, kMarkRoom = 9, kEdgeRoom = 2;

/// The device pixels of the given number of cells in a room. Cells have equal sizes of whole pixels unless that would
/// waste more than an eighth. `square`: cells are as high as wide.
QSize fittedCells(const QSize& room, std::int64_t rows, std::int64_t columns, bool square, double pixel_ratio);
/// Room of labels, at most `most`: what they need, or nothing if the remaining text would be too short to read.
double grantedRoom(double wanted, double most, const QFontMetricsF& metrics);
/// How far the last rotated label extends beyond the cells, which are `pitch` wide.
double labelOverhang(const MapLabels& columns, const QFontMetricsF& metrics, double room, double pitch);
/// The height of rotated labels of this length, or of upright labels.
double labelHeight(double room, bool turned, const QFontMetricsF& metrics);
/// The longest rotated label with at most this height; negative if there is none.
double longestTurned(double height, const QFontMetricsF& metrics);

/// Labels take what they need up to 30 % of the width, or nothing if they would be too short to read. `metrics` are
/// those of the bold labels of the crosshair.
MapLayout layoutMap(const QSize& size, double pixel_ratio, const MapLabels& rows, const MapLabels& columns, bool square,
                    const QFontMetricsF& metrics);
/// The same without labels: cells, the crosshair's frame around them and the marks at the right.
MapLayout layoutBareMap(const QSize& size, double pixel_ratio, std::int64_t rows, std::int64_t columns, bool square);

/// Margin below a map: the last row's label, which is centred on its row, may be higher than the row.
double roomBelow(const MapLayout& layout, double row_height, const QFontMetricsF& metrics);

}  // namespace headscope
