// SPDX-License-Identifier: GPL-3.0-or-later
// The text of masks: "causal,local:4:0+global:1" and back.
#include <array>
#include <charconv>
#include <optional>

#include "core/base/sentence.h"
#include "core/masks/mask.h"
#include "core/masks/painted_text.h"

namespace headscope {

namespace {

/// How a pattern is written. The numbers of its form stand in a, b and c, in that order.
struct Form {
    MaskPattern::Kind kind;
    std::string_view word;
    std::size_t numbers;
    std::array<std::int64_t, 3> least;  ///< the smallest legal value of each number
    std::array<const char*, 3> names;
    const char* example;
};

using Kind = MaskPattern::Kind;
constexpr std::array<Form, 9> kForms{{
    {Kind::Padding, "padding", 0, {}, {}, "padding"},
    {Kind::Causal, "causal", 0, {}, {}, "causal"},
    {Kind::Local, "local", 2, {0, 0}, {"LEFT", "RIGHT"}, phrase("local:LEFT:RIGHT, as in local:4:0")},
    {Kind::Strided, "strided", 1, {1}, {"N"}, phrase("strided:N, as in strided:8")},
    {Kind::Dilated,
     "dilated",
     3,
     {0, 0, 1},
     {"LEFT", "RIGHT", "STEP"},
     phrase("dilated:LEFT:RIGHT:STEP, as in dilated:2:2:3")},
    {Kind::Global, "global", 1, {1}, {"N"}, phrase("global:N, as in global:1")},
    {Kind::Block, "block", 1, {1}, {"N"}, phrase("block:N, as in block:4")},
    {Kind::File, "file", 0, {}, {}, phrase("file:PATH, as in file:mask.npy")},
    {Kind::Painted, "painted", 0, {}, {}, phrase("painted:S:CELLS as the mask editor does")},
}};
constexpr std::string_view kOff = "off:";
constexpr std::int64_t kLargestNumber = 2147483647;  // so that LEFT * STEP can't overflow
constexpr const char* kLegalWords =
    phrase("padding, causal, local:LEFT:RIGHT, strided:N, dilated:LEFT:RIGHT:STEP, global:N, block:N and file:PATH");

const Form& form_of(Kind kind) {
    for (const Form& form : kForms) {
        if (form.kind == kind) return form;
    }
    return kForms.front();
}

/// Cuts at each separator that has no backslash before it; the backslashes stay.
std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    std::size_t begin = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] == '\\') {
            ++at;
        } else if (text[at] == separator) {
            parts.push_back(text.substr(begin, at - begin));
            begin = at + 1;
        }
    }
    parts.push_back(text.substr(begin));
    return parts;
}

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

/// What a sentence quotes: painted cells can be long. Cut between two characters of UTF-8.
std::string shortened(std::string_view text) {
    constexpr std::size_t kMost = 120;
    if (text.size() <= kMost) return std::string(text);
    std::size_t end = kMost;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80) --end;
    return std::string(text.substr(0, end)) + "...";
}

bool is_special(char c) {
    return c == ',' || c == '+' || c == '\\';
}

/// A backslash before any other character is itself, so that most paths need no thought.
std::string unescaped(std::string_view text) {
    std::string plain;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] == '\\' && at + 1 < text.size() && is_special(text[at + 1])) ++at;
        plain += text[at];
    }
    return plain;
}

std::string escaped(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (is_special(c)) out += '\\';
        out += c;
    }
    return out;
}

/// The one check of every number of every pattern: digits alone ("-0" is none), from the form's least to
/// kLargestNumber.
Result<std::int64_t> parse_number(std::string_view text, const Form& form, std::size_t which, std::string_view part) {
    const bool negative = text.starts_with('-');
    const std::string_view digits = text.substr(negative ? 1 : 0);
    const auto significant = digits.find_first_not_of('0');
    if (digits.empty() || digits.find_first_not_of("0123456789") != std::string_view::npos ||
        (negative && significant == std::string_view::npos)) {
        return fail(ErrorCode::InvalidMask, "mask '{}': '{}' is not a whole number; write {}", shortened(part),
                    shortened(text), form.example);
    }
    std::int64_t value = 0;
    const bool fits = std::from_chars(digits.data(), digits.data() + digits.size(), value).ec == std::errc{};
    if (negative || (fits && value < form.least[which])) {
        return fail(ErrorCode::InvalidMask, "mask '{}': {} is {}, but must be {} or more; write {}", shortened(part),
                    form.names[which], shortened(text), form.least[which], form.example);
    }
    if (!fits || value > kLargestNumber) {
        return fail(ErrorCode::InvalidMask, "mask '{}': {} is {}, but can be {} at most", shortened(part),
                    form.names[which], shortened(text), kLargestNumber);
    }
    return value;
}

Result<MaskPattern> parse_file(std::string_view part) {
    const auto colon = part.find(':');
    MaskPattern pattern{.kind = Kind::File};
    if (colon != std::string_view::npos) pattern.path = unescaped(part.substr(colon + 1));
    if (pattern.path.empty()) {
        return fail(ErrorCode::InvalidMask, "mask '{}' names no file; write {}", shortened(part),
                    form_of(Kind::File).example);
    }
    return pattern;
}

