// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/weights/textbook.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <vector>

#include "core/weights/torch_random.h"

namespace headscope {
namespace {

constexpr std::int64_t kRoles = 8;
constexpr double kTargetScore = 28;  // scaled score of the target: its neighbours get a few percent
constexpr double kNeighbourhoodScore = kTargetScore / 8;
constexpr std::int64_t kAmplePairs = 16;   // fewer pairs repeat themselves sooner and need a higher score
constexpr std::int64_t kLimitTokens = 64;  // textbook_limit() promises up to so many tokens ...
constexpr double kClearWeight = 0.9;       // ... at least so much weight on the target
constexpr std::int64_t kWordPairs = 8;     // enough for 64 words; with four, every tenth text has two similar words

/// How the embed_dim numbers of a token's vector are used: content first, then positions as cosines and sines.
struct VectorLayout {
    std::int64_t positions;  ///< pairs
    std::int64_t content;    ///< numbers
    explicit VectorLayout(std::int64_t embed_dim) : positions(embed_dim / 4), content(embed_dim - 2 * positions) {}
    std::int64_t cosine(std::int64_t pair) const { return content + pair; }
    std::int64_t sine(std::int64_t pair) const { return content + positions + pair; }
};

/// ω of a pair, in radians a token: from 1 down to nearly 1/10000 (Vaswani et al. 2017, 3.5, over E/4 pairs).
double frequency(std::int64_t pair, std::int64_t embed_dim) {
    return std::pow(10000.0, -4.0 * static_cast<double>(pair) / static_cast<double>(embed_dim));
}

/// The pairs that a head compares: as many as fit, spread over the fastest quarter (down to ω = 1/10), because slower
/// ones hardly change from one token to the next.
std::vector<std::int64_t> compared_pairs(std::int64_t embed_dim, std::int64_t head_dim) {
    const std::int64_t fast = std::min(VectorLayout(embed_dim).positions, std::max<std::int64_t>(4, embed_dim / 16));
    const std::int64_t count = std::min(head_dim / 2, fast);
    std::vector<std::int64_t> pairs;
    for (std::int64_t i = 0; i < count; ++i) pairs.push_back(i * fast / count);
    return pairs;
}

std::int64_t compared_word_pairs(std::int64_t embed_dim, std::int64_t head_dim) {
    return std::min(head_dim, VectorLayout(embed_dim).content) / 2;
}

double target_score(std::int64_t pairs) {
    return kTargetScore * std::max(1.0, static_cast<double>(kAmplePairs) / static_cast<double>(pairs));
}

/// The gain of q and of k with which q·k/√Dh is `score` where all pairs agree.
double gain(double score, std::int64_t head_dim, std::size_t pairs) {
    return std::sqrt(score * std::sqrt(static_cast<double>(head_dim)) / static_cast<double>(pairs));
}

/// The distance of a head's target, in tokens.
std::int64_t offset(TextbookRole role) {
    switch (role) {
        case TextbookRole::Previous:
            return -1;
        case TextbookRole::Next:
            return 1;
        case TextbookRole::TwoBack:
            return -2;
        default:
            return 0;
    }
}

bool uses_positions(TextbookRole role) {
    return role != TextbookRole::SameWord && role != TextbookRole::Everything;
}

/// Writes the rows of one head of a layer of zeros.
class HeadWriter {
public:
    HeadWriter(Layer& layer, std::int64_t head)
        : embed_dim_(layer.embed_dim),
          head_dim_(layer.embed_dim / layer.num_heads),
          head_(head),
          layout_(embed_dim_),
          weight_(layer.qkv_weight.data<float>() + head * 3 * head_dim_ * embed_dim_),
          bias_(layer.qkv_bias.data<float>() + head * 3 * head_dim_) {}

