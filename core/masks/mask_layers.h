// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/sentence.h"
#include "core/masks/mask.h"
#include "core/masks/pattern.h"

namespace headscope {

/// A layer as listed beside the mask, on or off.
struct MaskLayer {
    std::vector<MaskPattern> patterns;
    LayerKind kind = LayerKind::Causal;
    /// A description of each pattern: "window: 4 to the left, 0 to the right". One of the patterns must allow a cell.
    std::vector<Sentence> names;
    bool on = true;
};

/// Lists every layer in the order of the text, including those that are switched off. A layer's index in this list is
/// the `place` of the functions below.
std::vector<MaskLayer> list_layers(const MaskExpression& expression);
/// The inverse of list_layers().
MaskExpression from_layers(const std::vector<MaskLayer>& layers);
/// The expression with one layer switched on or off; unchanged if there is no such place.
MaskExpression switched(const MaskExpression& expression, std::size_t place, bool on);

/// The cells of one layer, from which its masked cells are hatched. Errors as Mask::build().
Result<MaskPtr> layer_mask(const MaskLayer& layer, const Batch& batch);

/// A layer that masks a cell.
struct MaskedBy {
    std::size_t place;
    std::vector<Sentence> names;  ///< as MaskLayer::names
    bool operator==(const MaskedBy&) const = default;
};
/// The layers that mask a cell; none if it is allowed.
std::vector<MaskedBy> masked_by(const MaskExpression& expression, const Batch& batch, std::int64_t sequence,
                                std::int64_t i, std::int64_t j);

/// The layers that are switched on, as text for a caption: as to_string(), but painted cells are shortened to
/// "painted:10 (55/100)", the number of allowed cells and of all.
std::string short_text(const MaskExpression& expression);

/// If a mask was painted for another number of tokens: a message with both sizes that says how it is adapted.
std::optional<Sentence> painted_size_note(const MaskExpression& expression, std::int64_t sequence_length);

}  // namespace headscope
