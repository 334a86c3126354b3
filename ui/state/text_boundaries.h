// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>

namespace headscope {

/// The pieces of a text between boundaries of UAX 29, in order and without gaps, as ICU computes them. Graphemes are
/// extended grapheme clusters, which readers perceive as one character: an emoji with its joiners, a letter with its
/// marks. ICU 72 implements Unicode 15.0 and also the rule of Unicode 15.1 that a conjunct
/// of the Indic scripts is one cluster (न म स्ते, not न म स् ते). Words include the runs of white space and punctuation
/// between them; for scripts without spaces (Thai, Lao, Khmer, Burmese, Chinese, Japanese) ICU uses dictionaries.
QList<QStringView> graphemes(QStringView text);
QList<QStringView> words(QStringView text);

/// The first graphemes of a text, at most `count`. Reads no more of the text than needed.
QStringView firstGraphemes(QStringView text, qsizetype count);

/// The version of Unicode that defines the boundaries, such as "15.0".
QString unicodeVersion();

}  // namespace headscope
