// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointer>
#include <QWidget>
#include <optional>

#include "ui/panels/tokens/token_lines.h"

class QDialog;
class QLabel;
class QLineEdit;
class QToolButton;

namespace headscope {

class TokenChips;
class TokenLineEdit;

/// The tokens in one strip, two lines high: each line is a sequence of chips, the dot before it shows that sequence,
/// and a click into it edits its text in place. At the right: how lines are split, all lines as one text, one more
/// sequence. Where a weights file brings its own x, the strip says so and can't be edited.
class TokenStrip : public QWidget {
    Q_OBJECT
public:
    explicit TokenStrip(Session& session, QWidget* parent = nullptr);

    TokenChips* chips() const { return chips_; }
    QLineEdit* lineEdit() const;  ///< over the line that is edited; hidden while none is
    std::optional<int> editedLine() const { return line_; }

    void editLine(int line, qsizetype column);
    void leaveLine();
    void addSequence();
    void editAsText();

protected:
    void changeEvent(QEvent* event) override;

private:
    QWidget* makeControls();
    QToolButton* makeTokenizer(QWidget* parent);
    void showTokenizer();
    void connectLineEdit();
    void showDraft();
    void showNotes();
    void sendLine(const QString& typed);
    void breakLine();
    void joinLine(int direction);
    void replaceText(qsizetype offset, qsizetype removed, const QString& inserted, qsizetype caret);
    void showLine(TokenLines::Place caret);
    void placeLineEdit();
    void applyLook();

    Session& session_;
    TokenLines lines_;
    TokenChips* chips_;
    TokenLineEdit* edit_;
    QLabel* note_;  ///< what is wrong with the text, or why it can't be edited
    QToolButton* tokenizer_ = nullptr;
    QWidget* controls_;
    QPointer<QDialog> text_dialog_;
    QStringList without_font_;  ///< scripts
    std::optional<int> line_;   ///< that is edited
    bool sending_ = false;      ///< the draft changes by a key in the line
};

}  // namespace headscope
