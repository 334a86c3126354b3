// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

namespace headscope {

/// What no installed font can draw of a text: names of scripts, "emoji" or "symbols". Empty where all of it can be
/// drawn. Needs a QGuiApplication.
QStringList scriptsWithoutFont(const QString& text);
/// The same as a sentence for each, with the Debian package that brings a font where there is one.
QStringList fontNotes(const QString& text);

}  // namespace headscope
