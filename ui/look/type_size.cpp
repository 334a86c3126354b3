// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/look/type_size.h"

#include <QApplication>
#include <QFont>

#include "ui/look/theme.h"

namespace headscope {

void applyTypeSize(int points) {
    QFont font = QApplication::font();
    font.setFamilies(fontFamilies());
    font.setPointSize(points);
    QApplication::setFont(font);
    applyTheme(currentTheme());  // under a style sheet, widgets adopt the font when they are polished again
}

}  // namespace headscope
