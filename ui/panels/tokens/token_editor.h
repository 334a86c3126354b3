// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;
class QPlainTextEdit;

namespace headscope {

class ProblemNote;
class SequenceEdit;
class Session;
class TokenChips;
class WordChoice;

/// The sentences: a text with a line for each sequence, how it is split, and beside it what comes out as chips. Where a
/// weights file brings its own x the text is the file's and can't be edited.
class TokenEditor : public QWidget {
    Q_OBJECT
public:
    explicit TokenEditor(Session& session, QWidget* parent = nullptr);

    QPlainTextEdit* textEdit() const;
    TokenChips* chips() const { return chips_; }

private:
    QWidget* makeFoot();
    void sendText();
    void showDraft();
    void applyColors();
    void changeEvent(QEvent* event) override;

    Session& session_;
    SequenceEdit* edit_;
    WordChoice* tokenizer_;
    QLabel* file_note_;
    ProblemNote* problem_;
    TokenChips* chips_;
    bool showing_ = false;  ///< the text is being changed by the session, not by a person
};

}  // namespace headscope
