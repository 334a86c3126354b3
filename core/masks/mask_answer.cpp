// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/masks/mask_answer.h"

#include <cmath>

#include "core/masks/mask_edit.h"

namespace headscope {
namespace {

/// Whether painted(i, j) is right(i - queries, j - keys) wherever that is a cell.
bool is_shifted(const PaintedMask& painted, const PaintedMask& right, std::int64_t queries, std::int64_t keys) {
    const std::int64_t size = right.size;
    const auto at = [size](const PaintedMask& mask, std::int64_t i, std::int64_t j) {
        return mask.cells[static_cast<std::size_t>(i * size + j)];
    };
    for (std::int64_t i = 0; i < size; ++i)
        for (std::int64_t j = 0; j < size; ++j) {
            const std::int64_t from_i = i - queries, from_j = j - keys;
            if (from_i < 0 || from_i >= size || from_j < 0 || from_j >= size) continue;
            if (at(painted, i, j) != at(right, from_i, from_j)) return false;
        }
    return size > 1;
}

std::optional<Sentence> mistake_of(const PaintedMask& painted, const PaintedMask& right) {
    if (painted == paint::inverted(right))
        return say("inverted: allowed cells are masked, and masked cells are allowed");
    if (painted == paint::transposed(right)) return say("transposed: queries and keys are exchanged");
    struct Shift {
        std::int64_t queries, keys;
        const char* name;
    };
    static constexpr Shift shifts[] = {{0, 1, phrase("shifted by one key to the right")},
                                       {0, -1, phrase("shifted by one key to the left")},
                                       {1, 0, phrase("shifted down by one query")},
                                       {-1, 0, phrase("shifted up by one query")},
                                       {1, 1, phrase("shifted by one token along the diagonal")},
                                       {-1, -1, phrase("shifted back by one token along the diagonal")}};
    for (const Shift& shift : shifts)
        if (is_shifted(painted, right, shift.queries, shift.keys)) return say("{}", shift.name);
    if (painted == paint::inverted(paint::transposed(right))) return say("inverted and transposed");
    return std::nullopt;
}

}  // namespace

MaskAnswer check_answer(const PaintedMask& painted, const PaintedMask& right) {
    const PaintedMask answer = paint::fitted(painted, right.size);
    MaskAnswer result;
    result.cells = right.size * right.size;
    for (std::size_t n = 0; n < right.cells.size(); ++n) {
        result.wrong_cells.push_back(answer.cells[n] != right.cells[n]);
        result.wrong += result.wrong_cells.back();
    }
    if (!result.right()) result.mistake = mistake_of(answer, right);
    return result;
}

double points_moved(const std::vector<double>& predicted, const std::vector<double>& weights) {
    double difference = 0;
    for (std::size_t n = 0; n < weights.size(); ++n)
        difference += std::abs((n < predicted.size() ? predicted[n] : 0) - weights[n]);
    return 50 * difference;
}

}  // namespace headscope
