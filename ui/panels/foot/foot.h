// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStatusBar>

class QLabel;
class QResizeEvent;

namespace headscope {

class Session;

/// The foot of the window: the sentence of the cell under the mouse, how many rows sum to 1, the memory of scores and
/// weights whole and in chunks, and the time of the last computation. Where the window is too narrow for the sentence
/// the facts after it are hidden, the last one first.
class Foot : public QStatusBar {
    Q_OBJECT
public:
    explicit Foot(Session& session, QWidget* parent = nullptr);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void showCell();
    void showTrace();
    void showCost();
    bool isOutOfDate() const;
    void showFacts();
    void fit(bool all);

    Session& session_;
    QString sentence_;  ///< whole
    QLabel* cell_;
    QLabel* rows_;
    QLabel* memory_;
    QLabel* cost_;
};

}  // namespace headscope