    void write() {
        const TextbookRole role = textbook_role(head_);
        if (role == TextbookRole::SameWord) {
            compare_words();
        } else if (uses_positions(role)) {
            compare_positions(role);
        }  // "everything": q and k stay zero
        for (std::int64_t i = 0; i < head_dim_; ++i) at(Value, i, (head_ * head_dim_ + i) % layout_.content) = 1;
    }

private:
    enum Part { Query, Key, Value };
    float& at(Part part, std::int64_t row, std::int64_t column) {
        return weight_[(part * head_dim_ + row) * embed_dim_ + column];
    }

    void compare_positions(TextbookRole role) {
        const auto pairs = compared_pairs(embed_dim_, head_dim_);
        const auto count = static_cast<std::int64_t>(pairs.size());
        const double score = role == TextbookRole::Neighbourhood ? kNeighbourhoodScore : target_score(count);
        const double g = gain(score, head_dim_, pairs.size());
        for (std::int64_t i = 0; i < count; ++i) {
            const std::int64_t pair = pairs[static_cast<std::size_t>(i)];
            const auto cosine = layout_.cosine(pair), sine = layout_.sine(pair);
            at(Key, i, cosine) = at(Key, count + i, sine) = static_cast<float>(g);
            if (role == TextbookRole::First) {  // the vector of position 0, for every x
                bias_[i] = static_cast<float>(g);
                continue;
            }
            const double angle = static_cast<double>(offset(role)) * frequency(pair, embed_dim_);
            at(Query, i, cosine) = at(Query, count + i, sine) = static_cast<float>(g * std::cos(angle));
            at(Query, i, sine) = static_cast<float>(-g * std::sin(angle));
            at(Query, count + i, cosine) = static_cast<float>(g * std::sin(angle));
        }
    }

    void compare_words() {
        const std::int64_t count = compared_word_pairs(embed_dim_, head_dim_);
        const auto g = static_cast<float>(gain(target_score(count), head_dim_, static_cast<std::size_t>(count)));
        for (std::int64_t i = 0; i < 2 * count; ++i) at(Query, i, i) = at(Key, i, i) = g;
    }

