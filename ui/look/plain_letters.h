// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

namespace headscope {

/// Makes the first of these families that is installed draw Latin, Greek and Cyrillic letter by letter, everywhere in
/// this process: Inter would draw "->" as an arrow and "10x20" with a multiplication sign. Registers the family anew,
/// upright and bold, with its ligatures (liga, clig) and contextual alternates (calt) switched off; other scripts and
/// the file on disk stay as they are. Needs a QGuiApplication. (From Qt 6.7 on QFont::setFeature() could do it.)
void usePlainLetters(const QStringList& families);

}  // namespace headscope
