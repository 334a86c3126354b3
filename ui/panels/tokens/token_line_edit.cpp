// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/tokens/token_line_edit.h"

#include <QApplication>
#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QUndoStack>
#include <limits>

#include "ui/controls/undo_keys.h"

namespace headscope {

TokenLineEdit::TokenLineEdit(QUndoStack* history, QWidget* parent) : QLineEdit(parent), history_(history) {
    setMaxLength(std::numeric_limits<int>::max());
    setAlignment(Qt::AlignLeft | Qt::AlignAbsolute);  // left-aligned for every script, as the chips
    setTextMargins(4, 0, 0, 0);                       // where the text of a chip starts
    (new UndoKeys(history, this))->watch(this);
}

bool TokenLineEdit::event(QEvent* event) {
    // Esc closes the line editor before the window handles the key.
    if (event->type() == QEvent::ShortcutOverride && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        event->accept();
        return true;
    }
    return QLineEdit::event(event);
}

void TokenLineEdit::keyPressEvent(QKeyEvent* event) {
    if (!leavesLine(*event)) return QLineEdit::keyPressEvent(event);
    event->accept();
}

bool TokenLineEdit::leavesLine(const QKeyEvent& event) {
    const bool plain = !(event.modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier));
    const bool at_start = cursorPosition() == 0 && !hasSelectedText();
    const bool at_end = cursorPosition() == text().size() && !hasSelectedText();
    switch (event.key()) {
        case Qt::Key_Return:
        case Qt::Key_Enter:
            Q_EMIT broken();
            return true;
        case Qt::Key_Escape:
            Q_EMIT finished();
            return true;
        case Qt::Key_Up:
            Q_EMIT stepped(-1, cursorPosition());
            return true;
        case Qt::Key_Down:
            Q_EMIT stepped(+1, cursorPosition());
            return true;
        case Qt::Key_Backspace:
            if (at_start) Q_EMIT joined(-1);
            return at_start;
        case Qt::Key_Delete:
            if (at_end && plain) Q_EMIT joined(+1);
            return at_end && plain;
        default:
            return false;
    }
}

void TokenLineEdit::focusOutEvent(QFocusEvent* event) {
    QLineEdit::focusOutEvent(event);
    const auto reason = event->reason();
    if (reason != Qt::PopupFocusReason && reason != Qt::MenuBarFocusReason && reason != Qt::ActiveWindowFocusReason)
        Q_EMIT left();
}

void TokenLineEdit::mouseDoubleClickEvent(QMouseEvent* event) {
    const bool opens = opened_.isValid() && opened_.elapsed() <= QApplication::doubleClickInterval();
    if (!opens) return QLineEdit::mouseDoubleClickEvent(event);
    const QString line = text();
    qsizetype start = cursorPosition(), end = start;
    while (start > 0 && !line[start - 1].isSpace()) --start;
    while (end < line.size() && !line[end].isSpace()) ++end;
    setSelection(static_cast<int>(start), static_cast<int>(end - start));
}

/// Qt's menu, with the session's undo history instead of the line's own.
void TokenLineEdit::contextMenuEvent(QContextMenuEvent* event) {
    QMenu* menu = createStandardContextMenu();
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const auto actions = menu->actions();
    const auto replace = [&](int index, bool enabled, void (QUndoStack::*slot)()) {
        QAction* action = actions[index];
        action->disconnect(SIGNAL(triggered(bool)));
        action->setEnabled(enabled);
        connect(action, &QAction::triggered, history_, slot);
    };
    replace(0, history_->canUndo(), &QUndoStack::undo);
    replace(1, history_->canRedo(), &QUndoStack::redo);
    menu->popup(event->globalPos());
}

}  // namespace headscope
