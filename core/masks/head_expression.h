// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/masks/mask.h"
#include "core/masks/score_rule.h"

namespace headscope {

/// What an expression says of some heads: their mask, and the rules that change their queries, keys and scores.
struct HeadPart {
    struct Range {
        std::int64_t first = 0, last = 0;  ///< both included
        bool operator==(const Range&) const = default;
    };
    std::vector<Range> heads{};  ///< empty: every head that no other part names
    MaskExpression mask{};
    std::vector<ScoreRule> rules{};  ///< in the order in which they apply; each kind at most once

    bool names(std::int64_t head) const;
    const ScoreRule* rule(ScoreRule::Kind kind) const;  ///< null if the part has none of this kind
    bool operator==(const HeadPart&) const = default;
};

/// The mask and the rules of every head, as one text: "causal,alibi" for all of them, or by head
/// "head 0-3: causal,local:4:0; head 4-7: causal,alibi; other heads: none".
class HeadExpression {
public:
    HeadExpression() : parts_(1) {}
    /// One mask for every head.
    HeadExpression(MaskExpression mask);  // NOLINT(google-explicit-constructor): most masks are this
    explicit HeadExpression(std::vector<HeadPart> parts) : parts_(std::move(parts)) {}

    const std::vector<HeadPart>& parts() const { return parts_; }
    std::vector<HeadPart>& parts() { return parts_; }
    /// The part of a head. check_heads() makes sure that there is one.
    const HeadPart& of(std::int64_t head) const;
    const MaskExpression& mask(std::int64_t head) const { return of(head).mask; }
    /// True if every head has the same mask, though perhaps other rules.
    bool has_one_mask() const;
    bool has_rules() const;
    bool has_rule(ScoreRule::Kind kind) const;
    bool uses_padding() const;
    /// True if no head masks or changes anything.
    bool empty() const;
    bool operator==(const HeadExpression&) const = default;

private:
    std::vector<HeadPart> parts_;  ///< at least one
};

/// True if a text describes heads apart: it begins with "head", "heads" or "other heads".
bool is_by_head(std::string_view text);

/// Parses an expression. File patterns contain only their path, as in parse_mask(). InvalidMask names the faulty part.
Result<HeadExpression> parse_heads(std::string_view text);
/// The inverse; switched-off layers included.
std::string to_string(const HeadExpression& expression);
/// As short_text() of a mask: for captions.
std::string short_text(const HeadExpression& expression);
/// "head 0-3,6" or "other heads".
std::string heads_text(const HeadPart& part);

/// InvalidMask if a part names a head that the layer does not have, or if no part names one of its heads.
Result<void> check_heads(const HeadExpression& expression, std::int64_t num_heads);

}  // namespace headscope
