// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QUndoStack;
class QWidget;

namespace headscope {

/// Makes Ctrl+Z and Ctrl+Shift+Z in an editor act on the history of the session. Without it, an editor uses its own
/// history: it takes these keys by accepting their ShortcutOverride event.
class UndoKeys : public QObject {
    Q_OBJECT
public:
    explicit UndoKeys(QUndoStack* history, QObject* parent);
    /// Also works for the line edit of an editable combo box or a spin box.
    void watch(QWidget* editor);
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QUndoStack* history_;
};

}  // namespace headscope
