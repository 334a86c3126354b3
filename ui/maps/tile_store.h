// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <memory>
#include <optional>
#include <vector>

#include "ui/maps/map_tile.h"

namespace headscope {

/// The tiles that a map shows: of one level (ends are excluded), and the cell around which they are computed first.
struct VisibleTiles {
    int level = 0;
    std::int64_t first_row = 0, end_row = 0, first_column = 0, end_column = 0;
    double row = 0, column = 0;

    bool contains(const TilePlace& place) const {
        return place.level == level && place.row >= first_row && place.row < end_row && place.column >= first_column &&
               place.column < end_column;
    }
    std::int64_t tiles() const { return (end_row - first_row) * (end_column - first_column); }
    bool operator==(const VisibleTiles&) const = default;
};

/// The tiles that maps show: all, those that are exact, and those for which the memory did not suffice. They are tried
/// again every second.
struct TileProgress {
    std::int64_t exact = 0, visible = 0, failed = 0;
    bool complete() const { return exact == visible; }
    bool operator==(const TileProgress&) const = default;
};

class TileStore;

/// The tiles of one matrix that are known so far. A map draws from nothing else, so that it can't show a tile of other
/// numbers. For the GUI thread; the tiles are computed by the threads of the store.
class TiledMatrix : public QObject {
    Q_OBJECT
public:
    ~TiledMatrix() override;

    /// What a map shows of it from now on; nothing = it is hidden. Several maps may show one matrix.
    void show(const void* map, const std::optional<VisibleTiles>& tiles);
    std::optional<VisibleTiles> shown(const void* map) const;
    /// A tile, or null if it is not known.
    MapTilePtr tile(const TilePlace& place) const;
    /// Adds samples of unknown tiles, until the time is over.
    void sample(const VisibleTiles& tiles, double milliseconds);
    /// Computes tiles that are not exact at once: for a few small ones. Does nothing while they can only be sampled.
    void complete(const VisibleTiles& tiles);
    /// Of what a map shows.
    TileProgress progress(const void* map) const;
    TileSource source() const;

Q_SIGNALS:
    void changed();  ///< some tiles are new

private:
    friend class TileStore;
    struct Shared;
    TiledMatrix(TileStore& store, std::shared_ptr<Shared> shared);
    bool known(const TilePlace& place);

    TileStore& store_;
    std::shared_ptr<Shared> shared_;
};
using TiledMatrixPtr = std::shared_ptr<TiledMatrix>;

/// Computes and keeps the tiles of all maps: on as many threads as the machine has, for all maps together the tile
/// nearest to the cell that a map asks for first. Tiles that no map shows are freed, the longest unused first, if all
/// take more than kTileBytes; matrices of earlier computations as soon as no map shows them.
class TileStore : public QObject {
    Q_OBJECT
public:
    static constexpr std::size_t kTileBytes = 96 << 20;

    /// The store that all maps share; freed with the last of them.
    static std::shared_ptr<TileStore> shared();
    TileStore();
    ~TileStore() override;  ///< cancels and waits

    /// The tiles of a matrix: those that are known, if it is the same numbers as before.
    TiledMatrixPtr matrix(const TileSource& source);
    /// Frees what no map shows and no longer belongs to a shown computation.
    void prune();
    /// While a computation runs it has the processor for itself, for half a second at most.
    void setComputing(bool computing);

    TileProgress progress() const;  ///< of all maps together
    std::size_t bytes() const;

Q_SIGNALS:
    void progressChanged();

private:
    friend class TiledMatrix;
    void announce();
    Q_INVOKABLE void arrived();
    void tryAgain();

    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace headscope
