// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/base/sentence.h"
#include "core/masks/mask.h"
#include "core/masks/mask_row.h"
#include "core/masks/tile_map.h"

namespace headscope {

/// The cells of a part of a row, in which a pattern sets the keys that it allows. Keys count from the beginning of the
/// row; those outside the part are ignored.
struct RowCells {
    std::uint8_t* cells;
    std::int64_t first, end;

    /// Allows the keys from <= j < to.
    void allow(std::int64_t from, std::int64_t to) const;
    /// Allows every step-th key from `from` to `to`, both included.
    void allow_each(std::int64_t from, std::int64_t to, std::int64_t step) const;
    /// row: `size` bytes from the row's beginning; keys beyond them are masked.
    void allow_where(const std::uint8_t* row, std::int64_t size) const;
};

/// The kind of a layer, which determines its hatching.
enum class LayerKind {
    Padding,
    Causal,
    Window,    ///< local
    Sparse,    ///< a sparse pattern, or several of these and windows
    Painted,   ///< painted by hand or read from a file
    Combined,  ///< any other combination by '+'
};

/// The control of the parameter panel that offers a pattern.
enum class PatternBox {
    Own,     ///< a check box with its numbers
    Sparse,  ///< an entry of the list of sparse patterns
    File,    ///< a check box with a file dialog
    Painted  ///< a check box with the mask editor
};

/// One number of a pattern: whole, from `least` to kLargestPatternNumber.
struct PatternNumber {
    const char* name;        ///< "LEFT", in help and messages
    std::int64_t least;      ///< 0 or 1
    std::int64_t start = 0;  ///< initial value in the window's box, and in the example of a message
    const char* label = "";  ///< of its box in the window: a phrase()
    const char* tip = "";    ///< of its box: a phrase()
};
inline constexpr std::int64_t kLargestPatternNumber = 2147483647;  // so that the product of two fits 64 bits

/// A common mask, with its name in menus including the mnemonic: a phrase().
struct MaskPreset {
    const char* name;
    const char* expression;
};

/// A pattern as PyTorch code over i (S,1), j (1,S), S, B and `real` (B,S), True = allowed.
struct PatternPython {
    std::string expression;  ///< in parentheses, or a call
    std::string before{};    ///< lines that define the functions that the expression calls
    /// The same for single numbers b, i and j, as FlexAttention calls it; empty if the expression is that already.
    std::string cell{};
    std::string cell_before{};  ///< lines that define the tables that `cell` reads, after `before`
};

/// The description of a mask pattern. To add a pattern, add an enumerator of MaskPattern::Kind and a row of the table
/// in patterns.cpp.
struct PatternType {
    MaskPattern::Kind kind;
    const char* word;                          ///< as written in an expression: "strided"
    std::span<const PatternNumber> numbers{};  ///< after the word
    bool repeats = false;                      ///< the last number may be given any number of times
    LayerKind layer;                           ///< its hatching
    PatternBox box;                            ///< its place in the window
    const char* label;                         ///< of its box: a phrase(), with its mnemonic if it has a box of its own
    const char* tip;                           ///< one sentence that describes it: a phrase()
    std::span<const MaskPreset> presets{};     ///< for menus
    /// Sets the keys that the pattern allows in the query's row.
    void (*row)(const MaskPattern&, const RowStretch&, const RowCells&);
    /// Classifies a rectangle, without reading each cell if possible.
    TileKind (*tile)(const MaskPattern&, const CellRectangle&);
    PatternPython (*python)(const MaskPattern&);
    /// The description in the list of layers: "window: 4 to the left, 0 to the right".
    Sentence (*sentence)(const MaskPattern&);
    /// The name within a message: "the window local:4:0"; null if the name is the pattern's text.
    Sentence (*short_name)(const MaskPattern&) = nullptr;
};

/// Classifies a rectangle by the patterns' rules.
TileKind kind_of_expression(const MaskExpression& expression, const CellRectangle& rectangle);

/// Classifies the cells themselves: row i begins at cells + i * stride.
TileKind kind_of_cells(const std::uint8_t* cells, std::int64_t stride, const CellRectangle& rectangle);

/// Classifies a pattern's rows, for a pattern without a shorter rule; stops at the first two cells that differ.
TileKind kind_of_rows(const MaskPattern& pattern, const CellRectangle& rectangle);

/// The table in the order of MaskPattern::Kind, which is also the order in menus and help.
std::span<const PatternType> pattern_types();
const PatternType& type_of(MaskPattern::Kind kind);
/// Null if no pattern has this word.
const PatternType* type_of(std::string_view word);

/// The syntax of a pattern: "local:LEFT:RIGHT", "documents:L1:L2:...", "file:PATH".
std::string form_of(const PatternType& type);
/// An example of a pattern: "local:2:0".
std::string example_of(const PatternType& type);
/// The syntax of all patterns that users can write, joined by commas: "padding, causal, local:LEFT:RIGHT, ...".
std::string pattern_forms();

/// The name of a pattern in messages: "causal", "the window local:4:0", "strided:4".
Sentence short_name(const MaskPattern& pattern);

}  // namespace headscope
