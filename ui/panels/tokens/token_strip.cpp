// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/tokens/token_strip.h"

#include <QActionGroup>
#include <QCoreApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QGridLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QMenu>
#include <QToolButton>
#include <algorithm>

#include "ui/controls/plain_label.h"
#include "ui/controls/text_color.h"
#include "ui/controls/text_difference.h"
#include "ui/controls/tool_tip.h"
#include "ui/look/font_coverage.h"
#include "ui/look/theme.h"
#include "ui/panels/tokens/token_chips.h"
#include "ui/panels/tokens/token_editor.h"
#include "ui/panels/tokens/token_line_edit.h"
#include "ui/state/session.h"

namespace headscope {
namespace {

constexpr int kNoteLetters = 34;  // letters per line of the note

}  // namespace

TokenStrip::TokenStrip(Session& session, QWidget* parent)
    : QWidget(parent),
      session_(session),
      chips_(new TokenChips(session, lines_, this)),
      edit_(new TokenLineEdit(session.undoStack(), chips_->viewport())),
      note_(plainParagraph(this, QStringLiteral("tokenNote"))),
      controls_(makeControls()) {
    setObjectName(QStringLiteral("tokenStrip"));
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    note_->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Ignored);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(8, 0, 8, 0);
    row->setSpacing(8);
    row->addWidget(chips_, 1);
    row->addWidget(note_);
    row->addWidget(controls_, 0, Qt::AlignTop);
    setTabOrder(chips_, edit_);
    setTabOrder(edit_, tokenizer_);
    connectLineEdit();
    connect(chips_, &TokenChips::pressed, this, [this](int line, qsizetype column) {
        editLine(line, column);
        edit_->takeClick();
    });
    connect(chips_, &TokenChips::typed, this, [this](QKeyEvent* event) {
        if (!lines_.isEditable()) return;
        editLine(chips_->shownRow(), lines_.line(chips_->shownRow()).size());
        const bool enters = event->text().isEmpty() || event->text().front() < u' ';
        if (!enters || event->matches(QKeySequence::Paste)) QCoreApplication::sendEvent(edit_, event);
    });
    connect(chips_, &TokenChips::linesMoved, this, &TokenStrip::placeLineEdit);
    connect(&session, &Session::draftChanged, this, &TokenStrip::showDraft);
    applyLook();
    showDraft();
}

QLineEdit* TokenStrip::lineEdit() const {
    return edit_;
}

void TokenStrip::connectLineEdit() {
    edit_->setObjectName(QStringLiteral("tokenLine"));
    edit_->setPlaceholderText(tr("type a sentence here"));
    edit_->hide();
    connect(edit_, &QLineEdit::textEdited, this, &TokenStrip::sendLine);
    connect(edit_, &TokenLineEdit::broken, this, &TokenStrip::breakLine);
    connect(edit_, &TokenLineEdit::joined, this, &TokenStrip::joinLine);
    connect(edit_, &TokenLineEdit::stepped, this, [this](int direction, qsizetype column) {
        const int line = *line_ + direction;
        if (line >= 0 && line < lines_.lineCount()) editLine(line, column);
    });
    connect(edit_, &TokenLineEdit::left, this, &TokenStrip::leaveLine);
    connect(edit_, &TokenLineEdit::finished, this, [this] {
        chips_->setFocus();
        leaveLine();
    });
}

QWidget* TokenStrip::makeControls() {
    auto* controls = new QWidget(this);
    auto* grid = new QGridLayout(controls);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setSpacing(2);
    tokenizer_ = makeTokenizer(controls);
    grid->addWidget(tokenizer_, 0, 0, 1, 2, Qt::AlignRight);
    const auto add = [&](int column, const char* name, const QString& text, const QString& tip, auto slot) {
        auto* button = new QToolButton(controls);
        button->setObjectName(QLatin1String(name));
        button->setText(text);
        button->setToolTip(plainToolTip(tip));
        button->setAutoRaise(true);
        button->setFocusPolicy(Qt::StrongFocus);
        connect(button, &QToolButton::clicked, this, slot);
        grid->addWidget(button, 1, column, Qt::AlignLeft);
    };
    add(0, "editAsText", tr("✎ edit as text"), tr("All sequences in an editor of several lines"),
        &TokenStrip::editAsText);
    add(1, "addSequence", tr("+ sequence"), tr("Adds a line below: each line is one sequence"),
        &TokenStrip::addSequence);
    return controls;
}

