// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace headscope {

inline constexpr const char* kPad = "[PAD]";

/// Sequences padded to one length with [PAD]. A typed [PAD] is padding, too (docs/conventions.md 2).
struct Batch {
    std::vector<std::vector<std::string>> tokens;  ///< B rows of S tokens, UTF-8
    std::vector<std::uint8_t> real;                ///< (B,S) row-major: 1 = a token, 0 = padding

    std::int64_t size() const { return static_cast<std::int64_t>(tokens.size()); }
    std::int64_t sequence_length() const {
        return tokens.empty() ? 0 : static_cast<std::int64_t>(tokens.front().size());
    }
    bool is_real(std::int64_t sequence, std::int64_t position) const {
        return real[static_cast<std::size_t>(sequence * sequence_length() + position)] != 0;
    }
    bool operator==(const Batch&) const = default;
};

/// Pads shorter sequences with [PAD].
Batch make_batch(const std::vector<std::vector<std::string>>& lines);

}  // namespace headscope
