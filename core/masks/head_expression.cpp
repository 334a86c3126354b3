// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/masks/head_expression.h"

#include <algorithm>
#include <charconv>
#include <limits>

#include "core/masks/mask_layers.h"
#include "core/masks/mask_text.h"

namespace headscope {

namespace {

constexpr std::string_view kOthers = "other heads", kForm = "head 0-3: causal; other heads: none";

/// Removes "head" or "heads" and a space from the beginning; false if the text begins otherwise.
bool take_heads(std::string_view& text) {
    text = trimmed(text);
    for (const std::string_view word : {"heads", "head"}) {
        if (!text.starts_with(word) || text.size() == word.size()) continue;
        const char next = text[word.size()];
        if (next != ' ' && next != '\t' && (next < '0' || next > '9')) continue;
        text = trimmed(text.substr(word.size()));
        return true;
    }
    return false;
}

Result<std::int64_t> parse_head(std::string_view text, std::string_view part) {
    text = trimmed(text);
    std::int64_t head = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), head);
    const bool whole = error == std::errc{} && end == text.data() + text.size() && head >= 0;
    if (whole) return head;
    return fail(ErrorCode::InvalidMask, "'{}': '{}' is no head; heads are numbered from 0, as in {}", part, text,
                kForm);
}

/// "0-3,6"
Result<std::vector<HeadPart::Range>> parse_ranges(std::string_view list, std::string_view part) {
    std::vector<HeadPart::Range> ranges;
    while (true) {
        const auto comma = list.find(',');
        const std::string_view range = list.substr(0, comma);
        const auto dash = range.find('-');
        const auto first = parse_head(range.substr(0, dash), part);
        if (!first) return tl::unexpected(first.error());
        const auto last = dash == std::string_view::npos ? first : parse_head(range.substr(dash + 1), part);
        if (!last) return tl::unexpected(last.error());
        if (*last < *first) {
            return fail(ErrorCode::InvalidMask, "'{}': head {} comes after head {}; write the smaller one first", part,
                        *first, *last);
        }
        ranges.push_back({*first, *last});
        if (comma == std::string_view::npos) return ranges;
        list.remove_prefix(comma + 1);
    }
}

/// Parses what is said of some heads: the layers of the mask, and the rules among them.
Result<HeadPart> parse_part(std::string_view text) {
    HeadPart part;
    MaskText mask(text);
    MaskText rest("none");
    for (const MaskText::Layer& layer : mask.layers()) {
        const auto is_rule = [](const std::string& pattern) { return score_rule_of(pattern_word(pattern)); };
        const auto rule = std::find_if(layer.patterns.begin(), layer.patterns.end(), is_rule);
        if (rule == layer.patterns.end()) {
            rest.append(layer);
            continue;
        }
        const std::string_view word = pattern_word(*rule);
        if (layer.patterns.size() > 1) {
            return fail(ErrorCode::InvalidMask,
                        "'{}' changes scores and allows no cell, so it can't be joined by a plus sign; put a comma "
                        "before it",
                        word);
        }
        if (!layer.on) {
            return fail(ErrorCode::InvalidMask, "only layers of the mask can be switched off; leave {} out", word);
        }
        auto parsed = parse_score_rule(*rule);
        if (!parsed) return tl::unexpected(parsed.error());
        if (part.rule(parsed->kind)) return fail(ErrorCode::InvalidMask, "{} stands twice; write it once", word);
        part.rules.push_back(*parsed);
    }
    if (!part.rules.empty() && rest.layers().empty()) return part;
    auto layers = parse_mask(part.rules.empty() ? text : std::string_view(rest.str()));
    if (!layers) return tl::unexpected(layers.error());
    part.mask = std::move(*layers);
    return part;
}

/// "head 0-3: causal"
Result<HeadPart> parse_named_part(std::string_view text) {
    const std::string_view part = trimmed(text);
    std::string_view names = part.substr(0, part.find(':'));
    const bool others = trimmed(names) == kOthers;
    if (part.find(':') == std::string_view::npos || (!others && !take_heads(names))) {
        return fail(ErrorCode::InvalidMask, "'{}' does not say for which heads; write it as in {}", part, kForm);
    }
    std::vector<HeadPart::Range> heads;
    if (!others) {
        auto ranges = parse_ranges(names, part);
        if (!ranges) return tl::unexpected(ranges.error());
        heads = std::move(*ranges);
    }
    return parse_part(part.substr(part.find(':') + 1)).map([&](HeadPart parsed) {
        parsed.heads = heads;
        return parsed;
    });
}

Result<void> check_overlap(const std::vector<HeadPart>& parts) {
    std::vector<HeadPart::Range> seen;
    for (const HeadPart& part : parts) {
        for (const HeadPart::Range& range : part.heads) {
            for (const HeadPart::Range& other : seen) {
                if (range.first > other.last || other.first > range.last) continue;
                return fail(ErrorCode::InvalidMask, "head {} is described twice; describe each head once",
                            std::max(range.first, other.first));
            }
            seen.push_back(range);
        }
    }
    const auto others = std::count_if(parts.begin(), parts.end(), [](const auto& part) { return part.heads.empty(); });
    if (others > 1) return fail(ErrorCode::InvalidMask, "'{}' stands twice; write it once", kOthers);
    return {};
}

