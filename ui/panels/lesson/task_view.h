// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <optional>

#include "ui/state/lesson.h"

class QLabel;
class QPushButton;
class QScrollArea;
class QVBoxLayout;

namespace headscope {

class AnswerMap;
class PredictionBars;
class Session;

/// Shows the row of weights that a task asks for, in the maps; nothing happens before there is a trace.
void showWeights(Session& session, const LessonTask& task);

/// The question of a step: a mask to paint on page Mask, the weights of a row to predict, or a choice. Answers are
/// shown here; they are neither sent nor stored.
class TaskView : public QWidget {
    Q_OBJECT
public:
    explicit TaskView(Session& session, QWidget* parent = nullptr);

    /// Another task begins anew; hidden without one.
    void setTask(const std::optional<LessonTask>& task, const Selection& selection = {});
    QString verdict() const;

private:
    void rebuild();
    QString filled(const LessonText& text) const;
    void showVerdict(const QString& verdict, bool right);
    void choose(int choice);
    void checkMask();
    void showMask();
    void revealWeights();
    void followText();

    Session& session_;
    std::optional<LessonTask> task_;
    Selection selection_;  ///< of the step
    QString language_;
    QStringList keys_;  ///< of the bars
    QLabel *question_, *verdict_;
    QWidget* choices_;
    QVBoxLayout* choices_column_;
    QPushButton *check_, *answer_;
    QScrollArea* scroll_;
    PredictionBars* bars_;
    AnswerMap* map_;
};

}  // namespace headscope
