// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/attention/trace.h"
#include "core/base/sentence.h"

namespace headscope {

enum class RowOutcome {
    Normal,         ///< weights that sum to 1, or with a sink to less
    FullyMasked,    ///< no key is allowed: the result depends on the fill
    NothingFinite,  ///< has allowed keys, but all of their scores are -inf
    NotFinite,      ///< a score that the softmax uses is NaN or +inf
};

/// Explains one row: query i of a head, over its S keys. Scores, masked scores and weights are the trace's own numbers;
/// all other values are computed from them in double.
struct RowAccount {
    std::int64_t sequence = 0, head = 0, query = 0;
    std::vector<double> scores{}, masked{};  ///< (S) before and after the mask
    std::vector<std::uint8_t> allowed{};     ///< (S) 1 = allowed
    std::vector<double> weights{};           ///< (S)

    std::optional<double> sink{};        ///< the head's logit that joins the softmax, rounded to the precision
    double maximum = 0;                  ///< of the masked scores and the sink; NaN where one is NaN
    std::vector<double> exponentials{};  ///< (S) exp(masked - maximum); 0 for keys that the softmax excludes
    double sink_exponential = 0;         ///< exp(sink - maximum); 0 without a sink
    double row_sum = 0;                  ///< of the exponentials, with the sink's

    std::int64_t allowed_keys = 0;
    double entropy_bits = 0;  ///< of the weights: 0 = one key has all, log2(S) = uniform; NaN if a weight is
    RowOutcome outcome = RowOutcome::Normal;
    Sentence reason{};  ///< why the row has this outcome, in words

    /// The weights of the same scores without any mask, rounded to the precision (S).
    std::vector<double> unmasked_weights{};
    std::vector<double> change{};  ///< (S) weights - unmasked_weights, redistributed by the mask; NaN if a weight is
    double taken = 0;              ///< the unmasked weight of the masked keys, in sum
    double leaked = 0;             ///< leaked weight of the masked keys, in sum: not 0 with -1e9 only
};

/// Errors: InvalidValue if the sequence, head or query does not exist; Unsupported for a recording, which has no
/// scores.
Result<RowAccount> row_account(const Trace& trace, std::int64_t sequence, std::int64_t head, std::int64_t query);

/// The outcome of a fully masked row of S keys, in words.
Sentence fully_masked_row_sentence(Fill fill, Precision precision, std::int64_t keys);

/// A common mistake: the softmax over every key, and then 0 in the masked cells. Returns weights (S) that no longer sum
/// to 1, because the row is not renormalised; NaN if a weight is NaN.
std::vector<double> masked_after_softmax(const RowAccount& row);

/// One row of a matrix in double.
std::vector<double> row_values(const MatrixView& view, std::int64_t row);

/// -Σ p log2 p over the p > 0 (Shannon 1948); NaN if a weight is NaN.
double entropy_in_bits(const std::vector<double>& weights);

}  // namespace headscope
