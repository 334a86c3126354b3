// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "core/masks/bit_matrix.h"

namespace headscope {

/// Which positions a position depends on after several layers with the same mask: query i reaches key j in one layer if
/// the mask allows the cell, and in L layers if it allows every cell of a path i → … → j of L cells.
class Reach {
public:
    static constexpr int kMostLayers = 255;

    Reach() = default;
    /// mask: (S,S); layers: 1 to kMostLayers. Stops early when cancelled.
    Reach(const BitMatrix& mask, int layers, const std::atomic<bool>* cancel = nullptr);

    std::int64_t size() const { return mask_.queries(); }
    int layers() const { return layers_; }
    /// The fewest layers after which i reaches j, the length of the shortest path; 0 if more than layers() are needed.
    int steps(std::int64_t i, std::int64_t j) const { return steps_[static_cast<std::size_t>(i * size() + j)]; }
    bool reaches(std::int64_t i, std::int64_t j) const { return steps(i, j) > 0; }
    /// The pairs that need at most so many layers. If the mask allows its diagonal, this is the boolean power of it.
    BitMatrix within(int layers) const;
    /// Number of positions that i reaches in at most so many layers.
    std::int64_t count(std::int64_t i, int layers) const;
    /// The positions of a shortest path, from i to j, both included; empty if there is none. Of equal ones the path
    /// through the smallest positions.
    std::vector<std::int64_t> path(std::int64_t i, std::int64_t j) const;

private:
    BitMatrix mask_;
    int layers_ = 0;
    std::vector<std::uint8_t> steps_;  ///< (S,S)
};

/// (i,j) is allowed if some k has (i,k) allowed in a and (k,j) in b.
BitMatrix boolean_product(const BitMatrix& a, const BitMatrix& b);

/// The layers of an expression that mean to forbid pairs at any depth: causal, padding, documents and blocks.
/// Documents, blocks and padding also count where other patterns of their layer let cells through, such as global
/// tokens.
MaskExpression intention_of(const MaskExpression& expression);

/// The pairs that an intention forbids at any depth: no path of cells that it allows, however long, leads from i to j.
BitMatrix forbidden_pairs(const BitMatrix& intention);

}  // namespace headscope
