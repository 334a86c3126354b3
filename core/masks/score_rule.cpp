// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/masks/score_rule.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>

#include "core/masks/mask_text.h"

namespace headscope {

namespace {

using Kind = ScoreRule::Kind;

constexpr double kRequired = std::numeric_limits<double>::quiet_NaN();
constexpr std::string_view kHalf = "half", kInterleaved = "interleaved";

/// The shortest text that reads back the same, without a plus sign, which would join two patterns.
std::string number_text(double number) {
    std::string text = fmt::format("{}", number);
    std::erase(text, '+');
    return text;
}

constexpr ScorePreset kAlibiPresets[] = {
    {phrase("ALiBi: causal with a bias for distanc&e"), "causal,alibi"},
    {phrase("&Windows in heads 0-3, ALiBi in the others"), "head 0-3: causal,local:4:0; other heads: causal,alibi"}};
constexpr ScorePreset kSoftCapPresets[] = {{phrase("Soft-capped sco&res (Gemma 2)"), "causal,softcap:50"}};
constexpr ScorePreset kSinkPresets[] = {{phrase("A sin&k in the denominator (gpt-oss)"), "causal,sink:0"}};
constexpr ScorePreset kRopePresets[] = {{phrase("RoPE: rotated &queries and keys"), "causal,rope:10000"}};

constexpr auto kTypes = std::to_array<ScoreRuleType>({
    {.kind = Kind::Alibi,
     .word = "alibi",
     .form = "alibi:BASE",
     .number = "BASE",
     .start = 2,
     .least = 1.0000001,
     .most = 1e30,
     .example = "alibi:2",
     .tip = phrase("alibi: subtracts slope · |i − j| from each score; head h of H has the slope BASE^(−8(h+1)/H)."),
     .presets = kAlibiPresets,
     .sentence = [](const ScoreRule& r) { return say("ALiBi: slopes of base {}", number_text(r.number)); }},
    {.kind = Kind::SoftCap,
     .word = "softcap",
     .form = "softcap:C",
     .number = "C",
     .start = kRequired,
     .least = 1e-6,
     .most = 1e30,
     .example = "softcap:50",
     .tip = phrase("softcap: makes each score C · tanh(score / C), before the mask."),
     .presets = kSoftCapPresets,
     .sentence = [](const ScoreRule& r) { return say("soft cap: scores stay within ±{}", number_text(r.number)); }},
    {.kind = Kind::Sink,
     .word = "sink",
     .form = "sink:LOGIT",
     .number = "LOGIT",
     .start = kRequired,
     .least = -1e30,
     .most = 1e30,
     .example = "sink:0",
     .tip = phrase("sink: exp(LOGIT) joins the denominator of each row's softmax, so that its weights sum to less "
                   "than 1."),
     .presets = kSinkPresets,
     .sentence =
         [](const ScoreRule& r) { return say("sink: a logit of {} in the denominator", number_text(r.number)); }},
    {.kind = Kind::Rope,
     .word = "rope",
     .form = "rope:BASE:CONVENTION",
     .number = "BASE",
     .start = 10000,
     .least = 1e-6,
     .most = 1e30,
     .example = "rope:10000:half",
     .tip = phrase("rope: rotates q and k by angles i · BASE^(−2d/head_dim); half pairs d with d + head_dim/2, "
                   "interleaved 2d with 2d + 1."),
     .presets = kRopePresets,
     .sentence =
         [](const ScoreRule& r) {
             return r.interleaved
                        ? say("RoPE: q and k rotated, base {}, neighbouring pairs", number_text(r.number))
                        : say("RoPE: q and k rotated, base {}, pairs half a head apart", number_text(r.number));
         }},
    {.kind = Kind::Norm,
     .word = "qknorm",
     .form = "qknorm:EPS",
     .number = "EPS",
     .start = 1e-6,
     .least = 0,
     .most = 1e30,
     .example = "qknorm:1e-6",
     .tip = phrase("qknorm: divides each q and each k by its root mean square √(mean(x²) + EPS), before rope."),
     .sentence =
         [](const ScoreRule& r) {
             return say("q and k divided by their root mean square, eps {}", number_text(r.number));
         }},
});

Result<double> parse_number(std::string_view text, std::string_view part, const ScoreRuleType& type) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool whole = error == std::errc{} && end == text.data() + text.size();
    if (!whole || !std::isfinite(value)) {
        return fail(ErrorCode::InvalidMask, "'{}': '{}' is no number; write {}, as in {}", part, text, type.form,
                    type.example);
    }
    if (value < type.least || value > type.most) {
        return fail(ErrorCode::InvalidMask, "'{}': {} is {}, but must be from {} to {}", part, type.number, text,
                    number_text(type.least), number_text(type.most));
    }
    return value;
}

}  // namespace

std::span<const ScoreRuleType> score_rule_types() {
    return kTypes;
}

const ScoreRuleType& type_of(ScoreRule::Kind kind) {
    return kTypes[static_cast<std::size_t>(kind)];
}

const ScoreRuleType* score_rule_of(std::string_view word) {
    const auto found = std::find_if(kTypes.begin(), kTypes.end(), [&](const auto& type) { return type.word == word; });
    return found == kTypes.end() ? nullptr : &*found;
}

std::string score_rule_forms() {
    std::string text;
    for (const ScoreRuleType& type : kTypes) text.append(text.empty() ? "" : ", ").append(type.form);
    return text;
}

Result<ScoreRule> parse_score_rule(std::string_view text) {
    const std::string_view part = trimmed(text);
    const ScoreRuleType* type = score_rule_of(pattern_word(part));
    if (!type) return fail(ErrorCode::InvalidMask, "'{}' is no rule; write one of {}", part, score_rule_forms());
    auto fields = pattern_numbers(part);
    ScoreRule rule{.kind = type->kind, .number = type->start};
    if (type->kind == Kind::Rope && !fields.empty() && (fields.back() == kHalf || fields.back() == kInterleaved)) {
        rule.interleaved = fields.back() == kInterleaved;
        fields.pop_back();
    }
    if (fields.size() > 1 || (fields.empty() && std::isnan(type->start))) {
        return fail(ErrorCode::InvalidMask, "'{}' does not have one number; write {}, as in {}", part, type->form,
                    type->example);
    }
    if (fields.empty()) return rule;
    const auto number = parse_number(fields.front(), part, *type);
    if (!number) return tl::unexpected(number.error());
    rule.number = *number;
    return rule;
}

std::string to_string(const ScoreRule& rule) {
    const ScoreRuleType& type = type_of(rule.kind);
    std::string text = type.word;
    if (rule.number != type.start || rule.kind == Kind::Rope) text.append(":").append(number_text(rule.number));
    if (rule.kind == Kind::Rope) text.append(":").append(rule.interleaved ? kInterleaved : kHalf);
    return text;
}

double alibi_slope(std::int64_t head, std::int64_t num_heads, double base) {
    const auto power = static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(num_heads)));
    const auto slope = [base](double number, double of) { return std::pow(base, -8 * number / of); };
    if (head < power) return slope(static_cast<double>(head + 1), static_cast<double>(power));
    return slope(static_cast<double>(2 * (head - power) + 1), static_cast<double>(2 * power));
}

}  // namespace headscope
