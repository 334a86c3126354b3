// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSize>

namespace headscope {

/// The least that can be looked at.
inline constexpr QSize kLeastCard(60, 60);

/// Cards in rows and columns that leave each cell as large as the room allows.
struct CardLayout {
    int columns = 1, rows = 1;
    QSize card;  ///< never below the least: then the grid is higher than its room
};
/// aspect: width of a matrix over its height; header: what a card takes above its map; least: of a card.
CardLayout layoutCards(int count, const QSize& room, int gap, double aspect, int header,
                       const QSize& least = kLeastCard);

}  // namespace headscope
