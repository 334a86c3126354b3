// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/controls/text_color.h"

#include <QWidget>

#include "ui/look/theme.h"

namespace headscope {

void setTextColor(QWidget* widget, Role role) {
    QPalette palette = widget->palette();
    // Which of these a widget takes depends on the background that it stands on.
    for (const auto text : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(text, color(role, currentTheme()));
    widget->setPalette(palette);
}

}  // namespace headscope
