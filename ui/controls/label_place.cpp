// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/controls/label_place.h"

#include <QEvent>

namespace headscope {

LabelPlace::LabelPlace(QLabel* label, QWidget* parent) : QWidget(parent), label_(label) {
    label->setParent(this);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
}

void LabelPlace::resizeEvent(QResizeEvent*) {
    label_->setGeometry(rect());
}

void LabelPlace::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange) updateGeometry();
}

}  // namespace headscope
