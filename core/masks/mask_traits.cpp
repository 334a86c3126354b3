// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/masks/mask_traits.h"

#include <algorithm>
#include <map>

namespace headscope {

namespace {

using Numbers = std::vector<std::int64_t>;

std::int64_t& at(Numbers& numbers, std::int64_t place) {
    return numbers[static_cast<std::size_t>(place)];
}
std::int64_t at(const Numbers& numbers, std::int64_t place) {
    return numbers[static_cast<std::size_t>(place)];
}

void add_once(Numbers& numbers, std::int64_t number) {
    if (std::find(numbers.begin(), numbers.end(), number) == numbers.end()) numbers.push_back(number);
}

/// Counts of the allowed cells, from which the numbers of all patterns are read.
struct Counts {
    explicit Counts(const BitMatrix& mask);

    std::int64_t size;
    Numbers left, right;          ///< (2S-1): how many rows have a run of this many keys beside the diagonal
    Numbers before, after;        ///< (S): allowed cells at this distance before and after the query
    Numbers column, column_down;  ///< (S): allowed queries of a key; of these at or after the key
    Numbers row;                  ///< (S): allowed keys of a query
    Numbers crossing;             ///< (S+1): allowed cells between tokens on both sides of a boundary
    std::int64_t far_left = 0, far_right = 0;
};

/// The runs of allowed keys on both sides of the diagonal; a run that the end of the row or a key of padding cuts short
/// counts for nothing.
void count_runs(const BitMatrix& mask, std::int64_t i, Counts& counts) {
    std::int64_t left = 0, right = 0;
    while (left < i && mask.at(i, i - left - 1)) ++left;
    while (i + right + 1 < counts.size && mask.at(i, i + right + 1)) ++right;
    if (left < i && at(counts.column, i - left - 1) > 0) ++at(counts.left, left);
    if (i + right + 1 < counts.size && at(counts.column, i + right + 1) > 0) ++at(counts.right, right);
}

Counts::Counts(const BitMatrix& mask) : size(mask.queries()) {
    const auto count = static_cast<std::size_t>(size);
    for (Numbers* numbers : {&left, &right, &before, &after, &column, &column_down, &row}) numbers->resize(count);
    crossing.resize(count + 1);
    for (std::int64_t i = 0; i < size; ++i) {
        for_each_key(mask.row(i), [&](std::int64_t j) {
            ++at(j <= i ? before : after, std::abs(i - j));
            ++at(column, j);
            ++at(row, i);
            if (j <= i) ++at(column_down, j);
            ++at(crossing, std::min(i, j) + 1);
            --at(crossing, std::max(i, j) + 1);
            far_left = std::max(far_left, i - j);
            far_right = std::max(far_right, j - i);
        });
    }
    for (std::int64_t b = 1; b <= size; ++b) at(crossing, b) += at(crossing, b - 1);
    for (std::int64_t i = 0; i < size; ++i) count_runs(mask, i, *this);
}

/// The numbers of a window to one side: the commonest runs and the farthest allowed cell. A window that reaches every
/// key masks nothing.
Numbers window_numbers(const Numbers& runs, std::int64_t farthest) {
    constexpr std::size_t kMost = 3;
    const auto size = std::ssize(runs);
    Numbers order;
    for (std::int64_t n = 0; n < size; ++n)
        if (at(runs, n) > 0) order.push_back(n);
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return at(runs, a) > at(runs, b); });
    if (order.size() > kMost) order.resize(kMost);
    add_once(order, farthest);
    add_once(order, 0);
    std::erase_if(order, [size](std::int64_t n) { return n >= size - 1 && size > 1; });
    return order;
}

/// How many columns from the first on are allowed in all, and in 90%, of `rows_of(j)` rows. Padding that comes first is
/// passed over.
template <typename RowsOf>
void add_leading(Numbers& numbers, const Numbers& columns, RowsOf&& rows_of) {
    const auto size = std::ssize(columns);
    for (const double part : {1.0, 0.9}) {
        std::int64_t n = 0;
        while (n < size && at(columns, n) == 0) ++n;
        while (n < size && static_cast<double>(at(columns, n)) >= part * static_cast<double>(rows_of(n))) ++n;
        if (n > 0 && n < size) add_once(numbers, n);
    }
}

