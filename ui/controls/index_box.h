// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSpinBox>

class QLabel;
class QLayout;

namespace headscope {

/// A spin box for the index of a head, a query or a key, behind its label. After the last one comes the first again.
class IndexBox : public QSpinBox {
    Q_OBJECT
public:
    /// Puts the label and the box at the end of a row of controls.
    IndexBox(QLayout* row, const QString& name);
    void setTexts(const QString& label, const QString& tip);
    /// One of `count`. Says nothing.
    void display(int index, std::int64_t count);

Q_SIGNALS:
    void chosen(int index);  ///< by a person

private:
    QLabel* label_;
};

}  // namespace headscope
