// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/masks/head_masks.h"

#include <algorithm>

namespace headscope {

namespace {

/// The expressions of the parts without their repetitions.
std::vector<const MaskExpression*> different_masks(const HeadExpression& expression) {
    std::vector<const MaskExpression*> masks;
    for (const HeadPart& part : expression.parts()) {
        const bool known =
            std::any_of(masks.begin(), masks.end(), [&](const auto* mask) { return *mask == part.mask; });
        if (!known) masks.push_back(&part.mask);
    }
    return masks;
}

/// The mask of `previous` with the same cells that is stored alike, or else the mask itself.
MaskPtr known_mask(const MaskPtr& mask, const HeadMasks& previous, std::int64_t num_heads) {
    const std::int64_t count = !previous ? 0 : previous.one_for_all() ? 1 : num_heads;
    for (std::int64_t head = 0; head < count; ++head) {
        const MaskPtr& known = previous.pointer(head);
        if (known->stores_cells() == mask->stores_cells() && *known == *mask) return known;
    }
    return mask;
}

}  // namespace

Result<HeadMasks> HeadMasks::build(const HeadExpression& expression, const Batch& batch, std::int64_t num_heads,
                                   std::int64_t stored_bytes, const HeadMasks& previous) {
    if (auto heads = check_heads(expression, num_heads); !heads) return tl::unexpected(heads.error());
    const auto different = different_masks(expression);
    const auto previous_heads = static_cast<std::int64_t>(previous.masks_.size());
    std::vector<MaskPtr> built;
    for (const MaskExpression* mask : different) {
        auto made = Mask::build(*mask, batch, stored_bytes / static_cast<std::int64_t>(different.size()));
        if (!made) return tl::unexpected(made.error());
        built.push_back(known_mask(*made, previous, previous_heads));
    }
    if (built.size() == 1) return HeadMasks(built.front());
    HeadMasks masks;
    for (std::int64_t head = 0; head < num_heads; ++head) {
        const auto found = std::find_if(different.begin(), different.end(),
                                        [&](const auto* mask) { return *mask == expression.mask(head); });
        masks.masks_.push_back(built[static_cast<std::size_t>(found - different.begin())]);
    }
    return masks;
}

bool HeadMasks::all_allowed() const {
    return std::all_of(masks_.begin(), masks_.end(), [](const auto& mask) { return mask->all_allowed(); });
}

std::int64_t HeadMasks::allowed_cells(std::int64_t sequence, std::int64_t num_heads) const {
    if (one_for_all()) return num_heads * masks_.front()->allowed_cells(sequence);
    std::int64_t cells = 0;
    for (const MaskPtr& mask : masks_) cells += mask->allowed_cells(sequence);
    return cells;
}

bool HeadMasks::operator==(const HeadMasks& other) const {
    const std::size_t heads = std::max(masks_.size(), other.masks_.size());
    if (masks_.empty() || other.masks_.empty()) return masks_.size() == other.masks_.size();
    if (!one_for_all() && !other.one_for_all() && masks_.size() != other.masks_.size()) return false;
    for (std::size_t head = 0; head < heads; ++head) {
        const MaskPtr &mine = pointer(static_cast<std::int64_t>(head)),
                      &its = other.pointer(static_cast<std::int64_t>(head));
        if (mine != its && !(*mine == *its)) return false;
    }
    return true;
}

std::int64_t count_masks(const HeadExpression& expression) {
    return static_cast<std::int64_t>(different_masks(expression).size());
}

}  // namespace headscope
