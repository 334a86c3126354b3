// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/maps/map_tile.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/attention/preview.h"
#include "core/attention/query_key.h"
#include "core/attention/region_difference.h"
#include "core/attention/row_reader.h"

namespace headscope {

namespace {

/// The first and the last block of a tile along one side, and their number.
struct Side {
    std::int64_t first, count;
};
Side sideOf(std::int64_t tile, std::int64_t blocks) {
    const std::int64_t first = tile * kTileBlocks;
    return {first, std::clamp<std::int64_t>(blocks - first, 0, kTileBlocks)};
}

MapTile emptyTile(const TileSource& source, const TilePlace& place, bool exact) {
    const std::int64_t blocks = blocksOf(source.size(), place.level);
    MapTile tile{exact, sideOf(place.row, blocks).count, sideOf(place.column, blocks).count};
    tile.values.resize(static_cast<std::size_t>(tile.rows * tile.columns));
    tile.allowed.resize(tile.values.size());
    return tile;
}

/// The edges, in cells, of `count` blocks from `first` on, `stride` blocks together.
std::vector<std::int64_t> edgesOf(const Side& side, int level, std::int64_t stride, std::int64_t size) {
    std::vector<std::int64_t> edges;
    for (std::int64_t block = side.first; block < side.first + side.count; block += stride)
        edges.push_back(block << level);
    edges.push_back(std::min(size, (side.first + side.count) << level));
    return edges;
}

Region regionOf(const TileSource& source) {
    return {.stage = source.stage, .sequence = source.sequence, .head = source.head, .reduction = source.reduction};
}

Result<RegionCells> cellsOf(const TileSource& source, const Region& wanted, const std::atomic<bool>* cancel) {
    return source.minus ? difference_region(*source.trace, *source.minus, wanted, cancel)
                        : region(*source.trace, wanted, cancel);
}

}  // namespace

bool TileSource::operator==(const TileSource& other) const {
    if (stage != other.stage || sequence != other.sequence || head != other.head || reduction != other.reduction)
        return false;
    if (!minus != !other.minus || (minus && !(subtrahend() == other.subtrahend()))) return false;
    const Trace &a = *trace, &b = *other.trace;
    if (stage == Stage::Mask) return a.mask.pointer(head) == b.mask.pointer(head);
    if (a.request.recording != b.request.recording || a.request.recorded_layer != b.request.recorded_layer)
        return false;
    const bool same_scores = a.q == b.q && a.k == b.k && a.request.scale == b.request.scale &&
                             a.request.precision == b.request.precision &&
                             score_change(a.request, head).steps == score_change(b.request, head).steps;
    if (stage == Stage::Scores || !same_scores) return same_scores;
    if (a.mask.pointer(head) != b.mask.pointer(head) || a.request.fill != b.request.fill) return false;
    return stage == Stage::Masked || a.row_sums == b.row_sums;
}

TileSource TileSource::subtrahend() const {
    return {minus, stage, sequence, head, reduction};
}

bool TileSource::isOnlySampled() const {
    return stage == Stage::Weights && (is_preview(*trace) || (minus && is_preview(*minus)));
}

bool TileSource::isRelated(const TileSource& other) const {
    return trace->q == other.trace->q && trace->request.recording == other.trace->request.recording &&
           trace->request.recorded_layer == other.trace->request.recorded_layer &&
           trace->mask.same_objects(other.trace->mask) && trace->row_sums == other.trace->row_sums;
}

bool needsTiles(const Trace& trace, Stage stage, int sequence, int head) {
    return is_square(stage) && !trace.matrix(stage, sequence, head) && has_rows(trace, stage, sequence, head);
}

std::int64_t blocksOf(std::int64_t cells, int level) {
    return cells == 0 ? 0 : ((cells - 1) >> level) + 1;
}

std::int64_t tilesOf(std::int64_t blocks) {
    return (blocks + kTileBlocks - 1) / kTileBlocks;
}

int levelOf(double cells_per_pixel, Reduction reduction) {
    if (!(cells_per_pixel > 1)) return 0;
    const double level = std::log2(cells_per_pixel);
    return static_cast<int>(reduction == Reduction::Maximum ? std::floor(level) : std::ceil(level - 1e-9));
}

Result<MapTile> exactTile(const TileSource& source, const TilePlace& place, const std::atomic<bool>* cancel) {
    const std::int64_t size = source.size(), blocks = blocksOf(size, place.level);
    Region wanted = regionOf(source);
    wanted.row_edges = edgesOf(sideOf(place.row, blocks), place.level, 1, size);
    wanted.column_edges = edgesOf(sideOf(place.column, blocks), place.level, 1, size);
    const auto cells = cellsOf(source, wanted, cancel);
    if (!cells) return tl::unexpected(cells.error());
    MapTile tile = emptyTile(source, place, true);
    for (std::size_t n = 0; n < tile.values.size(); ++n) {
        tile.values[n] = static_cast<float>(cells->values[n]);
        tile.allowed[n] = cells->states[n] != RegionCells::State::Masked;
    }
    return tile;
}

MapTile combinedTile(const TileSource& source, const TilePlace& place, const std::array<MapTilePtr, 4>& parts) {
    MapTile tile = emptyTile(source, place, true);
    for (std::int64_t r = 0; r < tile.rows; ++r) {
        for (std::int64_t c = 0; c < tile.columns; ++c) {
            float largest = -std::numeric_limits<float>::infinity(), masked = 0;
            bool allowed = false, nan = false;
            for (const std::int64_t row : {2 * r, 2 * r + 1}) {
                for (const std::int64_t column : {2 * c, 2 * c + 1}) {
                    const auto part = static_cast<std::size_t>(2 * (row / kTileBlocks) + column / kTileBlocks);
                    const std::int64_t i = row % kTileBlocks, j = column % kTileBlocks;
                    if (!parts[part] || i >= parts[part]->rows || j >= parts[part]->columns) continue;
                    const auto at = static_cast<std::size_t>(i * parts[part]->columns + j);
                    const float value = parts[part]->values[at];
                    if (row == 2 * r && column == 2 * c) masked = value;
                    if (!parts[part]->allowed[at]) continue;
                    allowed = true;
                    nan |= std::isnan(value);
                    largest = std::max(largest, value);
                }
            }
            const auto at = static_cast<std::size_t>(r * tile.columns + c);
            tile.allowed[at] = allowed;
            tile.values[at] = nan ? std::numeric_limits<float>::quiet_NaN() : allowed ? largest : masked;
        }
    }
    return tile;
}

std::vector<MapTile> sampledTiles(const TileSource& source, const TilePlace& first, std::int64_t count,
                                  std::int64_t stride) {
    const std::int64_t size = source.size(), blocks = blocksOf(size, first.level);
    Side columns = sideOf(first.column, blocks);
    columns.count = std::min(count * kTileBlocks, blocks - columns.first);
    Region wanted = regionOf(source);
    wanted.sampled = true;
    wanted.row_edges = edgesOf(sideOf(first.row, blocks), first.level, stride, size);
    wanted.column_edges = edgesOf(columns, first.level, stride, size);
    const auto cells = cellsOf(source, wanted, nullptr);
    std::vector<MapTile> tiles;
    for (std::int64_t n = 0; cells && n < count; ++n) {
        MapTile tile = emptyTile(source, {first.level, first.row, first.column + n}, false);
        for (std::int64_t r = 0; r < tile.rows; ++r) {
            for (std::int64_t c = 0; c < tile.columns; ++c) {
                const auto at = static_cast<std::size_t>(r * tile.columns + c);
                const std::size_t sample = cells->index(r / stride, (n * kTileBlocks + c) / stride);
                tile.values[at] = static_cast<float>(cells->values[sample]);
                tile.allowed[at] = cells->states[sample] != RegionCells::State::Masked;
            }
        }
        tiles.push_back(std::move(tile));
    }
    return tiles;
}

}  // namespace headscope
