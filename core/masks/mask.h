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

/// S×S cells of 0 and 1 that a person painted or a file held; 1 = may attend.
struct PaintedMask {
    std::int64_t size = 0;
    std::vector<std::uint8_t> cells;  ///< row-major, row = query
    bool operator==(const PaintedMask&) const = default;
};

/// One pattern of a mask expression. Numbers are in tokens; see CONVENTIONS 4 for each definition.
struct MaskPattern {
    enum class Kind { Padding, Causal, Local, Strided, Dilated, Global, Block, File, Painted };
    Kind kind = Kind::Causal;
    std::int64_t a = 0, b = 0, c = 0;  ///< local L R · strided N · dilated L R STEP · global N · block N
    std::string path{};                ///< of a File pattern
    std::shared_ptr<const PaintedMask> painted{};  ///< the cells of a Painted pattern, or of a File pattern once loaded

    /// May query i attend to key j? Padding asks the batch instead and is not answered here. Outside the cells of a
    /// Painted pattern everything is open, so that what was painted is kept when the text grows or shrinks.
    bool allows(std::int64_t i, std::int64_t j) const;
};

/// Layers joined by ',' that must all allow a cell; each layer is patterns joined by '+' of which one must.
struct MaskExpression {
    /// A layer that a person switched off and may switch on again: it shuts nothing.
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
/// be right.
Result<MaskExpression> parse_mask(std::string_view text);
std::string to_string(const MaskExpression& mask);
std::string to_string(const std::vector<MaskPattern>& layer);
/// Same layers, same patterns, same painted cells? What is switched off doesn't count.
bool operator==(const MaskPattern& a, const MaskPattern& b);
bool operator==(const MaskExpression& a, const MaskExpression& b);

/// Do the sequences of a batch have different masks, because padding takes part and they are padded differently?
bool padding_matters(const MaskExpression& expression, const Batch& batch);

/// (B,1,S,S) as bytes, 1 = may attend. Where padding doesn't matter one matrix serves the whole batch.
class Mask {
public:
    /// InvalidMask where a file's matrix isn't S×S (the sentence holds both sizes).
    static Result<std::shared_ptr<const Mask>> build(const MaskExpression& expression, const Batch& batch);

    std::int64_t batch() const { return batch_; }
    std::int64_t size() const { return size_; }
    /// S bytes: what query i of a sequence may attend to.
    const std::uint8_t* row(std::int64_t sequence, std::int64_t i) const {
        return cells_.data() + ((shared_ ? 0 : sequence) * size_ + i) * size_;
    }
    bool open(std::int64_t sequence, std::int64_t i, std::int64_t j) const { return row(sequence, i)[j] != 0; }
    /// How many keys query i may attend to.
    std::int64_t open_in_row(std::int64_t sequence, std::int64_t i) const {
        return open_in_row_[static_cast<std::size_t>((shared_ ? 0 : sequence) * size_ + i)];
    }
    std::int64_t open_cells(std::int64_t sequence) const;
    /// Queries of a sequence that may attend to nothing, ascending.
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
