// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDateTime>
#include <QLockFile>
#include <QObject>
#include <QString>
#include <QTimer>
#include <functional>
#include <memory>
#include <optional>

#include "ui/state/session_file.h"

namespace headscope {

/// Keeps the state of a window in a file while the window is open, so that after a crash the next start can offer it.
/// Each window has a file and a lock of its own in the folder; a file whose lock no running program holds was left by
/// one that was killed. Without a folder that can be written to it does nothing.
class Autosave : public QObject {
    Q_OBJECT
public:
    Autosave(const QString& folder, std::function<SavedSession()> state, QObject* parent);
    ~Autosave() override;  ///< the window was closed: removes its file

    /// The user's own folder of the program.
    static QString ownFolder();

    /// The state changed: it is saved soon.
    void touch();
    /// Saves at once; false if the file can't be written.
    bool save();

    /// The newest state that a killed program left, and when. The lock of its file is then this object's, so that no
    /// other window offers it too, until it is forgotten or this object goes.
    struct Left {
        SavedSession session;
        QDateTime when;
    };
    std::optional<Left> left();
    /// Removes the file of left().
    void forgetLeft();

private:
    QString folder_, path_;
    std::function<SavedSession()> state_;
    QLockFile lock_;
    bool works_ = false;
    QTimer timer_;
    QString left_path_;
    std::unique_ptr<QLockFile> left_lock_;
};

}  // namespace headscope
