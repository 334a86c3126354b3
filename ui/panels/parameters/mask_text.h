// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>
#include <QStringList>

namespace headscope {

/// A mask expression cut into its layers and patterns as text, whether the patterns are legal or not, so that the boxes
/// of the panel can follow a line while it is being typed, and change one pattern of it without touching the others.
class MaskText {
public:
    enum class Presence {
        Absent,  ///< or in layers that are switched off ("off:causal")
        Alone,   ///< the one layer of its own that a box stands for
        Within,  ///< beside other patterns in a layer, or more than once: only the line can say it
    };

    explicit MaskText(const QString& expression);
    /// "none" where there is no layer.
    QString text() const;

    Presence presence(const QStringList& names) const;
    /// The first pattern that has one of the names, in full ("local:2:0"), if need be from a layer that is switched
    /// off; empty where there is none.
    QString pattern(const QStringList& names) const;
    /// Replaces the first pattern that acts, or adds a layer of its own.
    void put(const QStringList& names, const QString& pattern);
    /// Takes every pattern out that has one of the names and acts.
    void remove(const QStringList& names);
    /// Switches the layers that hold one of the names on or off; false where there was none to switch.
    bool switchLayers(const QStringList& names, bool on);

private:
    struct Layer {
        bool on = true;
        QStringList patterns;
    };
    QList<Layer> layers_;
};

/// "local" of "local:2:0", and its numbers as they are written.
QString patternName(const QString& pattern);
QStringList patternNumbers(const QString& pattern);
/// "file:PATH" with the characters escaped that join patterns, and back.
QString filePattern(const QString& path);
QString filePath(const QString& pattern);

}  // namespace headscope
