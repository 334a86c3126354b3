// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/masks/mask_edit.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace headscope::paint {

namespace {

bool inside(const PaintedMask& mask, std::int64_t at) {
    return at >= 0 && at < mask.size;
}

std::size_t place(const PaintedMask& mask, std::int64_t query, std::int64_t key) {
    return static_cast<std::size_t>(query * mask.size + key);
}

void set(PaintedMask& mask, std::int64_t query, std::int64_t key, bool allowed) {
    if (inside(mask, query) && inside(mask, key)) mask.cells[place(mask, query, key)] = allowed;
}

std::vector<MaskPattern>* painted_alone(MaskExpression& expression) {
    const auto found = std::find_if(expression.layers.begin(), expression.layers.end(), [](const auto& layer) {
        return layer.size() == 1 && layer.front().kind == MaskPattern::Kind::Painted;
    });
    return found == expression.layers.end() ? nullptr : &*found;
}

}  // namespace

PaintedMask uniform(std::int64_t size, bool allowed) {
    return {size, std::vector<std::uint8_t>(static_cast<std::size_t>(size * size), allowed)};
}

PaintedMask cell(PaintedMask mask, Cell at, bool allowed) {
    set(mask, at.query, at.key, allowed);
    return mask;
}

PaintedMask row(PaintedMask mask, std::int64_t query, bool allowed) {
    const std::int64_t last = mask.size - 1;
    return rectangle(std::move(mask), {query, 0}, {query, last}, allowed);
}

PaintedMask column(PaintedMask mask, std::int64_t key, bool allowed) {
    const std::int64_t last = mask.size - 1;
    return rectangle(std::move(mask), {0, key}, {last, key}, allowed);
}

PaintedMask rectangle(PaintedMask mask, Cell corner, Cell opposite, bool allowed) {
    const auto range = [&](std::int64_t a, std::int64_t b) {
        return std::pair(std::max<std::int64_t>(std::min(a, b), 0), std::min(std::max(a, b), mask.size - 1));
    };
    const auto [top, bottom] = range(corner.query, opposite.query);
    const auto [left, right] = range(corner.key, opposite.key);
    for (std::int64_t i = top; i <= bottom; ++i) {
        for (std::int64_t j = left; j <= right; ++j) mask.cells[place(mask, i, j)] = allowed;
    }
    return mask;
}

PaintedMask line(PaintedMask mask, Cell from, Cell to, bool allowed) {
    // Far outside the grid the slope is not visible, but stepping there would take time.
    constexpr std::int64_t kFar = 1 << 16;
    for (std::int64_t* at : {&from.query, &from.key, &to.query, &to.key}) *at = std::clamp(*at, -kFar, kFar);
    const std::int64_t down = std::abs(to.query - from.query), across = std::abs(to.key - from.key);
    const std::int64_t step_down = from.query < to.query ? 1 : -1, step_across = from.key < to.key ? 1 : -1;
    std::int64_t error = across - down;
    for (Cell at = from;;) {
        set(mask, at.query, at.key, allowed);
        if (at.query == to.query && at.key == to.key) return mask;
        const std::int64_t twice = 2 * error;
        if (twice > -down) {
            error -= down;
            at.key += step_across;
        }
        if (twice < across) {
            error += across;
            at.query += step_down;
        }
    }
}

PaintedMask diagonal(PaintedMask mask, std::int64_t offset, bool allowed) {
    if (std::abs(offset) >= mask.size) return mask;
    for (std::int64_t i = 0; i < mask.size; ++i) set(mask, i, i + offset, allowed);
    return mask;
}

PaintedMask inverted(PaintedMask mask) {
    for (std::uint8_t& allowed : mask.cells) allowed = !allowed;
    return mask;
}

PaintedMask transposed(const PaintedMask& mask) {
    PaintedMask turned = mask;
    for (std::int64_t i = 0; i < mask.size; ++i) {
        for (std::int64_t j = 0; j < mask.size; ++j) turned.cells[place(mask, j, i)] = mask.cells[place(mask, i, j)];
    }
    return turned;
}

PaintedMask fitted(const PaintedMask& mask, std::int64_t size) {
    PaintedMask other = uniform(size, true);
    for (std::int64_t i = 0; i < std::min(size, mask.size); ++i) {
        std::copy_n(mask.cells.data() + i * mask.size, std::min(size, mask.size), other.cells.data() + i * size);
    }
    return other;
}

Result<PaintedMask> from_expression(const MaskExpression& expression, const Batch& batch, std::int64_t sequence) {
    if (sequence < 0 || sequence >= batch.size()) {
        return fail(ErrorCode::InvalidValue, "there is no sequence {}; the batch has {}", sequence, batch.size());
    }
    const auto mask = Mask::build(expression, batch);
    if (!mask) return tl::unexpected(mask.error());
    const std::int64_t size = (*mask)->size();
    PaintedMask painted{size, std::vector<std::uint8_t>(static_cast<std::size_t>(size * size))};
    for (std::int64_t i = 0; i < size; ++i) {
        std::uint8_t* row = painted.cells.data() + i * size;
        const std::uint8_t* cells = (*mask)->cells(sequence, i, 0, size, row);
        if (cells != row) std::copy_n(cells, size, row);
    }
    return painted;
}

std::shared_ptr<const PaintedMask> painted_layer(const MaskExpression& expression) {
    MaskExpression copy{expression.layers};
    const auto* layer = painted_alone(copy);
    return layer ? layer->front().painted : nullptr;
}

MaskExpression with_painted_layer(MaskExpression expression, PaintedMask mask) {
    auto* layer = painted_alone(expression);
    if (!layer) {
        layer = &expression.layers.emplace_back();
        layer->push_back({.kind = MaskPattern::Kind::Painted});
    }
    layer->front().painted = std::make_shared<const PaintedMask>(std::move(mask));
    return expression;
}

}  // namespace headscope::paint
