// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "core/engine/score_change.h"
#include "core/masks/head_masks.h"
#include "core/masks/tile_map.h"

namespace headscope {

/// What the tiled engine has to know of each head: its mask's tiles, and how its scores change. The maps must outlive
/// it; all of them have one batch, one size and one tile size.
class HeadTiles {
public:
    /// The same for every head.
    HeadTiles(const TileMap& map) : maps_{&map} {}  // NOLINT(google-explicit-constructor): most masks are this
    /// One map for every head, or one per head; one change per head, or none.
    HeadTiles(std::vector<const TileMap*> maps, std::vector<ScoreChange> changes)
        : maps_(std::move(maps)), changes_(std::move(changes)) {
        if (std::all_of(maps_.begin(), maps_.end(), [&](const TileMap* map) { return map == maps_.front(); })) {
            maps_.resize(1);
        }
    }

    const TileMap& map(std::int64_t head) const { return *maps_[maps_.size() == 1 ? 0 : index(head)]; }
    /// Of one head, or any of them where they agree: the batch, the size and the sides of the tiles.
    const TileMap& any() const { return *maps_.front(); }
    bool has_one_map() const { return maps_.size() == 1; }
    const ScoreChange& change(std::int64_t head) const {
        static const ScoreChange kNone;
        return changes_.empty() ? kNone : changes_[index(head)];
    }
    /// Those of one head alone, as head 0.
    HeadTiles only(std::int64_t head) const {
        return {{&map(head)}, changes_.empty() ? changes_ : std::vector{change(head)}};
    }
    /// True if there is a map and a change for each of so many heads.
    bool fits(std::int64_t num_heads) const {
        return (has_one_map() || maps_.size() == index(num_heads)) &&
               (changes_.empty() || changes_.size() == index(num_heads));
    }
    bool all_allowed() const {
        return std::all_of(maps_.begin(), maps_.end(), [](const TileMap* map) { return map->all_allowed(); });
    }
    /// As TileMap::busy_blocks(), added over the maps.
    std::int64_t busy_blocks(std::int64_t count) const {
        std::int64_t busy = 0;
        for (const TileMap* map : maps_) busy += map->busy_blocks(count);
        return busy;
    }

private:
    static std::size_t index(std::int64_t head) { return static_cast<std::size_t>(head); }

    std::vector<const TileMap*> maps_;
    std::vector<ScoreChange> changes_{};
};

/// The tiles of a layer's masks, to which HeadTiles refers.
class HeadTileMaps {
public:
    HeadTileMaps(const HeadMasks& masks, const HeadExpression& expression, std::int64_t num_heads,
                 const TileSize& size = {});
    /// From the expression alone, without the cells of a whole mask. Errors as TileMap::of() and check_heads().
    static Result<HeadTileMaps> of(const HeadExpression& expression, const Batch& batch, std::int64_t num_heads);

    const HeadTiles& tiles() const { return *tiles_; }

private:
    HeadTileMaps() = default;
    std::deque<TileMap> maps_{};  ///< of the different masks
    std::optional<HeadTiles> tiles_{};
};

}  // namespace headscope
