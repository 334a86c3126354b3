// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/lesson_run.h"

#include <QPointer>
#include <QUndoCommand>
#include <algorithm>
#include <limits>

#include "ui/state/session.h"

namespace headscope {

/// The part of an undo step that is the position in the lesson; the session's own steps are the rest.
class LessonMove : public QUndoCommand {
public:
    LessonMove(LessonRun& run, LessonRun::Position after)
        : run_(&run), before_(run.position_), after_(std::move(after)) {}
    void undo() override {
        if (run_) run_->place(before_);
    }
    void redo() override {
        if (run_) run_->place(after_);
    }

private:
    QPointer<LessonRun> run_;
    LessonRun::Position before_, after_;
};

LessonRun::LessonRun(Session& session, QObject* parent) : QObject(parent), session_(session) {
    connect(&session, &Session::draftChanged, this, &LessonRun::followText);
    connect(&session, &Session::selectionChanged, this, &LessonRun::changedInStep);
}

const LessonStep* LessonRun::step() const {
    return lesson() ? &lesson()->steps[index()] : nullptr;
}

void LessonRun::place(const Position& position) {
    position_ = position;
    Q_EMIT moved();
}

/// One undo step: the position, the state of the session and the settings of B.
void LessonRun::moveTo(Position next, const QString& what) {
    Draft draft = next.before ? next.before->draft : session_.draft();
    std::optional<Draft> b;
    if (next.lesson) {
        const LessonStep& step = next.lesson->steps[next.step];
        draft = lessonDraft(step, next.own);
        b = lessonDraftB(step, next.own);
        next.selection = lessonSelection(step, draft);
    } else if (next.before) {
        next.selection = next.before->selection;
        b = next.before->b;
    }
    const Selection selection = next.selection;
    session_.undoStack()->beginMacro(what);
    session_.undoStack()->push(new LessonMove(*this, next));
    session_.open(draft, selection, {});
    if (b) Q_EMIT bWanted(*b);
    session_.undoStack()->endMacro();
    Q_EMIT changedInStep();
}

LessonRun::Before LessonRun::present() const {
    return {session_.draft(), session_.wantedSelection(), read_b_ ? read_b_() : std::nullopt};
}

void LessonRun::start(const LessonPtr& lesson, int step) {
    Position next{lesson, std::clamp<int>(step, 0, static_cast<int>(lesson->steps.size()) - 1)};
    next.own = position_.lesson ? position_.own : session_.draft();
    next.before = position_.lesson ? position_.before : present();
    moveTo(std::move(next), tr("lesson “%1”").arg(lesson->name.current()));
}

void LessonRun::go(int step) {
    if (!lesson()) return;
    Position next = position_;
    next.step = std::clamp<int>(step, 0, static_cast<int>(lesson()->steps.size()) - 1);
    if (next.step != index()) moveTo(std::move(next), tr("step %1 of the lesson").arg(next.step + 1));
}

bool LessonRun::moveByKey(int key) {
    switch (key) {
        case Qt::Key_Space:
        case Qt::Key_Right:
        case Qt::Key_PageDown:
            next();
            return true;
        case Qt::Key_Left:
        case Qt::Key_PageUp:
        case Qt::Key_Backspace:
            previous();
            return true;
        case Qt::Key_Home:
            go(0);
            return true;
        case Qt::Key_End:
            go(std::numeric_limits<int>::max());
            return true;
        default:
            return false;
    }
}

void LessonRun::leave() {
    if (!lesson()) return;
    Position none;
    none.before = position_.before;
    moveTo(std::move(none), tr("leave the lesson"));
}

bool LessonRun::isChanged() const {
    return lesson() && (session_.draft() != lessonDraft(*step(), position_.own) ||
                        session_.wantedSelection() != position_.selection);
}

void LessonRun::restoreStep() {
    if (isChanged()) moveTo(position_, tr("restore the step"));
}

void LessonRun::addStep(const LessonStep& step, const QString& lesson_name) {
    auto lesson = std::make_shared<Lesson>();
    if (position_.lesson)
        *lesson = *position_.lesson;
    else
        lesson->name = {lesson_name, lesson_name};
    Position next = position_;
    next.step = position_.lesson ? index() + 1 : 0;
    lesson->steps.insert(next.step, step);
    next.lesson = lesson;
    if (!position_.lesson) {
        next.own = session_.draft();
        next.before = present();
    }
    moveTo(std::move(next), tr("add a step to the lesson"));
}

/// A text that the step has not set is the class's. A cell that is counted from the end follows it.
void LessonRun::followText() {
    if (!lesson()) return;
    const Draft& draft = session_.draft();
    const Draft set = lessonDraft(*step(), position_.own);
    if (draft.value(Field::Text) != set.value(Field::Text) ||
        draft.value(Field::Tokenizer) != set.value(Field::Tokenizer)) {
        position_.own.set(Field::Text, draft.value(Field::Text));
        position_.own.set(Field::Tokenizer, draft.value(Field::Tokenizer));
        const Selection next = lessonSelection(*step(), draft);
        if (session_.wantedSelection() == position_.selection) {
            position_.selection = next;
            session_.setSelection(next);
        }
    }
    Q_EMIT changedInStep();
}

}  // namespace headscope
