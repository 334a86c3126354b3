// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QStatusBar>
#include <QTimer>
#include <memory>

class QLabel;
class QShortcut;
class QResizeEvent;

namespace headscope {

class Session;
class TileStore;

/// The status line of the window: the sentence for the cell under the mouse, the number of rows that sum to 1, the
/// memory of scores and weights with and without chunks, and the time of the last computation. If the sentence doesn't
/// fit, the facts after it are hidden, the last one first. While maps are coarse, it says so. A computation of more
/// than half a second shows its progress here, and Esc cancels it.
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
    void watchComputing();
    void showProgress();
    void showCoarse();
    bool isOutOfDate() const;
    void showFacts();
    void fit(bool all);

    Session& session_;
    std::shared_ptr<TileStore> tiles_;
    QString sentence_;  ///< the sentence before it is shortened
    QLabel* cell_;
    QLabel* coarse_;
    QLabel* rows_;
    QLabel* memory_;
    QLabel* cost_;
    QShortcut* cancel_;  ///< enabled while the progress is shown
    QTimer tick_;
    QElapsedTimer since_;  ///< of the computation that runs
};

}  // namespace headscope
