// SPDX-License-Identifier: GPL-3.0-or-later
// What tile_store.cpp and tiled_matrix.cpp share; nothing else includes it.
#pragma once

#include <QElapsedTimer>
#include <QTimer>
#include <array>
#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <set>
#include <thread>

#include "ui/maps/tile_store.h"

namespace headscope {

using TileClock = std::chrono::steady_clock;
using CancelToken = std::shared_ptr<std::atomic<bool>>;

struct KnownTile {
    MapTilePtr tile;
    std::uint64_t used = 0;  ///< when it was last drawn
};

template <typename Function>
void forEachTile(const VisibleTiles& tiles, Function function) {
    for (std::int64_t row = tiles.first_row; row < tiles.end_row; ++row)
        for (std::int64_t column = tiles.first_column; column < tiles.end_column; ++column)
            function(TilePlace{tiles.level, row, column});
}

/// Guarded by the mutex of the store.
struct TiledMatrix::Shared {
    TileSource source;
    std::map<TilePlace, KnownTile> tiles{};
    std::map<const void*, VisibleTiles> shown{};  ///< by the map that shows them
    std::vector<TilePlace> missing{};             ///< to be computed; the nearest is the last
    std::multiset<TilePlace> running{};           ///< being computed
    std::set<TilePlace> failed{};                 ///< the memory did not suffice; to be tried again
    CancelToken cancel = std::make_shared<std::atomic<bool>>(false);
    bool has_news = false;

    bool isExact(const TilePlace& place) const {
        const auto known = tiles.find(place);
        return known != tiles.end() && known->second.tile->exact;
    }
    bool isVisible(const TilePlace& place) const;
    /// The least distance, in tiles, from the middle of a tile to a cell that a map asks for first.
    double distance(const TilePlace& place) const;
    TileProgress progressOf(const VisibleTiles& tiles) const;
    /// The four tiles one level below, if they are all exact.
    std::optional<std::array<MapTilePtr, 4>> parts(const TilePlace& place) const;
};

struct TileStore::Impl {
    mutable std::mutex mutex;  ///< guards the members up to `workers`, and all TiledMatrix::Shared
    std::condition_variable work;
    std::vector<std::shared_ptr<TiledMatrix::Shared>> matrices;
    std::size_t bytes = 0;
    std::uint64_t clock = 0;
    TileClock::time_point wait_until{};  ///< of exact tiles
    bool stop = false, announced = false;
    int running = 0;

    std::vector<std::thread> workers;
    std::vector<TiledMatrixPtr> handles;  ///< GUI thread only, and all below
    QTimer later, retry;
    QElapsedTimer shown;
    TileProgress reported;

    void start(TileStore* store);
    void workUntilStopped(TileStore* store);
    TiledMatrix::Shared* next() const;
    void insert(TiledMatrix::Shared& matrix, const TilePlace& place, MapTile tile);
    void evict();
    void compute(const std::shared_ptr<TiledMatrix::Shared>& matrix, std::unique_lock<std::mutex>& lock);
    void listMissing(TiledMatrix::Shared& matrix);
    void forget(TiledMatrix::Shared& matrix);
};

}  // namespace headscope
