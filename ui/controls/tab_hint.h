// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/controls/elided_label.h"
#include "ui/controls/label_place.h"

namespace headscope {

/// A hint at the right end of a tab bar, for QTabWidget::setCornerWidget(): it takes the width that the tabs leave.
class TabHint : public LabelPlace {
    Q_OBJECT
public:
    explicit TabHint(QWidget* parent) : TabHint(new ElidedLabel, parent) {}
    ElidedLabel* label() const { return label_; }
    QSize sizeHint() const override;

private:
    TabHint(ElidedLabel* label, QWidget* parent) : LabelPlace(label, parent), label_(label) {}

    ElidedLabel* label_;
};

}  // namespace headscope
