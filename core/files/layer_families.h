// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/config.h"

namespace headscope {

/// The names under which a family of models stores an attention layer, and what follows from them.
struct LayerFamily {
    const char* name;                  ///< "GPT-2"; a phrase() where it is words
    Layout layout;                     ///< docs/conventions.md 11
    std::vector<std::string> weights;  ///< after the prefix: one fused weight, or query, key, value
    std::vector<std::string> biases;   ///< one for each weight, or one for all
    /// The module of the output projection, after the prefix; after "../", beside the module of the others.
    std::string out;
    /// The names of modules that the prefix must end with, such as "h.#.attn", where # is any number; empty = any.
    std::string within{};
    /// What models of this family compute with but no tensor shows, as a phrase(); nullptr = nothing.
    const char* feature = nullptr;
    std::optional<double> scale{};  ///< nothing = 1/sqrt(head_dim)
    /// The beginnings of names under the prefix that belong to what follows the attention.
    std::vector<std::string> after{};
};

/// The families in the order in which they are tried: the first counts whose names all match.
const std::vector<LayerFamily>& layer_families();

/// Positions inside the attention, which this program does not compute; phrases of a not-computed sentence.
extern const char* const kRotary;
extern const char* const kAlibi;
extern const char* const kSoftCapped;

}  // namespace headscope
