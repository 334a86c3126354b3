// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/masks/painted_text.h"

namespace headscope {

namespace {

constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
constexpr std::int64_t kBits = 6;  // bits per digit

/// Number of digits for size² cells. RFC 4648 pads the last byte with zeros first, and then the last digit.
std::int64_t digits_for(std::int64_t size) {
    const std::int64_t bytes = (size * size + 7) / 8;
    return (bytes * 8 + kBits - 1) / kBits;
}

}  // namespace

std::string painted_cells_text(const PaintedMask& mask) {
    std::string text;
    const auto cells = static_cast<std::int64_t>(mask.cells.size());
    for (std::int64_t digit = 0; digit < digits_for(mask.size); ++digit) {
        std::size_t bits = 0;
        for (std::int64_t n = digit * kBits; n < (digit + 1) * kBits; ++n) {
            bits = bits << 1U | (n < cells && mask.cells[static_cast<std::size_t>(n)] ? 1U : 0U);
        }
        text += kDigits[bits];
    }
    return text;
}

Result<PaintedMask> parse_painted_cells(std::int64_t size, std::string_view text) {
    constexpr std::int64_t kLargest = 1 << 20;  // so that size² can't overflow; the text would take 183 GB
    if (size < 1 || size > kLargest) {
        return fail(ErrorCode::InvalidMask, "a painted mask of {} tokens can't be; it must be from 1 to {}", size,
                    kLargest);
    }
    if (static_cast<std::int64_t>(text.size()) != digits_for(size)) {
        return fail(ErrorCode::InvalidMask, "a painted mask of {0}x{0} takes {1} characters of cells, but has {2}",
                    size, digits_for(size), text.size());
    }
    PaintedMask mask{size, std::vector<std::uint8_t>(static_cast<std::size_t>(size * size))};
    for (std::size_t n = 0; n < text.size() * kBits; ++n) {
        const auto digit = kDigits.find(text[n / kBits]);
        if (digit == std::string_view::npos) {
            return fail(ErrorCode::InvalidMask,
                        "character {} of a painted mask's cells can't be; they are written in A-Z, a-z, 0-9, - and _",
                        n / kBits + 1);
        }
        const auto bit = static_cast<std::uint8_t>(digit >> (kBits - 1 - n % kBits) & 1U);
        if (n < mask.cells.size()) {
            mask.cells[n] = bit;
        } else if (bit) {
            return fail(ErrorCode::InvalidMask, "a painted mask of {0}x{0} has more than its {1} cells", size,
                        size * size);
        }
    }
    return mask;
}

}  // namespace headscope
