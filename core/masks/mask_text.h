// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headscope {

/// The text of a mask expression split into layers and patterns, legal or not. parse_mask() reads it, and controls
/// change one part while keeping the rest as it was typed.
class MaskText {
public:
    /// As typed, with its spaces and backslashes: "local:4:0".
    using Pattern = std::string;
    struct Layer {
        bool on = true;  ///< false if "off:" precedes it
        std::vector<Pattern> patterns;
        bool operator==(const Layer&) const = default;
    };
    enum class Presence {
        Absent,  ///< no such pattern, or only in layers that are switched off ("off:causal")
        Alone,   ///< once, alone in a layer
        Within,  ///< with other patterns in a layer, or more than once
    };
    /// Pattern words ("causal"); a pattern matches if it has one of them.
    using Words = std::span<const std::string_view>;

    /// Creates no layer if the text is blank or "none".
    explicit MaskText(std::string_view text);
    /// The text of the layers; "none" if there are none.
    std::string str() const;
    const std::vector<Layer>& layers() const { return layers_; }

    Presence presence(Words words) const;
    /// The first matching pattern that is switched on, else one that is switched off; empty if there is none.
    Pattern pattern(Words words) const;
    /// Replaces the first matching pattern that is switched on, or adds a layer with it.
    void put(Words words, Pattern pattern);
    void append(Layer layer) { layers_.push_back(std::move(layer)); }
    /// Removes every matching pattern that is switched on.
    void remove(Words words);
    /// Switches the layers with a matching pattern on or off; returns false if there was none to switch.
    bool switch_layers(Words words, bool on);

private:
    std::vector<Layer> layers_;
};

/// "local" for " local:2:0".
std::string_view pattern_word(std::string_view pattern);
/// "2" and "0" for " local:2:0", as they are written.
std::vector<std::string> pattern_numbers(std::string_view pattern);
/// The inverse: the pattern of a word and its numbers.
std::string pattern_text(std::string_view word, const std::vector<std::string>& numbers);

/// "file:PATH", with a backslash before the characters that join patterns.
std::string file_pattern(std::string_view path);
/// The path of a file pattern, which may end with a space; empty if it is none.
std::string file_path(std::string_view pattern);

/// Splits a text at each separator without a backslash before it, and keeps the backslashes.
std::vector<std::string> split_unescaped(std::string_view text, char separator);

/// The text without spaces, tabs and line ends at both ends.
std::string_view trimmed(std::string_view text);

}  // namespace headscope
