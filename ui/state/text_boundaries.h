// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>

namespace headscope {

/// The pieces of a text between boundaries of UAX 29, in order and without gaps, as ICU finds them. Graphemes are
/// extended grapheme clusters, what a reader takes for one character: an emoji with its joiners, a letter with its
/// marks; of Unicode 15.0 with ICU 72, and with the rule that Unicode has from 15.1 on, that a conjunct of the Indic
/// scripts is one (न म स्ते, not न म स् ते). Words include the runs of white space and punctuation between them; where a
/// script writes no spaces (Thai, Lao, Khmer, Burmese, Chinese, Japanese) they come from ICU's dictionaries.
QList<QStringView> graphemes(QStringView text);
QList<QStringView> words(QStringView text);

/// The first graphemes of a text, at most `count`. Looks at no more of the text than that.
QStringView firstGraphemes(QStringView text, qsizetype count);

/// The version of Unicode that the boundaries follow, such as "15.0".
QString unicodeVersion();

}  // namespace headscope
