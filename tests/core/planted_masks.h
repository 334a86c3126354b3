// SPDX-License-Identifier: GPL-3.0-or-later
// Masks and mistakes in them, written as rules without the program's own patterns.
#pragma once

#include <functional>
#include <vector>

#include "core/masks/mask_mistakes.h"

namespace headscope::planted {

using Rule = std::function<bool(std::int64_t, std::int64_t)>;

/// A size and how many of its tokens are padding, before or after the real ones.
struct Tokens {
    std::int64_t size = 0, padding = 0;
    bool first = false;

    bool real(std::int64_t t) const { return first ? t >= padding : t < size - padding; }
    std::vector<std::uint8_t> bytes() const {
        std::vector<std::uint8_t> bytes;
        for (std::int64_t t = 0; t < size; ++t) bytes.push_back(real(t));
        return bytes;
    }
};

inline BitMatrix cells(std::int64_t size, const Rule& rule) {
    BitMatrix mask(size, size);
    for (std::int64_t i = 0; i < size; ++i)
        for (std::int64_t j = 0; j < size; ++j) mask.set(i, j, rule(i, j));
    return mask;
}

inline bool causal(std::int64_t i, std::int64_t j) {
    return j <= i;
}
inline bool window(std::int64_t i, std::int64_t j, std::int64_t left, std::int64_t right) {
    return j >= i - left && j <= i + right;
}
/// The document of a token, of lengths that the last one follows.
inline std::int64_t document(std::int64_t token, const std::vector<std::int64_t>& lengths) {
    std::int64_t number = 0, end = 0;
    for (const std::int64_t length : lengths) number += token >= (end += length);
    return number;
}
inline bool together(std::int64_t i, std::int64_t j, const std::vector<std::int64_t>& lengths) {
    return document(i, lengths) == document(j, lengths);
}
inline bool strided(std::int64_t i, std::int64_t j, std::int64_t n) {
    return std::abs(i - j) < n || (i - j) % n == 0;
}

/// An expression as a rule, and mistakes in it with the words that must name them.
struct Subject {
    const char* expression;
    std::function<Rule(const Tokens&)> right;
    struct Mistake {
        MaskMistake mistake;
        const char* says;
        std::function<Rule(const Tokens&)> rule;
    };
    std::vector<Mistake> mistakes;
};

/// A rule that does not depend on the tokens.
inline std::function<Rule(const Tokens&)> plain(Rule rule) {
    return [rule](const Tokens&) { return rule; };
}
inline std::function<Rule(const Tokens&)> inverse(Rule rule) {
    return plain([rule](auto i, auto j) { return !rule(i, j); });
}
inline std::function<Rule(const Tokens&)> transpose(Rule rule) {
    return plain([rule](auto i, auto j) { return rule(j, i); });
}

inline const Rule kSink = [](auto i, auto j) { return causal(i, j) && (window(i, j, 3, 0) || i < 1 || j < 1); };
inline const Rule kLongformer = [](auto i, auto j) { return window(i, j, 2, 2) || i < 1 || j < 1; };
inline const Rule kWindow = [](auto i, auto j) { return causal(i, j) && window(i, j, 3, 0); };
inline const Rule kPacked = [](auto i, auto j) { return causal(i, j) && together(i, j, {4, 3}); };
inline const Rule kDocuments = [](auto i, auto j) { return together(i, j, {5, 2, 6}); };
inline const Rule kBlocks = [](auto i, auto j) { return i / 4 == j / 4; };
inline const Rule kPrefix = [](auto i, auto j) { return causal(i, j) || j < 3; };
inline const Rule kStrided = [](auto i, auto j) { return causal(i, j) && strided(i, j, 3); };

using M = MaskMistake;
inline const std::vector<Subject> kSubjects = {
    {"causal",
     plain(causal),
     {{M::Inverted, "inverted", inverse(causal)},
      {M::Transposed, "transposed", transpose(causal)},
      {M::Shifted, "shifted by one key to the right", plain([](auto i, auto j) { return j <= i + 1; })},
      {M::Shifted, "shifted by one key to the left", plain([](auto i, auto j) { return j < i; })},
      {M::ShiftedFrom, "from query 5 on", plain([](auto i, auto j) { return j <= i + (i >= 5); })},
      {M::AllMasked, "zeros of an additive mask", plain([](auto, auto) { return false; })},
      {M::Layer, "without the mask layer causal", plain([](auto, auto) { return true; })}}},
    {"padding,causal",
     [](const Tokens& t) { return Rule([t](auto i, auto j) { return causal(i, j) && t.real(j); }); },
     {{M::PaddedQueries, "padding on queries as well",
       [](const Tokens& t) { return Rule([t](auto i, auto j) { return causal(i, j) && t.real(j) && t.real(i); }); }},
      {M::Layer, "without the mask layer padding", plain(causal)},
      {M::Layer, "without the mask layer causal",
       [](const Tokens& t) { return Rule([t](auto, auto j) { return t.real(j); }); }},
      {M::Layer, "inverted only in the mask layer padding",
       [](const Tokens& t) { return Rule([t](auto i, auto j) { return causal(i, j) && !t.real(j); }); }},
      {M::Shifted, "shifted up by one query",
       [](const Tokens& t) { return Rule([t](auto i, auto j) { return j <= i + 1 && t.real(j); }); }},
      {M::Corner, "corner where",
       [](const Tokens& t) {
           const Tokens other{t.size, t.padding, !t.first};
           return Rule([other](auto i, auto j) { return causal(i, j) && other.real(j); });
       }}}},
    {"padding",
     [](const Tokens& t) { return Rule([t](auto, auto j) { return t.real(j); }); },
     {{M::PaddedQueries, "padding on queries as well",
       [](const Tokens& t) { return Rule([t](auto i, auto j) { return t.real(j) && t.real(i); }); }},
      {M::PaddedQueries, "padding on queries instead of keys",
       [](const Tokens& t) { return Rule([t](auto i, auto) { return t.real(i); }); }}}},
    {"causal,local:3:0",
     plain(kWindow),
     {{M::Inverted, "inverted", inverse(kWindow)},
      {M::Transposed, "transposed", transpose(kWindow)},
      {M::OffByOne, "the window is local:4:0 where local:3:0",
       plain([](auto i, auto j) { return window(i, j, 4, 0); })},
      {M::OffByOne, "the window is local:2:0 where local:3:0",
       plain([](auto i, auto j) { return window(i, j, 2, 0); })}}},
    {"local:2:2",
     plain([](auto i, auto j) { return window(i, j, 2, 2); }),
     {{M::OffByOne, "local:3:3", plain([](auto i, auto j) { return window(i, j, 3, 3); })},
      {M::OffByOne, "local:2:1", plain([](auto i, auto j) { return window(i, j, 2, 1); })},
      {M::Shifted, "shifted by one key to the right", plain([](auto i, auto j) { return window(i, j, 1, 3); })},
      {M::Layer, "with the additional mask layer causal", plain([](auto i, auto j) { return window(i, j, 2, 0); })}}},
    {"causal,documents:4:3",
     plain(kPacked),
     {{M::Leak, "documents 1 and 2 leak into each other, tokens 0 to 3 and 4 to 6",
       plain([](auto i, auto j) { return kPacked(i, j) || (causal(i, j) && i < 7); })},
      {M::Leak, "documents 2 and 3", plain([](auto i, auto j) { return kPacked(i, j) || (i == 7 && j == 6); })},
      {M::Leak, "3 pairs", plain(causal)},
      {M::Layer, "shifted by one key to the right only in the mask layer causal", plain([](auto i, auto j) {
           return j <= i + 1 && together(i, j, {4, 3});
       })},
      {M::OffByOne, "documents:5:2 where documents:4:3", plain([](auto i, auto j) {
           return causal(i, j) && together(i, j, {5, 2});
       })}}},
    {"documents:5:2:6",
     plain(kDocuments),
     {{M::Inverted, "inverted", inverse(kDocuments)},
      {M::Leak, "documents 2 and 3 leak into each other, tokens 5 to 6 and 7 to 12", plain([](auto i, auto j) {
           return together(i, j, {5, 8});
       })},
      {M::Leak, "documents 1 and 3",
       plain([](auto i, auto j) { return kDocuments(i, j) || (i >= 7 && i < 13 && j < 5); })},
      {M::Shifted, "along the diagonal",
       plain([](auto i, auto j) { return i > 0 && j > 0 && kDocuments(i - 1, j - 1); })}}},
    {"block:4",
     plain(kBlocks),
     {{M::Inverted, "inverted", inverse(kBlocks)},
      {M::Leak, "blocks 2 and 3 leak into each other, tokens 4 to 7 and 8 to 11",
       plain([](auto i, auto j) { return kBlocks(i, j) || (i >= 4 && i < 12 && j >= 4 && j < 12); })},
      {M::OffByOne, "block:5 where block:4", plain([](auto i, auto j) { return i / 5 == j / 5; })},
      {M::Shifted, "down by one query", plain([](auto i, auto j) { return i > 0 && kBlocks(i - 1, j); })}}},
    {"causal+prefix:3",
     plain(kPrefix),
     {{M::Inverted, "inverted", inverse(kPrefix)},
      {M::Transposed, "transposed", transpose(kPrefix)},
      {M::InvertedTransposed, "inverted and transposed", plain([](auto i, auto j) { return !kPrefix(j, i); })},
      {M::OffByOne, "prefix:4 where prefix:3", plain([](auto i, auto j) { return causal(i, j) || j < 4; })}}},
    {"local:2:2+global:1",
     plain(kLongformer),
     {{M::Inverted, "inverted", inverse(kLongformer)},
      {M::OffByOne, "local:3:2", plain([](auto i, auto j) { return window(i, j, 3, 2) || i < 1 || j < 1; })},
      {M::OffByOne, "global:2 where global:1",
       plain([](auto i, auto j) { return window(i, j, 2, 2) || i < 2 || j < 2; })},
      {M::Layer, "with the additional mask layer causal",
       plain([](auto i, auto j) { return causal(i, j) && kLongformer(i, j); })}}},
    {"causal,strided:3",
     plain(kStrided),
     {{M::Inverted, "inverted", inverse(kStrided)},
      {M::Transposed, "transposed", transpose(kStrided)},
      {M::OffByOne, "strided:4 where strided:3",
       plain([](auto i, auto j) { return causal(i, j) && strided(i, j, 4); })},
      {M::Layer, "without the mask layer causal", plain([](auto i, auto j) { return strided(i, j, 3); })}}},
    {"causal,local:3:0+global:1",
     plain(kSink),
     {{M::Transposed, "transposed", transpose(kSink)},
      {M::Layer, "without the mask layer causal",
       plain([](auto i, auto j) { return window(i, j, 3, 0) || i < 1 || j < 1; })}}},
};

inline const Tokens kTokens[] = {{13, 3}, {16, 5, true}, {40, 7}, {70, 9, true}};

}  // namespace headscope::planted
