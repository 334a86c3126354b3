// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "core/attention/trace.h"

namespace headscope {

// Summaries of several heads, derived from the weights; views must label them as derived. A sequence whose weights were
// not kept (docs/conventions.md 16) gives empty vectors and tensors.

/// Means over the rows that count: queries at real tokens whose weights are finite and not all 0. Of weights that are
/// not kept, over at most 256 of them, spread evenly.
struct HeadSummary {
    std::int64_t rows = 0;     ///< number of rows that count; if 0, the means are NaN
    double entropy_bits = 0;   ///< 0 = every query attends to one key, log2(S) = to all equally
    double mean_distance = 0;  ///< Σ weight · |query - key|, in tokens
};
std::vector<HeadSummary> head_summaries(const Trace& trace, std::int64_t sequence,
                                        const std::atomic<bool>* cancel = nullptr);

/// (S,S), the mean of the heads' weights: what nn.MultiheadAttention returns with
/// average_attn_weights=True. NaN in one head makes the mean NaN.
Tensor mean_over_heads(const Trace& trace, std::int64_t sequence);

/// The difference between two heads: the Jensen-Shannon divergence (Lin 1991) of their rows in bits, 0 = equal, 1 = no
/// key in common, averaged over the rows that count in both. Clark et al. (2019) compare BERT's heads in this way.
struct HeadLikeness {
    std::int64_t heads = 0;
    std::int64_t rows = 0;           ///< rows compared: at most 256, spread evenly; fewer for many heads and keys
    std::vector<double> divergence;  ///< (H,H), symmetric, 0 on the diagonal and where no row counts in both
};
/// Errors: InvalidValue with more than 128 heads, or if the weights were not kept; Cancelled.
Result<HeadLikeness> head_likeness(const Trace& trace, std::int64_t sequence,
                                   const std::atomic<bool>* cancel = nullptr);

/// An order in which similar heads are adjacent: groups are joined, the closest pair first, by the mean divergence
/// between their heads (average linkage, Sokal and Michener 1958).
struct HeadOrder {
    std::vector<std::int64_t> heads;
    /// The divergence at which the head's group joined that of the head before it (0 for the first): cutting the
    /// order where it exceeds a threshold gives the groups at that threshold.
    std::vector<double> joined_at;
};
HeadOrder order_by_likeness(const HeadLikeness& likeness);

/// (S,S), 1 = kept: in each row the smallest set of cells that has the fraction `share` (0 to 1) of its weight; the
/// first keys among equal weights. Keeps every cell of a row with NaN, and none of a row of zeros.
std::vector<std::uint8_t> heaviest_cells(const MatrixView& weights, double share);

}  // namespace headscope