    std::int64_t embed_dim_, head_dim_, head_;
    VectorLayout layout_;
    float* weight_;
    float* bias_;
};

void fill_with_zeros(Tensor& tensor) {
    std::fill_n(tensor.data<float>(), tensor.size(), 0.0F);
}

/// Pairs of length 1 in directions drawn for the text; a single number at the end becomes 1 or -1.
std::vector<float> content_part(const std::string& token, std::uint64_t seed, std::int64_t size) {
    std::vector<float> numbers(static_cast<std::size_t>(size));
    token_vector(token, seed, size, numbers.data());
    for (std::size_t i = 0; i + 1 < numbers.size(); i += 2) {
        const double length = std::hypot(static_cast<double>(numbers[i]), static_cast<double>(numbers[i + 1]));
        const bool usable = length > 0;
        numbers[i] = usable ? static_cast<float>(numbers[i] / length) : 1.0F;
        numbers[i + 1] = usable ? static_cast<float>(numbers[i + 1] / length) : 0.0F;
    }
    if (size % 2 != 0) numbers.back() = numbers.back() < 0 ? -1.0F : 1.0F;
    return numbers;
}

/// The smallest weight of a target among kLimitTokens positions.
double weight_on_target(std::int64_t embed_dim, std::int64_t head_dim) {
    const auto pairs = compared_pairs(embed_dim, head_dim);
    if (pairs.empty()) return 0;
    const double score = target_score(static_cast<std::int64_t>(pairs.size()));
    std::array<double, kLimitTokens> reach{};  // e^(score at a distance less the target's), summed up to there
    for (std::size_t distance = 1; distance < reach.size(); ++distance) {
        double agreement = 0;
        for (const auto pair : pairs) agreement += std::cos(static_cast<double>(distance) * frequency(pair, embed_dim));
        reach[distance] = reach[distance - 1] + std::exp(score * (agreement / static_cast<double>(pairs.size()) - 1));
    }
    double others = 0;
    for (std::size_t before = 0; before < reach.size(); ++before)
        others = std::max(others, reach[before] + reach[reach.size() - 1 - before]);
    return 1 / (1 + others);
}

/// The roles of a layer's heads that blur.
std::vector<TextbookRole> unclear_roles(std::int64_t embed_dim, std::int64_t num_heads) {
    const std::int64_t head_dim = embed_dim / num_heads;
    const bool positions_clear = weight_on_target(embed_dim, head_dim) >= kClearWeight;
    const bool words_clear = compared_word_pairs(embed_dim, head_dim) >= kWordPairs;
    std::vector<TextbookRole> unclear;
    for (std::int64_t head = 0; head < std::min(num_heads, kRoles); ++head) {
        const TextbookRole role = textbook_role(head);
        if ((uses_positions(role) && !positions_clear) || (role == TextbookRole::SameWord && !words_clear))
            unclear.push_back(role);
    }
    return unclear;
}

/// The next larger embed_dim at which no role of so many heads blurs.
std::int64_t clear_embed_dim(std::int64_t embed_dim, std::int64_t num_heads) {
    do {
        embed_dim += num_heads;
    } while (!unclear_roles(embed_dim, num_heads).empty());
    return embed_dim;
}

}  // namespace

TextbookRole textbook_role(std::int64_t head) {
    return static_cast<TextbookRole>(head % kRoles);
}

std::string_view to_string(TextbookRole role) {
    constexpr std::array<std::string_view, kRoles> names = {"previous token", "next token", "itself",
                                                            "first token",    "same word",  "two back",
                                                            "neighbourhood",  "everything"};
    return names[static_cast<std::size_t>(role)];
}

Layer textbook_layer(std::int64_t embed_dim, std::int64_t num_heads) {
    Layer layer = empty_layer(embed_dim, num_heads, Tensor::Type::Float32);
    for (Tensor* tensor : {&layer.qkv_weight, &layer.qkv_bias, &layer.out_weight, &layer.out_bias})
        fill_with_zeros(*tensor);
    for (std::int64_t head = 0; head < num_heads; ++head) HeadWriter(layer, head).write();
    for (std::int64_t i = 0; i < embed_dim; ++i) layer.out_weight.data<float>()[i * embed_dim + i] = 1;
    return layer;
}

Tensor textbook_x(const Batch& batch, std::uint64_t seed, std::int64_t embed_dim) {
    const VectorLayout layout(embed_dim);
    const std::int64_t length = batch.sequence_length();
    std::vector<double> omega;
    for (std::int64_t pair = 0; pair < layout.positions; ++pair) omega.push_back(frequency(pair, embed_dim));
    std::map<std::string_view, std::vector<float>> words;  // a repeated word is drawn once

    Tensor x(Tensor::Type::Float32, {batch.size(), length, embed_dim});
    float* row = x.data<float>();
    for (const auto& tokens : batch.tokens) {
        for (std::int64_t position = 0; position < length; ++position, row += embed_dim) {
            const std::string& token = tokens[static_cast<std::size_t>(position)];
            auto [word, is_new] = words.try_emplace(token);
            if (is_new) word->second = content_part(token, seed, layout.content);
            std::copy(word->second.begin(), word->second.end(), row);
            for (std::int64_t pair = 0; pair < layout.positions; ++pair) {
                const double angle = static_cast<double>(position) * omega[static_cast<std::size_t>(pair)];
                row[layout.cosine(pair)] = static_cast<float>(std::cos(angle));
                row[layout.sine(pair)] = static_cast<float>(std::sin(angle));
            }
        }
    }
    return x;
}

std::optional<TextbookLimit> textbook_limit(std::int64_t embed_dim, std::int64_t num_heads) {
    auto unclear = unclear_roles(embed_dim, num_heads);
    if (unclear.empty()) return std::nullopt;
    return TextbookLimit{std::move(unclear), kLimitTokens, clear_embed_dim(embed_dim, num_heads)};
}

}  // namespace headscope
