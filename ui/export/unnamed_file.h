// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFile>

namespace headscope {

/// A new file that gets its name when it is complete. A program that is killed leaves the old file as it was; unlike
/// QSaveFile, it leaves no temporary file either. (Replacing a file gives the new one a name beside it for the time of
/// two system calls; the next save removes it.) File systems without unnamed files (O_TMPFILE) get a temporary file.
class UnnamedFile : public QFile {
public:
    /// path: the name to come. A link is followed; an existing file's permissions are kept.
    explicit UnnamedFile(const QString& path);
    ~UnnamedFile() override;

    /// Opens the file for writing.
    bool create();
    /// Writes the data to the disk and gives the file its name, replacing an existing file.
    bool publish();

private:
    bool fail();
    int openTemporary();

    QByteArray path_;       ///< encoded, as the others
    QByteArray beside_;     ///< the name that it has before it replaces an existing file
    QByteArray temporary_;  ///< its present name, if it has one before it is published
};

}  // namespace headscope