/// The documents between the boundaries that pass a test; none if there are too many to be meant.
template <typename IsBoundary>
void add_documents(const Counts& counts, MaskTraits& traits, IsBoundary&& is_boundary) {
    constexpr std::size_t kMost = 64;
    Numbers lengths;
    std::int64_t begin = 0;
    for (std::int64_t b = 1; b < traits.size; ++b) {
        const bool rows_alike = (at(counts.row, b) == 0) == (at(counts.row, b - 1) == 0);
        const bool within_padding = rows_alike && at(counts.column, b) == 0 && at(counts.column, b - 1) == 0;
        if (within_padding || !is_boundary(b)) continue;
        lengths.push_back(b - begin);
        begin = b;
    }
    const bool single_tokens = std::ssize(lengths) == traits.size - 1;
    if (lengths.empty() || lengths.size() > kMost || single_tokens) return;
    auto& all = traits.documents;
    if (std::find(all.begin(), all.end(), lengths) == all.end()) all.push_back(std::move(lengths));
}

void find_documents(const Counts& counts, MaskTraits& traits) {
    const Numbers& crossing = counts.crossing;
    for (const std::int64_t most : {std::int64_t{0}, std::int64_t{1}, std::int64_t{4}, counts.size / 8})
        add_documents(counts, traits, [&](std::int64_t b) { return at(crossing, b) <= most; });
    add_documents(counts, traits, [&](std::int64_t b) {
        return at(crossing, b) < at(crossing, b - 1) && at(crossing, b) < at(crossing, b + 1);
    });
}

/// Distances at which most cells are allowed, nearest first, without 0.
Numbers common_distances(const Numbers& allowed, std::int64_t size) {
    Numbers distances;
    for (std::int64_t d = 1; d < size; ++d)
        if (2 * at(allowed, d) > size - d) distances.push_back(d);
    return distances;
}

void find_steps(const Counts& counts, MaskTraits& traits) {
    const Numbers left = common_distances(counts.before, counts.size),
                  right = common_distances(counts.after, counts.size);
    const Numbers& longer = left.empty() ? right : left;
    if (longer.empty()) return;
    std::int64_t run = 0;  // distances 1, 2, 3 … in a row
    while (run < std::ssize(longer) && at(longer, run) == run + 1) ++run;
    if (run > 0 && run < std::ssize(longer)) traits.stride = run;
    traits.step = longer.front();
    traits.step_left = left.empty() ? 0 : left.back() / traits.step;
    traits.step_right = right.empty() ? 0 : right.back() / traits.step;
    if (traits.step < 2) traits.step = 0;
}

}  // namespace

MaskTraits traits_of(const BitMatrix& mask) {
    const Counts counts(mask);
    MaskTraits traits;
    traits.size = counts.size;
    traits.lefts = window_numbers(counts.left, counts.far_left);
    traits.rights = window_numbers(counts.right, counts.far_right);
    add_leading(traits.prefixes, counts.column, [&](std::int64_t) { return counts.size; });
    std::int64_t last = counts.size;
    while (last > 0 && at(counts.column, last - 1) == 0) --last;
    if (last > 0 && last < counts.size) add_once(traits.prefixes, last);
    add_leading(traits.globals, counts.column, [&](std::int64_t) { return counts.size; });
    const auto keys =
        std::count_if(counts.column.begin(), counts.column.end(), [](auto allowed) { return allowed > 0; });
    add_leading(traits.globals, counts.row, [&](std::int64_t) { return keys; });
    add_leading(traits.globals, counts.column_down, [&](std::int64_t j) { return counts.size - j; });
    find_documents(counts, traits);
    find_steps(counts, traits);
    const auto [least, most] = std::minmax_element(counts.row.begin(), counts.row.end());
    if (counts.size > 0 && *least == *most) traits.keys_in_row = *most;
    return traits;
}

std::vector<std::uint8_t> likely_real(const BitMatrix& mask) {
    const std::int64_t keys = mask.keys();
    std::int64_t first = keys, last = -1;
    for (std::int64_t i = 0; i < mask.queries(); ++i)
        for_each_key(mask.row(i), [&](std::int64_t j) {
            first = std::min(first, j);
            last = std::max(last, j);
        });
    std::vector<std::uint8_t> real(static_cast<std::size_t>(keys), 1);
    if (last < 0) return real;  // nothing is allowed: that says nothing about padding
    for (std::int64_t j = 0; j < keys; ++j) real[static_cast<std::size_t>(j)] = j >= first && j <= last;
    return real;
}

}  // namespace headscope
