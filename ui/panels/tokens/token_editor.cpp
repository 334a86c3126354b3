// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/tokens/token_editor.h"

#include <QKeyEvent>
#include <QLabel>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QTextBlock>
#include <QVBoxLayout>

#include "ui/controls/plain_label.h"
#include "ui/controls/problem_note.h"
#include "ui/controls/text_difference.h"
#include "ui/controls/undo_keys.h"
#include "ui/state/session.h"

namespace headscope {

/// Handles Shift+Enter as Enter: a line is a sequence, and Qt's soft line break would be white space inside a line.
class SequenceEdit : public QPlainTextEdit {
public:
    using QPlainTextEdit::QPlainTextEdit;
    QString text() const {
        // toPlainText() would convert no-break spaces to spaces.
        return document()->toRawText().replace(QChar::ParagraphSeparator, u'\n');
    }
    QSize sizeHint() const override {
        return {fontMetrics().averageCharWidth() * 40, fontMetrics().lineSpacing() * 2 + 16};
    }
    QSize minimumSizeHint() const override { return {fontMetrics().averageCharWidth() * 16, sizeHint().height()}; }

protected:
    void keyPressEvent(QKeyEvent* event) override {
        const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
        if (!enter || isReadOnly()) return QPlainTextEdit::keyPressEvent(event);
        textCursor().insertBlock();
        ensureCursorVisible();
    }
    /// Pastes plain text only, also from a browser or a file manager.
    bool canInsertFromMimeData(const QMimeData* source) const override { return source->hasText(); }
    void insertFromMimeData(const QMimeData* source) override {
        if (isReadOnly() || !source->hasText()) return;
        textCursor().insertText(withPlainLineEnds(source->text()));
        ensureCursorVisible();
    }
};

TokenEditor::TokenEditor(Session& session, QWidget* parent)
    : QWidget(parent), session_(session), edit_(new SequenceEdit(this)), problem_(new ProblemNote(this)) {
    edit_->setObjectName(QStringLiteral("tokenText"));
    edit_->setAccessibleName(tr("Sentences, one on each line"));
    edit_->setPlaceholderText(tr("Type a sentence, one on each line, such as: the cat sat on the mat"));
    edit_->setProperty("card", true);
    edit_->setTabChangesFocus(true);
    edit_->setLineWrapMode(QPlainTextEdit::NoWrap);
    edit_->setUndoRedoEnabled(false);  // the session has the undo history
    (new UndoKeys(session.undoStack(), this))->watch(edit_);
    problem_->setObjectName(QStringLiteral("tokenTextProblem"));

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    auto* rule = plainParagraph(this, QStringLiteral("tokenTextRule"));
    rule->setText(tr("Every line is one sequence. Shorter ones are filled up with [PAD]; a [PAD] can be typed, too."));
    layout->addWidget(rule);
    layout->addWidget(edit_, 1);
    layout->addWidget(problem_);

    connect(edit_, &QPlainTextEdit::textChanged, this, &TokenEditor::sendText);
    connect(&session, &Session::draftChanged, this, &TokenEditor::showDraft);
    showDraft();
}

QPlainTextEdit* TokenEditor::textEdit() const {
    return edit_;
}

void TokenEditor::sendText() {
    if (showing_ || edit_->isReadOnly()) return;
    const QString text = edit_->text();
    if (text != withPlainLineEnds(session_.draft().value(Field::Text))) session_.edit(Field::Text, text);
}

void TokenEditor::showDraft() {
    lines_.follow(session_);
    edit_->setReadOnly(!lines_.isEditable());
    const QString wanted = withPlainLineEnds(lines_.text()), present = edit_->text();
    if (wanted != present) {
        const TextDifference change = textDifference(present, wanted);
        QTextCursor cursor(edit_->document());
        cursor.setPosition(static_cast<int>(change.start));
        cursor.setPosition(static_cast<int>(change.start + change.removed), QTextCursor::KeepAnchor);
        showing_ = true;
        cursor.insertText(change.inserted);
        showing_ = false;
    }
    const Problem* problem = session_.reading().problem(Field::Text);
    problem_->showProblem(problem ? sentence(problem->error) : QString());
    edit_->setAccessibleDescription(problem_->sentence());
}

}  // namespace headscope
