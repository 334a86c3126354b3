// SPDX-License-Identifier: GPL-3.0-or-later
// Converts masks from and to text: "causal,local:4:0+global:1".
#include <charconv>

#include "core/masks/head_expression.h"
#include "core/masks/mask.h"
#include "core/masks/mask_text.h"
#include "core/masks/painted_text.h"
#include "core/masks/pattern.h"
#include "core/masks/score_rule.h"

namespace headscope {

namespace {

using Kind = MaskPattern::Kind;

/// Shortens a text for a message, because painted cells can be long. Cuts between two characters of UTF-8.
std::string shortened(std::string_view text) {
    constexpr std::size_t kMost = 120;
    if (text.size() <= kMost) return std::string(text);
    std::size_t end = kMost;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80) --end;
    return std::string(text.substr(0, end)) + "...";
}

/// Checks a number of any pattern: only digits ("-0" is refused), between its least value and the largest.
Result<std::int64_t> parse_number(std::string_view text, const PatternNumber& number, std::string_view part,
                                  const std::string& form, const std::string& example) {
    const bool negative = text.starts_with('-');
    const std::string_view digits = text.substr(negative ? 1 : 0);
    const bool zero = digits.find_first_not_of('0') == std::string_view::npos;
    if (digits.empty() || digits.find_first_not_of("0123456789") != std::string_view::npos || (negative && zero)) {
        return fail(ErrorCode::InvalidMask, "mask '{}': '{}' is not a whole number; write {}, as in {}",
                    shortened(part), shortened(text), form, example);
    }
    std::int64_t value = 0;
    const bool fits = std::from_chars(digits.data(), digits.data() + digits.size(), value).ec == std::errc{};
    if (negative || (fits && value < number.least)) {
        return fail(ErrorCode::InvalidMask, "mask '{}': {} is {}, but must be {} or more; write {}, as in {}",
                    shortened(part), number.name, shortened(text), number.least, form, example);
    }
    if (!fits || value > kLargestPatternNumber) {
        return fail(ErrorCode::InvalidMask, "mask '{}': {} is {}, but can be {} at most", shortened(part), number.name,
                    shortened(text), kLargestPatternNumber);
    }
    return value;
}

Result<MaskPattern> parse_file(std::string_view part) {
    MaskPattern pattern{.kind = Kind::File, .path = file_path(part)};
    if (!pattern.path.empty()) return pattern;
    return fail(ErrorCode::InvalidMask, "mask '{}' names no file; write {}, as in {}", shortened(part),
                form_of(type_of(Kind::File)), example_of(type_of(Kind::File)));
}

Result<MaskPattern> parse_painted(std::string_view part) {
    const auto fields = pattern_numbers(part);
    if (fields.size() != 2) {
        return fail(ErrorCode::InvalidMask, "mask '{}' has no cells; write painted:S:CELLS as the mask editor does",
                    shortened(part));
    }
    constexpr PatternNumber kSize{.name = "S", .least = 1};
    const auto size = parse_number(fields[0], kSize, part, "painted:S:CELLS", "painted:1:gA");
    if (!size) return tl::unexpected(size.error());
    auto painted = parse_painted_cells(*size, fields[1]);
    if (!painted) return tl::unexpected(painted.error());
    return MaskPattern{.kind = Kind::Painted, .painted = std::make_shared<const PaintedMask>(std::move(*painted))};
}

Result<MaskPattern> parse_numbers(std::string_view part, const PatternType& type) {
    const auto fields = pattern_numbers(part);
    const std::size_t wanted = type.numbers.size();
    const std::string form = form_of(type), example = example_of(type);
    if (wanted == 0 && !fields.empty()) {
        return fail(ErrorCode::InvalidMask, "mask '{}': {} takes no number; write {}", shortened(part), type.word,
                    form);
    }
    if (fields.size() < wanted) {
        return fail(ErrorCode::InvalidMask, "mask '{}' lacks a number; write {}, as in {}", shortened(part), form,
                    example);
    }
    if (fields.size() > wanted && !type.repeats) {
        return fail(ErrorCode::InvalidMask, "mask '{}' has too many numbers; write {}, as in {}", shortened(part), form,
                    example);
    }
    MaskPattern pattern{.kind = type.kind};
    for (std::size_t which = 0; which < fields.size(); ++which) {
        const auto number = parse_number(fields[which], type.numbers[std::min(which, wanted - 1)], part, form, example);
        if (!number) return tl::unexpected(number.error());
        pattern.numbers.push_back(*number);
    }
    return pattern;
}

Result<MaskPattern> parse_pattern(std::string_view text, std::string_view whole) {
    const std::string_view part = trimmed(text);
    if (part.empty()) {
        return fail(ErrorCode::InvalidMask,
                    "mask '{}' has an empty part; write a pattern between the commas and plus "
                    "signs: {}",
                    shortened(whole), pattern_forms());
    }
    const std::string_view word = part.substr(0, part.find(':'));
    if (const PatternType* type = type_of(word)) {
        // A path may end with a space, so only its left side is trimmed.
        if (type->kind == Kind::File) return parse_file(text.substr(text.find(word)));
        return type->kind == Kind::Painted ? parse_painted(part) : parse_numbers(part, *type);
    }
    if (score_rule_of(trimmed(word))) {
        return fail(ErrorCode::InvalidMask, "'{}' changes scores and masks nothing; leave it out here",
                    shortened(part));
    }
    if (word == "none") {
        return fail(ErrorCode::InvalidMask, "mask '{}': none stands alone; leave it out beside other patterns",
                    shortened(whole));
    }
    return fail(ErrorCode::InvalidMask, "mask '{}' is unknown; write none, or patterns such as {}", shortened(part),
                pattern_forms());
}

std::string text_of(const MaskPattern& pattern) {
    if (pattern.kind == Kind::File) return file_pattern(pattern.path);
    std::string text = type_of(pattern.kind).word;
    for (const std::int64_t number : pattern.numbers) text += fmt::format(":{}", number);
    if (pattern.kind == Kind::Painted && pattern.painted) {
        text += fmt::format(":{}:{}", pattern.painted->size, painted_cells_text(*pattern.painted));
    }
    return text;
}

}  // namespace

