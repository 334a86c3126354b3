// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "core/attention/trace.h"

namespace headscope {

// Summaries of many heads, derived from the weights and to be labelled so. A sequence whose weights were not kept
// (docs/conventions.md 16) gives empty vectors and tensors.

/// Means over the rows that count: queries at real tokens whose weights are finite and not all 0.
struct HeadSummary {
    std::int64_t rows = 0;     ///< that count; if 0, the means are NaN
    double entropy_bits = 0;   ///< 0 = every query attends to one key, log2(S) = to all equally
    double mean_distance = 0;  ///< Σ weight · |query - key|, in tokens
};
std::vector<HeadSummary> head_summaries(const Trace& trace, std::int64_t sequence);

/// (S,S), the mean of the heads' weights: what nn.MultiheadAttention returns with
/// average_attn_weights=True. NaN in one head makes the mean NaN.
Tensor mean_over_heads(const Trace& trace, std::int64_t sequence);

/// How much two heads differ: the Jensen-Shannon divergence (Lin 1991) of their rows in bits, 0 = equal, 1 = never the
/// same key, averaged over the rows that count in both; Clark et al. (2019) compare BERT's heads so.
struct HeadLikeness {
    std::int64_t heads = 0;
    std::int64_t rows = 0;           ///< compared: at most 256, spread evenly, fewer if there are many heads and keys
    std::vector<double> divergence;  ///< (H,H), symmetric, 0 on the diagonal and where no row counts in both
};
/// Errors: InvalidValue with more than 128 heads, or where the weights weren't kept; Cancelled.
Result<HeadLikeness> head_likeness(const Trace& trace, std::int64_t sequence,
                                   const std::atomic<bool>* cancel = nullptr);

/// An order that puts similar heads next to each other: groups are joined from the closest pair on by the mean
/// divergence between their heads (average linkage, Sokal and Michener 1958).
struct HeadOrder {
    std::vector<std::int64_t> heads;
    /// The divergence at which the head's group joined that of the head before it (0 for the first): cutting the
    /// order where it exceeds a threshold gives the groups at that threshold.
    std::vector<double> joined_at;
};
HeadOrder order_by_likeness(const HeadLikeness& likeness);

/// (S,S), 1 = kept: in each row the smallest set of cells with `share` (0 to 1) of its weight; of equal weights the
/// first keys. Keeps all of a row with NaN and nothing of a row of zeros.
std::vector<std::uint8_t> heaviest_cells(const MatrixView& weights, double share);

}  // namespace headscope
