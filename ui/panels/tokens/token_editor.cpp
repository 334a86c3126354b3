// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/tokens/token_editor.h"

#include <QEvent>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QTextBlock>

#include "ui/controls/problem_note.h"
#include "ui/controls/step_edit.h"
#include "ui/controls/text_color.h"
#include "ui/controls/text_difference.h"
#include "ui/controls/undo_keys.h"
#include "ui/look/theme.h"
#include "ui/panels/tokens/token_chips.h"
#include "ui/state/session.h"
#include "ui/state/tokenizer.h"

namespace headscope {
namespace {

/// What ends a line here: QTextDocument makes a block of each, and gives all of them back as U+2029.
bool endsLine(QChar c) {
    return c == u'\n' || c == u'\r' || c == QChar::ParagraphSeparator || c == QChar(0xfdd0) || c == QChar(0xfdd1);
}

/// The text of a draft as an editor holds it.
QString asEdited(QString text) {
    text.replace(QStringLiteral("\r\n"), QStringLiteral("\n"));
    for (QChar& c : text) {
        if (endsLine(c)) c = u'\n';
    }
    return text;
}

QString tokensOf(const Batch& batch) {
    QStringList lines;
    for (std::int64_t s = 0; s < batch.size(); ++s) {
        QStringList words;
        const auto& tokens = batch.tokens[static_cast<std::size_t>(s)];
        for (std::int64_t i = 0; i < batch.sequence_length(); ++i) {
            if (batch.is_real(s, i)) words << displayToken(tokens[static_cast<std::size_t>(i)], 40);
        }
        lines << words.join(u' ');
    }
    return lines.join(u'\n');
}

}  // namespace

/// Shift+Enter is Enter: a line is a sequence, and Qt's soft line break would be white space inside one.
class SequenceEdit : public QPlainTextEdit {
public:
    using QPlainTextEdit::QPlainTextEdit;
    QString text() const {
        // toPlainText() would turn no-break spaces into spaces.
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
    /// Text alone, also of what a browser or a file manager offers.
    bool canInsertFromMimeData(const QMimeData* source) const override { return source->hasText(); }
    void insertFromMimeData(const QMimeData* source) override {
        if (isReadOnly() || !source->hasText()) return;
        textCursor().insertText(asEdited(source->text()));
        ensureCursorVisible();
    }
};

TokenEditor::TokenEditor(Session& session, QWidget* parent)
    : QWidget(parent), session_(session), edit_(new SequenceEdit(this)), chips_(new TokenChips(session, this)) {
    edit_->setObjectName(QStringLiteral("tokenText"));
    edit_->setAccessibleName(tr("Sentences, one on each line"));
    edit_->setPlaceholderText(tr("Type a sentence, one on each line, such as: the cat sat on the mat"));
    edit_->setToolTip(
        tr("Every line is one sequence. Shorter ones are filled up with [PAD]; a [PAD] can be typed, too."));
    edit_->setProperty("card", true);
    edit_->setTabChangesFocus(true);
    edit_->setLineWrapMode(QPlainTextEdit::NoWrap);
    edit_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);  // it would take the room of a line
    edit_->setUndoRedoEnabled(false);                             // the history is the session's
    auto* undo_keys = new UndoKeys(session.undoStack(), this);
    undo_keys->watch(edit_);

    auto* left = new QVBoxLayout;
    left->setSpacing(4);
    left->addWidget(edit_, 1);
    left->addWidget(makeFoot());
    problem_ = new ProblemNote(this);
    problem_->setObjectName(QStringLiteral("tokenTextProblem"));
    left->addWidget(problem_);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(12, 8, 12, 8);
    layout->setSpacing(12);
    layout->addLayout(left, 2);
    layout->addWidget(chips_, 3);
    setTabOrder(edit_, tokenizer_);
    setTabOrder(tokenizer_, chips_);

    connect(edit_, &QPlainTextEdit::textChanged, this, &TokenEditor::sendText);
    connect(&session, &Session::draftChanged, this, &TokenEditor::showDraft);
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    applyColors();
    showDraft();
}

QPlainTextEdit* TokenEditor::textEdit() const {
    return edit_;
}

QWidget* TokenEditor::makeFoot() {
    auto* foot = new QWidget(this);
    auto* row = new QHBoxLayout(foot);
    row->setContentsMargins(0, 0, 0, 0);
    tokenizer_ = new WordChoice(foot);
    tokenizer_->setObjectName(QStringLiteral("tokenizer"));
    tokenizer_->setAccessibleName(tr("How a line is split"));
    tokenizer_->setToolTip(
        tr("How a line becomes tokens: at white space; as words, with punctuation apart; or by characters, spaces too. "
           "[PAD] stays whole."));
    tokenizer_->addItem(tr("at white space"), QStringLiteral("space"));
    tokenizer_->addItem(tr("into words"), QStringLiteral("words"));
    tokenizer_->addItem(tr("into characters"), QStringLiteral("characters"));
    auto* label = new QLabel(tr("spli&t"), foot);
    label->setBuddy(tokenizer_);
    file_note_ = new QLabel(foot);
    file_note_->setObjectName(QStringLiteral("tokensOfFile"));
    file_note_->setTextFormat(Qt::PlainText);
    row->addWidget(label);
    row->addWidget(tokenizer_);
    row->addWidget(file_note_, 1);
    connect(tokenizer_, &WordChoice::edited, this,
            [this](const QString& word) { session_.edit(Field::Tokenizer, word); });
    return foot;
}

void TokenEditor::sendText() {
    if (showing_ || edit_->isReadOnly()) return;
    const QString text = edit_->text();
    if (text != asEdited(session_.draft().value(Field::Text))) session_.edit(Field::Text, text);
}

void TokenEditor::showDraft() {
    const auto& file = session_.reading().file;
    const bool of_file = file && file->x;
    edit_->setReadOnly(of_file);
    tokenizer_->setEnabled(!of_file);
    tokenizer_->display(session_.draft().value(Field::Tokenizer));
    file_note_->setText(
        of_file ? tr("These are the tokens of %1").arg(QFileInfo(QString::fromStdString(file->path)).fileName())
                : QString());

    const QString wanted = asEdited(of_file ? tokensOf(file->batch) : session_.draft().value(Field::Text));
    const QString present = edit_->text();
    if (wanted != present) {
        const TextDifference change = textDifference(present, wanted);
        QTextCursor cursor(edit_->document());
        cursor.setPosition(static_cast<int>(change.start));
        cursor.setPosition(static_cast<int>(change.start + change.removed), QTextCursor::KeepAnchor);
        showing_ = true;
        cursor.insertText(change.inserted);
        showing_ = false;
    }

    const Reading& reading = session_.reading();
    const Problem* problem =
        reading.problem(Field::Text) ? reading.problem(Field::Text) : reading.problem(Field::Tokenizer);
    problem_->showProblem(problem ? sentence(problem->error) : QString());
    edit_->setAccessibleDescription(problem_->sentence());
}

void TokenEditor::applyColors() {
    setTextColor(file_note_, Role::Muted);
}

void TokenEditor::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && file_note_) applyColors();
}

}  // namespace headscope
