// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSize>

namespace headscope {

/// The smallest usable size of a card.
inline constexpr QSize kLeastCard(60, 60);

/// A layout of cards in rows and columns that makes the cells as large as the room allows.
struct CardLayout {
    int columns = 1, rows = 1;
    QSize card;  ///< at least the smallest size: the grid may then be higher than the room
};
/// aspect: width of a matrix over its height; header: height of a card above its map; least: smallest size of a card.
CardLayout layoutCards(int count, const QSize& room, int gap, double aspect, int header,
                       const QSize& least = kLeastCard);

}  // namespace headscope
