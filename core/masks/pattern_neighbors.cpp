// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/masks/pattern_neighbors.h"

#include "core/masks/pattern.h"

namespace headscope {

namespace {

bool is_legal(const MaskPattern& pattern) {
    const PatternType& type = type_of(pattern.kind);
    for (std::size_t n = 0; n < pattern.numbers.size(); ++n) {
        const PatternNumber& number = type.numbers[std::min(n, type.numbers.size() - 1)];
        if (pattern.numbers[n] < number.least || pattern.numbers[n] > kLargestPatternNumber) return false;
    }
    return true;
}

}  // namespace

std::vector<MaskPattern> neighbors_of(const MaskPattern& pattern) {
    std::vector<MaskPattern> neighbors;
    const auto add = [&](std::size_t n, std::int64_t change, std::size_t other, std::int64_t other_change) {
        MaskPattern neighbor = pattern;
        neighbor.numbers[n] += change;
        if (other < neighbor.numbers.size()) neighbor.numbers[other] += other_change;
        if (is_legal(neighbor)) neighbors.push_back(std::move(neighbor));
    };
    const std::size_t count = pattern.numbers.size();
    for (std::size_t n = 0; n < count; ++n)
        for (const std::int64_t change : {1, -1}) {
            add(n, change, count, 0);
            if (pattern.kind == MaskPattern::Kind::Documents && n + 1 < count) add(n, change, n + 1, -change);
        }
    if (pattern.kind == MaskPattern::Kind::Local) {
        add(0, 1, 1, 1);
        add(0, -1, 1, -1);
    }
    return neighbors;
}

}  // namespace headscope
