// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/parameters/mask_text.h"

namespace headscope {
namespace {

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
    if (trimmed.isEmpty() || trimmed == QStringLiteral("none")) return;
    for (const QString& layer : splitUnescaped(expression, u',')) layers_ << splitUnescaped(layer, u'+');
}

QString MaskText::text() const {
    if (layers_.isEmpty()) return QStringLiteral("none");
    QStringList layers;
    for (const QStringList& layer : layers_) layers << layer.join(u'+');
    return layers.join(u',');
}

MaskText::Presence MaskText::presence(const QStringList& names) const {
    int found = 0;
    bool alone = true;
    for (const QStringList& layer : layers_) {
        for (const QString& pattern : layer) {
            if (!names.contains(patternName(pattern))) continue;
            ++found;
            alone = alone && layer.size() == 1;
        }
    }
    if (found == 0) return Presence::Absent;
    return found == 1 && alone ? Presence::Alone : Presence::Within;
}

QString MaskText::pattern(const QStringList& names) const {
    for (const QStringList& layer : layers_) {
        for (const QString& pattern : layer) {
            if (names.contains(patternName(pattern))) return pattern;
        }
    }
    return {};
}

void MaskText::put(const QStringList& names, const QString& pattern) {
    for (QStringList& layer : layers_) {
        for (QString& present : layer) {
            if (!names.contains(patternName(present))) continue;
            present = pattern;
            return;
        }
    }
    layers_ << QStringList{pattern};
}

void MaskText::remove(const QStringList& names) {
    for (QStringList& layer : layers_)
        layer.removeIf([&](const QString& pattern) { return names.contains(patternName(pattern)); });
    // One that was typed empty ("causal,,padding") holds an empty pattern and stays, for its own sentence.
    layers_.removeIf([](const QStringList& layer) { return layer.isEmpty(); });
}

}  // namespace headscope
