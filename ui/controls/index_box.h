// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSpinBox>

class QLabel;
class QLayout;

namespace headscope {

/// A labelled spin box for the index of a head, a query or a key. It wraps around from the last index to the first.
class IndexBox : public QSpinBox {
    Q_OBJECT
public:
    /// Appends the label and the box to a row of controls.
    IndexBox(QLayout* row, const QString& name);
    void setTexts(const QString& label, const QString& tip);
    /// Sets the index and the count. Doesn't emit chosen().
    void display(int index, std::int64_t count);

Q_SIGNALS:
    void chosen(int index);  ///< emitted when the user changes the index

private:
    QLabel* label_;
};

}  // namespace headscope
