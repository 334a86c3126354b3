// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/maps/multiples_layout.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "ui/maps/map_layout.h"

namespace headscope {

namespace {

constexpr int kRowGap = 4;            // below each row, including the last, whose last label may extend into it
constexpr double kLabelShare = 0.25;  // largest fraction of the room
constexpr auto kSides = static_cast<int>(kEdgeRoom + kMarkRoom), kEnds = static_cast<int>(2 * kEdgeRoom);

/// Lays out the same maps in one room with different numbers of columns.
class Arranger {
public:
    Arranger(const Multiples& maps, const QSize& room, const QFontMetricsF& metrics, bool labelled)
        : maps_(maps), room_(room), metrics_(metrics) {
        first_.turned = !maps.columns.numbers();
        if (!labelled) return;
        first_.row_room = grantedRoom(maps.rows.widest(metrics), room.width() * kLabelShare, metrics);
        if (first_.row_room <= 0) return;  // both or none: labels on one side only would be incomplete
        first_.column_room = maps.columns.widest(metrics);
        if (first_.turned)
            first_.column_room =
                grantedRoom(first_.column_room, longestTurned(room.height() * kLabelShare, metrics), metrics);
        first_.left = static_cast<int>(std::ceil(first_.row_room + kLabelGap));
        if (first_.column_room > 0)
            first_.top =
                static_cast<int>(std::ceil(labelHeight(first_.column_room, first_.turned, metrics) + kLabelGap));
    }

    MultiplesLayout best() const {
        MultiplesLayout best;
        for (int columns = 1; columns <= maps_.count; ++columns) {
            const MultiplesLayout one = inColumns(columns);
            if (one.cells.isEmpty() || one.top + one.height > room_.height()) continue;
            if (best.cells.isEmpty() || rank(one) > rank(best)) best = one;
        }
        return best.cells.isEmpty() ? scrolled() : best;
    }

private:
    static std::int64_t area(const MultiplesLayout& of) { return std::int64_t{of.cells.width()} * of.cells.height(); }
    /// Prefers larger cells, then fewer unused places, then a lower grid.
    std::tuple<std::int64_t, int, int> rank(const MultiplesLayout& of) const {
        return {area(of), -of.rows * of.columns, of.columns};
    }

    /// The room of each map with the given number of columns.
    int widthOfMap(int columns, int width, double overhang) const {
        return (width - first_.left - std::max(0, static_cast<int>(std::ceil(overhang - kMarkRoom)))) / columns -
               kSides;
    }

    /// No cells if a map would be smaller than the minimum.
    MultiplesLayout inColumns(int columns) const {
        const int rows = (maps_.count + columns - 1) / columns;
        const int height = (room_.height() - first_.top) / rows - kRowGap - maps_.title - kEnds;
        if (height < kLeastMap) return {};
        MultiplesLayout one = withMaps(columns, {widthOfMap(columns, room_.width(), 0), height});
        if (one.cells.isEmpty() || first_.column_room <= 0 || !first_.turned) return one;
        const double pitch = one.cells.width() / maps_.pixel_ratio / static_cast<double>(maps_.columns.count);
        const double beyond = labelOverhang(maps_.columns, metrics_, first_.column_room, pitch);
        return withMaps(columns, {widthOfMap(columns, room_.width(), beyond), height});
    }

    MultiplesLayout withMaps(int columns, const QSize& map) const {
        if (map.width() < kLeastMap) return {};
        MultiplesLayout one = first_;
        one.columns = columns;
        one.rows = (maps_.count + columns - 1) / columns;
        one.cells = fittedCells((QSizeF(map) * maps_.pixel_ratio).toSize(), maps_.rows.count, maps_.columns.count,
                                maps_.square, maps_.pixel_ratio);
        const auto units = [&](int pixels) { return static_cast<int>(std::ceil(pixels / maps_.pixel_ratio)); };
        one.card = {units(one.cells.width()) + kSides, units(one.cells.height()) + maps_.title + kEnds};
        one.height = one.rows * (one.card.height() + kRowGap);
        return one;
    }

    /// As many columns of the minimum width as fit.
    MultiplesLayout scrolled() const {
        const int width = room_.width() - maps_.scroll_bar;
        const int columns = std::clamp((width - first_.left) / (kLeastMap + kSides), 1, maps_.count);
        const int map = std::max(widthOfMap(columns, width, 0), kLeastMap);
        const double aspect = static_cast<double>(maps_.columns.count) / static_cast<double>(maps_.rows.count);
        return withMaps(columns, {map, std::max(kLeastMap, static_cast<int>(map / std::clamp(aspect, 0.5, 2.0)))});
    }

    const Multiples& maps_;
    QSize room_;
    const QFontMetricsF& metrics_;
    MultiplesLayout first_;  ///< the room of the labels, which doesn't depend on the number of columns
};

}  // namespace

QPoint MultiplesLayout::place(int index) const {
    return {index % columns * card.width(), index / columns * (card.height() + kRowGap)};
}

MultiplesLayout layoutMultiples(const Multiples& maps, const QSize& room, const QFontMetricsF& label_metrics) {
    const MultiplesLayout bare = Arranger(maps, room, label_metrics, false).best();
    const MultiplesLayout labelled = Arranger(maps, room, label_metrics, true).best();
    const auto area = [](const MultiplesLayout& of) { return std::int64_t{of.cells.width()} * of.cells.height(); };
    const bool scrolls = labelled.top + labelled.height > room.height() && bare.height <= room.height();
    return labelled.row_room > 0 && !scrolls && 2 * area(labelled) >= area(bare) ? labelled : bare;
}

}  // namespace headscope
