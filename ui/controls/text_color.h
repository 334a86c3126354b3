// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace headscope {

enum class Role;

/// Gives the text of a widget a colour of the present theme; to be repeated when its palette changes.
void setTextColor(QWidget* widget, Role role);

}  // namespace headscope
