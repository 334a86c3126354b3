// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <limits>
#include <utility>

#include "ui/maps/tile_store_impl.h"

namespace headscope {

namespace {

constexpr std::int64_t kSamplesAcross = 128;  // of a preview

}  // namespace

bool TiledMatrix::Shared::isVisible(const TilePlace& place) const {
    return std::any_of(shown.begin(), shown.end(), [&](const auto& one) { return one.second.contains(place); });
}

double TiledMatrix::Shared::distance(const TilePlace& place) const {
    const double side = static_cast<double>(kTileBlocks << place.level);
    double least = std::numeric_limits<double>::infinity();
    for (const auto& [map, part] : shown) {
        if (!part.contains(place)) continue;
        const double down = static_cast<double>(place.row) + 0.5 - part.row / side;
        const double across = static_cast<double>(place.column) + 0.5 - part.column / side;
        least = std::min(least, down * down + across * across);
    }
    return least;
}

TileProgress TiledMatrix::Shared::progressOf(const VisibleTiles& visible) const {
    TileProgress progress{0, visible.tiles(), 0};
    forEachTile(visible, [&](const TilePlace& place) {
        progress.exact += isExact(place);
        progress.failed += failed.contains(place);
    });
    return progress;
}

std::optional<std::array<MapTilePtr, 4>> TiledMatrix::Shared::parts(const TilePlace& place) const {
    if (place.level == 0 || source.reduction != Reduction::Maximum) return std::nullopt;
    const std::int64_t side = tilesOf(blocksOf(source.size(), place.level - 1));
    std::array<MapTilePtr, 4> parts;
    for (const std::int64_t n : {0, 1, 2, 3}) {
        const TilePlace part{place.level - 1, 2 * place.row + n / 2, 2 * place.column + n % 2};
        if (part.row >= side || part.column >= side) continue;
        if (!isExact(part)) return std::nullopt;
        parts[static_cast<std::size_t>(n)] = tiles.at(part).tile;
    }
    return parts;
}

TiledMatrix::TiledMatrix(TileStore& store, std::shared_ptr<Shared> shared)
    : store_(store), shared_(std::move(shared)) {}

TiledMatrix::~TiledMatrix() {
    const std::lock_guard lock(store_.impl_->mutex);
    store_.impl_->forget(*shared_);
}

void TiledMatrix::show(const void* map, const std::optional<VisibleTiles>& tiles) {
    bool waits = false;
    {
        const std::lock_guard lock(store_.impl_->mutex);
        const auto before = shared_->shown.find(map);
        if (before == shared_->shown.end() ? !tiles : before->second == tiles) return;
        if (tiles)
            shared_->shown[map] = *tiles;
        else
            shared_->shown.erase(before);
        store_.impl_->listMissing(*shared_);
        waits = !shared_->missing.empty();
    }
    if (waits) {
        store_.impl_->start(&store_);
        store_.impl_->work.notify_all();
    }
    QMetaObject::invokeMethod(&store_, "arrived", Qt::QueuedConnection);  // the progress changed
}

std::optional<VisibleTiles> TiledMatrix::shown(const void* map) const {
    const std::lock_guard lock(store_.impl_->mutex);
    const auto known = shared_->shown.find(map);
    return known == shared_->shown.end() ? std::nullopt : std::optional(known->second);
}

MapTilePtr TiledMatrix::tile(const TilePlace& place) const {
    const std::lock_guard lock(store_.impl_->mutex);
    const auto known = shared_->tiles.find(place);
    return known == shared_->tiles.end() ? nullptr : known->second.tile;
}

/// True if there is a tile, or four finer ones to make it from.
bool TiledMatrix::known(const TilePlace& place) {
    const std::lock_guard lock(store_.impl_->mutex);
    if (shared_->tiles.contains(place)) return true;
    const auto parts = shared_->parts(place);
    if (!parts) return false;
    store_.impl_->insert(*shared_, place, combinedTile(shared_->source, place, *parts));
    return true;
}

void TiledMatrix::sample(const VisibleTiles& visible, double milliseconds) {
    const auto begin = TileClock::now();
    const std::int64_t across =
        kTileBlocks * std::max(visible.end_row - visible.first_row, visible.end_column - visible.first_column);
    std::int64_t stride = 1;
    while (stride < kTileBlocks / 4 && across / stride > kSamplesAcross) stride *= 2;
    for (std::int64_t row = visible.first_row; row < visible.end_row; ++row) {
        for (std::int64_t column = visible.first_column; column < visible.end_column;) {
            std::int64_t end = column;
            while (end < visible.end_column && !known({visible.level, row, end})) ++end;
            if (end == column) {
                ++column;
                continue;
            }
            if (std::chrono::duration<double, std::milli>(TileClock::now() - begin).count() > milliseconds) return;
            auto tiles = sampledTiles(shared_->source, {visible.level, row, column}, end - column, stride);
            const std::lock_guard lock(store_.impl_->mutex);
            for (MapTile& sampled : tiles)
                store_.impl_->insert(*shared_, {visible.level, row, column++}, std::move(sampled));
            column = end;
        }
    }
}

void TiledMatrix::complete(const VisibleTiles& visible) {
    if (shared_->source.isOnlySampled()) return;
    forEachTile(visible, [&](const TilePlace& place) {
        if (const MapTilePtr known = tile(place); known && known->exact) return;
        auto computed = exactTile(shared_->source, place, nullptr);
        if (!computed) return;
        const std::lock_guard lock(store_.impl_->mutex);
        store_.impl_->insert(*shared_, place, std::move(*computed));
        std::erase(shared_->missing, place);
    });
}

TileProgress TiledMatrix::progress(const void* map) const {
    const std::lock_guard lock(store_.impl_->mutex);
    const auto known = shared_->shown.find(map);
    return known == shared_->shown.end() ? TileProgress{} : shared_->progressOf(known->second);
}

TileSource TiledMatrix::source() const {
    const std::lock_guard lock(store_.impl_->mutex);
    return shared_->source;
}

}  // namespace headscope
