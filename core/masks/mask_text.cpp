// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/masks/mask_text.h"

#include <algorithm>

namespace headscope {

namespace {

constexpr std::string_view kOff = "off:", kSpace = " \t\r\n";

bool is_special(char c) {
    return c == ',' || c == '+' || c == ';' || c == '\\';
}

auto has_word(MaskText::Words words) {
    return [words](std::string_view pattern) {
        return std::find(words.begin(), words.end(), pattern_word(pattern)) != words.end();
    };
}

}  // namespace

std::vector<std::string> split_unescaped(std::string_view text, char separator) {
    std::vector<std::string> parts;
    std::size_t begin = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] == '\\') {
            ++at;
        } else if (text[at] == separator) {
            parts.emplace_back(text.substr(begin, at - begin));
            begin = at + 1;
        }
    }
    parts.emplace_back(text.substr(begin));
    return parts;
}

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(kSpace);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

std::string_view pattern_word(std::string_view pattern) {
    return trimmed(pattern.substr(0, pattern.find(':')));
}

std::vector<std::string> pattern_numbers(std::string_view pattern) {
    auto fields = split_unescaped(trimmed(pattern), ':');
    fields.erase(fields.begin());
    return fields;
}

std::string pattern_text(std::string_view word, const std::vector<std::string>& numbers) {
    std::string text(word);
    for (const std::string& number : numbers) text.append(":").append(number);
    return text;
}

std::string file_pattern(std::string_view path) {
    std::string text = "file:";
    for (const char c : path) {
        if (is_special(c)) text += '\\';
        text += c;
    }
    return text;
}

/// A backslash before any other character is kept, so that most paths can be written unchanged.
std::string file_path(std::string_view pattern) {
    const auto colon = pattern.find(':');
    if (colon == std::string_view::npos) return {};
    const std::string_view text = pattern.substr(colon + 1);
    std::string path;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] == '\\' && at + 1 < text.size() && is_special(text[at + 1])) ++at;
        path += text[at];
    }
    return path;
}

MaskText::MaskText(std::string_view text) {
    if (trimmed(text).empty() || trimmed(text) == "none") return;
    for (std::string_view layer : split_unescaped(text, ',')) {
        const bool off = trimmed(layer).starts_with(kOff);
        if (off) layer.remove_prefix(layer.find(kOff) + kOff.size());
        layers_.push_back({!off, split_unescaped(layer, '+')});
    }
}

std::string MaskText::str() const {
    std::string text;
    for (std::size_t n = 0; n < layers_.size(); ++n) {
        text.append(n > 0 ? "," : "").append(layers_[n].on ? "" : kOff);
        for (std::size_t p = 0; p < layers_[n].patterns.size(); ++p)
            text.append(p > 0 ? "+" : "").append(layers_[n].patterns[p]);
    }
    return layers_.empty() ? "none" : text;
}

MaskText::Presence MaskText::presence(Words words) const {
    std::ptrdiff_t found = 0;
    bool alone = true;
    for (const Layer& layer : layers_) {
        if (!layer.on) continue;
        const auto here = std::count_if(layer.patterns.begin(), layer.patterns.end(), has_word(words));
        found += here;
        alone = alone && (here == 0 || layer.patterns.size() == 1);
    }
    if (found == 0) return Presence::Absent;
    return found == 1 && alone ? Presence::Alone : Presence::Within;
}

MaskText::Pattern MaskText::pattern(Words words) const {
    for (const bool on : {true, false}) {
        for (const Layer& layer : layers_) {
            const auto found = std::find_if(layer.patterns.begin(), layer.patterns.end(), has_word(words));
            if (layer.on == on && found != layer.patterns.end()) return *found;
        }
    }
    return {};
}

void MaskText::put(Words words, Pattern pattern) {
    for (Layer& layer : layers_) {
        const auto found = std::find_if(layer.patterns.begin(), layer.patterns.end(), has_word(words));
        if (!layer.on || found == layer.patterns.end()) continue;
        *found = std::move(pattern);
        return;
    }
    layers_.push_back({true, {std::move(pattern)}});
}

void MaskText::remove(Words words) {
    for (Layer& layer : layers_) {
        if (layer.on) std::erase_if(layer.patterns, has_word(words));
    }
    // Keeps empty parts ("causal,,padding"), so that the parser reports them.
    std::erase_if(layers_, [](const Layer& layer) { return layer.patterns.empty(); });
}

bool MaskText::switch_layers(Words words, bool on) {
    bool switched = false;
    for (Layer& layer : layers_) {
        if (layer.on == on || std::none_of(layer.patterns.begin(), layer.patterns.end(), has_word(words))) continue;
        layer.on = on;
        switched = true;
    }
    return switched;
}

}  // namespace headscope
