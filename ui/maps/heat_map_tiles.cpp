// SPDX-License-Identifier: GPL-3.0-or-later
// How a heat map shows a matrix that its trace does not keep: tile by tile.
#include <algorithm>
#include <cmath>

#include "core/base/buffer_pool.h"
#include "ui/maps/heat_map.h"

namespace headscope {

namespace {

constexpr double kSampleMs = 6;        // per repaint and map, for previews
constexpr std::int64_t kFewTiles = 9;  // of single cells, which are computed at once

/// The spans of the blocks that an axis shows. All of the last block belongs to the matrix as far as this is concerned.
std::vector<Span> blockSpans(const QCPRange& range, int pixels, std::int64_t cells, int level) {
    const auto block = static_cast<double>(std::int64_t{1} << level);
    const std::int64_t blocks = blocksOf(cells, level);
    const auto edge = [&](double place) {
        const bool last = place > static_cast<double>(cells) - 0.5 - 1e-6;
        return last ? static_cast<double>(blocks) - 0.5 : (place + 0.5) / block - 0.5;
    };
    return spansOf(edge(range.lower), edge(range.upper), pixels, blocks);
}

std::vector<Span> cellSpans(const std::vector<Span>& blocks, std::int64_t cells, int level) {
    std::vector<Span> spans;
    for (const Span& span : blocks) {
        const std::int64_t first = span.cell << level;
        spans.push_back({span.pixel, span.pixels, first, std::min(cells, (span.cell + span.cells) << level) - first});
    }
    return spans;
}

std::int64_t endOf(const std::vector<Span>& spans) {
    return spans.empty() ? 0 : spans.back().cell + spans.back().cells;
}

/// Blocks next to each other, as numbers of a matrix. Not initialised.
struct Blocks {
    std::int64_t first_row, first_column, rows, columns;
    PooledArray<float> values{static_cast<std::size_t>(rows * columns)};
    PooledArray<std::uint8_t> allowed{static_cast<std::size_t>(rows * columns)};

