// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/head_tiles.h"

namespace headscope {

HeadTileMaps::HeadTileMaps(const HeadMasks& masks, const HeadExpression& expression, std::int64_t num_heads,
                           const TileSize& size) {
    std::vector<const TileMap*> of_heads;
    std::vector<std::pair<const Mask*, const TileMap*>> made;
    for (std::int64_t head = 0; head < (masks.one_for_all() ? 1 : num_heads); ++head) {
        const MaskPtr& mask = masks.pointer(head);
        auto known = std::find_if(made.begin(), made.end(), [&](const auto& pair) { return pair.first == mask.get(); });
        if (known == made.end()) known = made.insert(made.end(), {mask.get(), &maps_.emplace_back(mask, size)});
        of_heads.push_back(known->second);
    }
    tiles_.emplace(std::move(of_heads), score_changes(expression, num_heads));
}

Result<HeadTileMaps> HeadTileMaps::of(const HeadExpression& expression, const Batch& batch, std::int64_t num_heads) {
    if (auto heads = check_heads(expression, num_heads); !heads) return tl::unexpected(heads.error());
    HeadTileMaps all;
    std::vector<const TileMap*> of_parts;
    for (const HeadPart& part : expression.parts()) {
        auto map = TileMap::of(part.mask, batch);
        if (!map) return tl::unexpected(map.error());
        of_parts.push_back(&all.maps_.emplace_back(std::move(*map)));
    }
    std::vector<const TileMap*> of_heads;
    for (std::int64_t head = 0; head < num_heads; ++head) {
        of_heads.push_back(of_parts[static_cast<std::size_t>(&expression.of(head) - expression.parts().data())]);
    }
    all.tiles_.emplace(std::move(of_heads), score_changes(expression, num_heads));
    return all;
}

}  // namespace headscope
