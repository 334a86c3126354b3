// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFontMetricsF>
#include <QRect>
#include <QSize>

#include "ui/maps/map_labels.h"

namespace headscope {

/// Where the parts of a heat map lie. The map is in device pixels from the widget's corner, so that cells have whole
/// ones at any scaling; the rest is in the widget's units.
struct MapLayout {
    QRect map;
    double row_room = 0;     ///< what the longest row label may take; 0 = no labels
    double column_room = 0;  ///< the same along a column label, turned or not
    bool turned = false;     ///< column labels are
};

/// Room between labels and cells, for the marks of fully masked rows to the right, and for the crosshair's frame.
inline constexpr double kLabelGap = 3, kMarkRoom = 9, kEdgeRoom = 2;

/// The device pixels of so many cells in a room. Cells have equal sizes of whole pixels unless that would waste more
/// than an eighth. `square`: cells are as high as wide.
QSize fittedCells(const QSize& room, std::int64_t rows, std::int64_t columns, bool square, double pixel_ratio);
/// What labels get of `most`: what they need, or nothing where the rest would be too little to read.
double grantedRoom(double wanted, double most, const QFontMetricsF& metrics);
/// How far the last turned labels reach beyond the cells, which are `pitch` wide.
double labelOverhang(const MapLabels& columns, const QFontMetricsF& metrics, double room, double pitch);
/// How high turned labels of this length stand; or labels that are upright.
double labelHeight(double room, bool turned, const QFontMetricsF& metrics);
/// The longest turned label that stands no higher than this; negative where none does.
double longestTurned(double height, const QFontMetricsF& metrics);

/// Labels take what they need up to 30 % of the width, or nothing where that would be too little to read.
/// `metrics` are those of the bold labels under the crosshair.
MapLayout layoutMap(const QSize& size, double pixel_ratio, const MapLabels& rows, const MapLabels& columns, bool square,
                    const QFontMetricsF& metrics);
/// The same without labels: cells, the crosshair's frame around them and the marks to the right.
MapLayout layoutBareMap(const QSize& size, double pixel_ratio, std::int64_t rows, std::int64_t columns, bool square);

/// What a map leaves free below it: the last row's label, centred on it, may be higher than the row.
double roomBelow(const MapLayout& layout, double row_height, const QFontMetricsF& metrics);

}  // namespace headscope
