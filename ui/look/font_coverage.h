// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

namespace headscope {

/// What no installed font can draw of a text, a sentence for each script (or "emoji", or "symbols") with the Debian
/// package that brings a font where there is one. Empty where all of it can be drawn. Needs a QGuiApplication.
QStringList fontNotes(const QString& text);

}  // namespace headscope
