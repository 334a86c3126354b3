// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "core/masks/head_expression.h"
#include "core/masks/mask.h"

namespace headscope {

/// The masks of a layer's heads: one for all of them, or one per head. Heads with equal expressions share one object.
class HeadMasks {
public:
    HeadMasks() = default;
    /// One mask for every head.
    HeadMasks(MaskPtr mask) : masks_{std::move(mask)} {}  // NOLINT(google-explicit-constructor): most are this

    /// Builds the mask of each head; a matrix is stored up to stored_bytes divided by the number of different masks.
    /// Takes the objects of `previous` whose cells are the same. Errors as Mask::build() and check_heads().
    static Result<HeadMasks> build(const HeadExpression& expression, const Batch& batch, std::int64_t num_heads,
                                   std::int64_t stored_bytes = Mask::kStoredBytes, const HeadMasks& previous = {});

    explicit operator bool() const { return !masks_.empty() && masks_.front(); }
    bool one_for_all() const { return masks_.size() == 1; }
    const MaskPtr& pointer(std::int64_t head) const { return masks_[one_for_all() ? 0 : index(head)]; }
    const Mask& of(std::int64_t head) const { return *pointer(head); }
    /// The mask of every head; null if they differ.
    MaskPtr shared() const { return one_for_all() ? masks_.front() : nullptr; }

    // Every mask has the same:
    std::int64_t batch() const { return masks_.front()->batch(); }
    std::int64_t size() const { return masks_.front()->size(); }
    bool stores_cells() const { return masks_.front()->stores_cells(); }

    /// True if no head masks anything.
    bool all_allowed() const;
    /// Number of allowed cells of a sequence, added over the heads.
    std::int64_t allowed_cells(std::int64_t sequence, std::int64_t num_heads) const;
    /// The same objects, so that what was computed from one holds for the other.
    bool same_objects(const HeadMasks& other) const { return masks_ == other.masks_; }
    /// True if the cells are equal.
    bool operator==(const HeadMasks& other) const;

private:
    static std::size_t index(std::int64_t head) { return static_cast<std::size_t>(head); }

    std::vector<MaskPtr> masks_;
};

/// Number of different masks that an expression has.
std::int64_t count_masks(const HeadExpression& expression);

}  // namespace headscope
