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

/// The tokens in one strip, two lines high. Each line is a sequence of chips; the dot before it shows that sequence,
/// and a click on it opens an editor in place. At the right: how lines are split, all lines as one text, add a
/// sequence. If a weights file contains x, the strip says so and is read-only.
class TokenStrip : public QWidget {
    Q_OBJECT
public:
    explicit TokenStrip(Session& session, QWidget* parent = nullptr);

    TokenChips* chips() const { return chips_; }
    QLineEdit* lineEdit() const;  ///< placed over the edited line; hidden if no line is edited
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
    QLabel* note_;  ///< the error of the text, or why it is read-only
    QToolButton* tokenizer_ = nullptr;
    QWidget* controls_;
    QPointer<QDialog> text_dialog_;
    QStringList without_font_;  ///< scripts without an installed font
    std::optional<int> line_;   ///< the edited line
    bool sending_ = false;      ///< the draft is changing because of a key in the line
};

}  // namespace headscope