Result<MaskExpression> parse_mask(std::string_view text) {
    if (trimmed(text).empty()) {
        return fail(ErrorCode::InvalidMask, "the mask is empty; write none, or patterns such as {}", pattern_forms());
    }
    if (is_by_head(text)) {
        return fail(ErrorCode::InvalidMask, "'{}' describes heads apart; write the mask of one head here",
                    shortened(trimmed(text)));
    }
    MaskExpression mask;
    const MaskText written(text);
    for (const MaskText::Layer& layer : written.layers()) {
        std::vector<MaskPattern> patterns;
        for (const std::string& part : layer.patterns) {
            auto pattern = parse_pattern(part, text);
            if (!pattern) return tl::unexpected(pattern.error());
            patterns.push_back(std::move(*pattern));
        }
        if (layer.on) {
            mask.layers.push_back(std::move(patterns));
        } else {
            mask.off.push_back({mask.layers.size(), std::move(patterns)});
        }
    }
    return mask;
}

std::string to_string(const std::vector<MaskPattern>& layer) {
    std::string text;
    for (const MaskPattern& pattern : layer) text.append(text.empty() ? "" : "+").append(text_of(pattern));
    return text;
}

std::string to_string(const MaskExpression& mask) {
    std::string text;
    const auto add = [&](const std::string& layer) { text.append(text.empty() ? "" : ",").append(layer); };
    auto off = mask.off.begin();
    for (std::size_t at = 0; at <= mask.layers.size(); ++at) {
        for (; off != mask.off.end() && (off->before <= at || at == mask.layers.size()); ++off) {
            add("off:" + to_string(off->patterns));
        }
        if (at < mask.layers.size()) add(to_string(mask.layers[at]));
    }
    return text.empty() ? "none" : text;
}

bool MaskExpression::uses_padding() const {
    for (const auto& layer : layers) {
        for (const auto& pattern : layer) {
            if (pattern.kind == Kind::Padding) return true;
        }
    }
    return false;
}

bool operator==(const MaskPattern& a, const MaskPattern& b) {
    const bool same_cells = a.painted == b.painted || (a.painted && b.painted && *a.painted == *b.painted);
    return a.kind == b.kind && a.numbers == b.numbers && a.path == b.path && same_cells;
}

bool operator==(const MaskExpression& a, const MaskExpression& b) {
    return a.layers == b.layers;
}

}  // namespace headscope
