// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/maps/card_layout.h"

#include <algorithm>

namespace headscope {

CardLayout layoutCards(int count, const QSize& room, int gap, double aspect, int header, const QSize& least) {
    CardLayout best;
    double largest = -1;
    for (int columns = 1; columns <= count; ++columns) {
        const int rows = (count + columns - 1) / columns;
        const QSize card((room.width() - (columns - 1) * gap) / columns, (room.height() - (rows - 1) * gap) / rows);
        const double cell = std::min(card.width() / aspect, static_cast<double>(card.height() - header));
        if (cell <= largest || card.width() < least.width() || card.height() < least.height()) continue;
        largest = cell;
        best = {columns, rows, card};
    }
    if (largest < 0) {
        best.columns = std::clamp((room.width() + gap) / (least.width() + gap), 1, std::max(count, 1));
        best.rows = (count + best.columns - 1) / best.columns;
        const int width = std::max((room.width() + gap) / best.columns - gap, least.width());
        best.card = QSize(width, std::max(least.height(), static_cast<int>(width / aspect) + header));
    }
    return best;
}

}  // namespace headscope
