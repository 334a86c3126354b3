// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/masks/pattern.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace headscope {

using Kind = MaskPattern::Kind;

void RowCells::allow(std::int64_t from, std::int64_t to) const {
    from = std::max(from, first);
    to = std::min(to, end);
    if (from < to) std::memset(cells + (from - first), 1, static_cast<std::size_t>(to - from));
}

void RowCells::allow_each(std::int64_t from, std::int64_t to, std::int64_t step) const {
    if (from < first) from += (first - from + step - 1) / step * step;
    for (std::int64_t j = from; j <= std::min(to, end - 1); j += step) cells[j - first] = 1;
}

void RowCells::allow_where(const std::uint8_t* row, std::int64_t size) const {
    for (std::int64_t j = first; j < std::min(end, size); ++j)
        cells[j - first] |= static_cast<std::uint8_t>(row[j] != 0);
}

TileKind kind_of_expression(const MaskExpression& expression, const CellRectangle& r) {
    TileKind all = TileKind::FullyAllowed;
    for (const auto& layer : expression.layers) {
        TileKind any = TileKind::FullyMasked;
        for (const auto& pattern : layer) {
            const TileKind kind = type_of(pattern.kind).tile(pattern, r);
            if (kind == TileKind::FullyAllowed) any = TileKind::FullyAllowed;
            if (kind == TileKind::Mixed && any == TileKind::FullyMasked) any = TileKind::Mixed;
        }
        if (any == TileKind::FullyMasked) return TileKind::FullyMasked;
        if (any == TileKind::Mixed) all = TileKind::Mixed;
    }
    return all;
}

TileKind kind_of_cells(const std::uint8_t* cells, std::int64_t stride, const CellRectangle& r) {
    bool any_allowed = false, any_masked = false;
    for (std::int64_t i = r.i0; i < r.i1; ++i) {
        const auto* row = cells + i * stride;
        const auto count = static_cast<std::size_t>(r.j1 - r.j0);
        any_allowed = any_allowed || std::memchr(row + r.j0, 1, count);
        any_masked = any_masked || std::memchr(row + r.j0, 0, count);
        if (any_allowed && any_masked) return TileKind::Mixed;
    }
    return any_allowed ? TileKind::FullyAllowed : TileKind::FullyMasked;
}

TileKind kind_of_rows(const MaskPattern& p, const CellRectangle& r) {
    std::array<std::uint8_t, TileMap::kSide> cells;
    bool any_allowed = false, any_masked = false;
    for (std::int64_t i = r.i0; i < r.i1; ++i) {
        for (std::int64_t j = r.j0; j < r.j1; j += TileMap::kSide) {
            const std::int64_t count = std::min(TileMap::kSide, r.j1 - j);
            layer_row({p}, {i, j, count, r.size, r.real}, cells.data());
            any_allowed = any_allowed || std::memchr(cells.data(), 1, static_cast<std::size_t>(count));
            any_masked = any_masked || std::memchr(cells.data(), 0, static_cast<std::size_t>(count));
            if (any_allowed && any_masked) return TileKind::Mixed;
        }
    }
    return any_allowed ? TileKind::FullyAllowed : TileKind::FullyMasked;
}

const PatternType& type_of(Kind kind) {
    return pattern_types()[static_cast<std::size_t>(kind)];
}

const PatternType* type_of(std::string_view word) {
    for (const PatternType& type : pattern_types()) {
        if (word == type.word) return &type;
    }
    return nullptr;
}

std::string form_of(const PatternType& type) {
    if (type.kind == Kind::File) return "file:PATH";
    std::string form = type.word;
    for (const PatternNumber& number : type.numbers) form.append(":").append(number.name);
    return type.repeats ? fmt::format("{}1:{}2:...", form, type.numbers.back().name) : form;
}

std::string example_of(const PatternType& type) {
    if (type.kind == Kind::File) return "file:mask.npy";
    std::string example = type.word;
    for (const PatternNumber& number : type.numbers) example += fmt::format(":{}", number.start);
    return example;
}

std::string pattern_forms() {
    std::string forms;
    for (const PatternType& type : pattern_types()) {
        if (type.kind != Kind::Painted) forms.append(forms.empty() ? "" : ", ").append(form_of(type));
    }
    return forms;
}

Sentence short_name(const MaskPattern& pattern) {
    const PatternType& type = type_of(pattern.kind);
    return type.short_name ? type.short_name(pattern) : say("{}", to_string({pattern}));
}

}  // namespace headscope
