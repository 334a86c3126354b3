// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/autosave.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QStandardPaths>

#include "ui/export/save_file.h"

namespace headscope {
namespace {

constexpr int kDelay = 2000;  // milliseconds from the first change to the file

const QString kEnding = QStringLiteral(".headscope"), kLockEnding = QStringLiteral(".lock");

/// A name that no other window has: of this process, or of another.
QString nextName() {
    static int windows = 0;
    return QStringLiteral("window-%1-%2").arg(QCoreApplication::applicationPid()).arg(++windows) + kEnding;
}

/// Whether the lock can be taken, because its program closed it or is gone. Its age doesn't matter.
bool take(QLockFile& lock) {
    lock.setStaleLockTime(0);
    return lock.tryLock(0);
}

}  // namespace

Autosave::Autosave(const QString& folder, std::function<SavedSession()> state, QObject* parent)
    : QObject(parent),
      folder_(folder),
      path_(QDir(folder).filePath(nextName())),
      state_(std::move(state)),
      lock_(path_ + kLockEnding) {
    works_ = !folder.isEmpty() && QDir().mkpath(folder) && take(lock_);
    timer_.setSingleShot(true);
    timer_.setInterval(kDelay);
    connect(&timer_, &QTimer::timeout, this, &Autosave::save);
}

Autosave::~Autosave() {
    if (works_) QFile::remove(path_);
}

QString Autosave::ownFolder() {
    const QString folder = QStandardPaths::writableLocation(QStandardPaths::AppDataLocation);
    return folder.isEmpty() ? QString() : folder + QStringLiteral("/autosave");
}

void Autosave::touch() {
    if (works_ && !timer_.isActive()) timer_.start();
}

bool Autosave::save() {
    return works_ && saveFile(path_, sessionJson(state_())).has_value();
}

/// Looks at the locks, the newest first: what is locked belongs to a running program. A file that can't be read is
/// removed, as nobody could restore it.
std::optional<Autosave::Left> Autosave::left() {
    if (!works_) return std::nullopt;
    const QDir folder(folder_);
    for (const QString& name : folder.entryList({u'*' + kEnding + kLockEnding}, QDir::Files, QDir::Time)) {
        auto lock = std::make_unique<QLockFile>(folder.filePath(name));
        const QString path = folder.filePath(name.chopped(kLockEnding.size()));
        if (path == path_ || !take(*lock) || !QFileInfo::exists(path)) continue;
        if (const auto session = readSession(path)) {
            left_path_ = path;
            left_lock_ = std::move(lock);
            return Left{*session, QFileInfo(path).lastModified()};
        }
        QFile::remove(path);
    }
    return std::nullopt;
}

void Autosave::forgetLeft() {
    if (!left_path_.isEmpty()) QFile::remove(left_path_);
    left_path_.clear();
    left_lock_.reset();
}

}  // namespace headscope
