// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

namespace headscope {

/// Disables ligatures (liga, clig) and contextual alternates (calt) for Latin, Greek and Cyrillic in the first
/// installed family of the list, for the whole process: Inter would draw "->" as an arrow and "10x20" with a
/// multiplication sign. Registers a modified copy of the family, upright and bold; other scripts and the file on disk
/// are unchanged. Needs a QGuiApplication. (Since Qt 6.7, QFont::setFeature() can do the same.)
void usePlainLetters(const QStringList& families);

}  // namespace headscope
