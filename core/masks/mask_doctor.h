// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/result.h"
#include "core/base/sentence.h"
#include "core/masks/mask_mistakes.h"

namespace headscope {

/// A mask to be checked: of one sequence, or read from a file.
struct CheckedMask {
    BitMatrix cells;  ///< (Q,K)
    /// Of the max(Q,K) tokens: 1 = a token, 0 = padding. Empty if the tokens are not known: padding is then guessed.
    std::vector<std::uint8_t> real{};
};

/// What is wrong with a mask.
struct MaskDiagnosis {
    MaskExpression meant;  ///< the stated meaning, or the closest expression
    bool stated = false;
    bool padding_guessed = false;  ///< `real` was not known, and `meant` uses padding
    std::vector<std::uint8_t> real{};
    BitMatrix wrong_cells;  ///< (Q,K), 1 = differs from what is meant
    std::int64_t wrong = 0;
    std::optional<paint::Cell> first_wrong;
    bool first_is_allowed = false;  ///< and should be masked
    std::optional<NamedMistake> mistake;
    /// The expression that the mask equals instead, if the stated one is wrong and no mistake has a name.
    std::optional<MaskExpression> is_instead;

    bool equal() const { return wrong == 0; }
    std::int64_t cells() const { return wrong_cells.queries() * wrong_cells.keys(); }
};

/// Longer masks are not checked; without a stated meaning, the limit is the lower one.
inline constexpr std::int64_t kMostCheckedTokens = 8192, kMostSearchedTokens = 1024;

/// Compares a mask with what was meant by it, or with the expression that comes closest to it: to the mask itself, or
/// inverted, transposed or both if that is where an expression fits. InvalidMask if the mask is too long, if an
/// expression can't be made for its number of tokens, or if it isn't square and no meaning is stated. Returns the
/// closest expression so far when cancelled.
Result<MaskDiagnosis> diagnose(const CheckedMask& mask, const std::optional<MaskExpression>& meant,
                               const std::atomic<bool>* cancel = nullptr);

/// The diagnosis as sentences without full stops, of which the mistake begins with a small letter: what was compared,
/// the mistake if it has a name, how many cells differ, and the first of them.
std::vector<Sentence> explain(const MaskDiagnosis& diagnosis);

}  // namespace headscope
