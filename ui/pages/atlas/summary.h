// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/explain/head_summary.h"
#include "ui/state/derived_matrix.h"

namespace headscope {

/// What a sequence's heads come to: a few numbers each, their mean, how alike they are, and their heaviest cells.
struct Summary {
    TracePtr trace;
    int sequence = 0;
    double share = 1;  ///< of each row's weight that the maps keep in sight
    std::vector<HeadSummary> heads{};
    Tensor mean{};  ///< (S,S)
    Result<HeadLikeness> likeness = fail(ErrorCode::Cancelled, "");
    HeadOrder order{};  ///< by likeness; empty where that is an error

    std::vector<DerivedMatrixPtr> maps{};  ///< a head each; where share is 1 null, and the trace's own are drawn
    DerivedMatrixPtr mean_map{};
    std::int64_t kept = 0, allowed = 0;  ///< cells of all heads: those that hold the share, of those that are allowed
};
using SummaryPtr = std::shared_ptr<const Summary>;

/// What can be taken over from `previous` (null: nothing) is. Where cancel becomes true the rest means nothing.
SummaryPtr summarise(const TracePtr& trace, int sequence, double share, const SummaryPtr& previous,
                     const std::atomic<bool>& cancel);

/// By which a table of heads can be sorted.
enum class HeadKey { Number, Role, Entropy, Distance };
/// Heads by a key; those that are equal by their number, what is NaN last.
std::vector<int> sortedHeads(const Summary& summary, HeadKey key, bool descending);

/// The group of each head in the order by likeness, from 0: a head joins that before it where they joined below `cut`.
std::vector<int> groupsAt(const HeadOrder& order, double cut);

}  // namespace headscope
