// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace headscope {

/// A text of the user's for a tooltip, which would take "<b>" for rich text: nothing in it is interpreted, its white
/// space is kept and lines wrap. Beyond `graphemes` clusters it is shortened and says how long it is.
QString plainToolTip(const QString& text, int graphemes = 1000);

}  // namespace headscope