Result<MaskPattern> parse_painted(std::string_view part) {
    const Form& form = form_of(Kind::Painted);
    const auto fields = split(part, ':');
    if (fields.size() != 3) {
        return fail(ErrorCode::InvalidMask, "mask '{}' has no cells; write {}", shortened(part), form.example);
    }
    constexpr Form kSize{Kind::Painted, "painted", 1, {1}, {"S"}, phrase("painted:S:CELLS as the mask editor does")};
    const auto size = parse_number(fields[1], kSize, 0, shortened(part));
    if (!size) return tl::unexpected(size.error());
    auto painted = parse_painted_cells(*size, fields[2]);
    if (!painted) return tl::unexpected(painted.error());
    return MaskPattern{.kind = Kind::Painted, .painted = std::make_shared<const PaintedMask>(std::move(*painted))};
}

Result<MaskPattern> parse_numbers(std::string_view part, const Form& form) {
    const auto fields = split(part, ':');
    if (fields.size() < form.numbers + 1) {
        return fail(ErrorCode::InvalidMask, "mask '{}' lacks a number; write {}", shortened(part), form.example);
    }
    if (fields.size() > form.numbers + 1) {
        return fail(ErrorCode::InvalidMask, "mask '{}' has too many numbers; write {}", shortened(part), form.example);
    }
    std::array<std::int64_t, 3> numbers{};
    for (std::size_t which = 0; which < form.numbers; ++which) {
        const auto number = parse_number(fields[which + 1], form, which, part);
        if (!number) return tl::unexpected(number.error());
        numbers[which] = *number;
    }
    return MaskPattern{.kind = form.kind, .a = numbers[0], .b = numbers[1], .c = numbers[2]};
}

Result<MaskPattern> parse_pattern(std::string_view text, std::string_view whole) {
    const std::string_view part = trimmed(text);
    if (part.empty()) {
        return fail(ErrorCode::InvalidMask,
                    "mask '{}' has an empty part; write a pattern between the commas and plus "
                    "signs: {}",
                    shortened(whole), kLegalWords);
    }
    const std::string_view word = part.substr(0, part.find(':'));
    for (const Form& form : kForms) {
        if (word != form.word) continue;
        // A path may end with a space, so that only its left side is trimmed.
        if (form.kind == Kind::File) return parse_file(text.substr(text.find_first_not_of(" \t\r\n")));
        if (form.kind == Kind::Painted) return parse_painted(part);
        return parse_numbers(part, form);
    }
    if (word == "none") {
        return fail(ErrorCode::InvalidMask, "mask '{}': none stands alone; leave it out beside other patterns",
                    shortened(whole));
    }
    return fail(ErrorCode::InvalidMask, "mask '{}' is unknown; write none, or {}", shortened(part), kLegalWords);
}

Result<std::vector<MaskPattern>> parse_layer(std::string_view layer, std::string_view whole) {
    std::vector<MaskPattern> patterns;
    for (const std::string_view part : split(layer, '+')) {
        auto pattern = parse_pattern(part, whole);
        if (!pattern) return tl::unexpected(pattern.error());
        patterns.push_back(std::move(*pattern));
    }
    return patterns;
}

std::string pattern_text(const MaskPattern& pattern) {
    const Form& form = form_of(pattern.kind);
    std::string text(form.word);
    const std::array<std::int64_t, 3> numbers{pattern.a, pattern.b, pattern.c};
    for (std::size_t which = 0; which < form.numbers; ++which) text += fmt::format(":{}", numbers[which]);
    if (pattern.kind == Kind::File) text.append(":").append(escaped(pattern.path));
    if (pattern.kind == Kind::Painted && pattern.painted) {
        text += fmt::format(":{}:{}", pattern.painted->size, painted_cells_text(*pattern.painted));
    }
    return text;
}

}  // namespace

Result<MaskExpression> parse_mask(std::string_view text) {
    MaskExpression mask;
    if (trimmed(text) == "none") return mask;
    if (trimmed(text).empty()) return fail(ErrorCode::InvalidMask, "the mask is empty; write none, or {}", kLegalWords);
    for (std::string_view layer : split(text, ',')) {
        const bool off = trimmed(layer).starts_with(kOff);
        if (off) layer.remove_prefix(layer.find(kOff) + kOff.size());
        auto patterns = parse_layer(layer, text);
        if (!patterns) return tl::unexpected(patterns.error());
        if (off) {
            mask.off.push_back({mask.layers.size(), std::move(*patterns)});
        } else {
            mask.layers.push_back(std::move(*patterns));
        }
    }
    return mask;
}

std::string to_string(const std::vector<MaskPattern>& layer) {
    std::string text;
    for (const MaskPattern& pattern : layer) text.append(text.empty() ? "" : "+").append(pattern_text(pattern));
    return text;
}

std::string to_string(const MaskExpression& mask) {
    std::string text;
    const auto add = [&](const std::string& layer) { text.append(text.empty() ? "" : ",").append(layer); };
    auto off = mask.off.begin();
    for (std::size_t at = 0; at <= mask.layers.size(); ++at) {
        for (; off != mask.off.end() && (off->before <= at || at == mask.layers.size()); ++off) {
            add(std::string(kOff) + to_string(off->patterns));
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
    return a.kind == b.kind && a.a == b.a && a.b == b.b && a.c == b.c && a.path == b.path && same_cells;
}

bool operator==(const MaskExpression& a, const MaskExpression& b) {
    return a.layers == b.layers;
}

}  // namespace headscope
