// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/explain/rules_python.h"

#include <vector>

#include "core/attention/query_key.h"
#include "core/explain/mask_python.h"

namespace headscope {

namespace {

using Kind = ScoreRule::Kind;

constexpr const char* kRope =
    "def rope(t, base, interleaved):  # t: (B, heads, S, Dh)\n"
    "    d = torch.arange(0, Dh, 2, dtype=torch.float64)\n"
    "    angle = torch.arange(S, dtype=torch.float64)[:, None] * base ** (-d / Dh)\n"
    "    cos, sin, t64 = angle.cos(), angle.sin(), t.double()\n"
    "    x, y = (t64[..., 0::2], t64[..., 1::2]) if interleaved else t64.chunk(2, dim=-1)\n"
    "    x, y = x * cos - y * sin, y * cos + x * sin\n"
    "    return (torch.stack((x, y), -1).flatten(-2) if interleaved else torch.cat((x, y), -1)).to(t.dtype)\n";
constexpr const char* kNorm =
    "def rms_norm(t, eps):\n"
    "    t64 = t.double()\n"
    "    return (t64 / (t64.pow(2).mean(-1, keepdim=True) + eps).sqrt()).to(t.dtype)\n";

/// The numbers of every head as a tensor.
std::string table(const char* name, const std::vector<std::string>& numbers, const std::string& dtype) {
    return fmt::format("{} = torch.tensor([{}], dtype={})\n", name, fmt::join(numbers, ", "), dtype);
}

/// The slopes of the heads that have the rule; 0 for the others.
std::string slopes_line(const HeadExpression& expression, std::int64_t num_heads, const std::string& dtype) {
    std::vector<std::string> slopes;
    for (std::int64_t head = 0; head < num_heads; ++head) {
        const ScoreRule* rule = expression.of(head).rule(Kind::Alibi);
        slopes.push_back(fmt::format("{}", rule ? alibi_slope(head, num_heads, rule->number) : 0.0));
    }
    return table("slopes", slopes, dtype);
}

/// The lines of score_mod for one part.
std::string part_lines(const HeadExpression& expression, const HeadPart& part, std::int64_t num_heads) {
    const std::string heads = python_heads(ranges_of(expression, part, num_heads), num_heads);
    std::string lines;
    for (const ScoreRule& rule : part.rules) {
        std::string changed;
        if (rule.kind == Kind::Alibi) changed = "score - slopes[h] * abs(j - i)";
        if (rule.kind == Kind::SoftCap) changed = fmt::format("{0} * torch.tanh(score / {0})", rule.number);
        if (changed.empty()) continue;
        lines += heads.empty() ? fmt::format("    score = {}\n", changed)
                               : fmt::format("    score = torch.where({}, {}, score)\n", heads, changed);
    }
    return lines;
}

}  // namespace

std::string python_score_mod(const HeadExpression& expression, std::int64_t num_heads, const std::string& dtype) {
    if (!changes_scores(expression)) return {};
    std::string lines = expression.has_rule(Kind::Alibi) ? slopes_line(expression, num_heads, dtype) : std::string();
    lines += "def score_mod(score, b, h, i, j):  # of query i and key j in head h\n";
    for (const HeadPart& part : expression.parts()) {
        if (!ranges_of(expression, part, num_heads).empty()) lines += part_lines(expression, part, num_heads);
    }
    return lines + "    return score\n";
}

std::string python_sinks(const HeadExpression& expression, std::int64_t num_heads, const std::string& dtype) {
    if (!expression.has_rule(Kind::Sink)) return {};
    std::vector<std::string> logits;
    for (std::int64_t head = 0; head < num_heads; ++head) {
        const ScoreRule* rule = expression.of(head).rule(Kind::Sink);
        logits.push_back(rule ? fmt::format("{}", rule->number) : "-math.inf");
    }
    return table("sinks", logits, dtype);
}

std::string python_queries_and_keys(const HeadExpression& expression, std::int64_t num_heads) {
    const bool ropes = expression.has_rule(Kind::Rope), norms = expression.has_rule(Kind::Norm);
    if (!ropes && !norms) return {};
    std::string lines = (norms ? kNorm : std::string()) + (ropes ? kRope : "");
    lines += "q, k = q.clone(), k.clone()\n";
    for (const HeadPart& part : expression.parts()) {
        for (const HeadPart::Range& range : ranges_of(expression, part, num_heads)) {
            for (const Kind kind : {Kind::Norm, Kind::Rope}) {
                const ScoreRule* rule = part.rule(kind);
                if (!rule) continue;
                const std::string heads = fmt::format("t[:, {}:{}]", range.first, range.last + 1);
                const std::string changed = kind == Kind::Norm ? fmt::format("rms_norm({}, {})", heads, rule->number)
                                                               : fmt::format("rope({}, {}, {})", heads, rule->number,
                                                                             rule->interleaved ? "True" : "False");
                lines += fmt::format("for t in (q, k):\n    {} = {}\n", heads, changed);
            }
        }
    }
    return lines;
}

}  // namespace headscope
