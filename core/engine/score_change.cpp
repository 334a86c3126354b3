// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/score_change.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "core/engine/row_kernels.h"

namespace headscope {

namespace {

using Step = ScoreChange::Step;

/// As PyTorch's autocast would: each operation is rounded, and so are the numbers of the rules.
double rounded_step(const Step& step, double score, std::int64_t distance, Precision precision) {
    const auto round = [precision](double value) { return round_to(precision, value); };
    const double number = round(step.number);
    if (step.kind == ScoreRule::Kind::SoftCap) return round(number * round(std::tanh(round(score / number))));
    return round(score - round(number * static_cast<double>(distance)));
}

}  // namespace

ScoreChange::ScoreChange(const std::vector<ScoreRule>& rules, std::int64_t head, std::int64_t num_heads) {
    for (const ScoreRule& rule : rules) {
        if (rule.kind == ScoreRule::Kind::Alibi) {
            steps.push_back({rule.kind, alibi_slope(head, num_heads, rule.number)});
        } else if (rule.kind == ScoreRule::Kind::SoftCap) {
            steps.push_back({rule.kind, rule.number});
        } else if (rule.kind == ScoreRule::Kind::Sink) {
            sink = rule.number;
        }
    }
}

template <typename T>
void ScoreChange::apply(T* scores, std::int64_t n, std::int64_t query, std::int64_t first_key,
                        Precision precision) const {
    for (const Step& step : steps) {
        if (is_half(precision)) {
            for (std::int64_t j = 0; j < n; ++j) {
                scores[j] = static_cast<T>(
                    rounded_step(step, static_cast<double>(scores[j]), std::abs(first_key + j - query), precision));
            }
        } else if (step.kind == ScoreRule::Kind::SoftCap) {
            rows::soft_cap(scores, n, static_cast<T>(step.number));
        } else {
            rows::subtract_distances(scores, n, static_cast<T>(step.number), first_key - query);
        }
    }
}

double ScoreChange::changed(const Step& step, double score, std::int64_t query, std::int64_t key) {
    if (step.kind == ScoreRule::Kind::SoftCap) return step.number * std::tanh(score / step.number);
    return score - step.number * static_cast<double>(std::abs(key - query));
}

std::vector<ScoreChange> score_changes(const HeadExpression& expression, std::int64_t num_heads) {
    std::vector<ScoreChange> changes;
    for (std::int64_t head = 0; head < num_heads; ++head) {
        changes.emplace_back(expression.of(head).rules, head, num_heads);
    }
    const bool any = std::any_of(changes.begin(), changes.end(), [](const auto& change) { return !change.none(); });
    return any ? changes : std::vector<ScoreChange>();
}

template void ScoreChange::apply(float*, std::int64_t, std::int64_t, std::int64_t, Precision) const;
template void ScoreChange::apply(double*, std::int64_t, std::int64_t, std::int64_t, Precision) const;

}  // namespace headscope
