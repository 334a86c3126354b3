// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/batch.h"
#include "core/base/result.h"

namespace headscope {

/// S×S cells of 0 and 1, painted by hand or read from a file; 1 = allowed.
struct PaintedMask {
    std::int64_t size = 0;
    std::vector<std::uint8_t> cells;  ///< row-major, row = query
    bool operator==(const PaintedMask&) const = default;
};

/// One pattern of a mask expression. The table in patterns.cpp describes each kind.
struct MaskPattern {
    enum class Kind {
        Padding,
        Causal,
        Local,
        Strided,
        Dilated,
        Global,
        Block,
        Prefix,
        Documents,
        Random,
        Logarithmic,
        File,
        Painted
    };
    Kind kind = Kind::Causal;
    std::vector<std::int64_t> numbers{};  ///< in the order of the text
    std::string path{};                   ///< of a File pattern
    /// The cells of a Painted pattern, or of a File pattern once loaded. Everything outside the cells of a Painted
    /// pattern is allowed, so that the painted cells are kept when the text grows or shrinks.
    std::shared_ptr<const PaintedMask> painted{};
};

/// Layers joined by ',', all of which must allow a cell; a layer is patterns joined by '+', one of which must allow it.
struct MaskExpression {
    /// A layer that is switched off and can be switched on again: it masks nothing.
    struct SwitchedOff {
        std::size_t before = 0;  ///< number of `layers` before it
        std::vector<MaskPattern> patterns;
    };
    std::vector<std::vector<MaskPattern>> layers;  ///< layers switched on; empty = "none"
    std::vector<SwitchedOff> off{};                ///< in their order, never decreasing in `before`
    bool uses_padding() const;
};

/// Parses "causal,local:4:0+global:1". File patterns contain only their path; load_mask_files() of core/files reads the
/// cells. Besides the patterns that users write, it reads those of the mask editor: "painted:S:CELLS" (painted_text.h),
/// and "off:" before a layer that is switched off. InvalidMask names the faulty part and says what would be right.
/// mask_text.h handles the unchecked text. It refuses heads apart and rules of scores, which parse_heads() reads.
Result<MaskExpression> parse_mask(std::string_view text);
std::string to_string(const MaskExpression& mask);
std::string to_string(const std::vector<MaskPattern>& layer);
/// True if layers, patterns and painted cells are equal. Ignores layers that are switched off.
bool operator==(const MaskPattern& a, const MaskPattern& b);
bool operator==(const MaskExpression& a, const MaskExpression& b);

/// True if the sequences of a batch have different masks, because the mask uses padding and they are padded
/// differently.
bool padding_matters(const MaskExpression& expression, const Batch& batch);

/// Which cells of a rectangle a mask allows: none, all, or some. For an expression, a fully masked or fully allowed
/// rectangle may be classified as Mixed; for stored cells, never.
enum class TileKind : std::uint8_t { FullyMasked, FullyAllowed, Mixed };

/// Queries i0 <= i < i1 and keys j0 <= j < j1 of a sequence of `size` tokens.
struct CellRectangle {
    std::int64_t i0, i1, j0, j1, size;
    const std::uint8_t* real = nullptr;  ///< the sequence's S bytes of the batch: 1 = a token, 0 = padding

    /// The smallest and largest j - i.
    std::int64_t low() const { return j0 - (i1 - 1); }
    std::int64_t high() const { return j1 - 1 - i0; }
};

/// (B,1,S,S) as bytes, 1 = allowed. If padding doesn't matter, one matrix is shared by the whole batch. The
/// cells of long sequences are not stored but computed from the expression where they are read.
class Mask {
public:
    static constexpr std::int64_t kStoredBytes = 64 << 20;  // of one matrix: 8192 tokens

    /// Stores the cells if a matrix has at most stored_bytes. Errors as check_patterns(), such as a file's matrix that
    /// isn't S×S.
    static Result<std::shared_ptr<const Mask>> build(const MaskExpression& expression, const Batch& batch,
                                                     std::int64_t stored_bytes = kStoredBytes);

    std::int64_t batch() const { return batch_; }
    std::int64_t size() const { return size_; }
    bool stores_cells() const { return stores_cells_; }
    /// S bytes: one for each key of query i of a sequence, 1 = allowed. Only if stores_cells().
    const std::uint8_t* row(std::int64_t sequence, std::int64_t i) const {
        return cells_.data() + (matrix(sequence) * size_ + i) * size_;
    }
    /// The cells of row i for the keys first ... first + count - 1: the stored ones, or computed into scratch (count
    /// bytes).
    const std::uint8_t* cells(std::int64_t sequence, std::int64_t i, std::int64_t first, std::int64_t count,
                              std::uint8_t* scratch) const;
    bool allowed(std::int64_t sequence, std::int64_t i, std::int64_t j) const {
        std::uint8_t cell = 0;
        return *cells(sequence, i, j, 1, &cell) != 0;
    }
    /// Classifies the queries i0 ... i1 - 1 and keys j0 ... j1 - 1.
    TileKind kind(std::int64_t sequence, std::int64_t i0, std::int64_t i1, std::int64_t j0, std::int64_t j1) const;
    /// Number of allowed keys of query i.
    std::int64_t allowed_in_row(std::int64_t sequence, std::int64_t i) const {
        return allowed_in_row_[static_cast<std::size_t>(matrix(sequence) * size_ + i)];
    }
    std::int64_t allowed_cells(std::int64_t sequence) const;
    /// The fully masked rows of a sequence, ascending.
    std::vector<std::int64_t> fully_masked_rows(std::int64_t sequence) const;
    bool all_allowed() const { return all_allowed_; }
    bool shared_by_batch() const { return shared_; }
    /// True if the cells are equal for the same batch and length.
    bool operator==(const Mask& other) const;

private:
    std::int64_t matrix(std::int64_t sequence) const { return shared_ ? 0 : sequence; }
    std::int64_t matrices() const { return shared_ ? std::min<std::int64_t>(1, batch_) : batch_; }
    void store_rows();
    void count_rows();

    std::int64_t batch_ = 0, size_ = 0;
    bool shared_ = true, all_allowed_ = true, stores_cells_ = true;
    MaskExpression expression_;
    std::vector<std::uint8_t> real_;   ///< the batch's, which padding masks
    std::vector<std::uint8_t> cells_;  ///< only if stores_cells()
    std::vector<std::int32_t> allowed_in_row_;
};

using MaskPtr = std::shared_ptr<const Mask>;

}  // namespace headscope