template <typename MaskToText>
std::string text_of(const HeadExpression& expression, MaskToText mask_text) {
    std::string text;
    const bool by_head = expression.parts().size() > 1 || !expression.parts().front().heads.empty();
    for (const HeadPart& part : expression.parts()) {
        if (!text.empty()) text += "; ";
        if (by_head) text += heads_text(part) + ": ";
        const std::string mask = mask_text(part.mask);
        std::string rules;
        for (const ScoreRule& rule : part.rules) rules.append(rules.empty() ? "" : ",").append(to_string(rule));
        if (rules.empty() || mask != "none") text += mask;
        if (!rules.empty()) text.append(mask == "none" ? "" : ",").append(rules);
    }
    return text;
}

}  // namespace

bool HeadPart::names(std::int64_t head) const {
    return std::any_of(heads.begin(), heads.end(),
                       [head](const Range& range) { return head >= range.first && head <= range.last; });
}

const ScoreRule* HeadPart::rule(ScoreRule::Kind kind) const {
    const auto found = std::find_if(rules.begin(), rules.end(), [kind](const auto& rule) { return rule.kind == kind; });
    return found == rules.end() ? nullptr : &*found;
}

HeadExpression::HeadExpression(MaskExpression mask) : parts_(1) {
    parts_.front().mask = std::move(mask);
}

const HeadPart& HeadExpression::of(std::int64_t head) const {
    const auto named =
        std::find_if(parts_.begin(), parts_.end(), [head](const auto& part) { return part.names(head); });
    if (named != parts_.end()) return *named;
    const auto others = std::find_if(parts_.begin(), parts_.end(), [](const auto& part) { return part.heads.empty(); });
    return others != parts_.end() ? *others : parts_.back();
}

bool HeadExpression::has_one_mask() const {
    return std::all_of(parts_.begin(), parts_.end(),
                       [this](const auto& part) { return part.mask == parts_.front().mask; });
}

bool HeadExpression::has_rules() const {
    return std::any_of(parts_.begin(), parts_.end(), [](const auto& part) { return !part.rules.empty(); });
}

bool HeadExpression::has_rule(ScoreRule::Kind kind) const {
    return std::any_of(parts_.begin(), parts_.end(), [kind](const auto& part) { return part.rule(kind) != nullptr; });
}

bool HeadExpression::uses_padding() const {
    return std::any_of(parts_.begin(), parts_.end(), [](const auto& part) { return part.mask.uses_padding(); });
}

bool HeadExpression::empty() const {
    return !has_rules() &&
           std::all_of(parts_.begin(), parts_.end(), [](const auto& part) { return part.mask.layers.empty(); });
}

bool is_by_head(std::string_view text) {
    return trimmed(text).starts_with(kOthers) || take_heads(text);
}

Result<HeadExpression> parse_heads(std::string_view text) {
    if (!is_by_head(text)) {
        return parse_part(text).map([](HeadPart part) { return HeadExpression(std::vector{std::move(part)}); });
    }
    std::vector<HeadPart> parts;
    for (const std::string& each : split_unescaped(text, ';')) {
        auto part = parse_named_part(each);
        if (!part) return tl::unexpected(part.error());
        parts.push_back(std::move(*part));
    }
    if (auto apart = check_overlap(parts); !apart) return tl::unexpected(apart.error());
    return HeadExpression(std::move(parts));
}

std::string heads_text(const HeadPart& part) {
    std::string text;
    for (const HeadPart::Range& range : part.heads) {
        text.append(text.empty() ? "head " : ",");
        text +=
            range.first == range.last ? fmt::format("{}", range.first) : fmt::format("{}-{}", range.first, range.last);
    }
    return text.empty() ? std::string(kOthers) : text;
}

std::string to_string(const HeadExpression& expression) {
    return text_of(expression, [](const MaskExpression& mask) { return to_string(mask); });
}

std::string short_text(const HeadExpression& expression) {
    return text_of(expression, [](const MaskExpression& mask) { return short_text(mask); });
}

Result<void> check_heads(const HeadExpression& expression, std::int64_t num_heads) {
    bool others = false;
    std::vector<HeadPart::Range> ranges;
    for (const HeadPart& part : expression.parts()) {
        others |= part.heads.empty();
        for (const HeadPart::Range& range : part.heads) {
            if (range.last >= num_heads) {
                return fail(ErrorCode::InvalidMask,
                            "the mask describes head {}, but the layer has {} heads, numbered from 0 to {}", range.last,
                            num_heads, num_heads - 1);
            }
            ranges.push_back(range);
        }
    }
    if (others) return {};
    std::sort(ranges.begin(), ranges.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::int64_t next = 0;
    for (const HeadPart::Range& range : ranges) {
        if (range.first != next) break;
        next = range.last + 1;
    }
    if (next == num_heads) return {};
    return fail(ErrorCode::InvalidMask, "the mask does not say anything of head {}; add '; {}: none'", next, kOthers);
}

}  // namespace headscope
