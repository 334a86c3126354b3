// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QWidget>
#include <vector>

namespace headscope {

/// One bar per key, which a class drags to the weight that it expects; after the reveal each has a mark at the weight.
/// ↑ and ↓ choose a key, ← and → change its bar.
class PredictionBars : public QWidget {
    Q_OBJECT
public:
    explicit PredictionBars(QWidget* parent = nullptr);

    /// Empty bars.
    void setKeys(const QStringList& keys);
    /// The bars, scaled to sum to 1; all equal while none was dragged.
    std::vector<double> prediction() const;
    void setBar(int key, double length);
    /// Marks the weights; empty hides the marks.
    void setWeights(const std::vector<double>& weights);
    QRect barRect(int key) const;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {120, sizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    int rowHeight() const;
    int labelWidth() const;
    void drag(const QPointF& position);
    void describe();

    QStringList keys_;
    std::vector<double> bars_, weights_;
    int current_ = 0;
};

}  // namespace headscope
