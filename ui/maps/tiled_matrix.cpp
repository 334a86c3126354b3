// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <utility>

#include "ui/maps/tile_store_impl.h"

namespace headscope {

namespace {

constexpr std::int64_t kSamplesAcross = 128;  // of a preview

}  // namespace

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

void TiledMatrix::want(const std::optional<TileWish>& wish) {
    bool waits = false;
    {
        const std::lock_guard lock(store_.impl_->mutex);
        store_.impl_->wish(*shared_, wish);
        waits = !shared_->missing.empty();
    }
    if (waits) {
        store_.impl_->start(&store_);
        store_.impl_->work.notify_all();
    }
    if (!wish) QMetaObject::invokeMethod(this, &TiledMatrix::changed, Qt::QueuedConnection);  // others may want it
    QMetaObject::invokeMethod(&store_, "arrived", Qt::QueuedConnection);                      // the progress changed
}

std::optional<TileWish> TiledMatrix::wish() const {
    const std::lock_guard lock(store_.impl_->mutex);
    return shared_->wish;
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

void TiledMatrix::sample(const TileWish& wish, double milliseconds) {
    const auto begin = TileClock::now();
    const std::int64_t across =
        kTileBlocks * std::max(wish.end_row - wish.first_row, wish.end_column - wish.first_column);
    std::int64_t stride = 1;
    while (stride < kTileBlocks / 4 && across / stride > kSamplesAcross) stride *= 2;
    for (std::int64_t row = wish.first_row; row < wish.end_row; ++row) {
        for (std::int64_t column = wish.first_column; column < wish.end_column;) {
            std::int64_t end = column;
            while (end < wish.end_column && !known({wish.level, row, end})) ++end;
            if (end == column) {
                ++column;
                continue;
            }
            if (std::chrono::duration<double, std::milli>(TileClock::now() - begin).count() > milliseconds) return;
            auto tiles = sampledTiles(shared_->source, {wish.level, row, column}, end - column, stride);
            const std::lock_guard lock(store_.impl_->mutex);
            for (MapTile& sampled : tiles)
                store_.impl_->insert(*shared_, {wish.level, row, column++}, std::move(sampled));
            column = end;
        }
    }
}

void TiledMatrix::complete(const TileWish& wish) {
    forEachTile(wish, [&](const TilePlace& place) {
        if (const MapTilePtr known = tile(place); known && known->exact) return;
        auto computed = exactTile(shared_->source, place, nullptr);
        if (!computed) return;
        const std::lock_guard lock(store_.impl_->mutex);
        store_.impl_->insert(*shared_, place, std::move(*computed));
        std::erase(shared_->missing, place);
    });
}

TileProgress TiledMatrix::progress() const {
    const std::lock_guard lock(store_.impl_->mutex);
    return {shared_->exact, shared_->wish ? shared_->wish->tiles() : 0};
}

TileSource TiledMatrix::source() const {
    const std::lock_guard lock(store_.impl_->mutex);
    return shared_->source;
}

}  // namespace headscope
