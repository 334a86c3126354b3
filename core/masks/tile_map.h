// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "core/masks/mask.h"

namespace headscope {

/// What a mask leaves of the scores, 64 queries by 64 keys at a time: which blocks it empties, which it leaves whole
/// and in which a row must be looked at. Made from a mask's cells, or from its expression without ever holding S×S of
/// them.
class TileMap {
public:
    static constexpr std::int64_t kSide = 64;
    /// Mixed may be said of a block that is empty or full where the expression doesn't show it.
    enum class Block : std::uint8_t { Empty, Full, Mixed };

    explicit TileMap(MaskPtr mask);
    /// InvalidMask where a painted matrix was not read or isn't S×S.
    static Result<TileMap> of(const MaskExpression& expression, const Batch& batch);

    std::int64_t batch() const { return batch_; }
    std::int64_t size() const { return size_; }
    /// Blocks in a row of them; the last may be narrower than 64.
    std::int64_t blocks() const { return blocks_; }
    Block block(std::int64_t sequence, std::int64_t query_block, std::int64_t key_block) const {
        const std::int64_t matrix = matrices_ == 1 ? 0 : sequence;
        return kinds_[static_cast<std::size_t>((matrix * blocks_ + query_block) * blocks_ + key_block)];
    }
    /// Of the query blocks first ... first + count - 1 together.
    Block block(std::int64_t sequence, std::int64_t first, std::int64_t count, std::int64_t key_block) const;
    bool all_full() const { return all_full_; }
    /// Blocks that aren't empty when `count` query blocks are taken together, of all sequences.
    std::int64_t busy_blocks(std::int64_t count) const;

    /// The cells (rows, keys) of a rectangle, from `cells` on, `stride` bytes from row to row.
    struct Cells {
        const std::uint8_t* cells;
        std::int64_t stride;
    };
    /// scratch: rows * keys bytes, used where the map holds no cells.
    Cells cells(std::int64_t sequence, std::int64_t first_query, std::int64_t rows, std::int64_t first_key,
                std::int64_t keys, std::uint8_t* scratch) const;

private:
    TileMap() = default;
    template <typename Classify>
    void classify(Classify kind_of);

    MaskPtr mask_;               ///< or
    MaskExpression expression_;  ///< with
    std::vector<std::uint8_t> real_;
    std::int64_t batch_ = 0, size_ = 0, blocks_ = 0, matrices_ = 1;
    bool all_full_ = false;
    std::vector<Block> kinds_;
};

}  // namespace headscope
