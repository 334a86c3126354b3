// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace headscope {

/// Prepares the user's text for a tooltip, which would interpret "<b>" as rich text: nothing is interpreted, white
/// space is kept and lines wrap. A text of more than `graphemes` clusters is shortened and its length is added.
QString plainToolTip(const QString& text, int graphemes = 1000);

}  // namespace headscope
