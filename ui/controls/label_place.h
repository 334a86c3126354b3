// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>

namespace headscope {

/// Holds a label whose text may change without laying out the window again: the layout gives it a size that doesn't
/// depend on the text.
class LabelPlace : public QWidget {
    Q_OBJECT
public:
    LabelPlace(QLabel* label, QWidget* parent);
    QSize sizeHint() const override { return {0, label_->sizeHint().height()}; }
    QSize minimumSizeHint() const override { return {0, label_->minimumSizeHint().height()}; }

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    QLabel* label_;
};

}  // namespace headscope
