// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/tokenizer.h"

#include <QStringList>
#include <algorithm>
#include <utility>

#include "ui/state/text_boundaries.h"

namespace headscope {
namespace {

/// White space as defined by Python's str.isspace(): Unicode's White_Space and the four information separators. All are
/// in the basic multilingual plane. U+200B and U+FEFF aren't white space.
bool isPythonSpace(QChar c) {
    const char16_t u = c.unicode();
    return (u >= 0x09 && u <= 0x0D) || (u >= 0x1C && u <= 0x20) || u == 0x85 || u == 0xA0 || u == 0x1680 ||
           (u >= 0x2000 && u <= 0x200A) || u == 0x2028 || u == 0x2029 || u == 0x202F || u == 0x205F || u == 0x3000;
}

bool isBlank(QStringView piece) {
    return std::all_of(piece.begin(), piece.end(), isPythonSpace);
}

/// Line ends are "\n" and "\r\n". A lone "\r" and the separators U+2028 and U+2029 are white space within a line, so
/// that a line here is a line of the editor and of `wc -l`.
QList<QStringView> splitLines(QStringView text) {
    QList<QStringView> lines = text.split(u'\n');
    if (lines.last().isEmpty()) lines.removeLast();  // a final line end ends a line, it doesn't start another one
    for (qsizetype i = 0; i < lines.size(); ++i) {
        const bool ended = lines[i].end() != text.end();
        if (ended && lines[i].endsWith(u'\r')) lines[i].chop(1);
    }
    return lines;
}

QList<QStringView> splitAtSpace(QStringView line) {
    QList<QStringView> pieces;
    qsizetype start = 0;
    for (qsizetype i = 0; i <= line.size(); ++i) {
        if (i < line.size() && !isPythonSpace(line[i])) continue;
        if (i > start) pieces.append(line.sliced(start, i - start));
        start = i + 1;
    }
    return pieces;
}

QList<QStringView> splitLine(QStringView line, Tokenizer tokenizer) {
    switch (tokenizer) {
        case Tokenizer::Space:
            return splitAtSpace(line);
        case Tokenizer::Characters:
            return graphemes(line);
        case Tokenizer::Words:
            break;
    }
    QList<QStringView> pieces = words(line);
    pieces.removeIf(isBlank);
    return pieces;
}

QString codePointName(char32_t c) {
    return QStringLiteral("U+%1").arg(QString::number(static_cast<uint>(c), 16).toUpper(), 4, u'0');
}

/// One code point of a cluster in visible form. Format characters are made visible if they are alone; inside a cluster
/// they are part of its shape (the joiner of an emoji, the tags of a flag). Marks without a letter before them, too.
QString visibleCodePoint(char32_t c, bool alone, bool after_letter) {
    if (c == U' ') return QStringLiteral("␣");
    if (c == U'\n') return QStringLiteral("↵");
    if (c == U'\t') return QStringLiteral("⇥");
    if (QChar::isNonCharacter(c)) return codePointName(c);
    switch (QChar::category(c)) {
        case QChar::Separator_Space:
        case QChar::Separator_Line:
        case QChar::Separator_Paragraph:
        case QChar::Other_Control:
        case QChar::Other_Surrogate:
            return codePointName(c);
        case QChar::Other_Format:
            if (alone) return codePointName(c);
            break;
        case QChar::Mark_NonSpacing:
        case QChar::Mark_SpacingCombining:
        case QChar::Mark_Enclosing:
            if (alone && !after_letter) return QStringLiteral("◌") + QString::fromUcs4(&c, 1);
            break;
        default:
            break;
    }
    return QString::fromUcs4(&c, 1);
}

/// after_letter: vowel signs of Burmese and others are clusters of their own, but belong to the letter before them.
QString visibleCluster(QStringView cluster, bool after_letter) {
    const QList<uint> code_points = cluster.toUcs4();
    QString shown;
    for (const uint c : code_points) shown += visibleCodePoint(c, code_points.size() == 1, after_letter);
    return shown;
}

bool endsWithLetter(QStringView cluster) {
    const QList<uint> code_points = cluster.toUcs4();
    return !code_points.isEmpty() && (QChar::isLetter(code_points.last()) || QChar::isMark(code_points.last()));
}

}  // namespace

std::optional<Tokenizer> parseTokenizer(const QString& word) {
    if (word == u"space") return Tokenizer::Space;
    if (word == u"words") return Tokenizer::Words;
    if (word == u"characters") return Tokenizer::Characters;
    return std::nullopt;
}

std::vector<std::vector<std::string>> tokenize(const QString& text, Tokenizer tokenizer) {
    std::vector<std::vector<std::string>> lines;
    for (const QStringView line : splitLines(text)) {
        auto& tokens = lines.emplace_back();
        for (const QStringView piece : splitLine(line, tokenizer)) tokens.push_back(piece.toUtf8().toStdString());
    }
    return lines;
}

QString displayToken(const std::string& token, int graphemes) {
    if (token.empty()) return QStringLiteral("∅");
    const QString text = QString::fromStdString(token);
    // Long tokens are displayed often: read only as much as needed.
    const QStringView beginning = firstGraphemes(text, graphemes + 1);
    QString shown, shortened;
    qsizetype width = 0;
    bool after_letter = false;
    for (const QStringView cluster : headscope::graphemes(beginning)) {
        const QString piece = visibleCluster(cluster, std::exchange(after_letter, endsWithLetter(cluster)));
        width += headscope::graphemes(piece).size();
        shown += piece;
        if (width > graphemes) return shortened + QStringLiteral("…");
        if (width < graphemes) shortened = shown;  // leaves room for the ellipsis
    }
    return shown;
}

QString tokenInSentence(const std::string& token, int graphemes) {
    const QString shown = displayToken(token, graphemes);
    const QList<uint> characters = shown.toUcs4();
    const bool right_to_left = std::any_of(characters.begin(), characters.end(), [](uint c) {
        const QChar::Direction direction = QChar::direction(c);
        return direction == QChar::DirR || direction == QChar::DirAL || direction == QChar::DirAN;
    });
    return right_to_left ? QChar(0x2068) + shown + QChar(0x2069) : shown;
}

}  // namespace headscope
