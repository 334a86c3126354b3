// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/lesson/task_view.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "core/attention/row_reader.h"
#include "core/explain/row_account.h"
#include "core/masks/mask_answer.h"
#include "core/masks/mask_edit.h"
#include "ui/controls/plain_label.h"
#include "ui/controls/text_color.h"
#include "ui/look/theme.h"
#include "ui/maps/cell_explanation.h"
#include "ui/panels/lesson/answer_map.h"
#include "ui/panels/lesson/lesson_text.h"
#include "ui/panels/lesson/prediction_bars.h"
#include "ui/state/session.h"
#include "ui/state/tokenizer.h"

namespace headscope {

namespace {

constexpr int kHighestBars = 260;

}  // namespace

void showWeights(Session& session, const LessonTask& task) {
    if (!session.trace()) return;
    const Dims dims = session.trace()->dims();
    const int head = resolvedIndex(task.head, dims.num_heads), query = resolvedIndex(task.query, dims.sequence_length);
    const int sequence = session.selection().sequence;
    if (!has_rows(*session.trace(), Stage::Weights, sequence, head)) return;
    const std::vector<double> weights = row_of(*session.trace(), Stage::Weights, sequence, head, query);
    const auto largest = std::max_element(weights.begin(), weights.end());
    Selection selection = session.wantedSelection();
    selection.stage = selection.locked_stage = Stage::Weights;
    selection.head = head;
    selection.locked = Cell{query, static_cast<int>(largest - weights.begin()), head};
    session.setSelection(selection);
}

TaskView::TaskView(Session& session, QWidget* parent)
    : QWidget(parent),
      session_(session),
      question_(plainParagraph(this, QStringLiteral("taskQuestion"))),
      verdict_(plainParagraph(this, QStringLiteral("taskVerdict"))),
      choices_(new QWidget(this)),
      choices_column_(new QVBoxLayout(choices_)),
      check_(new QPushButton(this)),
      answer_(new QPushButton(this)),
      scroll_(new QScrollArea(this)),
      bars_(new PredictionBars),
      map_(new AnswerMap(this)) {
    setObjectName(QStringLiteral("taskView"));
    check_->setObjectName(QStringLiteral("taskCheck"));
    answer_->setObjectName(QStringLiteral("taskAnswer"));
    scroll_->setWidget(bars_);
    scroll_->setWidgetResizable(true);
    scroll_->setMaximumHeight(kHighestBars);
    choices_column_->setContentsMargins({});
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(check_);
    buttons->addWidget(answer_);
    buttons->addStretch(1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins({});
    for (QWidget* part : {static_cast<QWidget*>(question_), choices_, static_cast<QWidget*>(scroll_)})
        column->addWidget(part);
    column->addLayout(buttons);
    column->addWidget(verdict_);
    column->addWidget(map_);
    connect(check_, &QPushButton::clicked, this, [this] {
        if (task_ && task_->kind == LessonTask::Kind::Paint)
            checkMask();
        else
            revealWeights();
    });
    connect(answer_, &QPushButton::clicked, this, &TaskView::showMask);
    connect(&session, &Session::traceChanged, this, &TaskView::followText);
    hide();
}

void TaskView::setTask(const std::optional<LessonTask>& task, const Selection& selection) {
    selection_ = selection;
    const QString language = task ? task->question.current() : QString();
    if (task == task_ && language == language_) return followText();
    task_ = task;
    language_ = language;
    keys_.clear();
    rebuild();
    followText();
}

QString TaskView::filled(const LessonText& text) const {
    return filledText(text, selection_, session_.trace());
}

void TaskView::rebuild() {
    // The focus goes to the panel rather than nowhere.
    if (isAncestorOf(QApplication::focusWidget()) && parentWidget()) parentWidget()->setFocus();
    setVisible(task_.has_value());
    verdict_->hide();
    map_->hide();
    qDeleteAll(choices_->findChildren<QPushButton*>());
    if (!task_) return;
    using Kind = LessonTask::Kind;
    choices_->setVisible(task_->kind == Kind::Choose);
    scroll_->setVisible(task_->kind == Kind::Weights);
    check_->setVisible(task_->kind != Kind::Choose);
    check_->setEnabled(true);
    answer_->setVisible(task_->kind == Kind::Paint);
    check_->setText(task_->kind == Kind::Paint ? tr("Check") : tr("Reveal"));
    answer_->setText(tr("Show the answer"));
    for (int i = 0; i < task_->choices.size(); ++i) {
        auto* button = new QPushButton(choices_);
        button->setObjectName(QStringLiteral("taskChoice%1").arg(i));
        button->setStyleSheet(QStringLiteral("text-align: left; padding: 4px"));
        choices_column_->addWidget(button);
        connect(button, &QPushButton::clicked, this, [this, i] { choose(i); });
    }
}

/// The texts and the bars are those of the present tokens.
void TaskView::followText() {
    const TracePtr& trace = session_.trace();
    if (!task_) return;
    question_->setText(filled(task_->question));
    for (int i = 0; i < task_->choices.size(); ++i) {
        auto* button = choices_->findChild<QPushButton*>(QStringLiteral("taskChoice%1").arg(i));
        const QString text = filled(task_->choices[i]);
        button->setToolTip(text);
        button->setText(QString(text).replace(u'&', QStringLiteral("&&")));
    }
    if (task_->kind != LessonTask::Kind::Weights || !trace) return;
    QStringList keys;
    for (const std::string& token : trace->batch().tokens[static_cast<std::size_t>(session_.selection().sequence)])
        keys << displayToken(token);
    if (keys == keys_) return;
    keys_ = keys;
    verdict_->hide();
    check_->setEnabled(true);
    bars_->setKeys(keys);
    scroll_->setMinimumHeight(std::min(bars_->sizeHint().height() + 2 * scroll_->frameWidth(), kHighestBars));
}

void TaskView::showVerdict(const QString& verdict, bool right) {
    const QString why = filled(task_->why);
    verdict_->setText(why.isEmpty() ? verdict : verdict + u'\n' + why);
    setTextColor(verdict_, right ? Role::Text : Role::Error);
    verdict_->show();
}

void TaskView::choose(int choice) {
    const bool right = choice == task_->right;
    showVerdict(right ? tr("Right.") : tr("Not correct. The answer is: %1").arg(filled(task_->choices[task_->right])),
                right);
}

void TaskView::checkMask() {
    const auto& request = session_.reading().request;
    const auto right_mask = parse_mask(task_->mask.toStdString());
    if (!request || !right_mask) return;
    const int sequence = std::min(session_.selection().sequence, static_cast<int>(request->batch.size()) - 1);
    const auto painted =
        paint::from_expression(request->mask.mask(session_.selection().head.value_or(0)), request->batch, sequence);
    const auto right = paint::from_expression(*right_mask, request->batch, sequence);
    if (!painted || !right) return;
    const MaskAnswer answer = check_answer(*painted, *right);
    QString verdict = tr("Right: 100% of the cells.");
    if (!answer.right())
        verdict =
            tr("%1%: %2 of %3 cells are wrong.").arg(std::floor(answer.percent())).arg(answer.wrong).arg(answer.cells);
    if (answer.mistake) verdict += tr(" Your mask: %1.").arg(sentence(*answer.mistake));
    showVerdict(verdict, answer.right());
    map_->setAnswer(*painted, answer);
    map_->setVisible(!answer.right());
}

void TaskView::showMask() {
    session_.edit(Field::Mask, task_->mask);
    map_->hide();
    showVerdict(tr("This is the answer."), true);
}

/// The weights of the row appear in the maps, too.
void TaskView::revealWeights() {
    const TracePtr& trace = session_.trace();
    if (!trace) return;
    const Dims dims = trace->dims();
    const int sequence = session_.selection().sequence;
    const int head = resolvedIndex(task_->head, dims.num_heads),
              query = resolvedIndex(task_->query, dims.sequence_length);
    if (!has_rows(*trace, Stage::Weights, sequence, head)) return;
    const std::vector<double> weights = row_of(*trace, Stage::Weights, sequence, head, query);
    const double points = points_moved(bars_->prediction(), weights);
    bars_->setWeights(weights);
    check_->setEnabled(false);
    showVerdict(tr("%1% of the weight is on other keys than predicted.").arg(numberText(points, 3)), points < 10);
    showWeights(session_, *task_);
}

QString TaskView::verdict() const {
    return verdict_->isHidden() ? QString() : verdict_->text();
}

}  // namespace headscope
