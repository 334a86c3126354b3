// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTableWidget>

#include "ui/pages/atlas/summary.h"

namespace headscope {

/// A line a head: what it does, its entropy and its mean distance with a bar each, and its group where heads are
/// grouped. Draws the order that it is given; a click on a title asks for another.
class HeadTable : public QTableWidget {
    Q_OBJECT
public:
    explicit HeadTable(QWidget* parent = nullptr);

    enum Column { Head, Role, Entropy, Distance, Group, Columns };
    /// groups: of each line, or empty where heads aren't grouped; joined: at which divergence.
    void setHeads(const SummaryPtr& summary, const std::vector<int>& order, const std::vector<int>& groups);

protected:
    void changeEvent(QEvent* event) override;

private:
    void retranslate();
    void set(int row, Column column, const QString& text, double bar = -1);
};

/// "A", "B", ... "Z", "27" of a group.
QString groupName(int group);

}  // namespace headscope
