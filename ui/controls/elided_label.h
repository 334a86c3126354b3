// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>

namespace headscope {

/// One line of plain text that may be narrower than its text: it then ends in an ellipsis, and the tooltip has it
/// whole.
class ElidedLabel : public QLabel {
    Q_OBJECT
public:
    explicit ElidedLabel(QWidget* parent = nullptr);

    bool isElided() const;
    QSize minimumSizeHint() const override { return {0, QLabel::minimumSizeHint().height()}; }

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
};

/// A hint at the right end of a tab bar, for QTabWidget::setCornerWidget(): as wide as the tabs leave room.
class TabHint : public ElidedLabel {
    Q_OBJECT
public:
    using ElidedLabel::ElidedLabel;
    QSize sizeHint() const override;
};

}  // namespace headscope
