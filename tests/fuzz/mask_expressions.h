// SPDX-License-Identifier: GPL-3.0-or-later
// The contract of mask expressions for any text: a mask whose text, cells, tiles and layers agree, or one sentence.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>

#include "core/engine/score_change.h"
#include "core/explain/mask_python.h"
#include "core/masks/head_expression.h"
#include "core/masks/mask_layers.h"
#include "core/masks/mask_text.h"
#include "core/masks/tile_map.h"

namespace headscope::fuzz {

/// Tiles of the expression that are said to be fully masked or fully allowed are.
inline std::string wrong_with_tiles(const TileMap& tiles, const Mask& mask) {
    for (std::int64_t b = 0; b < mask.batch(); ++b) {
        std::int64_t allowed = 0;
        for (std::int64_t i = 0; i < mask.size(); ++i) allowed += mask.allowed_in_row(b, i);
        const TileKind kind = tiles.block(b, 0, 0);
        if (kind == TileKind::FullyMasked && allowed > 0) return "a tile called fully masked has allowed cells";
        if (kind == TileKind::FullyAllowed && allowed < mask.size() * mask.size())
            return "a tile called fully allowed has masked cells";
    }
    return {};
}

/// The layers that are said to mask a cell do so exactly if the cell is masked.
inline std::string wrong_with_layers(const MaskExpression& expression, const Batch& batch, const Mask& mask) {
    for (std::int64_t n = 0; n < mask.size(); ++n) {
        const std::int64_t key = n * 7 % mask.size();
        if (masked_by(expression, batch, 1, n, key).empty() != mask.allowed(1, n, key))
            return "the layers that mask a cell don't agree with the cell";
    }
    return {};
}

inline std::string wrong_with_legal(const MaskExpression& expression, std::int64_t size) {
    const std::string text = to_string(expression);
    const auto again = parse_mask(text);
    if (!again || !(*again == expression) || to_string(*again) != text) return "another mask when it is read again";
    // One tile holds every cell; the second sequence is shorter by a third.
    const std::vector<std::string> longer(static_cast<std::size_t>(size), "a");
    std::vector<std::string> shorter = longer;
    std::fill(shorter.begin() + static_cast<std::ptrdiff_t>(size - size / 3), shorter.end(), std::string(kPad));
    const Batch batch = make_batch({longer, shorter});
    const auto mask = Mask::build(expression, batch);
    const auto tiles = TileMap::of(expression, batch);
    if (mask.has_value() != tiles.has_value()) return "cells without tiles, or tiles without cells";
    if (!mask) return mask.error().code == ErrorCode::InvalidMask ? "" : "an error of another kind";
    if (auto wrong = wrong_with_tiles(*tiles, **mask); !wrong.empty()) return wrong;
    if (auto wrong = wrong_with_layers(expression, batch, **mask); !wrong.empty()) return wrong;
    return python_mask(expression, batch) ? "" : "no Python code for a mask with cells";
}

inline std::string wrong_with_heads(const HeadExpression& expression, std::int64_t size) {
    const auto again = parse_heads(to_string(expression));
    if (!again || !(*again == expression)) return "other heads when they are read again";
    for (const HeadPart& part : expression.parts())
        if (auto wrong = wrong_with_legal(part.mask, size); !wrong.empty()) return wrong;
    constexpr std::int64_t kHeads = 8;
    if (!check_heads(expression, kHeads)) return {};
    for (std::int64_t head = 0; head < kHeads; ++head) {
        const ScoreChange change(expression.of(head).rules, head, kHeads);
        std::array<float, 3> scores{-1, 0, 100};
        change.apply(scores.data(), 3, 1, 0, Precision::Float32);
        if (!std::all_of(scores.begin(), scores.end(), [](float score) { return std::isfinite(score); }))
            return "a score that is not finite";
    }
    return {};
}

/// The first byte chooses the number of tokens, 1 to 64; the rest is the expression.
inline std::string wrong_with_mask_expression(std::string_view bytes) {
    if (bytes.empty()) return {};
    const std::int64_t size = 1 + static_cast<unsigned char>(bytes[0]) % TileMap::kSide;
    const std::string_view text = bytes.substr(1);
    const std::string split = MaskText(text).str();
    if (MaskText(split).str() != split) return "another text when its layers are joined and split again";
    if (const auto mask = parse_mask(text); !mask) {
        if (mask.error().code != ErrorCode::InvalidMask) return "an error of another kind";
        if (mask.error().message().find("mask") == std::string::npos) return "an error that doesn't name the mask";
    }
    const auto heads = parse_heads(text);
    return heads                                          ? wrong_with_heads(*heads, size)
           : heads.error().code == ErrorCode::InvalidMask ? ""
                                                          : "an error of another kind";
}

}  // namespace headscope::fuzz
