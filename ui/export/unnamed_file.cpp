// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/unnamed_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <QFileInfo>
#include <cerrno>
#include <cstdio>

namespace headscope {
namespace {

constexpr mode_t kReadWrite = 0666;  // less the umask

/// A link is followed to where its file is, or would be.
QString target(const QString& path) {
    const QFileInfo info(path);
    if (info.exists()) return info.canonicalFilePath();
    return info.isSymLink() ? info.symLinkTarget() : info.absoluteFilePath();
}

}  // namespace

UnnamedFile::UnnamedFile(const QString& path) {
    const QString name = target(path);
    path_ = encodeName(name);
    // The same for the same file, so that the next save finds what a killed program left; and short enough.
    beside_ = encodeName(QFileInfo(name).absolutePath()) + "/.headscope-" + QByteArray::number(qHash(name, 0), 16);
}

UnnamedFile::~UnnamedFile() {
    close();
    if (!temporary_.isEmpty()) ::unlink(temporary_.constData());
}

bool UnnamedFile::fail() {
    setErrorString(qt_error_string(errno));
    return false;
}

int UnnamedFile::openTemporary() {
    temporary_ = path_ + ".XXXXXX";
    const int handle = ::mkostemp(temporary_.data(), O_CLOEXEC);
    if (handle < 0) {
        temporary_.clear();
        return handle;
    }
    const mode_t mask = ::umask(0);
    ::umask(mask);
    ::fchmod(handle, kReadWrite & ~mask);
    return handle;
}

bool UnnamedFile::create() {
    const QByteArray folder = path_.left(path_.lastIndexOf('/') + 1);
    int handle = ::open(folder.constData(), O_TMPFILE | O_WRONLY | O_CLOEXEC, kReadWrite);
    const bool unsupported = handle < 0 && (errno == EOPNOTSUPP || errno == EISDIR || errno == ENOENT);
    if (unsupported) handle = openTemporary();
    if (handle < 0) return fail();
    struct stat old {};
    if (::stat(path_.constData(), &old) == 0) ::fchmod(handle, old.st_mode & ALLPERMS);
    return open(handle, WriteOnly | Unbuffered, AutoCloseHandle);
}

bool UnnamedFile::publish() {
    if (::fsync(handle()) != 0) return fail();
    const auto take_name = [&](const QByteArray& name) {
        const QByteArray self = "/proc/self/fd/" + QByteArray::number(handle());
        return ::linkat(AT_FDCWD, self.constData(), AT_FDCWD, name.constData(), AT_SYMLINK_FOLLOW) == 0;
    };
    if (temporary_.isEmpty()) {
        ::unlink(beside_.constData());
        if (take_name(path_)) return true;
        // Only a file with a name can replace another.
        if (errno != EEXIST || !take_name(beside_)) return fail();
        temporary_ = beside_;
    }
    if (std::rename(temporary_.constData(), path_.constData()) != 0) return fail();
    temporary_.clear();
    return true;
}

}  // namespace headscope
