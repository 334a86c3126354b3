// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/sentence.h"
#include "core/masks/mask.h"

namespace headscope {

/// A mask that was painted as an answer, compared with the right one of the same size.
struct MaskAnswer {
    std::int64_t cells = 0, wrong = 0;
    std::vector<std::uint8_t> wrong_cells{};  ///< (S,S), 1 = wrong
    /// What a wrong answer is, if it is a right one that was changed in one known way: "inverted", "transposed" ...
    std::optional<Sentence> mistake{};

    bool right() const { return wrong == 0; }
    double percent() const {
        return cells ? 100.0 * static_cast<double>(cells - wrong) / static_cast<double>(cells) : 100;
    }
};

/// Names the mistakes that are known by the cells alone (mask_mistakes.h).
MaskAnswer check_answer(const PaintedMask& painted, const PaintedMask& right);

/// How far a prediction of the weights of a row is from the weights, in points: the part of the weight (0 to 100) that
/// has to be moved from one key to another, half the sum of |predicted - weight|. NaN if a number is.
double points_moved(const std::vector<double>& predicted, const std::vector<double>& weights);

}  // namespace headscope
