// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/config.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>

#include "core/base/precision_type.h"

namespace headscope {

namespace {

template <typename Enum>
struct Word {
    Enum value;
    std::string_view text;
};

constexpr std::array<Word<Fill>, 3> kFills{{{Fill::Safe, "safe"}, {Fill::Inf, "inf"}, {Fill::MinusBillion, "1e9"}}};
constexpr std::array<Word<WeightSource>, 4> kSources{{{WeightSource::Textbook, "textbook"},
                                                      {WeightSource::Seed, "seed"},
                                                      {WeightSource::File, "file"},
                                                      {WeightSource::Recording, "recording"}}};
constexpr std::array<Word<Layout>, 4> kLayouts{{{Layout::Interleaved, "interleaved"},
                                                {Layout::Blocks, "blocks"},
                                                {Layout::Transposed, "transposed"},
                                                {Layout::Separate, "separate"}}};

template <typename Enum, std::size_t N>
std::string_view word_of(const std::array<Word<Enum>, N>& words, Enum value) {
    for (const auto& word : words) {
        if (word.value == value) return word.text;
    }
    return {};
}

template <typename Enum, std::size_t N>
Result<Enum> value_of(const std::array<Word<Enum>, N>& words, std::string_view text, const char* sentence) {
    for (const auto& word : words) {
        if (word.text == text) return word.value;
    }
    return fail(ErrorCode::InvalidValue, sentence, text);
}

/// The divisor of n nearest to wanted; the smaller of two equally near.
std::int64_t nearest_divisor(std::int64_t n, std::int64_t wanted) {
    std::int64_t nearest = 1;
    for (const std::int64_t divisor : legal_num_heads(n)) {
        if (std::abs(divisor - wanted) < std::abs(nearest - wanted)) nearest = divisor;
    }
    return nearest;
}

/// The multiple of n, at least n, nearest to wanted; the larger of two equally near.
std::int64_t nearest_multiple(std::int64_t n, std::int64_t wanted) {
    return std::max(n, (wanted + n / 2) / n * n);
}

}  // namespace

std::string_view to_string(Precision precision) {
    return type_of(precision).word;
}
std::string_view to_string(Fill fill) {
    return word_of(kFills, fill);
}
std::string_view to_string(WeightSource source) {
    return word_of(kSources, source);
}
std::string_view to_string(Layout layout) {
    return word_of(kLayouts, layout);
}

Result<Precision> parse_precision(std::string_view word) {
    std::string words;
    for (const PrecisionType& type : precision_types()) {
        if (type.word == word) return type.precision;
        words += (words.empty() ? "" : ", ") + std::string(type.word);
    }
    return fail(ErrorCode::InvalidValue, "precision '{}' is unknown; it is one of {}", word, words);
}

Result<Fill> parse_fill(std::string_view word) {
    return value_of(kFills, word, "fill '{}' is unknown; it is one of safe, inf and 1e9");
}

Result<Layout> parse_layout(std::string_view word) {
    return value_of(kLayouts, word,
                    "layout '{}' is unknown; it is one of interleaved, blocks, transposed and separate");
}

Result<void> check_heads(std::int64_t embed_dim, std::int64_t num_heads) {
    if (embed_dim < 1) {
        return fail(ErrorCode::InvalidValue, "embed_dim is {}, with num_heads {}; it must be at least 1", embed_dim,
                    num_heads);
    }
    if (embed_dim > kLargestEmbedDim) {
        return fail(ErrorCode::InvalidValue, "embed_dim is {}, with num_heads {}; it can be {} at most", embed_dim,
                    num_heads, kLargestEmbedDim);
    }
    if (num_heads < 1) {
        return fail(ErrorCode::InvalidValue, "num_heads is {}, with embed_dim {}; it must be at least 1", num_heads,
                    embed_dim);
    }
    if (num_heads > kLargestEmbedDim) {
        return fail(ErrorCode::InvalidPair, "num_heads {} is more than embed_dim {}; it can be {} at most", num_heads,
                    embed_dim, embed_dim);
    }
    if (embed_dim % num_heads == 0) return {};
    const char* sentence =
        num_heads > embed_dim
            ? "num_heads {1} is more than embed_dim {0}; the nearest legal num_heads is {2}, the nearest legal "
              "embed_dim is {3}"
            : "embed_dim {0} is not divisible by num_heads {1}; the nearest legal num_heads is {2}, the nearest "
              "legal embed_dim is {3}";
    return fail(ErrorCode::InvalidPair, sentence, embed_dim, num_heads, nearest_divisor(embed_dim, num_heads),
                nearest_multiple(num_heads, embed_dim));
}

std::vector<std::int64_t> legal_num_heads(std::int64_t embed_dim) {
    std::vector<std::int64_t> small, large;
    if (embed_dim > kLargestEmbedDim) return small;
    for (std::int64_t n = 1; n * n <= embed_dim; ++n) {
        if (embed_dim % n != 0) continue;
        small.push_back(n);
        if (n != embed_dim / n) large.push_back(embed_dim / n);
    }
    small.insert(small.end(), large.rbegin(), large.rend());
    return small;
}

Tensor::Type storage_type(Precision precision) {
    return type_of(precision).storage;
}

bool is_half(Precision precision) {
    return type_of(precision).is_half();
}

NormalRange normal_range(Precision precision) {
    const PrecisionType& format = type_of(precision);
    return {std::ldexp(1.0, format.smallest_exponent), format.largest};
}

double round_to(Precision precision, double value) {
    if (precision == Precision::Float64 || !std::isfinite(value) || value == 0) return value;
    // Not converted through float, because rounding twice can give the wrong neighbour.
    const PrecisionType& format = type_of(precision);
    const int exponent = std::max(std::ilogb(value), format.smallest_exponent) - (format.significand - 1);
    const double rounded = std::ldexp(std::nearbyint(std::ldexp(value, -exponent)), exponent);
    return std::fabs(rounded) <= format.largest ? rounded
                                                : std::copysign(std::numeric_limits<double>::infinity(), value);
}

double effective_fill(Fill fill, Precision precision) {
    return fill == Fill::MinusBillion ? round_to(precision, -1e9) : -std::numeric_limits<double>::infinity();
}

Fill effective_mode(Fill fill, Precision precision) {
    return std::isinf(effective_fill(fill, precision)) && fill == Fill::MinusBillion ? Fill::Inf : fill;
}

}  // namespace headscope
