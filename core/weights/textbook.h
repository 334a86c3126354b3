// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/batch.h"
#include "core/weights/layer.h"

namespace headscope {

/// The role of a textbook head; head h has role h mod 8.
enum class TextbookRole { Previous, Next, Itself, First, SameWord, TwoBack, Neighbourhood, Everything };

TextbookRole textbook_role(std::int64_t head);
/// "previous token", "next token", "itself", "first token", "same word", "two back", "neighbourhood", "everything"
std::string_view to_string(TextbookRole role);

/// Weights by formula that give each head its role on the vectors of textbook_x(). Any legal pair works;
/// textbook_limit() says where head_dim is so small that a role blurs.
///
/// - A head with its target d tokens away compares pairs of sines and cosines: W_q rotates them by d tokens, W_k copies
///   them, so q·k is largest where key = query + d (RoFormer's argument, Su et al. 2021). If that token does not exist,
///   the most similar position gets the weight: the nearest, where a head compares 16 pairs. The target's scaled score
///   is 28, more with fewer pairs. "Neighbourhood" is "itself" with a score of 3.5; "first token"
///   has the vector of position 0 as its bias.
/// - "Same word" compares content pairs only, which have length 1: equal texts get equal weights.
/// - "Everything" has q = k = 0, so that the softmax is exactly 1/S.
/// - v copies a slice of the content, a different one in each head, and out_proj is the identity, so the tokens that a
///   head attends to can be recognised in context and output.
Layer textbook_layer(std::int64_t embed_dim, std::int64_t num_heads);
/// (B,S,E) in float32: first the content, pairs of length 1 whose directions are drawn from the token's text and the
/// seed (token_vector()); then the position, E/4 cosines and as many sines of position·ω, ω = 10000^(-4f/E).
Tensor textbook_x(const Batch& batch, std::uint64_t seed, std::int64_t embed_dim);
/// Roles that blur: among so many tokens the target gets less than 0.9 of the weight.
struct TextbookLimit {
    std::vector<TextbookRole> unclear;
    std::int64_t tokens = 0;
    std::int64_t clear_embed_dim = 0;  ///< with which no role of as many heads blurs
};
/// Nothing if no role of these heads blurs.
std::optional<TextbookLimit> textbook_limit(std::int64_t embed_dim, std::int64_t num_heads);

}  // namespace headscope
