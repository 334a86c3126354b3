// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTableWidget>
#include <optional>

#include "ui/pages/steps/lens.h"
#include "ui/state/selection.h"

namespace headscope {

/// The four precisions below each other: the number of the cell under the hand, the largest and the mean error, how
/// many numbers overflowed, underflowed or became NaN, and what −1e9 is in each.
class PrecisionTable : public QTableWidget {
    Q_OBJECT
public:
    explicit PrecisionTable(QWidget* parent = nullptr);

    enum Column { Name, Here, Largest, Mean, Overflow, Underflow, Nan, Fill, Columns };
    void setLens(const LensPtr& lens, Precision present);
    void setCell(const std::optional<Cell>& cell);
    /// What a person reads in a row.
    QString text(Precision precision, Column column) const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void changeEvent(QEvent* event) override;

private:
    void retranslate();
    void set(int row, Column column, const QString& text, const QString& tip = {});
    void showRow(int row, Precision precision);
    void showCell();

    LensPtr lens_;
    Precision present_ = Precision::Float32;
    std::optional<Cell> cell_;
};

}  // namespace headscope
