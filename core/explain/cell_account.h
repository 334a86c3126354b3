// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/explain/row_account.h"
#include "core/masks/mask_layers.h"
#include "core/masks/score_rule.h"

namespace headscope {

/// Explains one cell: how the weight of query i on key j in a head is computed, and what it adds to the context. q and
/// k are those after the head's rules (rope, qknorm). q, k, v, score, masked score, weight and context are the trace's
/// own numbers. The steps between them are computed from these in double, and agree with the trace to within the
/// rounding of the products' sum.
struct CellAccount {
    std::int64_t sequence = 0, head = 0, query = 0, key = 0;

    std::vector<double> q{}, k{};    ///< (Dh)
    std::vector<double> products{};  ///< (Dh) q ⊙ k
    double product_sum = 0;          ///< Σ products
    /// The sum rounded to the precision, before it is scaled. In float its last digits may differ from the engine's; in
    /// the half formats it is the sum that gives the score.
    double rounded_sum = 0;
    bool divided = true;     ///< by √Dh, or multiplied by a scale
    double scale = 1;        ///< √Dh or the scale, rounded to the precision
    double exact_score = 0;  ///< rounded_sum after scaling, before it is rounded again
    /// What a rule of the head makes of the score: a cap, or a slope times the distance |i - j| that is subtracted.
    struct Change {
        ScoreRule::Kind kind;
        double number;  ///< the cap or the slope
        std::int64_t distance;
        double before, after;  ///< in exact arithmetic, from exact_score on
    };
    std::vector<Change> changes{};
    double score = 0;  ///< the trace's

    std::vector<MaskedBy> masked_by{};  ///< the layers that mask the cell; empty if it is allowed
    double masked_score = 0;            ///< the trace's: score, or the fill

    double maximum = 0;            ///< of the row's masked scores
    double exponential = 0;        ///< exp(masked_score - maximum), as in RowAccount
    double row_sum = 0;            ///< of the row's exponentials, with the sink's
    std::optional<double> sink{};  ///< the head's logit that joins the row's softmax
    double sink_exponential = 0;   ///< exp(sink - maximum)
    double quotient = 0;           ///< exponential / row_sum; 0 where the softmax excludes the key
    double weight = 0;             ///< the trace's: the quotient, rounded
    bool leaked = false;           ///< the cell is masked, but has weight

    std::vector<double> v{};        ///< (Dh)
    std::vector<double> added{};    ///< (Dh) weight · v; 0 where a masked key is excluded, whatever its v
    std::vector<double> context{};  ///< (Dh) the trace's: the sum over every key, of which `added` is one part
};

/// Errors: InvalidValue if there is no such key, and those of row_account().
Result<CellAccount> cell_account(const Trace& trace, std::int64_t sequence, std::int64_t head, std::int64_t query,
                                 std::int64_t key);

}  // namespace headscope
