// SPDX-License-Identifier: GPL-3.0-or-later
// The table of the mistakes that a mask can have.
#include "core/masks/mask_mistakes.h"

#include <array>

#include "core/masks/expression_mistakes.h"
#include "core/masks/mask_shift.h"

namespace headscope {

namespace {

using Named = std::optional<Sentence>;

bool is_square(const MaskCase& masks) {
    return masks.given.queries() == masks.given.keys();
}

Named find_all_masked(const MaskCase& masks) {
    if (masks.given.count() > 0) return std::nullopt;
    return say("all masked: zeros of an additive mask were read as 0 = masked");
}

Named find_inverted(const MaskCase& masks) {
    if (masks.given != masks.meant.inverted()) return std::nullopt;
    return say("inverted: allowed cells are masked, and masked cells are allowed");
}

Named find_transposed(const MaskCase& masks) {
    if (!is_square(masks) || masks.given != masks.meant.transposed()) return std::nullopt;
    return say("transposed: queries and keys are exchanged");
}

Named find_shifted(const MaskCase& masks) {
    const MaskShift* shift = shift_of(masks.given, masks.meant);
    return shift ? Named(say("{}", shift->name)) : std::nullopt;
}

Named find_inverted_transposed(const MaskCase& masks) {
    if (!is_square(masks) || masks.given != masks.meant.transposed().inverted()) return std::nullopt;
    return say("inverted and transposed");
}

Named find_late_shift(const MaskCase& masks) {
    const auto late = late_shift_of(masks.given, masks.meant);
    return late ? Named(say("{}, from query {} on", late->shift->name, late->query)) : std::nullopt;
}

struct MistakeType {
    MaskMistake mistake;
    const char* word;
    Named (*find)(const MaskCase&);
};

/// In the order in which they are tried: a row may rely on those before it.
constexpr auto kTypes = std::to_array<MistakeType>({
    {MaskMistake::AllMasked, "all-masked", find_all_masked},
    {MaskMistake::Inverted, "inverted", find_inverted},
    {MaskMistake::PaddedQueries, "padded-queries", find_padded_queries},
    {MaskMistake::Corner, "corner", find_corner},
    {MaskMistake::Leak, "leak", find_leak},
    {MaskMistake::OffByOne, "off-by-one", find_off_by_one},
    {MaskMistake::Transposed, "transposed", find_transposed},
    {MaskMistake::Shifted, "shifted", find_shifted},
    {MaskMistake::InvertedTransposed, "inverted-transposed", find_inverted_transposed},
    {MaskMistake::Layer, "layer", find_layer},
    {MaskMistake::ShiftedFrom, "shifted-from", find_late_shift},
});

}  // namespace

const char* to_string(MaskMistake mistake) {
    for (const MistakeType& type : kTypes)
        if (type.mistake == mistake) return type.word;
    return "";
}

std::optional<NamedMistake> name_mistake(const MaskCase& masks) {
    if (masks.given == masks.meant) return std::nullopt;
    for (const MistakeType& type : kTypes)
        if (auto sentence = type.find(masks)) return NamedMistake{type.mistake, std::move(*sentence)};
    return std::nullopt;
}

}  // namespace headscope
