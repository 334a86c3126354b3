// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/sentence.h"
#include "core/masks/mask.h"

namespace headscope {

/// What a layer is in one word, for its hatching.
enum class LayerKind {
    Padding,
    Causal,
    Window,    ///< local
    Sparse,    ///< strided, dilated, global, block, or several of these and windows
    Painted,   ///< by hand or from a file
    Combined,  ///< anything else that '+' joins
};

/// A layer as it stands in a list beside the mask, on or off.
struct MaskLayer {
    std::vector<MaskPattern> patterns;
    LayerKind kind = LayerKind::Causal;
    Sentence name;  ///< "window: 4 to the left, 0 to the right"; to_string(patterns) is its text in an expression
    bool on = true;
};

/// Every layer in the order of the text, those that are switched off too. A layer's place in this list is what `place`
/// means below.
std::vector<MaskLayer> list_layers(const MaskExpression& expression);
/// And back.
MaskExpression from_layers(const std::vector<MaskLayer>& layers);
/// The expression with one layer switched on or off; unchanged where there is no such place.
MaskExpression switched(const MaskExpression& expression, std::size_t place, bool on);

/// May query i of a sequence attend to key j, as far as this layer is concerned?
bool layer_allows(const std::vector<MaskPattern>& layer, const Batch& batch, std::int64_t sequence, std::int64_t i,
                  std::int64_t j);
/// The layer by itself, as cells: what it shuts can be hatched. Errors as Mask::build().
Result<MaskPtr> layer_mask(const MaskLayer& layer, const Batch& batch);

/// A layer that shuts a cell.
struct ShutBy {
    std::size_t place;
    Sentence name;
    bool operator==(const ShutBy&) const = default;
};
/// Which layers shut a cell; none where it is open.
std::vector<ShutBy> shut_by(const MaskExpression& expression, const Batch& batch, std::int64_t sequence, std::int64_t i,
                            std::int64_t j);

/// The layers that act as text for a caption: as to_string(), but painted cells are "painted:10 (55/100)", how many of
/// all are open.
std::string short_text(const MaskExpression& expression);

/// Where something was painted for another number of tokens: a sentence that says both sizes and what is done about it.
std::optional<Sentence> painted_size_note(const MaskExpression& expression, std::int64_t sequence_length);

}  // namespace headscope
