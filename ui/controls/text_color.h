// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace headscope {

enum class Role;

/// Sets the text colour of a widget to a colour of the current theme. Call it again when the widget's palette changes.
void setTextColor(QWidget* widget, Role role);

}  // namespace headscope
