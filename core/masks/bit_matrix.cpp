// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/masks/bit_matrix.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "core/masks/mask_row.h"

namespace headscope {

namespace {

/// Number of 1 bits, without a multiplication, so that the compiler can count several words at once. std::popcount is
/// a call on the processors that a package is built for.
std::int64_t bits_in(BitMatrix::Word word) {
    word -= (word >> 1) & 0x5555555555555555;
    word = (word & 0x3333333333333333) + ((word >> 2) & 0x3333333333333333);
    word = (word + (word >> 4)) & 0x0f0f0f0f0f0f0f0f;
    word += word >> 8;
    word += word >> 16;
    word += word >> 32;
    return static_cast<std::int64_t>(word & 0x7f);
}

/// Packs bytes of 0 and 1 into bits, eight at a time: the product moves byte n's lowest bit to bit 56 + n.
void pack(const std::uint8_t* cells, std::int64_t count, std::span<BitMatrix::Word> row) {
    std::fill(row.begin(), row.end(), 0);
    std::int64_t j = 0;
    if constexpr (std::endian::native == std::endian::little) {
        for (; j + 8 <= count; j += 8) {
            std::uint64_t bytes = 0;
            std::memcpy(&bytes, cells + j, 8);
            row[static_cast<std::size_t>(j / 64)] |= ((bytes * 0x0102040810204080ULL) >> 56) << (j % 64);
        }
    }
    for (; j < count; ++j) row[static_cast<std::size_t>(j / 64)] |= BitMatrix::Word{cells[j]} << (j % 64);
}

}  // namespace

BitMatrix::BitMatrix(std::int64_t queries, std::int64_t keys, bool allowed)
    : queries_(queries), keys_(keys), stride_((keys + 63) / 64), words_(static_cast<std::size_t>(queries * stride_)) {
    if (allowed) *this = inverted();
}

BitMatrix::BitMatrix(const PaintedMask& mask) : BitMatrix(mask.size, mask.size) {
    for (std::int64_t i = 0; i < queries_; ++i) pack(mask.cells.data() + i * keys_, keys_, row(i));
}

BitMatrix::BitMatrix(const MaskExpression& expression, const std::vector<std::uint8_t>& real)
    : BitMatrix(static_cast<std::int64_t>(real.size()), static_cast<std::int64_t>(real.size())) {
    std::vector<std::uint8_t> cells(real.size());
    for (std::int64_t i = 0; i < queries_; ++i) {
        mask_row(expression, {i, 0, keys_, keys_, real.data()}, cells.data());
        pack(cells.data(), keys_, row(i));
    }
}

void BitMatrix::set(std::int64_t query, std::int64_t key, bool allowed) {
    Word& word = row(query)[static_cast<std::size_t>(key / 64)];
    const Word bit = Word{1} << (key % 64);
    word = allowed ? word | bit : word & ~bit;
}

void BitMatrix::clear_row(std::int64_t query) {
    std::fill(row(query).begin(), row(query).end(), 0);
}

BitMatrix& BitMatrix::operator&=(const BitMatrix& other) {
    for (std::size_t w = 0; w < words_.size(); ++w) words_[w] &= other.words_[w];
    return *this;
}

BitMatrix& BitMatrix::operator|=(const BitMatrix& other) {
    for (std::size_t w = 0; w < words_.size(); ++w) words_[w] |= other.words_[w];
    return *this;
}

BitMatrix& BitMatrix::operator^=(const BitMatrix& other) {
    for (std::size_t w = 0; w < words_.size(); ++w) words_[w] ^= other.words_[w];
    return *this;
}

BitMatrix BitMatrix::inverted() const {
    BitMatrix inverse = *this;
    const Word last = keys_ % 64 == 0 ? ~Word{0} : (Word{1} << (keys_ % 64)) - 1;
    for (std::int64_t i = 0; i < queries_; ++i) {
        for (Word& word : inverse.row(i)) word = ~word;
        if (stride_ > 0) inverse.row(i).back() &= last;
    }
    return inverse;
}

BitMatrix BitMatrix::transposed() const {
    BitMatrix transpose(keys_, queries_);
    for (std::int64_t i = 0; i < queries_; ++i)
        for_each_key(row(i), [&](std::int64_t j) { transpose.set(j, i, true); });
    return transpose;
}

BitMatrix BitMatrix::part(std::int64_t query, std::int64_t key, std::int64_t queries, std::int64_t keys) const {
    BitMatrix cut(queries, keys);
    for (std::int64_t i = 0; i < queries; ++i)
        for_each_key(row(query + i), [&](std::int64_t j) {
            if (j >= key && j < key + keys) cut.set(i, j - key, true);
        });
    return cut;
}

std::int64_t BitMatrix::count() const {
    std::int64_t count = 0;
    for (const Word word : words_) count += bits_in(word);
    return count;
}

bool BitMatrix::is_within(const BitMatrix& other) const {
    for (std::size_t w = 0; w < words_.size(); ++w)
        if (words_[w] & ~other.words_[w]) return false;
    return true;
}

std::int64_t differing_cells(const BitMatrix& a, const BitMatrix& b) {
    std::int64_t count = 0;
    for (std::int64_t i = 0; i < a.queries(); ++i)
        for (std::size_t w = 0; w < a.row(i).size(); ++w) count += bits_in(a.row(i)[w] ^ b.row(i)[w]);
    return count;
}

std::int64_t differing_cells(const BitMatrix& a, const BitMatrix& with, const BitMatrix& b, std::int64_t limit) {
    std::int64_t count = 0;
    for (std::int64_t i = 0; i < a.queries() && count <= limit; ++i) {
        const auto row = a.row(i), other = with.row(i), right = b.row(i);
        for (std::size_t w = 0; w < row.size(); ++w) count += bits_in((row[w] & other[w]) ^ right[w]);
    }
    return count;
}

std::optional<paint::Cell> first_difference(const BitMatrix& a, const BitMatrix& b) {
    for (std::int64_t i = 0; i < a.queries(); ++i)
        for (std::size_t w = 0; w < a.row(i).size(); ++w)
            if (const BitMatrix::Word bits = a.row(i)[w] ^ b.row(i)[w])
                return paint::Cell{i, static_cast<std::int64_t>(w * 64) + std::countr_zero(bits)};
    return std::nullopt;
}

}  // namespace headscope
