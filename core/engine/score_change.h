// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/config.h"
#include "core/masks/head_expression.h"

namespace headscope {

/// What the rules of one head do to its scores, before the mask, and to its softmax.
struct ScoreChange {
    struct Step {
        ScoreRule::Kind kind;  ///< Alibi or SoftCap
        double number;         ///< the head's slope, or the cap
        bool operator==(const Step&) const = default;
    };
    std::vector<Step> steps{};     ///< in the order in which they apply
    std::optional<double> sink{};  ///< a logit beside the scores of each row, which has no value

    ScoreChange() = default;
    /// Of head number `head` of a layer of num_heads.
    ScoreChange(const std::vector<ScoreRule>& rules, std::int64_t head, std::int64_t num_heads);

    bool none() const { return steps.empty() && !sink; }
    /// Changes n scores of a query, of the keys first_key ...; each operation is rounded to the precision.
    template <typename T>
    void apply(T* scores, std::int64_t n, std::int64_t query, std::int64_t first_key, Precision precision) const;
    /// What one step makes of a score in exact arithmetic.
    static double changed(const Step& step, double score, std::int64_t query, std::int64_t key);
    bool operator==(const ScoreChange&) const = default;
};

/// Of each of so many heads; empty if no head's rules change scores or the softmax.
std::vector<ScoreChange> score_changes(const HeadExpression& expression, std::int64_t num_heads);

}  // namespace headscope
