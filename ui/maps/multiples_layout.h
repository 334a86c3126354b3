// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFontMetricsF>
#include <QSize>

#include "ui/maps/map_labels.h"

namespace headscope {

/// The input of the layout: the number of maps, all of the same size, which share their labels.
struct Multiples {
    int count = 1;
    MapLabels rows{}, columns{};
    bool square = true;  ///< cells are as high as wide
    int title = 0;       ///< height of the line above each map
    double pixel_ratio = 1;
    int scroll_bar = 0;  ///< width of the scroll bar
};

/// Maps in rows and columns, with labels once per row and once per column of maps.
struct MultiplesLayout {
    int columns = 1, rows = 1;
    QSize cells;             ///< size of the cells of one map, in device pixels
    QSize card;              ///< size of the title, the map and the marks beside it
    double row_room = 0;     ///< longest row label; 0 = no labels
    double column_room = 0;  ///< longest column label along its direction, rotated or not
    bool turned = false;     ///< column labels are rotated
    int left = 0, top = 0;   ///< size of the labels to the left of and above the cards
    int height = 0;          ///< of all cards, without the labels above; the grid scrolls if this exceeds the room

    QPoint place(int index) const;  ///< position of a card, from the corner between the labels
};

/// The smallest map, in units; if not all maps fit at this size, the grid is higher than its room.
inline constexpr int kLeastMap = 40;

/// Chooses the number of columns that makes the cells largest. Labels are omitted if they would take half of that.
/// label_metrics: of the bold labels.
MultiplesLayout layoutMultiples(const Multiples& maps, const QSize& room, const QFontMetricsF& label_metrics);

}  // namespace headscope
