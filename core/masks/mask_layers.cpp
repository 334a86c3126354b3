// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/masks/mask_layers.h"

#include <algorithm>

namespace headscope {

namespace {

using Kind = MaskPattern::Kind;

LayerKind kind_of(Kind kind) {
    switch (kind) {
        case Kind::Padding:
            return LayerKind::Padding;
        case Kind::Causal:
            return LayerKind::Causal;
        case Kind::Local:
            return LayerKind::Window;
        case Kind::Strided:
        case Kind::Dilated:
        case Kind::Global:
        case Kind::Block:
            return LayerKind::Sparse;
        case Kind::File:
        case Kind::Painted:
            return LayerKind::Painted;
    }
    return LayerKind::Combined;
}

LayerKind kind_of(const std::vector<MaskPattern>& layer) {
    if (layer.empty()) return LayerKind::Combined;
    const auto all = [&](auto&& test) {
        return std::all_of(layer.begin(), layer.end(), [&](const auto& p) { return test(kind_of(p.kind)); });
    };
    const LayerKind first = kind_of(layer.front().kind);
    if (all([&](LayerKind kind) { return kind == first; })) return first;
    const bool sparse = all([](LayerKind kind) { return kind == LayerKind::Sparse || kind == LayerKind::Window; });
    return sparse ? LayerKind::Sparse : LayerKind::Combined;
}

Sentence name_of(const MaskPattern& p) {
    switch (p.kind) {
        case Kind::Padding:
            return say("padding: no [PAD] as a key");
        case Kind::Causal:
            return say("causal: nothing after the query");
        case Kind::Local:
            return say("window: {} to the left, {} to the right", p.a, p.b);
        case Kind::Strided:
            return say("strided: the nearest {0}, then one in {0}", p.a);
        case Kind::Dilated:
            return say("dilated: {} to the left and {} to the right in steps of {}", p.a, p.b, p.c);
        case Kind::Global:
            return say("global tokens: {} (they see all, and all see them)", p.a);
        case Kind::Block:
            return say("blocks of {}", p.a);
        case Kind::File:
            return say("the file {}", p.path);
        case Kind::Painted:
            return say("painted by hand");
    }
    return {};
}

/// Patterns of which one must allow a cell: "window: ..., or global tokens: ...".
Sentence name_of(const std::vector<MaskPattern>& layer) {
    if (layer.size() == 1) return name_of(layer.front());
    std::string names;
    for (const auto& pattern : layer) names.append(names.empty() ? "" : ", or ").append(name_of(pattern).str());
    return say("{}", names);
}

MaskLayer listed(const std::vector<MaskPattern>& patterns, bool on) {
    return {patterns, kind_of(patterns), name_of(patterns), on};
}

}  // namespace

std::vector<MaskLayer> list_layers(const MaskExpression& expression) {
    std::vector<MaskLayer> list;
    auto off = expression.off.begin();
    const auto add_off = [&](std::size_t before) {
        for (; off != expression.off.end() && off->before <= before; ++off)
            list.push_back(listed(off->patterns, false));
    };
    for (std::size_t at = 0; at < expression.layers.size(); ++at) {
        add_off(at);
        list.push_back(listed(expression.layers[at], true));
    }
    add_off(static_cast<std::size_t>(-1));
    return list;
}

MaskExpression from_layers(const std::vector<MaskLayer>& layers) {
    MaskExpression expression;
    for (const MaskLayer& layer : layers) {
        if (layer.on) {
            expression.layers.push_back(layer.patterns);
        } else {
            expression.off.push_back({expression.layers.size(), layer.patterns});
        }
    }
    return expression;
}

MaskExpression switched(const MaskExpression& expression, std::size_t place, bool on) {
    auto layers = list_layers(expression);
    if (place < layers.size()) layers[place].on = on;
    return from_layers(layers);
}

bool layer_allows(const std::vector<MaskPattern>& layer, const Batch& batch, std::int64_t sequence, std::int64_t i,
                  std::int64_t j) {
    return std::any_of(layer.begin(), layer.end(), [&](const MaskPattern& pattern) {
        return pattern.kind == Kind::Padding ? batch.is_real(sequence, j) : pattern.allows(i, j);
    });
}

Result<MaskPtr> layer_mask(const MaskLayer& layer, const Batch& batch) {
    return Mask::build(MaskExpression{{layer.patterns}}, batch);
}

std::vector<ShutBy> shut_by(const MaskExpression& expression, const Batch& batch, std::int64_t sequence, std::int64_t i,
                            std::int64_t j) {
    std::vector<ShutBy> layers;
    const auto list = list_layers(expression);
    for (std::size_t place = 0; place < list.size(); ++place) {
        if (!list[place].on || layer_allows(list[place].patterns, batch, sequence, i, j)) continue;
        layers.push_back({place, list[place].name});
    }
    return layers;
}

std::string short_text(const MaskExpression& expression) {
    std::string text;
    for (const auto& layer : expression.layers) {
        if (!text.empty()) text += ',';
        for (std::size_t p = 0; p < layer.size(); ++p) {
            if (p > 0) text += '+';
            const PaintedMask* painted = layer[p].kind == Kind::Painted ? layer[p].painted.get() : nullptr;
            text += painted ? fmt::format("painted:{} ({}/{})", painted->size,
                                          std::count(painted->cells.begin(), painted->cells.end(), 1),
                                          painted->cells.size())
                            : to_string({layer[p]});
        }
    }
    return text.empty() ? "none" : text;
}

std::optional<Sentence> painted_size_note(const MaskExpression& expression, std::int64_t sequence_length) {
    for (const auto& layer : expression.layers) {
        for (const auto& pattern : layer) {
            if (pattern.kind != Kind::Painted || !pattern.painted) continue;
            const std::int64_t size = pattern.painted->size, s = sequence_length;
            if (size < s) {
                return say("the mask was painted for {0}x{0} tokens; of the {1}x{1} now, the cells beyond are open",
                           size, s);
            }
            if (size > s) {
                return say("the mask was painted for {0}x{0} tokens; {1}x{1} of them are shown, the rest is kept", size,
                           s);
            }
        }
    }
    return std::nullopt;
}

}  // namespace headscope
