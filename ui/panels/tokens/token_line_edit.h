// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QLineEdit>

class QUndoStack;

namespace headscope {

/// One line of several: what leads out of the line (Enter, Backspace at its start, Up and Down, Esc) becomes a signal,
/// and undo is that of a history outside.
class TokenLineEdit : public QLineEdit {
    Q_OBJECT
public:
    TokenLineEdit(QUndoStack* history, QWidget* parent);

    /// The click that opened the line set the caret: a second one of a double click selects the word there, wherever
    /// the text under the mouse is now.
    void takeClick() { opened_.start(); }

Q_SIGNALS:
    void broken();                                  ///< a line end replaces what is selected
    void joined(int direction);                     ///< with the line before (-1) or after (+1)
    void stepped(int direction, qsizetype column);  ///< to the line before or after
    void finished();                                ///< Esc
    void left();                                    ///< the focus went elsewhere in the window

protected:
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    bool leavesLine(const QKeyEvent& event);

    QUndoStack* history_;
    QElapsedTimer opened_;  ///< since a click on a chip opened the line
};

}  // namespace headscope
