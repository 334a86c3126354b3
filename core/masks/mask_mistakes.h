// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/sentence.h"
#include "core/masks/bit_matrix.h"

namespace headscope {

/// A mask that differs from what was meant, as the tests for known mistakes look at it.
struct MaskCase {
    BitMatrix given, meant;            ///< of equal size, (Q,K)
    MaskExpression expression{};       ///< of `meant`; no layers if only its cells are known
    std::vector<std::uint8_t> real{};  ///< of the max(Q,K) tokens of the expression: 1 = a token, 0 = padding
};

/// The mistakes that have a name.
enum class MaskMistake {
    AllMasked,
    Inverted,
    Transposed,
    Shifted,
    InvertedTransposed,
    PaddedQueries,
    Corner,
    Leak,
    OffByOne,
    Layer,  ///< one layer alone is missing, inverted, transposed, shifted, or one too many
    ShiftedFrom,
};
/// The word for it in JSON: "inverted", "off-by-one".
const char* to_string(MaskMistake mistake);

struct NamedMistake {
    MaskMistake mistake;
    Sentence sentence;  ///< a phrase that says what the mask is, without a full stop
};

/// The first mistake of the table in mask_mistakes.cpp that explains every cell in which `given` differs from `meant`;
/// none if there is no such mistake, or no difference.
std::optional<NamedMistake> name_mistake(const MaskCase& masks);

}  // namespace headscope
