// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/masks/closest_mask.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "core/masks/mask_traits.h"
#include "core/masks/pattern.h"

namespace headscope {

namespace {

using Kind = MaskPattern::Kind;
using Layer = std::vector<MaskPattern>;

constexpr std::size_t kMostLayers = 4;

MaskPattern pattern(Kind kind, std::vector<std::int64_t> numbers = {}) {
    return {.kind = kind, .numbers = std::move(numbers)};
}

struct Candidate {
    Layer layer;
    BitMatrix cells;
};

/// The layers that are worth a try, the simplest first: in the order of the table, those of one pattern before those of
/// two.
class Candidates {
public:
    Candidates(const BitMatrix& given, const std::vector<std::uint8_t>& real) : real_(real) {
        const MaskTraits traits = traits_of(given);
        if (std::find(real.begin(), real.end(), 0) != real.end()) add({pattern(Kind::Padding)});
        add({pattern(Kind::Causal)});
        add_windows(traits);
        add_runs(traits);
        add_sparse(traits);
        add_unions(traits);
        add_presets();
    }
    const std::vector<Candidate>& list() const { return list_; }

private:
    void add(Layer layer) {
        if (!known_.insert(to_string(layer)).second) return;
        BitMatrix cells = cells_of(layer.front());
        for (std::size_t n = 1; n < layer.size(); ++n) cells |= cells_of(layer[n]);
        list_.push_back({std::move(layer), std::move(cells)});
    }

    /// Each pattern is computed once, also where it is part of several layers.
    const BitMatrix& cells_of(const MaskPattern& pattern) {
        const auto [place, added] = cells_.try_emplace(to_string({pattern}));
        if (added) place->second = BitMatrix(MaskExpression{{{pattern}}}, real_);
        return place->second;
    }

    void add_windows(const MaskTraits& traits) {
        for (const std::int64_t left : traits.lefts)
            for (const std::int64_t right : traits.rights) windows_.push_back(pattern(Kind::Local, {left, right}));
        for (const MaskPattern& window : windows_) add({window});
    }

    void add_runs(const MaskTraits& traits) {
        for (const auto& lengths : traits.documents) {
            const bool equal = std::all_of(lengths.begin(), lengths.end(),
                                           [&](std::int64_t length) { return length == lengths.front(); });
            const std::int64_t rest =
                traits.size - static_cast<std::int64_t>(lengths.size()) * lengths.front();  // where they are equal
            if (equal && lengths.front() > 1 && rest <= lengths.front()) add({pattern(Kind::Block, {lengths.front()})});
            add({pattern(Kind::Documents, lengths)});
        }
    }

    void add_sparse(const MaskTraits& traits) {
        for (const std::int64_t n : traits.prefixes) add({pattern(Kind::Prefix, {n})});
        for (const std::int64_t n : traits.globals) add({pattern(Kind::Global, {n})});
        if (traits.stride > 0) {
            add({pattern(Kind::Strided, {traits.stride})});
            add({pattern(Kind::Strided, {traits.stride + 1})});
        }
        if (traits.step > 0) {
            add({pattern(Kind::Dilated, {traits.step_left, traits.step_right, traits.step})});
            add({pattern(Kind::Dilated, {traits.step_left, traits.step_left, traits.step})});
        }
        add({pattern(Kind::Logarithmic)});
        constexpr std::int64_t kSeeds = 8;
        const bool sparse = traits.keys_in_row > 0 && 4 * traits.keys_in_row <= traits.size;
        for (std::int64_t seed = 1; seed <= kSeeds && sparse; ++seed)
            add({pattern(Kind::Random, {traits.keys_in_row, seed})});
    }

    /// With prefix or global tokens: a prefix-LM, a window with a sink, Longformer.
    void add_unions(const MaskTraits& traits) {
        Layer firsts{pattern(Kind::Causal)};
        for (const MaskPattern& window : windows_) firsts.push_back(window);
        for (std::size_t n = 0; n < list_.size(); ++n) {
            const Kind kind = list_[n].layer.front().kind;
            if (kind == Kind::Documents || kind == Kind::Block || kind == Kind::Dilated)
                firsts.push_back(list_[n].layer.front());
        }
        for (const MaskPattern& first : firsts) {
            for (const std::int64_t n : traits.globals) add({first, pattern(Kind::Global, {n})});
            for (const std::int64_t n : traits.prefixes) add({first, pattern(Kind::Prefix, {n})});
        }
    }

    void add_presets() {
        for (const PatternType& type : pattern_types())
            for (const MaskPreset& preset : type.presets)
                if (const auto mask = parse_mask(preset.expression))
                    for (const Layer& layer : mask->layers) add(layer);
    }