QToolButton* TokenStrip::makeTokenizer(QWidget* parent) {
    auto* button = new QToolButton(parent);
    button->setObjectName(QStringLiteral("tokenizer"));
    button->setAccessibleName(tr("How a line is split"));
    button->setToolTip(plainToolTip(
        tr("How a line becomes tokens: at white space; as words, with punctuation apart; or by characters, spaces too. "
           "[PAD] stays whole.")));
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::StrongFocus);
    button->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(button);
    auto* group = new QActionGroup(menu);
    const auto add = [&](const QString& text, const char* word) {
        QAction* action = menu->addAction(text);
        action->setCheckable(true);
        action->setData(QLatin1String(word));
        group->addAction(action);
    };
    add(tr("split at white space"), "space");
    add(tr("split into words"), "words");
    add(tr("split into characters"), "characters");
    connect(group, &QActionGroup::triggered, this,
            [this](const QAction* action) { session_.edit(Field::Tokenizer, action->data().toString()); });
    button->setMenu(menu);
    return button;
}

void TokenStrip::showTokenizer() {
    const QString word = session_.draft().value(Field::Tokenizer);
    QString text = word;  // a session file may contain a word that is none of the choices
    for (QAction* action : tokenizer_->menu()->actions()) {
        action->setChecked(action->data() == word);
        if (action->isChecked()) text = action->text();
    }
    tokenizer_->setText(text + QStringLiteral(" ▾"));
    tokenizer_->setAccessibleDescription(tokenizer_->text());
}

void TokenStrip::showDraft() {
    const QString before = lines_.text();
    const qsizetype caret = line_ ? lines_.offsetOf({*line_, edit_->cursorPosition()}) : 0;
    if (lines_.follow(session_)) {
        without_font_ = scriptsWithoutFont(lines_.text());
        if (!lines_.isEditable()) leaveLine();
        const auto change = line_ && !sending_ ? std::optional(textDifference(before, lines_.text())) : std::nullopt;
        if (line_) line_ = std::min(*line_, lines_.lineCount() - 1);
        chips_->showLines(line_);
        if (change) showLine(lines_.placeAt(change->moved(caret)));
    }
    showTokenizer();
    showNotes();
}

void TokenStrip::showNotes() {
    const Reading& reading = session_.reading();
    const Problem* problem =
        reading.problem(Field::Text) ? reading.problem(Field::Text) : reading.problem(Field::Tokenizer);
    const QString wrong = problem ? sentence(problem->error) : QString();
    const QStringList boxes = wrong.isEmpty() ? without_font_ : QStringList();
    QString note = lines_.isEditable() ? wrong : tr("Read only: the tokens are those of %1").arg(lines_.fileName());
    QString tip = note;
    if (!boxes.isEmpty() && note.isEmpty()) {
        note = tr("No font for %1").arg(boxes.join(QStringLiteral(", ")));
        tip = fontNotes(lines_.text()).join(QLatin1Char('\n'));
    }
    note_->setText(note);
    note_->setToolTip(tip.isEmpty() ? QString() : plainToolTip(tip));
    note_->setVisible(!note.isEmpty());
    setTextColor(note_, note == wrong ? Role::Error : Role::Muted);
    controls_->setVisible(lines_.isEditable());
    edit_->setAccessibleDescription(wrong);
}

void TokenStrip::editLine(int line, qsizetype column) {
    session_.setSequence(line);
    if (!lines_.isEditable()) return;
    showLine({std::clamp(line, 0, lines_.lineCount() - 1), column});
    edit_->setFocus();
}

