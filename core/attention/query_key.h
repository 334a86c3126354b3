// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "core/attention/request.h"
#include "core/base/tensor.h"
#include "core/engine/score_change.h"

namespace headscope {

/// The cosines and sines of RoPE's angles (S, Dh/2): position · base^(-2d/Dh).
struct RotaryAngles {
    std::int64_t positions = 0, pairs = 0;
    std::vector<double> cosines{}, sines{};
    RotaryAngles(std::int64_t positions, std::int64_t head_dim, double base);
    std::size_t index(std::int64_t position, std::int64_t pair) const {
        return static_cast<std::size_t>(position * pairs + pair);
    }
};

namespace stages {

/// Rotates each pair of numbers of a head's q or k (S,Dh) by its angle (Su and others 2021): the numbers d and d + Dh/2
/// (half, as in Llama), or 2d and 2d + 1 (interleaved, as in the paper). Dh is even. Each result is rounded.
template <typename T>
void rotate(T* rows, const RotaryAngles& angles, bool interleaved, Precision precision);

/// Divides each row by its root mean square: x / sqrt(mean(x²) + eps), accumulated in double and then rounded.
template <typename T>
void normalise_rows(T* rows, std::int64_t count, std::int64_t head_dim, double eps, Precision precision);

/// Applies the rules of each head to q and k (B,H,S,Dh): first the norm, then the rotation.
void change_queries_and_keys(Tensor& q, Tensor& k, const HeadExpression& expression, Precision precision);

}  // namespace stages

/// True if an expression changes q or k of some head (rope, qknorm), or its scores (alibi, softcap).
bool changes_queries(const HeadExpression& expression);
bool changes_scores(const HeadExpression& expression);
/// What the rules of each of the request's heads do to its scores and softmax; empty if none does anything.
std::vector<ScoreChange> score_changes(const Request& request);
/// The same of one head.
ScoreChange score_change(const Request& request, std::int64_t head);

/// InvalidMask if a rule does not fit the layer: an odd head_dim for rope, or any rule for a recording, which has no
/// scores. InvalidValue for a number that the precision can't hold.
Result<void> check_rules(const Request& request);

}  // namespace headscope
