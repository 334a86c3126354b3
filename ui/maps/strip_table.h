// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFontMetrics>
#include <QWidget>

#include "ui/maps/cell_steps.h"

namespace headscope {

/// Vectors as coloured strips below each other, each with its own colour scale symmetric about 0; a tooltip shows their
/// numbers.
class StripTable : public QWidget {
    Q_OBJECT
public:
    explicit StripTable(QWidget* parent = nullptr);

    /// type: of the numbers. common: this many strips at the end share one colour scale, so that they can be compared.
    void setStrips(const QList<NumberStrip>& strips, Tensor::Type type, int common = 0);
    const QList<NumberStrip>& strips() const { return strips_; }
    /// "q₅[17] = 0.123"; empty outside the strips.
    QString textAt(const QPoint& position) const;
    static int lineHeight(const QFontMetrics& metrics) { return metrics.height() + 2; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {160, sizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    int line() const { return lineHeight(fontMetrics()); }
    int left() const;
    QRectF stripRect(qsizetype index) const;
    double extent(qsizetype index) const;

    QList<NumberStrip> strips_;
    Tensor::Type type_ = Tensor::Type::Float32;
    int common_ = 0;
};

}  // namespace headscope
