// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/masks/mask_row.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace headscope {

namespace {

/// The cells of a stretch, to which a pattern adds the keys that it allows. Keys count from the row's beginning.
struct Cells {
    std::uint8_t* cells;
    std::int64_t first, end;

    /// Opens from <= j < to, cut to what the stretch has.
    void open(std::int64_t from, std::int64_t to) const {
        from = std::max(from, first);
        to = std::min(to, end);
        if (from < to) std::memset(cells + (from - first), 1, static_cast<std::size_t>(to - from));
    }
    /// Opens every step-th key from `from` to `to`, both included.
    void open_each(std::int64_t from, std::int64_t to, std::int64_t step) const {
        if (from < first) from += (first - from + step - 1) / step * step;
        for (std::int64_t j = from; j <= std::min(to, end - 1); j += step) cells[j - first] = 1;
    }
    /// row: the row's bytes from its beginning, `size` of them; beyond nothing is opened.
    void open_where(const std::uint8_t* row, std::int64_t size) const {
        for (std::int64_t j = first; j < std::min(end, size); ++j)
            cells[j - first] |= static_cast<std::uint8_t>(row[j] != 0);
    }
};

void add_pattern(const MaskPattern& pattern, const RowStretch& stretch, const Cells& cells) {
    const std::int64_t i = stretch.query, size = stretch.size;
    switch (pattern.kind) {
        case MaskPattern::Kind::Padding:
            return cells.open_where(stretch.real, size);
        case MaskPattern::Kind::Causal:
            return cells.open(0, i + 1);
        case MaskPattern::Kind::Local:
            return cells.open(i - pattern.a, i + pattern.b + 1);
        case MaskPattern::Kind::Strided:
            cells.open(i - pattern.a + 1, i + pattern.a);
            return cells.open_each(i % pattern.a, size - 1, pattern.a);
        case MaskPattern::Kind::Dilated: {
            const std::int64_t left = std::min(pattern.a, i / pattern.c);
            return cells.open_each(i - left * pattern.c, i + pattern.b * pattern.c, pattern.c);
        }
        case MaskPattern::Kind::Global:
            return cells.open(0, i < pattern.a ? size : pattern.a);
        case MaskPattern::Kind::Block: {
            const std::int64_t begin = i / pattern.a * pattern.a;
            return cells.open(begin, begin + pattern.a);
        }
        case MaskPattern::Kind::File:
            return cells.open_where(pattern.painted->cells.data() + i * size, size);
        case MaskPattern::Kind::Painted: {
            const std::int64_t painted = i < pattern.painted->size ? pattern.painted->size : 0;
            if (painted > 0) cells.open_where(pattern.painted->cells.data() + i * painted, painted);
            return cells.open(painted, size);
        }
    }
}

bool is_square(const PaintedMask* painted) {
    return painted && painted->size > 0 &&
           static_cast<std::int64_t>(painted->cells.size()) == painted->size * painted->size;
}

/// A stretch that fits the buffer in which a layer is made before it joins those before it.
constexpr std::int64_t kPiece = 512;

/// 1 where one of the layer's patterns allows the key.
void make_layer(const std::vector<MaskPattern>& layer, const RowStretch& stretch, std::uint8_t* cells) {
    std::memset(cells, 0, static_cast<std::size_t>(stretch.count));
    for (const auto& pattern : layer)
        add_pattern(pattern, stretch, {cells, stretch.first, stretch.first + stretch.count});
}

void join_layer(const std::vector<MaskPattern>& layer, const RowStretch& piece, std::uint8_t* cells) {
    std::array<std::uint8_t, kPiece> allowed;
    make_layer(layer, piece, allowed.data());
    for (std::int64_t j = 0; j < piece.count; ++j) cells[j] &= allowed[static_cast<std::size_t>(j)];
}

}  // namespace

void mask_row(const MaskExpression& expression, const RowStretch& stretch, std::uint8_t* cells) {
    const auto& layers = expression.layers;
    if (layers.empty()) {
        std::memset(cells, 1, static_cast<std::size_t>(stretch.count));
        return;
    }
    make_layer(layers.front(), stretch, cells);
    for (std::int64_t done = 0; done < stretch.count && layers.size() > 1; done += kPiece) {
        RowStretch piece = stretch;
        piece.first += done;
        piece.count = std::min(kPiece, stretch.count - done);
        for (auto layer = layers.begin() + 1; layer != layers.end(); ++layer) join_layer(*layer, piece, cells + done);
    }
}

Result<void> check_painted(const MaskExpression& expression, std::int64_t size) {
    for (const auto& layer : expression.layers) {
        for (const auto& pattern : layer) {
            if (pattern.kind == MaskPattern::Kind::Painted && !is_square(pattern.painted.get())) {
                return fail(ErrorCode::InvalidMask, "the painted mask has no cells; paint it, or load it from a file");
            }
            if (pattern.kind != MaskPattern::Kind::File) continue;
            if (!pattern.painted) {
                return fail(ErrorCode::InvalidMask, "the mask file '{}' was not read", pattern.path);
            }
            const std::int64_t painted = pattern.painted->size;
            if (painted != size || !is_square(pattern.painted.get())) {
                return fail(ErrorCode::InvalidMask,
                            "the mask file '{0}' is {1}x{1}, but the sequences have the length {2}; it must be "
                            "{2}x{2}",
                            pattern.path, painted, size);
            }
        }
    }
    return {};
}

}  // namespace headscope
