// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/masks/bit_matrix.h"
#include "core/masks/head_expression.h"
#include "core/masks/mask_layers.h"

namespace headscope {

class Session;

/// A mask is painted by hand for at most so many tokens; beyond that a cell is nothing that a hand can hit.
inline constexpr std::int64_t kMostPaintedTokens = 1024;

/// The draft's mask on the tokens of one sequence, layer by layer: what the editor shows. It follows the hand, not the
/// computation.
struct MaskPicture {
    HeadPart part;  ///< whose mask it is, with the rules beside it
    MaskExpression expression;
    Batch batch;                           ///< of the one sequence
    std::vector<MaskLayer> layers;         ///< on and off; a layer's place is its bit below
    std::int64_t size = 0;                 ///< S
    std::vector<std::uint32_t> masked_by;  ///< (S,S), row = query: bit p if layer p masks the cell; empty if too large
    std::vector<std::int64_t> allowed_in_row, allowed_in_column;  ///< (S)

    bool tooLarge() const { return size > kMostPaintedTokens; }
    std::uint32_t maskedBy(std::int64_t query, std::int64_t key) const {
        return masked_by[static_cast<std::size_t>(query * size + key)];
    }
    bool allowed(std::int64_t query, std::int64_t key) const { return maskedBy(query, key) == 0; }
    bool inside(std::int64_t query, std::int64_t key) const {
        return query >= 0 && query < size && key >= 0 && key < size;
    }
    std::vector<std::int64_t> fullyMaskedRows() const;  ///< ascending
    std::int64_t allowedCells() const;
};

/// Whether both are the same mask of the same tokens.
bool sameMask(const MaskPicture& a, const MaskPicture& b);

/// The cells that no layer masks; of a picture that is not too large.
BitMatrix allowedCells(const MaskPicture& picture);

/// The bit of a layer; from the 32nd on they share the last.
std::uint32_t layerBit(std::size_t place);

/// The expression that the controls say; where it can't be meant, that of the picture on the screen.
HeadExpression presentHeads(const Session& session);
/// The head whose mask is looked at: the enlarged or locked one, or 0.
int presentHead(const Session& session);
/// The mask of that head.
MaskExpression presentMask(const Session& session);
/// The text of the whole expression with another mask in the part of that head.
QString textWithMask(const Session& session, const MaskExpression& mask);
/// The whole batch that it acts on; null before there is any.
const Batch* presentBatch(const Session& session);
/// Which of its sequences is looked at.
std::int64_t presentSequence(const Session& session);

/// Nothing before the first picture.
std::optional<MaskPicture> maskPicture(const Session& session);

}  // namespace headscope
