// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

#include "core/masks/head_expression.h"

namespace headscope {

/// Lines that define score_mod(score, b, h, i, j) as FlexAttention takes it, with the slopes of each head as dtype;
/// empty if no head's scores change. It takes single numbers as well as tensors of (B,H,S,S).
std::string python_score_mod(const HeadExpression& expression, std::int64_t num_heads, const std::string& dtype);

/// Lines that define `sinks`, a logit for each head (-inf for a head without one); empty if none has one.
std::string python_sinks(const HeadExpression& expression, std::int64_t num_heads, const std::string& dtype);

/// Lines that rotate and normalise q and k (B,H,S,Dh), with the functions that they call; empty if no rule does.
std::string python_queries_and_keys(const HeadExpression& expression, std::int64_t num_heads);

}  // namespace headscope
