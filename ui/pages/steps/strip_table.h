// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "ui/pages/steps/cell_steps.h"

namespace headscope {

/// Vectors as strips of colour below each other, each symmetric about 0 by itself; a hand over one reads its numbers.
class StripTable : public QWidget {
    Q_OBJECT
public:
    explicit StripTable(QWidget* parent = nullptr);

    /// type: in which the numbers are told. common: one colour scale for the last so many strips, that they compare.
    void setStrips(const QList<NumberStrip>& strips, Tensor::Type type, int common = 0);
    const QList<NumberStrip>& strips() const { return strips_; }
    /// "q₅[17] = 0.123"; empty beside the strips.
    QString textAt(const QPoint& position) const;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {160, sizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    int line() const { return fontMetrics().height() + 4; }
    int left() const;
    QRectF stripRect(qsizetype index) const;
    double extent(qsizetype index) const;

    QList<NumberStrip> strips_;
    Tensor::Type type_ = Tensor::Type::Float32;
    int common_ = 0;
};

}  // namespace headscope
