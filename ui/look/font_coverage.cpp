// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/look/font_coverage.h"

#include <unicode/uchar.h>
#include <unicode/uscript.h>

#include <QCoreApplication>
#include <QFont>
#include <QFontMetrics>
#include <algorithm>

#include "ui/look/theme.h"

namespace headscope {
namespace {

struct Tr {
    Q_DECLARE_TR_FUNCTIONS(FontCoverage)
};

/// A group of characters that are covered by the same font package.
struct Group {
    QString name, package;
    bool operator==(const Group&) const = default;
};

UScriptCode scriptOf(char32_t c) {
    UErrorCode error = U_ZERO_ERROR;
    return uscript_getScript(static_cast<UChar32>(c), &error);
}

/// Font packages of Debian 12.
QString packageOf(UScriptCode script) {
    switch (script) {
        case USCRIPT_HAN:
        case USCRIPT_HIRAGANA:
        case USCRIPT_KATAKANA:
        case USCRIPT_HANGUL:
        case USCRIPT_BOPOMOFO:
            return QStringLiteral("fonts-noto-cjk");
        case USCRIPT_UNKNOWN:  // private use, unassigned
        case USCRIPT_MAKASAR:  // and scripts newer than the fonts
        case USCRIPT_NANDINAGARI:
        case USCRIPT_CHORASMIAN:
        case USCRIPT_DIVES_AKURU:
        case USCRIPT_KHITAN_SMALL_SCRIPT:
        case USCRIPT_CYPRO_MINOAN:
        case USCRIPT_OLD_UYGHUR:
        case USCRIPT_TANGSA:
        case USCRIPT_TOTO:
        case USCRIPT_VITHKUQI:
        case USCRIPT_KAWI:
        case USCRIPT_NAG_MUNDARI:
            return {};
        default:
            return QStringLiteral("fonts-noto-core");
    }
}

Group groupOf(char32_t c) {
    const auto code = static_cast<UChar32>(c);
    if (u_hasBinaryProperty(code, UCHAR_EXTENDED_PICTOGRAPHIC) || u_hasBinaryProperty(code, UCHAR_REGIONAL_INDICATOR) ||
        u_hasBinaryProperty(code, UCHAR_EMOJI_MODIFIER))
        return {Tr::tr("emoji"), QStringLiteral("fonts-noto-color-emoji")};
    const UScriptCode script = scriptOf(c);
    if (script == USCRIPT_COMMON || script == USCRIPT_INHERITED) return {Tr::tr("symbols"), packageOf(script)};
    if (script == USCRIPT_UNKNOWN)
        return {QStringLiteral("U+%1").arg(static_cast<uint>(c), 4, 16, QLatin1Char('0')).toUpper(), {}};
    return {QString::fromLatin1(uscript_getName(script)).replace(u'_', u' '), packageOf(script)};
}

/// Characters that are drawn differently (white space, control characters) or not drawn (joiners, variation selectors).
bool needsNoGlyph(char32_t c) {
    return QChar::isSpace(c) || QChar::category(c) == QChar::Other_Control || QChar::isNonCharacter(c) ||
           u_hasBinaryProperty(static_cast<UChar32>(c), UCHAR_DEFAULT_IGNORABLE_CODE_POINT);
}

QList<Group> missingGroups(const QString& text) {
    QList<uint> characters = text.toUcs4();
    std::sort(characters.begin(), characters.end());
    characters.erase(std::unique(characters.begin(), characters.end()), characters.end());
    QFont font;
    font.setFamilies(fontFamilies());
    const QFontMetrics metrics(font);
    QList<Group> missing;
    for (const uint c : characters) {
        if (needsNoGlyph(c) || metrics.inFontUcs4(c)) continue;
        if (const Group group = groupOf(c); !missing.contains(group)) missing.append(group);
    }
    return missing;
}

}  // namespace

QStringList scriptsWithoutFont(const QString& text) {
    QStringList names;
    for (const Group& group : missingGroups(text)) names << group.name;
    return names;
}

QStringList fontNotes(const QString& text) {
    QStringList notes;
    for (const Group& group : missingGroups(text))
        notes << (group.package.isEmpty()
                      ? Tr::tr("No installed font covers %1; it is drawn as boxes.").arg(group.name)
                      : Tr::tr(
                            "No installed font covers %1; it is drawn as boxes. The Debian package %2 brings a font.")
                            .arg(group.name, group.package));
    return notes;
}

}  // namespace headscope
