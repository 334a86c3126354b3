// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStatusBar>

class QLabel;

namespace headscope {

class Session;

/// The foot of the window: the sentence of the cell under the hand, what the last change cost, the memory of the scores
/// whole and in chunks, and how many rows sum to 1.
class Foot : public QStatusBar {
    Q_OBJECT
public:
    explicit Foot(Session& session, QWidget* parent = nullptr);

private:
    void showCell();
    void showTrace();
    void showCost();

    Session& session_;
    QLabel* cell_;
    QLabel* memory_;
    QLabel* rows_;
    QLabel* cost_;
};

}  // namespace headscope
