// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <optional>
#include <string>
#include <vector>

namespace headscope {

enum class Tokenizer { Space, Words, Characters };
std::optional<Tokenizer> parseTokenizer(const QString& word);

/// Lines of tokens, UTF-8. A final line end ends a line; any other empty line is a sequence of no tokens.
/// Space splits as Python's str.split(); words are those of UAX 29, punctuation apart, by ICU's dictionaries where a
/// script writes no spaces; characters are extended grapheme clusters, spaces too.
std::vector<std::vector<std::string>> tokenize(const QString& text, Tokenizer tokenizer);

/// For a screen: white space and control characters made visible (␣ ↵ ⇥ U+200B), plain text, shortened at a grapheme
/// boundary with … to at most `graphemes` of them.
QString displayToken(const std::string& token, int graphemes = 12);
/// The same within a sentence or a list: a token that is written from right to left is isolated (U+2068, U+2069), so
/// that what stands around it, such as indexes, keeps its order.
QString tokenInSentence(const std::string& token, int graphemes = 12);

}  // namespace headscope
