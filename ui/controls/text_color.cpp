// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/controls/text_color.h"

#include <QWidget>

#include "ui/look/theme.h"

namespace headscope {

void setTextColor(QWidget* widget, Role role) {
    QPalette palette = widget->palette();
    // Which of these roles a widget uses depends on its background.
    for (const auto text : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(text, color(role, currentTheme()));
    widget->setPalette(palette);
}

}  // namespace headscope
