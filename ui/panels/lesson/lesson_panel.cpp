// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/lesson/lesson_panel.h"

#include <QEvent>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QListWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/controls/plain_label.h"
#include "ui/panels/lesson/lesson_text.h"
#include "ui/panels/lesson/task_view.h"
#include "ui/state/lesson_run.h"
#include "ui/state/session.h"

namespace headscope {
namespace {

constexpr int kLetters = 34;  // the width of the panel

QFont scaled(QFont font, double factor, bool bold) {
    font.setPointSizeF(font.pointSizeF() * factor);
    font.setBold(bold);
    return font;
}

}  // namespace

LessonPanel::LessonPanel(Session& session, LessonRun& run, QWidget* parent)
    : QWidget(parent),
      session_(session),
      run_(run),
      name_(plainParagraph(this, QStringLiteral("lessonName"))),
      title_(plainParagraph(this, QStringLiteral("lessonTitle"))),
      text_(plainParagraph(this, QStringLiteral("lessonText"))),
      formula_(plainParagraph(this, QStringLiteral("lessonFormula"))),
      pytorch_(plainParagraph(this, QStringLiteral("lessonPytorch"))),
      place_(plainLabel(this, QStringLiteral("lessonPlace"))),
      task_(new TaskView(session, this)),
      steps_(new QListWidget(this)),
      close_(makeButton(QStringLiteral("lessonClose"))),
      previous_(makeButton(QStringLiteral("lessonPrevious"))),
      next_(makeButton(QStringLiteral("lessonNext"))),
      restore_(makeButton(QStringLiteral("lessonRestore"))),
      everything_(makeButton(QStringLiteral("lessonEverything"))) {
    setObjectName(QStringLiteral("lessonPanel"));
    setFocusPolicy(Qt::StrongFocus);
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    build();
    retranslate();
    connect(&run, &LessonRun::moved, this, &LessonPanel::refreshSteps);
    connect(&run, &LessonRun::changedInStep, this, &LessonPanel::refresh);
    connect(&session, &Session::traceChanged, this, &LessonPanel::refresh);
    connect(steps_, &QListWidget::currentRowChanged, this, [this](int row) {
        if (row >= 0) run_.go(row);
    });
    connect(close_, &QToolButton::clicked, &run, &LessonRun::leave);
    connect(previous_, &QToolButton::clicked, &run, &LessonRun::previous);
    connect(next_, &QToolButton::clicked, &run, &LessonRun::next);
    connect(restore_, &QToolButton::clicked, &run, &LessonRun::restoreStep);
    connect(everything_, &QToolButton::toggled, this, &LessonPanel::showEverythingChanged);
}

QToolButton* LessonPanel::makeButton(const QString& name) {
    auto* button = new QToolButton(this);
    button->setObjectName(name);
    button->setFocusPolicy(Qt::StrongFocus);
    return button;
}

void LessonPanel::build() {
    name_->setForegroundRole(QPalette::PlaceholderText);
    text_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    pytorch_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    pytorch_->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    steps_->setObjectName(QStringLiteral("lessonSteps"));
    steps_->setWordWrap(true);
    steps_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    steps_->installEventFilter(this);
    everything_->setCheckable(true);
    close_->setAutoRaise(true);
    close_->setText(QStringLiteral("✕"));
    auto* header = new QHBoxLayout;
    header->addWidget(name_, 1);
    header->addWidget(close_, 0, Qt::AlignTop);
    auto* moves = new QHBoxLayout;
    moves->addWidget(previous_);
    moves->addWidget(place_, 1, Qt::AlignCenter);
    moves->addWidget(next_);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(10, 8, 8, 8);
    column->setSpacing(8);
    column->addLayout(header);
    for (QLabel* label : {title_, text_, formula_, pytorch_}) column->addWidget(label);
    column->addWidget(task_);
    column->addWidget(restore_, 0, Qt::AlignLeft);
    column->addLayout(moves);
    column->addWidget(steps_, 1);
    column->addWidget(everything_, 0, Qt::AlignLeft);
}

void LessonPanel::retranslate() {
    close_->setToolTip(tr("Leaves the lesson (Esc) and restores the view from before it"));
    close_->setAccessibleName(tr("Leave the lesson"));
    previous_->setText(QStringLiteral("◀ ") + tr("Back"));
    previous_->setToolTip(tr("The previous step (←)"));
    next_->setText(tr("Next") + QStringLiteral(" ▶"));
    next_->setToolTip(tr("The next step (Space, →)"));
    restore_->setText(QStringLiteral("↺ ") + tr("Restore this step"));
    restore_->setToolTip(tr("Restores the state of the step, which was changed since the step was opened"));
    everything_->setText(tr("Show everything"));
    everything_->setToolTip(tr("Shows the parts of the window that the lesson hides"));
    steps_->setAccessibleName(tr("Steps of the lesson"));
    title_->setFont(scaled(font(), 1.3, true));
    text_->setFont(scaled(font(), 1.1, false));
    formula_->setFont(scaled(font(), 1.1, false));
    refreshSteps();
}

void LessonPanel::refreshSteps() {
    const QSignalBlocker quiet(steps_);
    QStringList titles, shown;
    for (int i = 0; run_.lesson() && i < run_.lesson()->steps.size(); ++i)
        titles << QStringLiteral("%1 · %2").arg(i + 1).arg(run_.lesson()->steps[i].title.current());
    for (int i = 0; i < steps_->count(); ++i) shown << steps_->item(i)->text();
    if (titles != shown) {
        steps_->clear();
        steps_->addItems(titles);
    }
    steps_->setCurrentRow(run_.lesson() ? run_.index() : -1);
    refresh();
}

void LessonPanel::refresh() {
    const LessonStep* step = run_.step();
    if (!step) return task_->setTask({});
    const auto filled = [&](const LessonText& text) {
        return filledText(text, step->state.selection, session_.trace());
    };
    name_->setText(run_.lesson()->name.current());
    title_->setText(filled(step->title));
    text_->setText(filled(step->text));
    formula_->setText(step->formula);
    formula_->setHidden(step->formula.isEmpty());
    pytorch_->setText(step->pytorch);
    pytorch_->setHidden(step->pytorch.isEmpty());
    place_->setText(tr("%1 / %2").arg(run_.index() + 1).arg(run_.lesson()->steps.size()));
    previous_->setEnabled(run_.hasPrevious());
    next_->setEnabled(run_.hasNext());
    task_->setTask(step->task, step->state.selection);
    restore_->setVisible(run_.isChanged());
    everything_->setVisible(step->controls.has_value());
}

QString LessonPanel::title() const {
    return title_->text();
}

QString LessonPanel::sentences() const {
    return text_->text();
}

bool LessonPanel::showsEverything() const {
    return everything_->isChecked();
}

QSize LessonPanel::sizeHint() const {
    return {kLetters * fontMetrics().averageCharWidth() + 18, 400};
}

bool LessonPanel::handleKey(int key) {
    if (key != Qt::Key_Escape) return run_.moveByKey(key);
    run_.leave();
    return true;
}

void LessonPanel::keyPressEvent(QKeyEvent* event) {
    if (!handleKey(event->key())) QWidget::keyPressEvent(event);
}

/// In the list, too; its own keys are ↑ and ↓.
bool LessonPanel::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::KeyPress && handleKey(static_cast<QKeyEvent*>(event)->key())) return true;
    return QWidget::eventFilter(watched, event);
}

void LessonPanel::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange || event->type() == QEvent::FontChange) retranslate();
}

}  // namespace headscope
