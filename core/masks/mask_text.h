// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headscope {

/// A mask expression cut into its layers and patterns, whether they are legal or not: what parse_mask() reads, and what
/// controls change a part of while the rest stays as it was typed.
class MaskText {
public:
    /// As typed, with its spaces and backslashes: "local:4:0".
    using Pattern = std::string;
    struct Layer {
        bool on = true;  ///< false where "off:" precedes it
        std::vector<Pattern> patterns;
        bool operator==(const Layer&) const = default;
    };
    enum class Presence {
        Absent,  ///< or in layers that are switched off ("off:causal")
        Alone,   ///< once, in a layer of its own
        Within,  ///< beside other patterns in a layer, or more than once
    };
    /// The words of patterns ("causal"), of which a pattern has to have one.
    using Words = std::span<const std::string_view>;

    /// No layer where the text is blank or "none".
    explicit MaskText(std::string_view text);
    /// Reads back as the same layers; "none" where there is none.
    std::string str() const;
    const std::vector<Layer>& layers() const { return layers_; }

    Presence presence(Words words) const;
    /// The first such pattern, if need be from a layer that is switched off; empty where there is none.
    Pattern pattern(Words words) const;
    /// Replaces the first such pattern that acts, or adds a layer of its own.
    void put(Words words, Pattern pattern);
    /// Removes every such pattern that acts.
    void remove(Words words);
    /// Switches the layers that hold such a pattern on or off; false where there was none to switch.
    bool switch_layers(Words words, bool on);

private:
    std::vector<Layer> layers_;
};

/// "local" of " local:2:0".
std::string_view pattern_word(std::string_view pattern);
/// "2" and "0" of it, as they are written.
std::vector<std::string> pattern_numbers(std::string_view pattern);
/// And back.
std::string pattern_text(std::string_view word, const std::vector<std::string>& numbers);

/// "file:PATH", a backslash before the characters that join patterns.
std::string file_pattern(std::string_view path);
/// The path of a file pattern, which may end with a space; empty where there is none.
std::string file_path(std::string_view pattern);

/// Without the white space around it: space, tab and line ends.
std::string_view trimmed(std::string_view text);

}  // namespace headscope
