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

/// A layer as it stands in a list beside the mask, on or off.
struct MaskLayer {
    std::vector<MaskPattern> patterns;
    LayerKind kind = LayerKind::Causal;
    /// What each pattern does: "window: 4 to the left, 0 to the right"; one of them must allow a cell.
    std::vector<Sentence> names;
    bool on = true;
};

/// Every layer in the order of the text, those that are switched off too. A layer's place in this list is what `place`
/// means below.
std::vector<MaskLayer> list_layers(const MaskExpression& expression);
/// And back.
MaskExpression from_layers(const std::vector<MaskLayer>& layers);
/// The expression with one layer switched on or off; unchanged where there is no such place.
MaskExpression switched(const MaskExpression& expression, std::size_t place, bool on);

/// The layer by itself, as cells: what it masks can be hatched. Errors as Mask::build().
Result<MaskPtr> layer_mask(const MaskLayer& layer, const Batch& batch);

/// A layer that masks a cell.
struct ShutBy {
    std::size_t place;
    std::vector<Sentence> names;  ///< as MaskLayer::names
    bool operator==(const ShutBy&) const = default;
};
/// Which layers mask a cell; none where it is allowed.
std::vector<ShutBy> shut_by(const MaskExpression& expression, const Batch& batch, std::int64_t sequence, std::int64_t i,
                            std::int64_t j);

/// The layers that act as text for a caption: as to_string(), but painted cells are "painted:10 (55/100)", how many of
/// all are allowed.
std::string short_text(const MaskExpression& expression);

/// Where something was painted for another number of tokens: a sentence that says both sizes and what is done about it.
std::optional<Sentence> painted_size_note(const MaskExpression& expression, std::int64_t sequence_length);

}  // namespace headscope
