// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace headscope {

/// The colours of the reached pairs, by the number of layers that they need, and the frame of those that leak.
class ReachLegend : public QWidget {
    Q_OBJECT
public:
    explicit ReachLegend(QWidget* parent = nullptr);
    void display(int layers, bool leaks);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    int side() const;
    int layers_ = 1;
    bool leaks_ = false;
};

}  // namespace headscope
