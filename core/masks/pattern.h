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

/// The cells of a stretch of a row, to which a pattern adds the keys that it allows. Keys count from the row's
/// beginning; what lies outside the stretch is passed over.
struct RowCells {
    std::uint8_t* cells;
    std::int64_t first, end;

    /// Allows from <= j < to.
    void allow(std::int64_t from, std::int64_t to) const;
    /// Allows every step-th key from `from` to `to`, both included.
    void allow_each(std::int64_t from, std::int64_t to, std::int64_t step) const;
    /// row: the row's bytes from its beginning, `size` of them; beyond them nothing is allowed.
    void allow_where(const std::uint8_t* row, std::int64_t size) const;
};

/// Queries i0 <= i < i1 and keys j0 <= j < j1 of a sequence of `size` tokens.
struct CellRectangle {
    std::int64_t i0, i1, j0, j1, size;
    const std::uint8_t* real = nullptr;  ///< the sequence's S bytes of the batch: 1 = a token, 0 = padding

    /// j - i, from the smallest to the largest.
    std::int64_t low() const { return j0 - (i1 - 1); }
    std::int64_t high() const { return j1 - 1 - i0; }
};

/// What a layer is in one word, for its hatching.
enum class LayerKind {
    Padding,
    Causal,
    Window,    ///< local
    Sparse,    ///< a sparse pattern, or several of these and windows
    Painted,   ///< by hand or from a file
    Combined,  ///< anything else that '+' joins
};

/// Where the parameter panel offers a pattern.
enum class PatternBox {
    Own,     ///< a check box, its numbers beside it
    Sparse,  ///< an entry of the list of sparse patterns
    File,    ///< a check box with a file dialog
    Painted  ///< a check box with the mask editor
};

/// One number of a pattern, a whole number from `least` to kLargestPatternNumber.
struct PatternNumber {
    const char* name;        ///< "LEFT", in help and messages
    std::int64_t least;      ///< 0 or 1
    std::int64_t start = 0;  ///< in the window's box at first, and in the example of a message
    const char* label = "";  ///< beside its box in the window: a phrase()
    const char* tip = "";    ///< of its box: a phrase()
};
inline constexpr std::int64_t kLargestPatternNumber = 2147483647;  // so that the product of two fits 64 bits

/// A mask that people often want, under a name for menus with its mnemonic: a phrase().
struct MaskPreset {
    const char* name;
    const char* expression;
};

/// A pattern as PyTorch code over i (S,1), j (1,S), S, B and `real` (B,S), True = allowed.
struct PatternPython {
    std::string expression;  ///< in parentheses, or a call
    std::string before{};    ///< lines that define what the expression calls
};

/// Everything about a mask pattern: adding one is an enumerator of MaskPattern::Kind and a row of the table in
/// patterns.cpp.
struct PatternType {
    MaskPattern::Kind kind;
    const char* word;                          ///< as it is written: "strided"
    std::span<const PatternNumber> numbers{};  ///< that follow the word
    bool repeats = false;                      ///< may the last number be given any number of times?
    LayerKind layer;                           ///< its hatching
    PatternBox box;                            ///< its place in the window
    const char* label;                         ///< of its box: a phrase(), with a mnemonic where it has its own
    const char* tip;                           ///< what it does, in a sentence: a phrase()
    std::span<const MaskPreset> presets{};     ///< for menus
    /// Allows its keys of the query's row.
    void (*row)(const MaskPattern&, const RowStretch&, const RowCells&);
    /// What it leaves of a rectangle, without looking at each cell where that is possible.
    TileKind (*tile)(const MaskPattern&, const CellRectangle&);
    PatternPython (*python)(const MaskPattern&);
    /// For the list of layers: "window: 4 to the left, 0 to the right".
    Sentence (*sentence)(const MaskPattern&);
    /// Within a sentence: "the window local:4:0"; null where that is its text.
    Sentence (*short_name)(const MaskPattern&) = nullptr;
};

/// From the cells themselves: row i begins at cells + i * stride.
TileKind kind_of_cells(const std::uint8_t* cells, std::int64_t stride, const CellRectangle& rectangle);

/// From a pattern's rows, for one without a shorter rule; ends with the first two cells that differ.
TileKind kind_of_rows(const MaskPattern& pattern, const CellRectangle& rectangle);

/// The table, in the order of MaskPattern::Kind, in which menus and help list the patterns.
std::span<const PatternType> pattern_types();
const PatternType& type_of(MaskPattern::Kind kind);
/// Null where no pattern has this word.
const PatternType* type_of(std::string_view word);

/// How a pattern is written: "local:LEFT:RIGHT", "documents:L1:L2:...", "file:PATH".
std::string form_of(const PatternType& type);
/// One as an example: "local:2:0".
std::string example_of(const PatternType& type);
/// What people may write, joined by commas: "padding, causal, local:LEFT:RIGHT, ...".
std::string pattern_forms();

/// "causal", "the window local:4:0", "strided:4".
Sentence short_name(const MaskPattern& pattern);

}  // namespace headscope
