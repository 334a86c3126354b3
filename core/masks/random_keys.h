// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>

namespace headscope {

/// A random permutation of the keys 0 ... size - 1 for one query, identical on every machine; random:N:SEED allows its
/// first N keys. It is a Feistel network of four rounds over the smallest square of a power of two that is at least
/// `size`; results outside are permuted again (cycle walking), so that a key and its position can be computed without
/// the others.
class RandomKeys {
public:
    RandomKeys(std::int64_t seed, std::int64_t query, std::int64_t size)
        : size_(size), row_(mix(mix(static_cast<std::uint32_t>(seed)) + static_cast<std::uint32_t>(query))) {
        while ((std::int64_t{1} << (2 * half_)) < size) ++half_;
    }

    /// The position of a key in the permutation.
    std::int64_t place(std::int64_t key) const {
        do {
            std::uint32_t left = static_cast<std::uint32_t>(key >> half_), right = low(static_cast<std::uint32_t>(key));
            for (std::uint32_t round = 0; round < kRounds; ++round) {
                const std::uint32_t next = left ^ scrambled(round, right);
                left = right;
                right = next;
            }
            key = joined(left, right);
        } while (key >= size_);
        return key;
    }
    /// The key at a position.
    std::int64_t key(std::int64_t place) const {
        do {
            std::uint32_t left = static_cast<std::uint32_t>(place >> half_),
                          right = low(static_cast<std::uint32_t>(place));
            for (std::uint32_t round = kRounds; round-- > 0;) {
                const std::uint32_t before = right ^ scrambled(round, left);
                right = left;
                left = before;
            }
            place = joined(left, right);
        } while (place >= size_);
        return place;
    }

private:
    static constexpr std::uint32_t kRounds = 4;

    /// A 32-bit hash (C. Wellons, "Prospecting for Hash Functions").
    static std::uint32_t mix(std::uint32_t x) {
        x = (x ^ x >> 16U) * 0x21F0AAADU;
        x = (x ^ x >> 15U) * 0x735A2D97U;
        return x ^ x >> 15U;
    }
    std::uint32_t low(std::uint32_t x) const { return x & ((1U << half_) - 1U); }
    std::uint32_t scrambled(std::uint32_t round, std::uint32_t half) const {
        return low(mix(row_ ^ round << 16U ^ half));
    }
    std::int64_t joined(std::uint32_t left, std::uint32_t right) const { return std::int64_t{left} << half_ | right; }

    std::int64_t size_;
    std::uint32_t row_;
    std::uint32_t half_ = 1;  // bits of each half
};

/// The same in Python, over i (S,1), j (1,S) and S: a torch.bool of (S, S).
inline constexpr std::string_view kRandomKeysPython =
    R"(def random_keys(count, seed):  # for each query the first keys of a permutation of its own
    def mix(x):  # a hash of 32 bits
        x = (x ^ x >> 16) * 0x21F0AAAD & 0xFFFFFFFF
        x = (x ^ x >> 15) * 0x735A2D97 & 0xFFFFFFFF
        return x ^ x >> 15
    half = 1
    while 4**half < S:
        half += 1
    low, row = 2**half - 1, mix(mix(torch.tensor(seed)) + i & 0xFFFFFFFF)
    def permuted(x):  # a Feistel network over numbers of 2 * half bits
        left, right = x >> half, x & low
        for turn in range(4):
            left, right = right, left ^ mix(row ^ turn << 16 ^ right) & low
        return left << half | right
    place = permuted(j + 0 * i)
    while (place >= S).any():
        place = torch.where(place >= S, permuted(place), place)
    return place < count
)";

}  // namespace headscope
