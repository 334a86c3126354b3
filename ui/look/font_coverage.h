// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

namespace headscope {

/// The parts of a text that no installed font can draw: names of scripts, "emoji" or "symbols". Empty if all of it can
/// be drawn. Needs a QGuiApplication.
QStringList scriptsWithoutFont(const QString& text);
/// The same with one sentence for each, which names the Debian package of a suitable font if there is one.
QStringList fontNotes(const QString& text);

}  // namespace headscope
