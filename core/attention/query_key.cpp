// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/query_key.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/base/thread_pool.h"
#include "core/engine/rounding.h"

namespace headscope {

namespace {

using Kind = ScoreRule::Kind;

template <typename T>
void change_head(T* rows, std::int64_t size, std::int64_t head_dim, const HeadPart& part, const RotaryAngles* angles,
                 Precision precision) {
    if (const ScoreRule* norm = part.rule(Kind::Norm)) {
        stages::normalise_rows(rows, size, head_dim, norm->number, precision);
    }
    if (const ScoreRule* rope = part.rule(Kind::Rope)) stages::rotate(rows, *angles, rope->interleaved, precision);
}

bool any_rule(const HeadExpression& expression, std::initializer_list<Kind> kinds) {
    return std::any_of(kinds.begin(), kinds.end(), [&](Kind kind) { return expression.has_rule(kind); });
}

Result<void> check_number(const ScoreRule& rule, Precision precision) {
    if (rule.kind != Kind::SoftCap && rule.kind != Kind::Sink) return {};
    const auto [smallest, largest] = normal_range(precision);
    const double size = std::fabs(rule.number);
    if (size <= largest && (size >= smallest || rule.kind == Kind::Sink)) return {};
    return fail(ErrorCode::InvalidValue, "{} can't be held by {}, whose numbers go from {} to {}", to_string(rule),
                to_string(precision), fmt::format("{:.3g}", smallest), fmt::format("{:.3g}", largest));
}

}  // namespace

RotaryAngles::RotaryAngles(std::int64_t of_positions, std::int64_t head_dim, double base)
    : positions(of_positions), pairs(head_dim / 2) {
    cosines.resize(static_cast<std::size_t>(positions * pairs));
    sines.resize(cosines.size());
    for (std::int64_t d = 0; d < pairs; ++d) {
        const double frequency = std::pow(base, -2 * static_cast<double>(d) / static_cast<double>(head_dim));
        for (std::int64_t position = 0; position < positions; ++position) {
            cosines[index(position, d)] = std::cos(static_cast<double>(position) * frequency);
            sines[index(position, d)] = std::sin(static_cast<double>(position) * frequency);
        }
    }
}

namespace stages {

template <typename T>
void rotate(T* rows, const RotaryAngles& angles, bool interleaved, Precision precision) {
    const std::int64_t pairs = angles.pairs, width = 2 * pairs;
    for (std::int64_t position = 0; position < angles.positions; ++position) {
        T* row = rows + position * width;
        for (std::int64_t d = 0; d < pairs; ++d) {
            T &first = row[interleaved ? 2 * d : d], &second = row[interleaved ? 2 * d + 1 : d + pairs];
            const double x = static_cast<double>(first), y = static_cast<double>(second);
            const double cosine = angles.cosines[angles.index(position, d)],
                         sine = angles.sines[angles.index(position, d)];
            first = static_cast<T>(x * cosine - y * sine);
            second = static_cast<T>(y * cosine + x * sine);
        }
        round_all(row, width, precision);
    }
}

template <typename T>
void normalise_rows(T* rows, std::int64_t count, std::int64_t head_dim, double eps, Precision precision) {
    for (std::int64_t i = 0; i < count; ++i) {
        T* row = rows + i * head_dim;
        double squares = 0;
        for (std::int64_t d = 0; d < head_dim; ++d)
            squares += static_cast<double>(row[d]) * static_cast<double>(row[d]);
        const double root = std::sqrt(squares / static_cast<double>(head_dim) + eps);
        for (std::int64_t d = 0; d < head_dim; ++d) row[d] = static_cast<T>(static_cast<double>(row[d]) / root);
        round_all(row, head_dim, precision);
    }
}

void change_queries_and_keys(Tensor& q, Tensor& k, const HeadExpression& expression, Precision precision) {
    if (!changes_queries(expression)) return;
    const std::int64_t batch = q.dim(0), heads = q.dim(1), size = q.dim(2), dh = q.dim(3);
    const auto change = [&]<typename T>(T) {
        const double operations = 8 * static_cast<double>(q.size());
        parallel_for(threads_for(operations), heads, [&](std::int64_t h, int) {
            const HeadPart& part = expression.of(h);
            const ScoreRule* rope = part.rule(Kind::Rope);
            const auto angles = rope ? std::optional(RotaryAngles(size, dh, rope->number)) : std::nullopt;
            for (std::int64_t b = 0; b < batch; ++b) {
                for (Tensor* tensor : {&q, &k}) {
                    T* rows = tensor->data<T>() + (b * heads + h) * size * dh;
                    change_head(rows, size, dh, part, angles ? &*angles : nullptr, precision);
                }
            }
        });
    };
    q.type() == Tensor::Type::Float64 ? change(double{}) : change(float{});
}

template void rotate(float*, const RotaryAngles&, bool, Precision);
template void rotate(double*, const RotaryAngles&, bool, Precision);
template void normalise_rows(float*, std::int64_t, std::int64_t, double, Precision);
template void normalise_rows(double*, std::int64_t, std::int64_t, double, Precision);

}  // namespace stages

bool changes_queries(const HeadExpression& expression) {
    return any_rule(expression, {Kind::Rope, Kind::Norm});
}

bool changes_scores(const HeadExpression& expression) {
    return any_rule(expression, {Kind::Alibi, Kind::SoftCap});
}

ScoreChange score_change(const Request& request, std::int64_t head) {
    return {request.mask.of(head).rules, head, request.num_heads};
}

std::vector<ScoreChange> score_changes(const Request& request) {
    return score_changes(request.mask, request.num_heads);
}

Result<void> check_rules(const Request& request) {
    for (const HeadPart& part : request.mask.parts()) {
        for (const ScoreRule& rule : part.rules) {
            if (request.source == WeightSource::Recording) {
                return fail(ErrorCode::InvalidMask,
                            "{} changes scores, and a recording has only weights; leave it out of the mask",
                            to_string(rule));
            }
            if (rule.kind == Kind::Rope && request.dims().head_dim() % 2 != 0) {
                return fail(ErrorCode::InvalidMask, "{} rotates pairs of numbers, but head_dim is {}, which is odd",
                            to_string(rule), request.dims().head_dim());
            }
            if (auto number = check_number(rule, request.precision); !number) return number;
        }
    }
    return {};
}

}  // namespace headscope
