// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/masks/mask.h"

namespace headscope {

/// Queries and keys per tile; nothing = the engine's own choice.
struct TileSize {
    std::optional<std::int64_t> queries, keys;
};

/// Classifies a mask in blocks of 64 queries by 64 keys (or of a given size): fully masked, fully allowed, or mixed,
/// where cells must be looked up. Made from a mask's cells, or from its expression without allocating S×S cells.
class TileMap {
public:
    static constexpr std::int64_t kSide = 64;
    using Block = TileKind;

    /// A size is at least 1; one that is larger than S counts as S.
    explicit TileMap(MaskPtr mask, const TileSize& size = {});
    /// Errors as check_patterns(), such as a matrix that was not read or isn't S×S.
    static Result<TileMap> of(const MaskExpression& expression, const Batch& batch);

    std::int64_t batch() const { return batch_; }
    std::int64_t size() const { return size_; }
    /// The tile size that was requested, if any.
    const TileSize& tile_size() const { return tile_size_; }
    /// Queries and keys per block; the last block of a row or column may be smaller.
    std::int64_t query_side() const { return query_side_; }
    std::int64_t key_side() const { return key_side_; }
    std::int64_t query_blocks() const { return query_blocks_; }
    std::int64_t key_blocks() const { return key_blocks_; }
    Block block(std::int64_t sequence, std::int64_t query_block, std::int64_t key_block) const {
        const std::int64_t matrix = matrices_ == 1 ? 0 : sequence;
        return kinds_[static_cast<std::size_t>((matrix * query_blocks_ + query_block) * key_blocks_ + key_block)];
    }
    /// Classifies the query blocks first ... first + count - 1 together.
    Block block(std::int64_t sequence, std::int64_t first, std::int64_t count, std::int64_t key_block) const;
    bool all_allowed() const { return all_allowed_; }
    /// Number of blocks that are not fully masked, counting `count` query blocks as one, over all sequences.
    std::int64_t busy_blocks(std::int64_t count) const;

    /// The cells (rows, keys) of a rectangle; rows are `stride` bytes apart.
    struct Cells {
        const std::uint8_t* cells;
        std::int64_t stride;
    };
    /// scratch: rows * keys bytes, used if the cells are not stored.
    Cells cells(std::int64_t sequence, std::int64_t first_query, std::int64_t rows, std::int64_t first_key,
                std::int64_t keys, std::uint8_t* scratch) const;

private:
    TileMap() = default;
    template <typename Classify>
    void classify(Classify kind_of);

    MaskPtr mask_;               ///< either this
    MaskExpression expression_;  ///< or this, with
    std::vector<std::uint8_t> real_;
    TileSize tile_size_{};
    std::int64_t batch_ = 0, size_ = 0, query_side_ = kSide, key_side_ = kSide;
    std::int64_t query_blocks_ = 0, key_blocks_ = 0, matrices_ = 1;
    bool all_allowed_ = false;
    std::vector<Block> kinds_;
};

}  // namespace headscope
