// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFontMetricsF>
#include <QSize>

#include "ui/maps/map_labels.h"

namespace headscope {

/// What is to be laid out: so many maps of the same size that share their labels.
struct Multiples {
    int count = 1;
    MapLabels rows{}, columns{};
    bool square = true;  ///< cells are as high as wide
    int title = 0;       ///< height of the line above each map
    double pixel_ratio = 1;
    int scroll_bar = 0;  ///< its width
};

/// Maps in rows and columns, with labels once a row and once a column of maps.
struct MultiplesLayout {
    int columns = 1, rows = 1;
    QSize cells;             ///< of one map, in device pixels
    QSize card;              ///< the title, the map and the marks beside it
    double row_room = 0;     ///< what the longest row label may take; 0 = no labels
    double column_room = 0;  ///< the same along a column label, turned or not
    bool turned = false;     ///< column labels are
    int left = 0, top = 0;   ///< what labels take beside and above the cards
    int height = 0;          ///< of all cards, without the labels above; more than there is room for: they scroll

    QPoint place(int index) const;  ///< of a card, from the corner between the labels
};

/// The smallest map, in units; where there is no room for so many of them, the grid is higher than its room.
inline constexpr int kLeastMap = 40;

/// As many columns as make the cells largest. Labels are left out where they would take half of that.
/// label_metrics: of the bold labels.
MultiplesLayout layoutMultiples(const Multiples& maps, const QSize& room, const QFontMetricsF& label_metrics);

}  // namespace headscope
