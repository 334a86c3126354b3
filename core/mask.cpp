// SPDX-License-Identifier: GPL-3.0-or-later
// The cells of masks.
#include "core/mask.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <numeric>

namespace headscope {

namespace {

/// One row of cells, of one query, to which a pattern adds the keys that it allows.
struct Row {
    std::uint8_t* cells;
    std::int64_t size;

    /// Opens begin <= j < end, cut to what the row has.
    void open(std::int64_t begin, std::int64_t end) const {
        begin = std::max<std::int64_t>(begin, 0);
        end = std::min(end, size);
        if (begin < end) std::memset(cells + begin, 1, static_cast<std::size_t>(end - begin));
    }
    /// Opens every step-th key from first to last, both included.
    void open_each(std::int64_t first, std::int64_t last, std::int64_t step) const {
        for (std::int64_t j = first; j <= std::min(last, size - 1); j += step) cells[j] = 1;
    }
    void open_where(const std::uint8_t* other) const {
        for (std::int64_t j = 0; j < size; ++j) cells[j] |= static_cast<std::uint8_t>(other[j] != 0);
    }
};

/// The same definitions as MaskPattern::allows(), a row at a time. real: S bytes, which tokens are no padding.
void add_pattern(const MaskPattern& pattern, std::int64_t i, const std::uint8_t* real, Row row) {
    const std::int64_t size = row.size;
    switch (pattern.kind) {
        case MaskPattern::Kind::Padding:
            return row.open_where(real);
        case MaskPattern::Kind::Causal:
            return row.open(0, i + 1);
        case MaskPattern::Kind::Local:
            return row.open(i - pattern.a, i + pattern.b + 1);
        case MaskPattern::Kind::Strided:
            row.open(i - pattern.a + 1, i + pattern.a);
            return row.open_each(i % pattern.a, size - 1, pattern.a);
        case MaskPattern::Kind::Dilated: {
            const std::int64_t left = std::min(pattern.a, i / pattern.c);
            return row.open_each(i - left * pattern.c, i + pattern.b * pattern.c, pattern.c);
        }
        case MaskPattern::Kind::Global:
            return row.open(0, i < pattern.a ? size : pattern.a);
        case MaskPattern::Kind::Block: {
            const std::int64_t begin = i / pattern.a * pattern.a;
            return row.open(begin, begin + pattern.a);
        }
        case MaskPattern::Kind::File:
            return row.open_where(pattern.painted->cells.data() + i * size);
        case MaskPattern::Kind::Painted: {
            const std::int64_t painted = i < pattern.painted->size ? std::min(pattern.painted->size, size) : 0;
            const Row inside{row.cells, painted};
            if (painted > 0) inside.open_where(pattern.painted->cells.data() + i * pattern.painted->size);
            return row.open(painted, size);
        }
    }
}

bool is_square(const PaintedMask* painted) {
    return painted && painted->size > 0 &&
           static_cast<std::int64_t>(painted->cells.size()) == painted->size * painted->size;
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
                            "the mask file '{0}' is {1}x{1}, but the sequences are {2} tokens long; it must be "
                            "{2}x{2}",
                            pattern.path, painted, size);
            }
        }
    }
    return {};
}

}  // namespace

bool MaskPattern::allows(std::int64_t i, std::int64_t j) const {
    const std::int64_t ahead = j - i;
    switch (kind) {
        case Kind::Padding:
            return true;
        case Kind::Causal:
            return j <= i;
        case Kind::Local:
            return -a <= ahead && ahead <= b;
        case Kind::Strided:
            return std::abs(ahead) < a || ahead % a == 0;
        case Kind::Dilated:
            return -a * c <= ahead && ahead <= b * c && ahead % c == 0;
        case Kind::Global:
            return i < a || j < a;
        case Kind::Block:
            return i / a == j / a;
        case Kind::File:
            return painted && painted->cells[static_cast<std::size_t>(i * painted->size + j)] != 0;
        case Kind::Painted:
            if (!painted || i >= painted->size || j >= painted->size) return true;
            return painted->cells[static_cast<std::size_t>(i * painted->size + j)] != 0;
    }
    return false;
}

bool padding_matters(const MaskExpression& expression, const Batch& batch) {
    const auto same_rows = [&] {
        const auto s = static_cast<std::ptrdiff_t>(batch.sequence_length());
        // Equal to itself a row further on: every sequence has the same real tokens.
        return batch.size() < 2 || std::equal(batch.real.begin() + s, batch.real.end(), batch.real.begin());
    };
    return expression.uses_padding() && !same_rows();
}

Result<std::shared_ptr<const Mask>> Mask::build(const MaskExpression& expression, const Batch& batch) {
    const std::int64_t size = batch.sequence_length();
    if (auto painted = check_painted(expression, size); !painted) return tl::unexpected(painted.error());

    auto mask = std::make_shared<Mask>();
    mask->batch_ = batch.size();
    mask->size_ = size;
    mask->shared_ = !padding_matters(expression, batch);
    const std::int64_t matrices = mask->shared_ ? std::min<std::int64_t>(1, batch.size()) : batch.size();
    mask->cells_.assign(static_cast<std::size_t>(matrices * size * size), 1);
    mask->open_in_row_.resize(static_cast<std::size_t>(matrices * size));

    std::vector<std::uint8_t> layer_cells(static_cast<std::size_t>(size));
    for (std::int64_t r = 0; r < matrices * size; ++r) {
        std::uint8_t* cells = mask->cells_.data() + r * size;
        for (const auto& layer : expression.layers) {
            std::fill(layer_cells.begin(), layer_cells.end(), std::uint8_t{0});
            for (const auto& pattern : layer) {
                add_pattern(pattern, r % size, batch.real.data() + r / size * size, {layer_cells.data(), size});
            }
            for (std::int64_t j = 0; j < size; ++j) cells[j] &= layer_cells[static_cast<std::size_t>(j)];
        }
        const auto open = std::accumulate(cells, cells + size, std::int32_t{0});
        mask->open_in_row_[static_cast<std::size_t>(r)] = open;
        mask->all_open_ = mask->all_open_ && open == size;
    }
    return mask;
}

std::int64_t Mask::open_cells(std::int64_t sequence) const {
    std::int64_t open = 0;
    for (std::int64_t i = 0; i < size_; ++i) open += open_in_row(sequence, i);
    return open;
}

std::vector<std::int64_t> Mask::empty_rows(std::int64_t sequence) const {
    std::vector<std::int64_t> rows;
    for (std::int64_t i = 0; i < size_; ++i) {
        if (open_in_row(sequence, i) == 0) rows.push_back(i);
    }
    return rows;
}

}  // namespace headscope
