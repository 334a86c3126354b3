// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/batch.h"
#include "core/layer.h"

namespace headscope {

/// What a textbook head is built to do; head h has role h mod 8.
enum class TextbookRole { Previous, Next, Itself, First, SameWord, TwoBack, Neighbourhood, Everything };

TextbookRole textbook_role(std::int64_t head);
/// "previous token", "next token", "itself", "first token", "same word", "two back", "neighbourhood", "everything"
std::string_view to_string(TextbookRole role);

/// Weights by formula so that each head does its role, on the vectors of textbook_x(). Works for every legal pair;
/// textbook_limit() says where head_dim is too small for a role to come out clearly.
Layer textbook_layer(std::uint64_t seed, std::int64_t embed_dim, std::int64_t num_heads);
/// (B,S,E): a content part (a seeded unit vector of the token's text) and a position part (sines and cosines).
Tensor textbook_x(const Batch& batch, std::uint64_t seed, std::int64_t embed_dim);
/// Empty where every role comes out at this head_dim; else a sentence that says which roles don't, and why.
std::string textbook_limit(std::int64_t embed_dim, std::int64_t num_heads);

}  // namespace headscope
