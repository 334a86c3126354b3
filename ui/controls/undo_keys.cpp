// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/controls/undo_keys.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QUndoStack>

namespace headscope {

UndoKeys::UndoKeys(QUndoStack* history, QObject* parent) : QObject(parent), history_(history) {}

void UndoKeys::watch(QWidget* editor) {
    editor->installEventFilter(this);
    if (auto* line = editor->findChild<QLineEdit*>()) line->installEventFilter(this);
}

bool UndoKeys::eventFilter(QObject* watched, QEvent* event) {
    const bool claims = event->type() == QEvent::ShortcutOverride;
    if (!claims && event->type() != QEvent::KeyPress) return QObject::eventFilter(watched, event);
    const auto* key = static_cast<QKeyEvent*>(event);
    const bool undo = key->matches(QKeySequence::Undo), redo = key->matches(QKeySequence::Redo);
    if (!undo && !redo) return QObject::eventFilter(watched, event);
    if (claims) {
        event->ignore();  // so that the window's action handles the key
        return true;
    }
    // No action handled the key: the editor is in a separate window, such as a floating dock.
    if (undo) history_->undo();
    if (redo) history_->redo();
    event->accept();
    return true;
}

}  // namespace headscope