void TokenStrip::leaveLine() {
    if (!line_) return;
    line_.reset();
    edit_->hide();
    chips_->showLines(line_);
}

/// The last line if it is empty, else a new line.
void TokenStrip::addSequence() {
    const int last = lines_.lineCount() - 1;
    if (!lines_.line(last).isEmpty()) {
        const qsizetype end = lines_.text().size();
        replaceText(end, 0, QStringLiteral("\n"), 1);
    }
    editLine(lines_.lineCount() - 1, 0);
}

void TokenStrip::editAsText() {
    if (!text_dialog_) {
        text_dialog_ = new QDialog(this);
        text_dialog_->setAttribute(Qt::WA_DeleteOnClose);
        text_dialog_->setWindowTitle(tr("Tokens as text"));
        auto* layout = new QVBoxLayout(text_dialog_);
        layout->addWidget(new TokenEditor(session_, text_dialog_), 1);
        auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, text_dialog_);
        connect(buttons, &QDialogButtonBox::rejected, text_dialog_, &QDialog::close);
        layout->addWidget(buttons);
        const int letter = fontMetrics().averageCharWidth();
        text_dialog_->resize(letter * 80, fontMetrics().lineSpacing() * 18);
    }
    text_dialog_->show();
    text_dialog_->activateWindow();
}

/// Handles a change of the line by a key, an input method or the clipboard; pasted text may contain several lines.
void TokenStrip::sendLine(const QString& typed) {
    const qsizetype caret = withPlainLineEnds(typed.left(edit_->cursorPosition())).size();
    replaceText(lines_.offsetOf({*line_, 0}), lines_.line(*line_).size(), withPlainLineEnds(typed), caret);
}

void TokenStrip::breakLine() {
    const qsizetype start = edit_->hasSelectedText() ? edit_->selectionStart() : edit_->cursorPosition();
    replaceText(lines_.offsetOf({*line_, start}), edit_->selectedText().size(), QStringLiteral("\n"), 1);
}

void TokenStrip::joinLine(int direction) {
    const int first = std::min(*line_, *line_ + direction);
    if (first >= 0 && first + 1 < lines_.lineCount()) {
        replaceText(lines_.offsetOf({first, lines_.line(first).size()}), 1, {}, 0);
    } else if (direction < 0 && lines_.line(0).isEmpty() && lines_.lineCount() > 1) {
        replaceText(0, 1, {}, 0);
    }
}

/// Replaces a part of the text as an edit of the line editor. caret: position in the inserted text.
void TokenStrip::replaceText(qsizetype offset, qsizetype removed, const QString& inserted, qsizetype caret) {
    QString text = lines_.text();
    text.replace(offset, removed, inserted);
    sending_ = true;
    session_.edit(Field::Text, text);
    sending_ = false;
    const TokenLines::Place place = lines_.placeAt(offset + caret);
    showLine(place);
    session_.setSequence(place.line);
}

/// Doesn't set a text that is already there: this keeps the composition of an input method, and the selection.
void TokenStrip::showLine(TokenLines::Place caret) {
    if (line_ != caret.line) {
        line_ = caret.line;
        chips_->showLines(line_);
    }
    showText(edit_, lines_.line(caret.line));
    const int column = static_cast<int>(std::min(caret.column, lines_.line(caret.line).size()));
    if (edit_->cursorPosition() != column) edit_->setCursorPosition(column);
    edit_->setAccessibleName(tr("Sequence %1").arg(caret.line));
    placeLineEdit();
    edit_->show();
}

void TokenStrip::placeLineEdit() {
    if (line_) edit_->setGeometry(chips_->editRect(*line_));
}

void TokenStrip::applyLook() {
    note_->setFixedWidth(fontMetrics().averageCharWidth() * kNoteLetters);
    for (auto* button : controls_->findChildren<QToolButton*>()) setTextColor(button, Role::Muted);
}

void TokenStrip::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (!tokenizer_) return;
    if (event->type() == QEvent::FontChange || event->type() == QEvent::PaletteChange) {
        applyLook();
        showNotes();
    }
}

}  // namespace headscope
