// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QLineEdit>

class QUndoStack;

namespace headscope {

/// An editor for one line of several: keys that leave the line (Enter, Backspace at its start, Up and Down, Esc) emit a
/// signal, and undo uses an external history.
class TokenLineEdit : public QLineEdit {
    Q_OBJECT
public:
    TokenLineEdit(QUndoStack* history, QWidget* parent);

    /// Call this after the click that opened the line has set the caret. If a second click makes it a double click, the
    /// word at the caret is selected, even if other text is under the mouse by then.
    void takeClick() { opened_.start(); }

Q_SIGNALS:
    void broken();                                  ///< a line break replaces the selection
    void joined(int direction);                     ///< with the previous line (-1) or the next line (+1)
    void stepped(int direction, qsizetype column);  ///< to the previous or the next line
    void finished();                                ///< Esc was pressed
    void left();                                    ///< another widget of the window got the focus

protected:
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    bool leavesLine(const QKeyEvent& event);

    QUndoStack* history_;
    QElapsedTimer opened_;  ///< time since a click on a chip opened the line
};

}  // namespace headscope
