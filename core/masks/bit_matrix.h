// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/masks/mask_edit.h"

namespace headscope {

/// Cells of a mask at one bit each, so that 64 are combined or compared at once: Q rows (queries) by K columns (keys),
/// 1 = allowed. Operations on two matrices need equal sizes.
class BitMatrix {
public:
    using Word = std::uint64_t;

    BitMatrix() = default;
    BitMatrix(std::int64_t queries, std::int64_t keys, bool allowed = false);
    explicit BitMatrix(const PaintedMask& mask);
    /// The cells that an expression that passes check_patterns() allows for a sequence of real.size() tokens.
    BitMatrix(const MaskExpression& expression, const std::vector<std::uint8_t>& real);

    std::int64_t queries() const { return queries_; }
    std::int64_t keys() const { return keys_; }
    bool at(std::int64_t query, std::int64_t key) const {
        return (row(query)[static_cast<std::size_t>(key / 64)] >> (key % 64)) & 1;
    }
    void set(std::int64_t query, std::int64_t key, bool allowed);
    /// The words of a row; the bits beyond the last key are 0.
    std::span<const Word> row(std::int64_t query) const { return {words_.data() + query * stride_, size_of_row()}; }
    std::span<Word> row(std::int64_t query) { return {words_.data() + query * stride_, size_of_row()}; }
    void clear_row(std::int64_t query);

    BitMatrix& operator&=(const BitMatrix& other);
    BitMatrix& operator|=(const BitMatrix& other);
    BitMatrix& operator^=(const BitMatrix& other);
    friend BitMatrix operator&(BitMatrix a, const BitMatrix& b) { return std::move(a &= b); }
    friend BitMatrix operator|(BitMatrix a, const BitMatrix& b) { return std::move(a |= b); }
    friend BitMatrix operator^(BitMatrix a, const BitMatrix& b) { return std::move(a ^= b); }
    bool operator==(const BitMatrix&) const = default;

    BitMatrix inverted() const;
    BitMatrix transposed() const;
    /// The part whose upper left cell is (query, key).
    BitMatrix part(std::int64_t query, std::int64_t key, std::int64_t queries, std::int64_t keys) const;

    std::int64_t count() const;  ///< of allowed cells
    /// True if every cell that is allowed here is allowed in `other`.
    bool is_within(const BitMatrix& other) const;

private:
    std::size_t size_of_row() const { return static_cast<std::size_t>(stride_); }

    std::int64_t queries_ = 0, keys_ = 0, stride_ = 0;  // stride_: words in a row
    std::vector<Word> words_;
};

/// Number of cells in which two masks of equal size differ.
std::int64_t differing_cells(const BitMatrix& a, const BitMatrix& b);
/// The same for `a & with` and b; stops counting beyond a limit.
std::int64_t differing_cells(const BitMatrix& a, const BitMatrix& with, const BitMatrix& b, std::int64_t limit);
/// The first of them, row by row; none if the masks are equal.
std::optional<paint::Cell> first_difference(const BitMatrix& a, const BitMatrix& b);

/// Calls each(key) for the keys of a row whose bit is set, ascending.
template <typename Each>
void for_each_key(std::span<const BitMatrix::Word> row, Each&& each) {
    for (std::size_t w = 0; w < row.size(); ++w)
        for (BitMatrix::Word bits = row[w]; bits != 0; bits &= bits - 1)
            each(static_cast<std::int64_t>(w * 64) + __builtin_ctzll(bits));
}

}  // namespace headscope
