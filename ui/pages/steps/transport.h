// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>
#include <QWidget>

class QHBoxLayout;
class QLabel;
class QSlider;
class QToolButton;

namespace headscope {

/// Goes through so many steps: first, previous, play, next, last, and a slider between them.
class Transport : public QWidget {
    Q_OBJECT
public:
    explicit Transport(QWidget* parent = nullptr);

    int step() const { return step_; }
    bool isPlaying() const { return timer_.isActive(); }
    /// Says nothing.
    void display(int step, int count);
    void stop();
    /// Left, Right, Home, End and Space; false where the key means nothing here.
    bool handleKey(int key);

Q_SIGNALS:
    void moved(int step);  ///< by a person, or while it plays

protected:
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QToolButton* addButton(QHBoxLayout* row, const QString& name, const QString& segment);
    void go(int step);
    void playOrPause();
    void advance();
    void refresh();

    QToolButton *first_, *previous_, *play_, *next_, *last_;
    QSlider* slider_;
    QLabel* place_;
    QTimer timer_;
    int step_ = 0, count_ = 0;
};

}  // namespace headscope
