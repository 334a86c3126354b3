// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;
class QListWidget;
class QToolButton;

namespace headscope {

class LessonRun;
class Session;
class TaskView;

/// The present step of the lesson: its title, its sentences with the numbers of the present trace, its formula and
/// PyTorch line, and the list of all steps. Space and → go on, ← back, Home and End to the ends, Esc leaves.
class LessonPanel : public QWidget {
    Q_OBJECT
public:
    LessonPanel(Session& session, LessonRun& run, QWidget* parent = nullptr);

    QString title() const;
    QString sentences() const;
    /// True while "Show everything" is checked: the parts of the window that the lesson hides are shown.
    bool showsEverything() const;
    QSize sizeHint() const override;

Q_SIGNALS:
    void showEverythingChanged();

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QToolButton* makeButton(const QString& name);
    void build();
    void retranslate();
    void refresh();
    void refreshSteps();
    bool handleKey(int key);

    Session& session_;
    LessonRun& run_;
    QLabel *name_, *title_, *text_, *formula_, *pytorch_, *place_;
    TaskView* task_;
    QListWidget* steps_;
    QToolButton *close_, *previous_, *next_, *restore_, *everything_;
};

}  // namespace headscope
