// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <optional>
#include <string>
#include <vector>

namespace headscope {

enum class Tokenizer { Space, Words, Characters };
std::optional<Tokenizer> parseTokenizer(const QString& word);

/// Splits text (UTF-8) into lines of tokens. A final line end ends a line; any other empty line is a sequence without
/// tokens. Space splits as Python's str.split(); words are those of UAX 29, with separate punctuation, using ICU's
/// dictionaries for scripts without spaces; characters are extended grapheme clusters, including spaces.
std::vector<std::vector<std::string>> tokenize(const QString& text, Tokenizer tokenizer);

/// Formats a token for display: white space and control characters are made visible (␣ ↵ ⇥ U+200B); plain text,
/// shortened with … at a grapheme boundary to at most `graphemes` clusters.
QString displayToken(const std::string& token, int graphemes = 12);
/// The same inside a sentence or a list: a right-to-left token is isolated (U+2068, U+2069), so that the surrounding
/// text, such as indices, keeps its order.
QString tokenInSentence(const std::string& token, int graphemes = 12);

}  // namespace headscope
