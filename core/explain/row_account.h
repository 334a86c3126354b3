// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "core/attention/trace.h"
#include "core/base/sentence.h"

namespace headscope {

enum class RowOutcome {
    Normal,         ///< weights that sum to 1
    Empty,          ///< may attend to no key: what comes out depends on the fill
    NothingFinite,  ///< may attend to some, but all of their scores are -inf
    NotFinite,      ///< a score that counts is NaN or +inf
};

/// The story of one row: query i of a head, over its S keys. Scores, masked scores and weights are the trace's own
/// numbers; what is derived from them is computed in double.
struct RowAccount {
    std::int64_t sequence = 0, head = 0, query = 0;
    std::vector<double> scores{}, masked{};  ///< (S) before and after the mask
    std::vector<std::uint8_t> open{};        ///< (S) 1 = may attend
    std::vector<double> weights{};           ///< (S)

    double maximum = 0;                  ///< of the masked scores; NaN where one is NaN
    std::vector<double> exponentials{};  ///< (S) exp(masked - maximum); 0 where the mask or an empty safe row says so
    double row_sum = 0;                  ///< of the exponentials

    std::int64_t open_keys = 0;
    double entropy_bits =
        0;  ///< of the weights, in bits: 0 = one key has all, log2(S) = uniform; NaN where a weight is
    RowOutcome outcome = RowOutcome::Normal;
    Sentence reason{};  ///< why the row is as it is, in words

    /// The weights that the same scores would have without any mask, rounded to the precision (S).
    std::vector<double> unmasked_weights{};
    std::vector<double> change{};  ///< weights - unmasked_weights (S): to whom it went; NaN where a weight is NaN
    double taken = 0;              ///< the unmasked weight of the masked keys: what the mask took
    double leaked = 0;             ///< the weight that masked keys have all the same: not 0 with -1e9 only
};

/// Errors: InvalidValue where there is no such sequence, head or query, or its weights weren't kept (CONVENTIONS 16).
Result<RowAccount> row_account(const Trace& trace, std::int64_t sequence, std::int64_t head, std::int64_t query);

/// What becomes of a row that may attend to none of its S keys.
Sentence empty_row_sentence(Fill fill, Precision precision, std::int64_t keys);

/// A common mistake: the softmax over every key, then 0 where the mask is. Weights (S) that no longer sum to 1, because
/// the row is not renormalised; NaN where a weight is NaN.
std::vector<double> masked_after_softmax(const RowAccount& row);

/// The scores of one query (S), before the mask: the trace's, or computed where it keeps none.
std::vector<double> score_row(const Trace& trace, std::int64_t sequence, std::int64_t head, std::int64_t query);

/// One row of a matrix in double.
std::vector<double> row_values(const MatrixView& view, std::int64_t row);

/// -Σ p log2 p over the p > 0 (Shannon 1948); NaN where a weight is NaN.
double entropy_in_bits(const std::vector<double>& weights);

}  // namespace headscope
