// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/controls/plain_label.h"

#include <QLabel>

namespace headscope {

QLabel* plainLabel(QWidget* parent, const QString& name) {
    auto* label = new QLabel(parent);
    label->setObjectName(name);
    label->setTextFormat(Qt::PlainText);
    return label;
}

QLabel* plainParagraph(QWidget* parent, const QString& name) {
    QLabel* label = plainLabel(parent, name);
    label->setWordWrap(true);
    return label;
}

}  // namespace headscope
