// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/masks/mask_layers.h"

#include <algorithm>

namespace headscope {

namespace {

using Kind = MaskPattern::Kind;

LayerKind kind_of(const std::vector<MaskPattern>& layer) {
    if (layer.empty()) return LayerKind::Combined;
    const auto all = [&](auto&& test) {
        return std::all_of(layer.begin(), layer.end(), [&](const auto& p) { return test(type_of(p.kind).layer); });
    };
    const LayerKind first = type_of(layer.front().kind).layer;
    if (all([&](LayerKind kind) { return kind == first; })) return first;
    const bool sparse = all([](LayerKind kind) { return kind == LayerKind::Sparse || kind == LayerKind::Window; });
    return sparse ? LayerKind::Sparse : LayerKind::Combined;
}

std::vector<Sentence> names_of(const std::vector<MaskPattern>& layer) {
    std::vector<Sentence> names;
    names.reserve(layer.size());
    for (const auto& pattern : layer) names.push_back(type_of(pattern.kind).sentence(pattern));
    return names;
}

MaskLayer listed(const std::vector<MaskPattern>& patterns, bool on) {
    return {patterns, kind_of(patterns), names_of(patterns), on};
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

Result<MaskPtr> layer_mask(const MaskLayer& layer, const Batch& batch) {
    return Mask::build(MaskExpression{{layer.patterns}}, batch);
}

std::vector<MaskedBy> masked_by(const MaskExpression& expression, const Batch& batch, std::int64_t sequence,
                                std::int64_t i, std::int64_t j) {
    const std::int64_t size = batch.sequence_length();
    std::vector<MaskedBy> layers;
    const auto list = list_layers(expression);
    for (std::size_t place = 0; place < list.size(); ++place) {
        if (!list[place].on) continue;
        std::uint8_t allowed = 0;
        layer_row(list[place].patterns, {i, j, 1, size, batch.real.data() + sequence * size}, &allowed);
        if (!allowed) layers.push_back({place, list[place].names});
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
                return say("the mask was painted for {0}x{0} tokens; of the {1}x{1} now, the cells beyond are allowed",
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
