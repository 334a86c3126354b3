// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/masks/mask_row.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "core/masks/pattern.h"

namespace headscope {

namespace {

bool is_square(const PaintedMask* painted) {
    return painted && painted->size > 0 &&
           static_cast<std::int64_t>(painted->cells.size()) == painted->size * painted->size;
}

/// Number of keys in the buffer for one layer's cells, before they are combined with the other layers'.
constexpr std::int64_t kPiece = 512;

void join_layer(const std::vector<MaskPattern>& layer, const RowStretch& piece, std::uint8_t* cells) {
    std::array<std::uint8_t, kPiece> allowed;
    layer_row(layer, piece, allowed.data());
    for (std::int64_t j = 0; j < piece.count; ++j) cells[j] &= allowed[static_cast<std::size_t>(j)];
}

Result<void> check_cells(const MaskPattern& pattern, std::int64_t size) {
    if (pattern.kind == MaskPattern::Kind::Painted && !is_square(pattern.painted.get())) {
        return fail(ErrorCode::InvalidMask, "the painted mask has no cells; paint it, or load it from a file");
    }
    if (pattern.kind != MaskPattern::Kind::File) return {};
    if (!pattern.painted) return fail(ErrorCode::InvalidMask, "the mask file '{}' was not read", pattern.path);
    if (pattern.painted->size != size || !is_square(pattern.painted.get())) {
        return fail(ErrorCode::InvalidMask,
                    "the mask file '{0}' is {1}x{1}, but the sequences have the length {2}; it must be "
                    "{2}x{2}",
                    pattern.path, pattern.painted->size, size);
    }
    return {};
}

/// Checks the numbers of a pattern that was not parsed from text.
Result<void> check_numbers(const MaskPattern& pattern) {
    const PatternType& type = type_of(pattern.kind);
    const std::size_t count = pattern.numbers.size(), wanted = type.numbers.size();
    bool legal = type.repeats ? count >= wanted : count == wanted;
    for (std::size_t n = 0; n < count && legal; ++n) {
        const std::int64_t least = type.numbers[std::min(n, wanted - 1)].least;
        legal = pattern.numbers[n] >= least && pattern.numbers[n] <= kLargestPatternNumber;
    }
    if (legal) return {};
    return fail(ErrorCode::InvalidMask, "mask '{}' has numbers that it can't have; write {}, as in {}",
                to_string({pattern}), form_of(type), example_of(type));
}

}  // namespace

void layer_row(const std::vector<MaskPattern>& layer, const RowStretch& stretch, std::uint8_t* cells) {
    std::memset(cells, 0, static_cast<std::size_t>(stretch.count));
    for (const auto& pattern : layer)
        type_of(pattern.kind).row(pattern, stretch, {cells, stretch.first, stretch.first + stretch.count});
}

void mask_row(const MaskExpression& expression, const RowStretch& stretch, std::uint8_t* cells) {
    const auto& layers = expression.layers;
    if (layers.empty()) {
        std::memset(cells, 1, static_cast<std::size_t>(stretch.count));
        return;
    }
    layer_row(layers.front(), stretch, cells);
    for (std::int64_t done = 0; done < stretch.count && layers.size() > 1; done += kPiece) {
        RowStretch piece = stretch;
        piece.first += done;
        piece.count = std::min(kPiece, stretch.count - done);
        for (auto layer = layers.begin() + 1; layer != layers.end(); ++layer) join_layer(*layer, piece, cells + done);
    }
}

Result<void> check_patterns(const MaskExpression& expression, std::int64_t size) {
    for (const auto& layer : expression.layers) {
        for (const auto& pattern : layer) {
            auto legal = check_numbers(pattern).and_then([&] { return check_cells(pattern, size); });
            if (!legal) return legal;
        }
    }
    return {};
}

}  // namespace headscope
