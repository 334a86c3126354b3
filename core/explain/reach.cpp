// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/explain/reach.h"

#include <algorithm>
#include <utility>

namespace headscope {

namespace {

using Word = BitMatrix::Word;

void add_row(std::span<Word> row, std::span<const Word> other) {
    for (std::size_t w = 0; w < row.size(); ++w) row[w] |= other[w];
}

}  // namespace

/// Breadth-first from every query: what is new in one layer leads to what is new in the next, so that each pair's row
/// is combined once, whatever the number of layers.
Reach::Reach(const BitMatrix& mask, int layers, const std::atomic<bool>* cancel)
    : mask_(mask), layers_(std::clamp(layers, 1, kMostLayers)) {
    const std::int64_t size = mask.queries();
    steps_.resize(static_cast<std::size_t>(size * size));
    BitMatrix row(1, size), next(1, size), seen(1, size);
    for (std::int64_t i = 0; i < size && !(cancel && *cancel); ++i) {
        std::copy(mask.row(i).begin(), mask.row(i).end(), row.row(0).begin());
        seen = row;
        std::uint8_t* steps = steps_.data() + i * size;
        for (int layer = 1; layer <= layers_; ++layer) {
            next.clear_row(0);
            bool any = false;
            for_each_key(row.row(0), [&](std::int64_t j) {
                any = true;
                steps[j] = static_cast<std::uint8_t>(layer);
                add_row(next.row(0), mask.row(j));
            });
            if (!any) break;
            for (std::size_t w = 0; w < seen.row(0).size(); ++w) {
                const Word found = next.row(0)[w] & ~seen.row(0)[w];
                row.row(0)[w] = found;
                seen.row(0)[w] |= found;
            }
        }
    }
}

BitMatrix Reach::within(int layers) const {
    BitMatrix pairs(size(), size());
    for (std::int64_t i = 0; i < size(); ++i)
        for (std::int64_t j = 0; j < size(); ++j)
            if (reaches(i, j) && steps(i, j) <= layers) pairs.set(i, j, true);
    return pairs;
}

std::int64_t Reach::count(std::int64_t i, int layers) const {
    const std::uint8_t* row = steps_.data() + i * size();
    return std::count_if(row, row + size(), [layers](std::uint8_t steps) { return steps > 0 && steps <= layers; });
}

std::vector<std::int64_t> Reach::path(std::int64_t i, std::int64_t j) const {
    std::vector<std::int64_t> positions;
    if (!reaches(i, j)) return positions;
    positions.push_back(i);
    for (int left = steps(i, j) - 1; left > 0; --left) {
        std::int64_t k = 0;
        while (!mask_.at(i, k) || steps(k, j) != left) ++k;
        positions.push_back(i = k);
    }
    positions.push_back(j);
    return positions;
}

BitMatrix boolean_product(const BitMatrix& a, const BitMatrix& b) {
    BitMatrix product(a.queries(), b.keys());
    for (std::int64_t i = 0; i < a.queries(); ++i)
        for_each_key(a.row(i), [&](std::int64_t k) { add_row(product.row(i), b.row(k)); });
    return product;
}

MaskExpression intention_of(const MaskExpression& expression) {
    using Kind = MaskPattern::Kind;
    MaskExpression intention;
    for (const auto& layer : expression.layers)
        for (const MaskPattern& pattern : layer) {
            const bool parts = pattern.kind == Kind::Documents || pattern.kind == Kind::Block ||
                               pattern.kind == Kind::Padding || (pattern.kind == Kind::Causal && layer.size() == 1);
            if (parts) intention.layers.push_back({pattern});
        }
    return intention;
}

/// Warshall (1962): after step k, paths through the positions up to k are known.
BitMatrix forbidden_pairs(const BitMatrix& intention) {
    BitMatrix reached = intention;
    for (std::int64_t k = 0; k < reached.queries(); ++k)
        for (std::int64_t i = 0; i < reached.queries(); ++i)
            if (i != k && reached.at(i, k)) add_row(reached.row(i), std::as_const(reached).row(k));
    return reached.inverted();
}

}  // namespace headscope
