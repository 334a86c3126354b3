// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/base/sentence.h"

namespace headscope {

/// A change of a head's queries, keys or scores, which an expression names beside the mask: "alibi", "softcap:30". The
/// table in score_rule.cpp describes each kind.
struct ScoreRule {
    enum class Kind {
        Alibi,    ///< subtracts slope · |i - j| from the score (Press, Smith and Lewis 2022)
        SoftCap,  ///< C · tanh(score / C) (Gemma 2)
        Sink,     ///< a logit that joins the softmax's denominator, without a value (gpt-oss)
        Rope,     ///< rotates q and k by the position (Su and others 2021)
        Norm      ///< divides q and k by their root mean square
    };
    Kind kind = Kind::Alibi;
    double number = 0;
    bool interleaved = false;  ///< of Rope: rotates the pairs (0,1), (2,3) ... instead of (0,Dh/2), (1,Dh/2+1) ...
    bool operator==(const ScoreRule&) const = default;
};

/// A common rule, with its name in menus including the mnemonic: a phrase().
struct ScorePreset {
    const char* name;
    const char* expression;
};

/// The description of a rule. To add one, add an enumerator of ScoreRule::Kind, a row of the table in score_rule.cpp,
/// and what it does: to scores in core/engine/score_change.cpp, or to q and k in core/attention/query_key.cpp.
struct ScoreRuleType {
    ScoreRule::Kind kind;
    const char* word;    ///< as written in an expression: "softcap"
    const char* form;    ///< "softcap:C"
    const char* number;  ///< its name in messages: "C"
    double start;        ///< the number if none is written; NaN if one must be
    double least;        ///< smallest legal number
    double most;
    const char* example;
    const char* tip;  ///< one sentence that describes it: a phrase()
    std::span<const ScorePreset> presets{};
    Sentence (*sentence)(const ScoreRule&);
};

/// The table in the order of ScoreRule::Kind.
std::span<const ScoreRuleType> score_rule_types();
const ScoreRuleType& type_of(ScoreRule::Kind kind);
/// Null if no rule has this word.
const ScoreRuleType* score_rule_of(std::string_view word);
/// "alibi:BASE, softcap:C, ...", for help and messages.
std::string score_rule_forms();

/// Parses one rule: "rope:10000:interleaved". InvalidMask says what would be right.
Result<ScoreRule> parse_score_rule(std::string_view text);
std::string to_string(const ScoreRule& rule);

/// ALiBi's slope of a head: base^(-8(h+1)/H) if H is a power of two; otherwise those of the next smaller power of two,
/// and then every second one of twice as many heads, as published (Press, Smith and Lewis 2022).
double alibi_slope(std::int64_t head, std::int64_t num_heads, double base = 2);

}  // namespace headscope
