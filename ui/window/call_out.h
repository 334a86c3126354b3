// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QPointer>

class QLabel;
class QToolButton;

namespace headscope {

class Session;

/// The one hint of the first start: a question beside the Causal box, a second sentence once it was switched on, and
/// nothing any more once it was closed.
class CallOut : public QFrame {
    Q_OBJECT
public:
    /// Points at `target` from within `window`. Shows itself, unless it was closed in an earlier start.
    CallOut(Session& session, QWidget* target, QWidget* window);
    static bool isWanted();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    bool isAnswered() const;
    void showMe();
    void refresh();
    void place();
    void finish();

    Session& session_;
    QPointer<QWidget> target_;
    QLabel *title_, *text_;
    QToolButton *show_, *close_;
    bool answered_ = false;
};

}  // namespace headscope