    const std::vector<std::uint8_t>& real_;
    std::vector<Candidate> list_;
    std::set<std::string> known_;
    std::map<std::string, BitMatrix> cells_;
    std::vector<MaskPattern> windows_;
};

using Chosen = std::vector<const Candidate*>;

BitMatrix all_of(const Chosen& chosen, std::int64_t size) {
    BitMatrix cells(size, size, true);
    for (const Candidate* candidate : chosen) cells &= candidate->cells;
    return cells;
}

/// Removes each layer, the least simple first, without which as few cells differ.
void simplify(Chosen& chosen, const BitMatrix& given) {
    const std::int64_t size = given.queries();
    std::int64_t wrong = differing_cells(all_of(chosen, size), given);
    for (std::size_t n = chosen.size(); n-- > 0;) {
        Chosen fewer = chosen;
        fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(n));
        const std::int64_t without = differing_cells(all_of(fewer, size), given);
        if (without > wrong) continue;
        wrong = without;
        chosen = std::move(fewer);
    }
}

/// Every layer of the expression allows what the mask allows: all such layers together are the mask if any of them are.
std::optional<Chosen> exact_layers(const std::vector<Candidate>& candidates, const BitMatrix& given) {
    Chosen chosen;
    for (const Candidate& candidate : candidates)
        if (given.is_within(candidate.cells)) chosen.push_back(&candidate);
    if (all_of(chosen, given.queries()) != given) return std::nullopt;
    simplify(chosen, given);
    return chosen;
}

/// Adds the layer after which the fewest cells differ, as long as one helps.
void add_helpful_layers(Chosen& chosen, const std::vector<Candidate>& candidates, const BitMatrix& given,
                        const std::atomic<bool>* cancel) {
    BitMatrix cells = all_of(chosen, given.queries());
    std::int64_t wrong = differing_cells(cells, given);
    while (chosen.size() < kMostLayers && wrong > 0 && !(cancel && *cancel)) {
        const Candidate* best = nullptr;
        for (const Candidate& candidate : candidates) {
            const std::int64_t with = differing_cells(cells, candidate.cells, given, wrong);
            if (with >= wrong) continue;
            wrong = with;
            best = &candidate;
        }
        if (!best) break;
        cells &= best->cells;
        chosen.push_back(best);
    }
    simplify(chosen, given);
}

bool is_alone(const Layer& layer, Kind kind) {
    return layer.size() == 1 && layer.front().kind == kind;
}

/// The layers that come closest step by step, from no layer and from those that most masks have: the layer that helps
/// most at first may leave no second one that helps.
Chosen nearest_layers(const std::vector<Candidate>& candidates, const BitMatrix& given,
                      const std::atomic<bool>* cancel) {
    std::vector<Chosen> starts{{}};
    for (const Kind kind : {Kind::Padding, Kind::Causal})
        for (const Candidate& candidate : candidates) {
            if (!is_alone(candidate.layer, kind)) continue;
            for (std::size_t n = 0, count = starts.size(); n < count; ++n) {
                starts.push_back(starts[n]);
                starts.back().push_back(&candidate);
            }
        }
    std::int64_t least = -1;
    Chosen nearest;
    for (Chosen& chosen : starts) {
        add_helpful_layers(chosen, candidates, given, cancel);
        const std::int64_t wrong = differing_cells(all_of(chosen, given.queries()), given);
        if (least >= 0 && wrong >= least) continue;
        least = wrong;
        nearest = std::move(chosen);
    }
    return nearest;
}

/// In the order of the table, as people write them; a window to the left alone follows `causal`.
MaskExpression expression_of(Chosen chosen) {
    std::sort(chosen.begin(), chosen.end());  // candidates stand in one array, the simplest first
    MaskExpression expression;
    const bool causal =
        std::any_of(chosen.begin(), chosen.end(), [](auto* c) { return is_alone(c->layer, Kind::Causal); });
    for (const Candidate* candidate : chosen) {
        const Layer& layer = candidate->layer;
        if (!causal && is_alone(layer, Kind::Local) && layer.front().numbers[1] == 0)
            expression.layers.push_back({pattern(Kind::Causal)});
        expression.layers.push_back(layer);
    }
    return expression;
}

}  // namespace

ClosestMask closest_mask(const BitMatrix& given, const std::vector<std::uint8_t>& real,
                         const std::atomic<bool>* cancel) {
    if (given.queries() == 0) return {};
    const Candidates candidates(given, real);
    auto chosen = exact_layers(candidates.list(), given);
    if (!chosen) chosen = nearest_layers(candidates.list(), given, cancel);
    return {expression_of(*chosen), differing_cells(all_of(*chosen, given.queries()), given)};
}

}  // namespace headscope