    MatrixView view() const { return {rows, columns, Tensor::Type::Float32, values.data(), columns, allowed.data()}; }
};

/// Copies what a tile of this level or of a coarser one shows of the tile at `place`; without a tile, zeros.
void copyTile(Blocks& blocks, const TilePlace& place, const MapTile* tile, const TilePlace& from) {
    const int up = from.level - place.level;
    const std::int64_t first_row = std::max(blocks.first_row, place.row * kTileBlocks);
    const std::int64_t end_row = std::min(blocks.first_row + blocks.rows, (place.row + 1) * kTileBlocks);
    const std::int64_t first_column = std::max(blocks.first_column, place.column * kTileBlocks);
    const std::int64_t end_column = std::min(blocks.first_column + blocks.columns, (place.column + 1) * kTileBlocks);
    for (std::int64_t row = first_row; row < end_row; ++row) {
        const std::int64_t to = (row - blocks.first_row) * blocks.columns + first_column - blocks.first_column;
        float* values = blocks.values.data() + to;
        std::uint8_t* allowed = blocks.allowed.data() + to;
        if (!tile) {
            std::fill_n(values, end_column - first_column, 0.0F);
            std::fill_n(allowed, end_column - first_column, std::uint8_t{1});
            continue;
        }
        const std::int64_t source = ((row >> up) - from.row * kTileBlocks) * tile->columns - from.column * kTileBlocks;
        if (up == 0) {
            std::copy_n(tile->values.data() + (source + first_column), end_column - first_column, values);
            std::copy_n(tile->allowed.data() + (source + first_column), end_column - first_column, allowed);
            continue;
        }
        for (std::int64_t column = first_column; column < end_column; ++column) {
            *values++ = tile->values[static_cast<std::size_t>(source + (column >> up))];
            *allowed++ = tile->allowed[static_cast<std::size_t>(source + (column >> up))];
        }
    }
}

/// What is known best of a tile: its exact blocks, those of a level or two above, its preview, or anything above.
std::pair<TilePlace, MapTilePtr> bestTile(const TiledMatrix& tiles, const TilePlace& place) {
    constexpr int kExactLevels = 2;
    const std::int64_t size = tiles.source().size();
    std::pair<TilePlace, MapTilePtr> best{place, tiles.tile(place)};
    if (best.second && best.second->exact) return best;
    TilePlace from = place;
    while (tilesOf(blocksOf(size, from.level)) > 1 && (!best.second || from.level < place.level + kExactLevels)) {
        from = {from.level + 1, from.row / 2, from.column / 2};
        const MapTilePtr tile = tiles.tile(from);
        if (tile && (tile->exact || !best.second)) best = {from, tile};
        if (tile && tile->exact) break;
    }
    return best;
}

std::vector<Span> movedBy(std::vector<Span> spans, std::int64_t first) {
    for (Span& span : spans) span.cell -= first;
    return spans;
}

}  // namespace

/// Takes the tiles of the content's matrix, if the trace does not keep it.
void HeatMap::followTiles() {
    TiledMatrixPtr wanted;
    const Selection& selection = content_.selection;
    if (content_.trace && !content_.derived &&
        (content_.minus || needsTiles(*content_.trace, selection.stage, selection.sequence, content_.head))) {
        if (!store_) store_ = TileStore::shared();
        wanted = store_->matrix(
            {content_.trace, selection.stage, selection.sequence, content_.head, reduction(), content_.minus});
    }
    if (wanted == tiles_) return;
    disconnect(tiles_changed_);
    if (tiles_) tiles_->show(this, std::nullopt);
    tiles_ = wanted;
    if (tiles_)
        tiles_changed_ = connect(tiles_.get(), &TiledMatrix::changed, this, [this] {
            if (isVisible()) markDirty(Cells);
        });
    store_->prune();
}

void HeatMap::placeBlocks() {
    const QSize pixels = layout_.map.size();
    level_ =
        levelOf(std::max(xAxis->range().size() / pixels.width(), yAxis->range().size() / pixels.height()), reduction());
    row_blocks_ = blockSpans(yAxis->range(), pixels.height(), row_labels_.count, level_);
    column_blocks_ = blockSpans(xAxis->range(), pixels.width(), column_labels_.count, level_);
    rows_ = cellSpans(row_blocks_, row_labels_.count, level_);
    columns_ = cellSpans(column_blocks_, column_labels_.count, level_);
}

/// The tiles in sight, and the hovered cell or the middle to start from.
VisibleTiles HeatMap::visibleTiles() const {
    const auto focus = [](const QCPAxis* axis, const std::optional<Cell>& cell, int at) {
        return cell && axis->range().contains(at) ? at : axis->range().center();
    };
    VisibleTiles tiles{.level = level_};
    tiles.first_row = row_blocks_.front().cell / kTileBlocks;
    tiles.end_row = tilesOf(endOf(row_blocks_));
    tiles.first_column = column_blocks_.front().cell / kTileBlocks;
    tiles.end_column = tilesOf(endOf(column_blocks_));
    tiles.row = focus(yAxis, hovered_, hovered_ ? hovered_->query : 0);
    tiles.column = focus(xAxis, hovered_, hovered_ ? hovered_->key : 0);
    return tiles;
}

/// Draws what is known of the tiles: exact ones, previews, and where there are neither yet those of a coarser level.
void HeatMap::drawTiles(QPainter& painter) {
    if (row_blocks_.empty() || column_blocks_.empty()) return;
    const VisibleTiles visible = visibleTiles();
    if (level_ == 0 && visible.tiles() <= kFewTiles) tiles_->complete(visible);
    tiles_->sample(visible, kSampleMs);
    tiles_->show(this, visible);
    const std::int64_t first_row = row_blocks_.front().cell, first_column = column_blocks_.front().cell;
    Blocks blocks{first_row, first_column, endOf(row_blocks_) - first_row, endOf(column_blocks_) - first_column};
    QRegion unknown;
    bool exact = true;
    for (std::int64_t row = visible.first_row; row < visible.end_row; ++row)
        for (std::int64_t column = visible.first_column; column < visible.end_column; ++column) {
            const TilePlace place{level_, row, column};
            const auto [from, tile] = bestTile(*tiles_, place);
            exact = exact && tile && tile->exact && from == place;
            copyTile(blocks, place, tile.get(), from);
            if (!tile) unknown += tileRect(place);
        }
    const double ratio = devicePixelRatioF();
    QImage image =
        rasterise(blocks.view(), content_.scale, movedBy(row_blocks_, blocks.first_row),
                  movedBy(column_blocks_, blocks.first_column), reduction(), theme_, ratio, canLeak() && level_ == 0);
    image.setDevicePixelRatio(ratio);
    painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
    painter.drawImage(mapRect().topLeft(), image);
    for (const QRect& rect : unknown) painter.fillRect(rect, color(Role::Panel, theme_));
    if (detailed_ && exact && level_ == 0) drawNumbers(painter, blocks.view(), blocks.first_row, blocks.first_column);
}

/// The part of the map, in the widget's units, that a tile covers.
QRect HeatMap::tileRect(const TilePlace& place) const {
    const auto part = [&](const std::vector<Span>& spans, std::int64_t tile) {
        const auto inside = [&](const Span& span) {
            return span.cell < (tile + 1) * kTileBlocks && span.cell + span.cells > tile * kTileBlocks;
        };
        const auto first = std::find_if(spans.begin(), spans.end(), inside);
        const auto last = std::find_if(spans.rbegin(), spans.rend(), inside);
        return first == spans.end() ? std::pair(0, 0) : std::pair(first->pixel, last->pixel + last->pixels);
    };
    const auto [top, bottom] = part(row_blocks_, place.row);
    const auto [left, right] = part(column_blocks_, place.column);
    const double ratio = devicePixelRatioF();
    return QRectF(QPointF(layout_.map.left() + left, layout_.map.top() + top) / ratio,
                  QPointF(layout_.map.left() + right, layout_.map.top() + bottom) / ratio)
        .toAlignedRect();
}

/// A thin line below the map that fills while its exact tiles arrive.
void HeatMap::drawProgress(QPainter& painter) const {
    if (!tiles_) return;
    const TileProgress progress = tiles_->progress(this);
    if (progress.complete()) return;
    const QRectF map = mapRect();
    QRectF line(map.left(), map.bottom(), map.width(), kEdgeRoom);
    painter.fillRect(line, color(Role::Border, theme_));
    line.setWidth(map.width() * static_cast<double>(progress.exact) / static_cast<double>(progress.visible));
    painter.fillRect(line, color(Role::Accent, theme_));
}

/// The largest allowed cell under a pixel, computed.
std::optional<Cell> HeatMap::largestCell(const Span& row, const Span& column) const {
    Region cells{.stage = content_.selection.stage, .sequence = content_.selection.sequence, .head = content_.head};
    for (std::int64_t i = 0; i <= row.cells; ++i) cells.row_edges.push_back(row.cell + i);
    for (std::int64_t j = 0; j <= column.cells; ++j) cells.column_edges.push_back(column.cell + j);
    const auto values = region(*content_.trace, cells);
    if (!values) return std::nullopt;
    std::optional<Cell> largest;
    double best = -std::numeric_limits<double>::infinity();
    for (std::int64_t i = 0; i < values->rows; ++i)
        for (std::int64_t j = 0; j < values->columns; ++j)
            if (values->state(i, j) != RegionCells::State::Masked && values->value(i, j) > best) {
                best = values->value(i, j);
                largest = Cell{static_cast<int>(row.cell + i), static_cast<int>(column.cell + j), content_.head};
            }
    return largest;
}

HeatMap::~HeatMap() {
    if (tiles_) tiles_->show(this, std::nullopt);
}

void HeatMap::showEvent(QShowEvent* event) {
    QCustomPlot::showEvent(event);
    if (tiles_) markDirty(Cells);  // asks for its tiles again
}

void HeatMap::hideEvent(QHideEvent* event) {
    QCustomPlot::hideEvent(event);
    if (tiles_) tiles_->show(this, std::nullopt);
}

}  // namespace headscope
