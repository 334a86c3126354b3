// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "core/explain/row_account.h"
#include "core/masks/mask_layers.h"

namespace headscope {

/// The story of one cell: how query i of a head comes to its weight on key j, and what that adds to its context. q, k,
/// v, score, masked score, weight and context are the trace's own numbers. What stands between them is computed in
/// double from the trace's numbers, so that it explains each to within the rounding of the products' sum.
struct CellAccount {
    std::int64_t sequence = 0, head = 0, query = 0, key = 0;

    std::vector<double> q{}, k{};    ///< (Dh)
    std::vector<double> products{};  ///< (Dh) q ⊙ k
    double product_sum = 0;          ///< Σ products
    /// The sum as the precision keeps it before it is scaled. (In float it is taken in float, so that a place or two at
    /// its end may differ; in the half formats it is the one behind the score.)
    double rounded_sum = 0;
    bool divided = true;     ///< by √Dh, or multiplied by a scale
    double scale = 1;        ///< that √Dh or that scale, as the precision holds it
    double exact_score = 0;  ///< rounded_sum scaled, before it is rounded in turn
    double score = 0;        ///< the trace's

    std::vector<ShutBy> shut_by{};  ///< the mask's layers that shut the cell; none = open
    double masked_score = 0;        ///< the trace's: score, or the fill

    double maximum = 0;      ///< of the row's masked scores
    double exponential = 0;  ///< exp(masked_score - maximum), as in RowAccount
    double row_sum = 0;      ///< of the row's exponentials
    double quotient = 0;     ///< exponential / row_sum; 0 where the softmax leaves the key out
    double weight = 0;       ///< the trace's: the quotient, rounded
    bool leaked = false;     ///< masked, and has weight all the same

    std::vector<double> v{};        ///< (Dh)
    std::vector<double> added{};    ///< (Dh) weight · v; 0 where a masked key is left out, whatever its v holds
    std::vector<double> context{};  ///< (Dh) the trace's: the sum over every key, of which `added` is one part
};

/// Errors: InvalidValue where there is no such cell, or its scores weren't kept.
Result<CellAccount> cell_account(const Trace& trace, std::int64_t sequence, std::int64_t head, std::int64_t query,
                                 std::int64_t key);

}  // namespace headscope
