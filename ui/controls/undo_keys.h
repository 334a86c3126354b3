// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QUndoStack;
class QWidget;

namespace headscope {

/// Ctrl+Z and Ctrl+Shift+Z in an editor act on the history of the session. An editor would swallow them for a history
/// of its own: it claims them by accepting their ShortcutOverride.
class UndoKeys : public QObject {
    Q_OBJECT
public:
    explicit UndoKeys(QUndoStack* history, QObject* parent);
    /// Also the line edit inside an editable combo box or a spin box.
    void watch(QWidget* editor);
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QUndoStack* history_;
};

}  // namespace headscope
