// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/parameters/section.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <algorithm>

#include "core/base/precision_type.h"
#include "ui/controls/text_color.h"
#include "ui/controls/text_difference.h"
#include "ui/controls/undo_keys.h"
#include "ui/look/theme.h"

namespace headscope {
namespace {

QLabel* plainLabel(QWidget* parent) {
    auto* label = new QLabel(parent);
    label->setTextFormat(Qt::PlainText);
    return label;
}

}  // namespace

Section::Section(Session& session, const QString& title, QWidget* parent)
    : QWidget(parent),
      session_(session),
      undo_keys_(new UndoKeys(session.undoStack(), this)),
      column_(new QVBoxLayout(this)),
      title_(plainLabel(this)),
      title_note_(plainLabel(this)) {
    column_->setContentsMargins(0, 0, 0, 0);
    column_->setSpacing(4);
    title_->setText(title);
    title_note_->setWordWrap(true);
    auto* heading = new QHBoxLayout;
    heading->setSpacing(6);
    heading->addWidget(title_);
    heading->addWidget(title_note_, 1);
    column_->addLayout(heading);
    if (title.isEmpty()) {
        title_->hide();
        title_note_->hide();
    }
    notes_ << title_note_;
    applyLook();
    connect(&session, &Session::draftChanged, this, &Section::refreshAll);
    connect(&session, &Session::traceChanged, this, [this] { refresh(); });
    connect(&session, &Session::selectionChanged, this, [this] { refresh(); });
}

void Section::name(QWidget* control, const ControlText& text) {
    control->setObjectName(text.name);
    control->setToolTip(text.tip);
    QString plain = text.label;
    control->setAccessibleName(plain.remove(u'&'));
    undo_keys_->watch(control);
}

QLabel* Section::addRow(QWidget* control, const ControlText& text) {
    name(control, text);
    auto* label = new QLabel(text.label, this);
    label->setBuddy(control);
    label->setToolTip(text.tip);
    addPair(label, control);
    return label;
}

void Section::addPair(QWidget* left, QWidget* right) {
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    row->addWidget(left);
    row->addStretch(1);
    row->addWidget(right);
    column_->addLayout(row);
}

void Section::addWide(QWidget* widget) {
    column_->addWidget(widget);
}

QLabel* Section::addNote(const QString& name) {
    QLabel* note = plainLabel(this);
    note->setObjectName(name);
    note->setWordWrap(true);
    note->hide();
    notes_ << note;
    addWide(note);
    applyLook();
    return note;
}

void Section::setNote(QLabel* note, const QString& text) {
    note->setText(text);
    if (note->isHidden() != text.isEmpty()) note->setVisible(!text.isEmpty());
}

StepEdit* Section::addNumber(Field field, const ControlText& text, Stepper stepper) {
    auto* edit = new StepEdit(std::move(stepper), 7, this);
    addRow(edit, text);
    connect(edit, &StepEdit::edited, this, [this, field](const QString& typed) { session_.edit(field, typed); });
    bind(field, edit, [edit](const QString& shown) { edit->display(shown); });
    return edit;
}

ChoiceEdit* Section::addChoice(Field field, const ControlText& text, const QStringList& choices) {
    auto* edit = new ChoiceEdit(this);
    edit->setChoices(choices);
    addRow(edit, text);
    connect(edit, &ChoiceEdit::edited, this, [this, field](const QString& typed) { session_.edit(field, typed); });
    bind(field, edit, [edit](const QString& shown) { edit->display(shown); });
    return edit;
}

WordChoice* Section::addWords(Field field, const ControlText& text, const Words& words) {
    auto* choice = new WordChoice(this);
    for (const auto& [label, word] : words) choice->addItem(label, word);
    addRow(choice, text);
    connect(choice, &WordChoice::edited, this, [this, field](const QString& word) { session_.edit(field, word); });
    bind(field, choice, [choice](const QString& shown) { choice->display(shown); });
    return choice;
}

Section::Words Section::precisionWords() {
    Words words;
    for (const PrecisionType& type : precision_types())
        words << std::pair(QString::fromLatin1(type.word), QString::fromLatin1(type.word));
    return words;
}

QLineEdit* Section::addLine(const ControlText& text) {
    auto* edit = new QLineEdit(this);
    name(edit, text);
    auto* label = new QLabel(text.label, this);
    label->setBuddy(edit);
    label->setToolTip(text.tip);
    addWide(label);
    addWide(edit);
    return edit;
}

void Section::bind(Field field, QWidget* control, std::function<void(const QString&)> display) {
    auto* note = new ProblemNote(this);
    note->setObjectName(control->objectName() + QStringLiteral("Problem"));
    addWide(note);
    control->installEventFilter(this);
    connect(note, &ProblemNote::taken, this, [this](Field of, const QString& legal) { session_.edit(of, legal); });
    bound_ << Bound{field, control, note, std::move(display)};
}

void Section::refreshAll() {
    for (const Bound& bound : bound_) {
        bound.display(value(bound.field));
        showProblem(bound);
    }
    refresh();
}

void Section::showProblem(const Bound& bound) {
    const Problem* problem = session_.reading().problem(bound.field);
    const QString text = problem ? sentence(problem->error) : QString();
    bound.note->showProblem(text, problem ? offers(bound.field) : QList<Offer>());
    bound.control->setAccessibleDescription(text);
}

/// Offers for the field's own problem, or for a conflict with another field that a value of this field would resolve.
bool Section::takeOffer(const QObject* control) {
    const auto own = std::find_if(bound_.begin(), bound_.end(), [=](const Bound& b) { return b.control == control; });
    if (own == bound_.end()) return false;
    if (own->note->takeFirst()) return true;
    return std::any_of(bound_.begin(), bound_.end(), [&](const Bound& b) { return b.note->takeFirst(own->field); });
}

bool Section::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if ((key == Qt::Key_Return || key == Qt::Key_Enter) && takeOffer(watched)) return true;
    }
    return QWidget::eventFilter(watched, event);
}

void Section::applyLook() {
    setTextColor(title_, Role::Accent);
    QFont bold = font();
    bold.setBold(true);
    title_->setFont(bold);
    for (QLabel* note : std::as_const(notes_)) setTextColor(note, Role::Muted);
}

void Section::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) applyLook();
}

}  // namespace headscope
