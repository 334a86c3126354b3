// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/masks/mask_shift.h"

#include "core/base/sentence.h"

namespace headscope {

namespace {

using Word = BitMatrix::Word;

constexpr MaskShift kShifts[] = {{0, 1, phrase("shifted by one key to the right")},
                                 {0, -1, phrase("shifted by one key to the left")},
                                 {1, 0, phrase("shifted down by one query")},
                                 {-1, 0, phrase("shifted up by one query")},
                                 {1, 1, phrase("shifted forward by one token along the diagonal")},
                                 {-1, -1, phrase("shifted back by one token along the diagonal")}};

/// Word w of a row that is moved by -1, 0 or 1 keys.
Word moved(std::span<const Word> row, std::size_t w, std::int64_t keys) {
    if (keys == 0) return row[w];
    if (keys > 0) return (row[w] << 1) | (w > 0 ? row[w - 1] >> 63 : 0);
    return (row[w] >> 1) | (w + 1 < row.size() ? row[w + 1] << 63 : 0);
}

/// The bits of word w for keys that the shift fills from inside the mask.
Word known(const MaskShift& shift, std::size_t w, std::int64_t keys) {
    const auto first = static_cast<std::int64_t>(w * 64), count = std::min<std::int64_t>(64, keys - first);
    Word bits = count == 64 ? ~Word{0} : (Word{1} << count) - 1;
    if (shift.keys > 0 && w == 0) bits &= ~Word{1};
    if (shift.keys < 0 && first + count == keys) bits &= ~(Word{1} << (count - 1));
    return bits;
}

bool comes_from_outside(const MaskShift& shift, const BitMatrix& mask, std::int64_t i) {
    return i - shift.queries < 0 || i - shift.queries >= mask.queries();
}

/// Whether row i of `given` is the shifted `meant`, of which `within` masks more, wherever that is known.
bool row_is_shifted(const BitMatrix& given, const BitMatrix& meant, const BitMatrix* within, const MaskShift& shift,
                    std::int64_t i) {
    if (comes_from_outside(shift, given, i)) return true;
    const auto row = given.row(i), from = meant.row(i - shift.queries);
    for (std::size_t w = 0; w < row.size(); ++w) {
        const Word shifted = moved(from, w, shift.keys) & (within ? within->row(i)[w] : ~Word{0});
        if ((row[w] ^ shifted) & known(shift, w, given.keys())) return false;
    }
    return true;
}

/// Whether a wrong cell of row i lies where the shift is known.
bool row_shows(const BitMatrix& given, const BitMatrix& meant, const MaskShift& shift, std::int64_t i) {
    if (comes_from_outside(shift, given, i)) return false;
    for (std::size_t w = 0; w < given.row(i).size(); ++w)
        if ((given.row(i)[w] ^ meant.row(i)[w]) & known(shift, w, given.keys())) return true;
    return false;
}

std::int64_t rows_that_show(const BitMatrix& given, const BitMatrix& meant, const MaskShift& shift) {
    std::int64_t rows = 0;
    for (std::int64_t i = 0; i < given.queries(); ++i) rows += row_shows(given, meant, shift, i);
    return rows;
}

/// Whether the cells that come from outside are all allowed or all masked.
bool outside_is_uniform(const BitMatrix& given, const MaskShift& shift) {
    bool any_allowed = false, any_masked = false;
    for (std::int64_t i = 0; i < given.queries(); ++i)
        for (std::size_t w = 0; w < given.row(i).size(); ++w) {
            const Word inside = comes_from_outside(shift, given, i) ? 0 : known(shift, w, given.keys());
            const Word outside = known({}, w, given.keys()) & ~inside;
            any_allowed = any_allowed || (given.row(i)[w] & outside) != 0;
            any_masked = any_masked || (~given.row(i)[w] & outside) != 0;
        }
    return any_allowed != any_masked;
}

bool is_shifted_from(std::int64_t first, const BitMatrix& given, const BitMatrix& meant, const BitMatrix* within,
                     const MaskShift& shift) {
    for (std::int64_t i = first; i < given.queries(); ++i)
        if (!row_is_shifted(given, meant, within, shift, i)) return false;
    return true;
}

}  // namespace

const MaskShift* shift_of(const BitMatrix& given, const BitMatrix& meant) {
    if (given.queries() < 2 || given.keys() < 2) return nullptr;
    for (const MaskShift& shift : kShifts)
        if (is_shifted_from(0, given, meant, nullptr, shift) &&
            (rows_that_show(given, meant, shift) > 0 || outside_is_uniform(given, shift)))
            return &shift;
    return nullptr;
}

const MaskShift* shift_of_layer(const BitMatrix& given, const BitMatrix& layer, const BitMatrix& rest) {
    const BitMatrix meant = layer & rest;
    for (const MaskShift& shift : kShifts)
        if (is_shifted_from(0, given, layer, &rest, shift) && rows_that_show(given, meant, shift) > 0) return &shift;
    return nullptr;
}

std::optional<LateShift> late_shift_of(const BitMatrix& given, const BitMatrix& meant) {
    const auto first = first_difference(given, meant);
    if (!first) return std::nullopt;
    for (const MaskShift& shift : kShifts)
        if (is_shifted_from(first->query, given, meant, nullptr, shift) && rows_that_show(given, meant, shift) > 1)
            return LateShift{&shift, first->query};
    return std::nullopt;
}

}  // namespace headscope
