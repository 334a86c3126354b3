// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointer>
#include <QWidget>

#include "core/attention/trace.h"
#include "ui/state/lesson.h"
#include "ui/state/selection.h"

class QLabel;

namespace headscope {

class CompareView;
class HeadGrid;
class HeatMap;
class LessonRun;
class PresentationInk;
class Session;

/// Full screen for a class: a title, the sentences, the maps and the explained cell, with text of at least 1/40 of
/// the height. It shows the step of the lesson, or the present view without one. Space goes on, Enter answers a
/// question, P draws, C clears what was drawn, S is a spotlight, Esc leaves. Leaving restores what was looked at,
/// unless the lesson went on.
class Presentation : public QWidget {
    Q_OBJECT
public:
    Presentation(Session& session, LessonRun& run, CompareView& compare, QWidget* parent = nullptr);
    ~Presentation() override;

    /// The visible maps: two on page Compare, one of an enlarged head, or all heads.
    QList<HeatMap*> maps() const;
    /// The smallest text, in pixels.
    int smallestText() const;
    PresentationInk* ink() const { return ink_; }

Q_SIGNALS:
    void closed();

protected:
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    enum class Form { One, Two, Many };
    Form form() const;
    int unit() const;  ///< 1/40 of the height
    int head() const;
    HeatMap* makeMap(const QString& name);
    void followB();
    void refresh();
    void refreshTexts();
    void refreshMaps();
    void arrange();
    void arrangeBeside(const QRect& room);
    void arrangeAbove(const QRect& room);
    void answer();
    QString answerText() const;
    QString hint() const;
    QString filled(const LessonText& text) const;
    QString stepTitle() const;
    QString stepText() const;
    QString explanation() const;
    QString changeOfRow(const Trace& b, const Cell& cell) const;
    bool handleKey(int key);

    Session& session_;
    LessonRun& run_;
    CompareView& compare_;
    QPointer<Session> b_;
    Selection before_;  ///< what was looked at
    int step_before_ = 0;
    LessonPtr lesson_before_;
    bool answered_ = false;  ///< the question of the step
    QLabel *title_, *text_, *explained_, *heading_a_, *heading_b_;
    HeatMap *map_a_, *map_b_;
    HeadGrid* grid_;
    PresentationInk* ink_;
    QRect foot_;
};

}  // namespace headscope
