// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/parameters/mask_text.h"

#include <algorithm>

namespace headscope {
namespace {

constexpr QLatin1StringView kOff("off:");

/// Cuts at a separator that no backslash stands before; the parts keep their backslashes.
QStringList splitUnescaped(const QString& text, QChar separator) {
    QStringList parts{QString()};
    for (qsizetype i = 0; i < text.size(); ++i) {
        if (text[i] == separator) {
            parts << QString();
            continue;
        }
        parts.last() += text[i];
        if (text[i] == u'\\' && i + 1 < text.size()) parts.last() += text[++i];
    }
    return parts;
}

/// Is a pattern's name one of these?
auto named(const QStringList& names) {
    return [&names](const QString& pattern) { return names.contains(patternName(pattern)); };
}

}  // namespace

QString patternName(const QString& pattern) {
    return pattern.section(u':', 0, 0).trimmed();
}

QStringList patternNumbers(const QString& pattern) {
    QStringList parts = pattern.split(u':');
    parts.removeFirst();
    return parts;
}

QString filePattern(const QString& path) {
    QString escaped = QStringLiteral("file:");
    for (const QChar c : path) {
        if (c == u',' || c == u'+' || c == u'\\') escaped += u'\\';
        escaped += c;
    }
    return escaped;
}

QString filePath(const QString& pattern) {
    const QString escaped = pattern.section(u':', 1);
    QString path;
    for (qsizetype i = 0; i < escaped.size(); ++i) {
        if (escaped[i] == u'\\' && i + 1 < escaped.size()) ++i;
        path += escaped[i];
    }
    return path;
}

MaskText::MaskText(const QString& expression) {
    const QString trimmed = expression.trimmed();
    if (trimmed.isEmpty() || trimmed == u"none") return;
    for (const QString& text : splitUnescaped(expression, u',')) {
        const bool off = text.trimmed().startsWith(kOff);
        layers_ << Layer{!off, splitUnescaped(off ? text.trimmed().sliced(kOff.size()) : text, u'+')};
    }
}

QString MaskText::text() const {
    if (layers_.isEmpty()) return QStringLiteral("none");
    QStringList texts;
    for (const Layer& layer : layers_) texts << (layer.on ? QString() : QString(kOff)) + layer.patterns.join(u'+');
    return texts.join(u',');
}

MaskText::Presence MaskText::presence(const QStringList& names) const {
    int found = 0;
    bool alone = true;
    for (const Layer& layer : layers_) {
        if (!layer.on) continue;
        const auto here = std::count_if(layer.patterns.begin(), layer.patterns.end(), named(names));
        found += static_cast<int>(here);
        alone = alone && (here == 0 || layer.patterns.size() == 1);
    }
    if (found == 0) return Presence::Absent;
    return found == 1 && alone ? Presence::Alone : Presence::Within;
}

QString MaskText::pattern(const QStringList& names) const {
    for (const bool on : {true, false}) {
        for (const Layer& layer : layers_) {
            const auto found = std::find_if(layer.patterns.begin(), layer.patterns.end(), named(names));
            if (layer.on == on && found != layer.patterns.end()) return *found;
        }
    }
    return {};
}

void MaskText::put(const QStringList& names, const QString& pattern) {
    for (Layer& layer : layers_) {
        const auto found = std::find_if(layer.patterns.begin(), layer.patterns.end(), named(names));
        if (!layer.on || found == layer.patterns.end()) continue;
        *found = pattern;
        return;
    }
    layers_ << Layer{true, {pattern}};
}

void MaskText::remove(const QStringList& names) {
    for (Layer& layer : layers_) {
        if (layer.on) layer.patterns.removeIf(named(names));
    }
    // One that was typed empty ("causal,,padding") holds an empty pattern and stays, for its own sentence.
    layers_.removeIf([](const Layer& layer) { return layer.patterns.isEmpty(); });
}

bool MaskText::switchLayers(const QStringList& names, bool on) {
    bool switched = false;
    for (Layer& layer : layers_) {
        if (layer.on == on || !std::any_of(layer.patterns.begin(), layer.patterns.end(), named(names))) continue;
        layer.on = on;
        switched = true;
    }
    return switched;
}

}  // namespace headscope
