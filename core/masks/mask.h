// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/batch.h"
#include "core/base/result.h"

namespace headscope {

/// S×S cells of 0 and 1 that a person painted or a file held; 1 = allowed.
struct PaintedMask {
    std::int64_t size = 0;
    std::vector<std::uint8_t> cells;  ///< row-major, row = query
    bool operator==(const PaintedMask&) const = default;
};

/// One pattern of a mask expression. What each kind is stands in its row of the table in patterns.cpp.
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
    /// The cells of a Painted pattern, or of a File pattern once loaded. Outside the cells of a Painted pattern
    /// everything is allowed, so that what was painted is kept when the text grows or shrinks.
    std::shared_ptr<const PaintedMask> painted{};
};

/// Layers joined by ',' that must all allow a cell; each layer is patterns joined by '+' of which one must.
struct MaskExpression {
    /// A layer that a person switched off and may switch on again: it masks nothing.
    struct SwitchedOff {
        std::size_t before = 0;  ///< how many of `layers` stand in front of it
        std::vector<MaskPattern> patterns;
    };
    std::vector<std::vector<MaskPattern>> layers;  ///< that act; empty = "none"
    std::vector<SwitchedOff> off{};                ///< in their order, never decreasing in `before`
    bool uses_padding() const;
};

/// Reads "causal,local:4:0+global:1". File patterns hold their path only; load_mask_files() of core/files reads the
/// cells. Beside what people write (PRODUCT §6) there is what the mask editor writes: "painted:S:CELLS"
/// (painted_text.h), and "off:" before a layer that is switched off. InvalidMask names the faulty part and what would
/// be right. mask_text.h has the text before it is checked.
Result<MaskExpression> parse_mask(std::string_view text);
std::string to_string(const MaskExpression& mask);
std::string to_string(const std::vector<MaskPattern>& layer);
/// Same layers, same patterns, same painted cells? What is switched off doesn't count.
bool operator==(const MaskPattern& a, const MaskPattern& b);
bool operator==(const MaskExpression& a, const MaskExpression& b);

/// Do the sequences of a batch have different masks, because padding takes part and they are padded differently?
bool padding_matters(const MaskExpression& expression, const Batch& batch);

/// (B,1,S,S) as bytes, 1 = allowed. Where padding doesn't matter one matrix serves the whole batch.
class Mask {
public:
    /// Errors as check_patterns(): a file's matrix that isn't S×S.
    static Result<std::shared_ptr<const Mask>> build(const MaskExpression& expression, const Batch& batch);

    std::int64_t batch() const { return batch_; }
    std::int64_t size() const { return size_; }
    /// S bytes: which keys query i of a sequence may attend to.
    const std::uint8_t* row(std::int64_t sequence, std::int64_t i) const {
        return cells_.data() + ((shared_ ? 0 : sequence) * size_ + i) * size_;
    }
    bool open(std::int64_t sequence, std::int64_t i, std::int64_t j) const { return row(sequence, i)[j] != 0; }
    /// How many keys query i may attend to.
    std::int64_t open_in_row(std::int64_t sequence, std::int64_t i) const {
        return open_in_row_[static_cast<std::size_t>((shared_ ? 0 : sequence) * size_ + i)];
    }
    std::int64_t open_cells(std::int64_t sequence) const;
    /// The fully masked rows of a sequence, ascending.
    std::vector<std::int64_t> empty_rows(std::int64_t sequence) const;
    bool all_open() const { return all_open_; }
    bool shared_by_batch() const { return shared_; }
    /// The same cells for the same batch and length?
    bool operator==(const Mask&) const = default;

private:
    std::int64_t batch_ = 0, size_ = 0;
    bool shared_ = true, all_open_ = true;
    std::vector<std::uint8_t> cells_;
    std::vector<std::int32_t> open_in_row_;
};

using MaskPtr = std::shared_ptr<const Mask>;

}  // namespace headscope
