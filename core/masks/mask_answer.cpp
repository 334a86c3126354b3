// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/masks/mask_answer.h"

#include <cmath>

#include "core/masks/mask_edit.h"
#include "core/masks/mask_mistakes.h"

namespace headscope {

MaskAnswer check_answer(const PaintedMask& painted, const PaintedMask& right) {
    const PaintedMask answer = paint::fitted(painted, right.size);
    MaskAnswer result;
    result.cells = right.size * right.size;
    for (std::size_t n = 0; n < right.cells.size(); ++n) {
        result.wrong_cells.push_back(answer.cells[n] != right.cells[n]);
        result.wrong += result.wrong_cells.back();
    }
    if (auto mistake = name_mistake({BitMatrix(answer), BitMatrix(right)}))
        result.mistake = std::move(mistake->sentence);
    return result;
}

double points_moved(const std::vector<double>& predicted, const std::vector<double>& weights) {
    double difference = 0;
    for (std::size_t n = 0; n < weights.size(); ++n)
        difference += std::abs((n < predicted.size() ? predicted[n] : 0) - weights[n]);
    return 50 * difference;
}

}  // namespace headscope
