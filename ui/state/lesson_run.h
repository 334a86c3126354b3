// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <functional>
#include <optional>

#include "ui/state/lesson.h"

namespace headscope {

class Session;

/// The lesson that is open, and its present step. A step sets the state of the session, on the class's own sentence; so
/// going back, forwards or to any step gives the same state. Leaving restores what was there before the lesson. Each
/// move is one undo step.
class LessonRun : public QObject {
    Q_OBJECT
public:
    explicit LessonRun(Session& session, QObject* parent = nullptr);
    /// How the settings of B on page Compare are read, to restore them when the lesson is left.
    void setReaderOfB(std::function<std::optional<Draft>()> reader) { read_b_ = std::move(reader); }

    const LessonPtr& lesson() const { return position_.lesson; }  ///< null if none is open
    int index() const { return position_.step; }
    const LessonStep* step() const;  ///< null if no lesson is open
    bool hasNext() const { return lesson() && index() + 1 < lesson()->steps.size(); }
    bool hasPrevious() const { return lesson() && index() > 0; }

    void start(const LessonPtr& lesson, int step = 0);
    void go(int step);  ///< to the nearest step that there is
    void next() { go(index() + 1); }
    void previous() { go(index() - 1); }
    /// Moves to the step that a key asks for: Space, arrows, Page keys, Home, End. False for other keys.
    bool moveByKey(int key);
    void leave();
    /// Whether something else is shown or computed than the step sets.
    bool isChanged() const;
    /// Sets the state of the step once more.
    void restoreStep();
    /// Adds a step after the present one and goes to it; begins a lesson of that name if none is open.
    void addStep(const LessonStep& step, const QString& lesson_name);

Q_SIGNALS:
    void moved();                             ///< another step, another lesson, or none
    void bWanted(const headscope::Draft& b);  ///< the step sets the settings of B on page Compare
    void changedInStep();                     ///< isChanged() may have changed

private:
    friend class LessonMove;
    struct Before {
        Draft draft;
        Selection selection;
        std::optional<Draft> b;
    };
    struct Position {
        LessonPtr lesson{};
        int step = 0;
        Draft own{};                     ///< its text and tokenizer are the class's
        Selection selection{};           ///< that the step set
        std::optional<Before> before{};  ///< the lesson
    };
    void moveTo(Position next, const QString& what);
    void place(const Position& position);
    void followText();
    Before present() const;

    Session& session_;
    std::function<std::optional<Draft>()> read_b_;
    Position position_;
};

}  // namespace headscope
