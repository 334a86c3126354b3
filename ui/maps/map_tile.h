// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <atomic>
#include <compare>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/attention/region.h"

namespace headscope {

/// A matrix that its trace does not keep, and how its cells are combined.
struct TileSource {
    TracePtr trace;
    Stage stage = Stage::Weights;
    int sequence = 0, head = 0;
    Reduction reduction = Reduction::Maximum;
    TracePtr minus{};  ///< whose cells are subtracted; null = none

    std::int64_t size() const { return trace->dims().sequence_length; }
    /// True if both have the same numbers: compares the tensors from which they are computed by identity.
    bool operator==(const TileSource& other) const;
    TileSource subtrahend() const;
    /// True while the pass runs that gives what exact tiles are computed from (core/attention/preview.h).
    bool isOnlySampled() const;
    /// True if both belong to one computation, of whichever stage, sequence and head.
    bool isRelated(const TileSource& other) const;
};

/// True if the columns of a stage are keys and the trace does not keep its numbers but can compute them.
bool needsTiles(const Trace& trace, Stage stage, int sequence, int head);

/// A block is a square of 2^level cells a side, and a tile one of kTileBlocks blocks a side. Both are smaller at the
/// end of the matrix.
struct TilePlace {
    int level = 0;
    std::int64_t row = 0, column = 0;
    auto operator<=>(const TilePlace&) const = default;
};
inline constexpr std::int64_t kTileBlocks = 64;

/// The blocks along a side of the matrix, and the tiles along a side of so many blocks.
std::int64_t blocksOf(std::int64_t cells, int level);
std::int64_t tilesOf(std::int64_t blocks);
/// The level at which a map with so many cells per pixel reads its blocks. A maximum combines the blocks of a pixel; a
/// mean can't, so that its blocks are at least as large as a pixel.
int levelOf(double cells_per_pixel, Reduction reduction);

/// The blocks of one tile.
struct MapTile {
    bool exact = false;  ///< otherwise a block has the value of one of its cells, or of a cell nearby
    std::int64_t rows = 0, columns = 0;
    std::vector<float> values{};
    std::vector<std::uint8_t> allowed{};  ///< 0 = all cells of the block are masked

    std::size_t bytes() const { return sizeof(MapTile) + 5 * values.size(); }
};
using MapTilePtr = std::shared_ptr<const MapTile>;

/// Computes a tile. Errors: those of region().
Result<MapTile> exactTile(const TileSource& source, const TilePlace& place, const std::atomic<bool>* cancel);
/// A tile made of the four tiles at the same place one level below, row by row; null beyond the end of the matrix. For
/// maxima only.
MapTile combinedTile(const TileSource& source, const TilePlace& place, const std::array<MapTilePtr, 4>& parts);
/// Quick samples of `count` tiles from a place to the right: one cell for `stride` blocks a side.
std::vector<MapTile> sampledTiles(const TileSource& source, const TilePlace& first, std::int64_t count,
                                  std::int64_t stride);

}  // namespace headscope
