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

/// Room between labels and cells, for the marks of empty rows to the right, and for the crosshair's frame below.
inline constexpr double kLabelGap = 3, kMarkRoom = 9, kEdgeRoom = 2;

/// Labels take what they need up to 30 % of the width, or nothing where that would be too little to read.
/// `metrics` are those of the bold labels under the crosshair. `square`: cells are as high as wide. Cells have equal
/// sizes unless that would waste more than an eighth.
MapLayout layoutMap(const QSize& size, double pixel_ratio, const MapLabels& rows, const MapLabels& columns, bool square,
                    const QFontMetricsF& metrics);

/// What a map leaves free below it: the last row's label, centred on it, may be higher than the row.
double roomBelow(const MapLayout& layout, double row_height, const QFontMetricsF& metrics);

}  // namespace headscope
