// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/compare/compared_maps.h"

#include <algorithm>
#include <cmath>

#include "core/attention/row_reader.h"

namespace headscope {
namespace {

constexpr std::int64_t kMostCells = 1 << 20;  // that are read to choose a head

/// The scale of one trace's head; nothing where it has no such head, or its scale no width.
std::optional<ColorScale> scaleOf(const Trace& trace, const Selection& selection, int head) {
    if (!has_rows(trace, selection.stage, selection.sequence, head)) return std::nullopt;
    const ColorScale scale = colorScale(trace, selection, head);
    return scale.high > scale.low ? std::optional(scale) : std::nullopt;
}

/// Hatched only where both masks mask a cell.
std::vector<std::uint8_t> allowedInEither(const DifferenceMatrix& facts, Stage stage) {
    if (stage == Stage::Scores || facts.masked_a.empty() || facts.masked_b.empty()) return {};
    std::vector<std::uint8_t> allowed(facts.masked_a.size());
    for (std::size_t i = 0; i < allowed.size(); ++i) allowed[i] = !(facts.masked_a[i] && facts.masked_b[i]);
    return allowed;
}

DerivedMatrixPtr derivedFrom(const DifferenceMatrix& facts, Stage stage) {
    Tensor numbers = Tensor::of<double>({facts.rows, facts.columns});
    std::copy(facts.values.begin(), facts.values.end(), numbers.data<double>());
    return std::make_shared<const DerivedMatrix>(
        DerivedMatrix{.numbers = numbers, .allowed = allowedInEither(facts, stage), .is_signed = true});
}

double largestFinite(const std::vector<double>& values) {
    double largest = 0;
    for (const double value : values)
        if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
    return largest;
}

}  // namespace

ColorScale commonScale(const Trace& a, const Trace& b, const Selection& selection, int head) {
    const auto of_a = scaleOf(a, selection, head), of_b = scaleOf(b, selection, head);
    ColorScale scale = of_a.value_or(of_b.value_or(ColorScale{0, 0, false, selection.shownPalette()}));
    if (!of_a || !of_b) return scale;
    scale.low = std::min(of_a->low, of_b->low);
    scale.high = std::max(of_a->high, of_b->high);
    return scale;
}

int mostChangedHead(const Trace& a, const Trace& b, int sequence) {
    const Dims dims = a.dims();
    if (b.dims().num_heads != dims.num_heads || b.dims().sequence_length != dims.sequence_length) return 0;
    if (dims.num_heads * dims.sequence_length * dims.sequence_length > kMostCells) return 0;
    int head = 0;
    double most = 0;
    for (int h = 0; h < dims.num_heads; ++h) {
        const MatrixView left = a.matrix(Stage::Weights, sequence, h), right = b.matrix(Stage::Weights, sequence, h);
        if (!left || !right) return 0;
        double sum = 0;
        for (std::int64_t i = 0; i < left.rows; ++i)
            for (std::int64_t j = 0; j < left.columns; ++j) {
                const double difference = std::abs(left.at(i, j) - right.at(i, j));
                if (std::isfinite(difference)) sum += difference;
            }
        if (!(sum > most)) continue;
        most = sum;
        head = h;
    }
    return head;
}

ComparedMaps compareMaps(const Trace& a, const Trace& b, const Selection& selection, int head,
                         const std::atomic<bool>* cancel) {
    constexpr std::int64_t kSampledRows = 256;
    ComparedMaps maps;
    maps.scale = commonScale(a, b, selection, head);
    const bool both = is_square(selection.stage) && has_rows(a, selection.stage, selection.sequence, head) &&
                      has_rows(b, selection.stage, selection.sequence, head);
    maps.tiled = both && (!a.matrix(selection.stage, selection.sequence, head) ||
                          !b.matrix(selection.stage, selection.sequence, head));
    if (maps.tiled) {
        maps.facts = sampled_difference(a, b, selection.stage, selection.sequence, head, kSampledRows, cancel);
        if (!maps.facts) return maps;
        const double most = maps.facts->within_rounding() ? std::max(1.0, maps.facts->floor) : maps.facts->largest;
        maps.difference_scale = {-most, most, false, Palette::Diverging};
        const auto at = [&](const Trace& of) {
            return cell_of(of, selection.stage, selection.sequence, head, maps.facts->row, maps.facts->column);
        };
        maps.largest = at(a) - at(b);
        return maps;
    }
    maps.facts = difference(a, b, selection.stage, selection.sequence, head);
    if (!maps.facts) return maps;
    DifferenceMatrix& facts = *maps.facts;
    maps.difference = derivedFrom(facts, selection.stage);
    // What is only rounding is not painted as if it were much.
    const double most = facts.within_rounding() ? std::max(1.0, facts.floor) : largestFinite(facts.values);
    maps.difference_scale = {-most, most, false, Palette::Diverging};
    if (!facts.values.empty())
        maps.largest = facts.values[static_cast<std::size_t>(facts.row * facts.columns + facts.column)];
    facts.values = {};
    facts.masked_a = {};
    facts.masked_b = {};
    return maps;
}

}  // namespace headscope
