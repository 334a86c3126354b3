// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/masks/expression_mistakes.h"

#include <algorithm>
#include <set>

#include "core/masks/mask_layers.h"
#include "core/masks/mask_row.h"
#include "core/masks/mask_shift.h"
#include "core/masks/pattern.h"
#include "core/masks/pattern_neighbors.h"

namespace headscope {

namespace {

using Named = std::optional<Sentence>;
using Layer = std::vector<MaskPattern>;

std::vector<std::uint8_t> real_of(const MaskCase& masks) {
    if (!masks.real.empty()) return masks.real;
    return std::vector<std::uint8_t>(static_cast<std::size_t>(std::max(masks.given.queries(), masks.given.keys())), 1);
}

bool is_padded(const MaskCase& masks) {
    return std::find(masks.real.begin(), masks.real.end(), 0) != masks.real.end();
}

MaskExpression without(const MaskExpression& expression, std::size_t layer) {
    MaskExpression rest{expression.layers};
    rest.layers.erase(rest.layers.begin() + static_cast<std::ptrdiff_t>(layer));
    return rest;
}

BitMatrix part_at_end(const BitMatrix& whole, const MaskCase& masks) {
    const std::int64_t queries = masks.given.queries(), keys = masks.given.keys(), size = whole.queries();
    return queries == keys ? whole : whole.part(size - queries, size - keys, queries, keys);
}

/// The token of query 0, or of key 0, among the tokens of the expression.
std::int64_t first_token(const MaskCase& masks, std::int64_t count) {
    return std::max(masks.given.queries(), masks.given.keys()) - count;
}

/// Whether an expression has the given cells in one row: cheaper than all rows.
bool row_is(const MaskExpression& expression, std::int64_t row, const MaskCase& masks) {
    const std::int64_t keys = masks.given.keys(), key0 = first_token(masks, keys);
    const auto real = real_of(masks);
    std::vector<std::uint8_t> cells(static_cast<std::size_t>(keys));
    mask_row(expression, {row + first_token(masks, masks.given.queries()), key0, keys, std::ssize(real), real.data()},
             cells.data());
    for (std::int64_t j = 0; j < keys; ++j)
        if (masks.given.at(row, j) != (cells[static_cast<std::size_t>(j)] != 0)) return false;
    return true;
}

bool is_alone(const Layer& layer, MaskPattern::Kind kind) {
    return layer.size() == 1 && layer.front().kind == kind;
}

/// The run of tokens, counted from 0, to which each token belongs.
std::vector<std::int64_t> runs_of(const Layer& layer, const MaskCase& masks) {
    const BitMatrix cells(MaskExpression{{layer}}, real_of(masks));
    std::vector<std::int64_t> runs(static_cast<std::size_t>(cells.queries()), 0);
    for (std::int64_t t = 1; t < cells.queries(); ++t)
        runs[static_cast<std::size_t>(t)] = runs[static_cast<std::size_t>(t - 1)] + !cells.at(t, t - 1);
    return runs;
}

Sentence leak_sentence(const Layer& layer, const std::vector<std::int64_t>& runs, std::int64_t a, std::int64_t b,
                       std::size_t pairs) {
    const char* what = layer.front().kind == MaskPattern::Kind::Block ? phrase("blocks") : phrase("documents");
    if (pairs > 1)
        return say("a leak between {}: {} pairs attend to each other, the first {} and {}", what, pairs, a + 1, b + 1);
    const auto first = [&](std::int64_t run) { return std::lower_bound(runs.begin(), runs.end(), run) - runs.begin(); };
    return say("a leak: {} {} and {} leak into each other, tokens {} to {} and {} to {}", what, a + 1, b + 1, first(a),
               first(a + 1) - 1, first(b), first(b + 1) - 1);
}

Sentence off_by_one_sentence(const MaskPattern& given, const MaskPattern& meant) {
    const std::string is = to_string({given}), was = to_string({meant});
    switch (meant.kind) {
        case MaskPattern::Kind::Local:
            return say("off by one: the window is {} where {} was meant", is, was);
        case MaskPattern::Kind::Documents:
            return say("off by one: the boundaries are {} where {} was meant", is, was);
        default:
            return say("off by one: it is {} where {} was meant", is, was);
    }
}

Named find_wrong_layer(const MaskCase& masks, std::size_t place) {
    const Layer& layer = masks.expression.layers[place];
    const MaskExpression others = without(masks.expression, place);
    const BitMatrix rest = cells_of(others, masks), cells = cells_of(MaskExpression{{layer}}, masks);
    const std::string text = short_text(MaskExpression{{layer}});
    if (masks.given == rest) return say("without the mask layer {}", text);
    if (others.layers.empty()) return std::nullopt;
    if (masks.given == (rest & cells.inverted())) return say("inverted only in the mask layer {}", text);
    if (rest.queries() == rest.keys() && masks.given == (rest & cells.transposed()))
        return say("transposed only in the mask layer {}", text);
    if (const MaskShift* shift = shift_of_layer(masks.given, cells, rest))
        return say("{} only in the mask layer {}", shift->name, text);
    return std::nullopt;
}

}  // namespace

BitMatrix cells_of(const MaskExpression& expression, const MaskCase& masks) {
    return part_at_end(BitMatrix(expression, real_of(masks)), masks);
}

Named find_padded_queries(const MaskCase& masks) {
    if (!is_padded(masks)) return std::nullopt;
    BitMatrix rows = masks.meant;
    for (std::int64_t i = 0; i < rows.queries(); ++i)
        if (!masks.real[static_cast<std::size_t>(i + first_token(masks, rows.queries()))]) rows.clear_row(i);
    if (masks.given == rows) return say("padding on queries as well: the rows of [PAD] queries are fully masked");
    const auto& layers = masks.expression.layers;
    for (std::size_t place = 0; place < layers.size(); ++place) {
        if (!is_alone(layers[place], MaskPattern::Kind::Padding) || rows.queries() != rows.keys()) continue;
        const BitMatrix padding = cells_of(MaskExpression{{layers[place]}}, masks);
        if (masks.given == (cells_of(without(masks.expression, place), masks) & padding.transposed()))
            return say("padding on queries instead of keys");
    }
    return std::nullopt;
}

Named find_corner(const MaskCase& masks) {
    const std::int64_t queries = masks.given.queries(), keys = masks.given.keys();
    if (masks.expression.layers.empty()) return std::nullopt;
    if (queries != keys) {
        const BitMatrix whole(masks.expression, real_of(masks));
        if (masks.given != whole.part(0, 0, queries, keys)) return std::nullopt;
        return say("upper-left corner where lower-right was meant: {} queries and {} keys end with the same token",
                   queries, keys);
    }
    if (!is_padded(masks) || !masks.expression.uses_padding()) return std::nullopt;
    MaskCase other = masks;
    std::reverse(other.real.begin(), other.real.end());
    if (other.real == masks.real || masks.given != cells_of(masks.expression, other)) return std::nullopt;
    return masks.real.front() ? say("lower-right corner where upper-left was meant: padding comes last")
                              : say("upper-left corner where lower-right was meant: padding comes first");
}

Named find_leak(const MaskCase& masks) {
    if (!masks.meant.is_within(masks.given)) return std::nullopt;
    const auto& layers = masks.expression.layers;
    for (std::size_t place = 0; place < layers.size(); ++place) {
        const Layer& layer = layers[place];
        if (!is_alone(layer, MaskPattern::Kind::Documents) && !is_alone(layer, MaskPattern::Kind::Block)) continue;
        if (!masks.given.is_within(cells_of(without(masks.expression, place), masks))) continue;
        const auto runs = runs_of(layer, masks);
        const auto run_of = [&](std::int64_t token) { return runs[static_cast<std::size_t>(token)]; };
        const std::int64_t query0 = first_token(masks, masks.given.queries()),
                           key0 = first_token(masks, masks.given.keys());
        const BitMatrix leaks = masks.given ^ masks.meant;
        std::set<std::pair<std::int64_t, std::int64_t>> pairs;
        for (std::int64_t i = 0; i < leaks.queries(); ++i)
            for_each_key(leaks.row(i),
                         [&](std::int64_t j) { pairs.insert(std::minmax(run_of(i + query0), run_of(j + key0))); });
        return leak_sentence(layer, runs, pairs.begin()->first, pairs.begin()->second, pairs.size());
    }
    return std::nullopt;
}

Named find_off_by_one(const MaskCase& masks) {
    const auto first = first_difference(masks.given, masks.meant);
    const auto is_given = [&](const MaskExpression& expression) {
        return row_is(expression, first->query, masks) && masks.given == cells_of(expression, masks);
    };
    for (std::size_t l = 0; l < masks.expression.layers.size(); ++l)
        for (std::size_t p = 0; p < masks.expression.layers[l].size(); ++p) {
            const MaskPattern& pattern = masks.expression.layers[l][p];
            for (MaskPattern& neighbor : neighbors_of(pattern)) {
                MaskExpression changed{masks.expression.layers};
                changed.layers[l][p] = neighbor;
                if (is_given(changed)) return off_by_one_sentence(neighbor, pattern);
            }
        }
    return std::nullopt;
}

Named find_layer(const MaskCase& masks) {
    for (std::size_t place = 0; place < masks.expression.layers.size(); ++place)
        if (auto found = find_wrong_layer(masks, place)) return found;
    if (masks.expression.layers.empty() && masks.meant.count() != masks.meant.queries() * masks.meant.keys())
        return std::nullopt;  // only the cells are known
    for (const MaskPattern::Kind kind : {MaskPattern::Kind::Causal, MaskPattern::Kind::Padding}) {
        const MaskExpression one_more{{{MaskPattern{.kind = kind}}}};
        if (masks.given == (masks.meant & cells_of(one_more, masks)))
            return say("with the additional mask layer {}", to_string(one_more));
    }
    return std::nullopt;
}

}  // namespace headscope
