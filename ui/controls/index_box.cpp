// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/controls/index_box.h"

#include <QLabel>
#include <QLayout>
#include <QSignalBlocker>
#include <algorithm>

namespace headscope {

IndexBox::IndexBox(QLayout* row, const QString& name)
    : QSpinBox(row->parentWidget()), label_(new QLabel(row->parentWidget())) {
    setObjectName(name);
    setWrapping(true);
    label_->setBuddy(this);
    row->addWidget(label_);
    row->addWidget(this);
    connect(this, &QSpinBox::valueChanged, this, &IndexBox::chosen);
}

void IndexBox::setTexts(const QString& label, const QString& tip) {
    label_->setText(label);
    setToolTip(tip);
}

void IndexBox::display(int index, std::int64_t count) {
    const QSignalBlocker quiet(this);
    setRange(0, std::max(0, static_cast<int>(count) - 1));
    setValue(index);
}

}  // namespace headscope
