// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/save_file.h"

#include <QFileInfo>

#include "ui/export/unnamed_file.h"

#include "ui/state/draft.h"

namespace headscope {
namespace {

#define SENTENCE(text) QT_TRANSLATE_NOOP("Error", text)

template <typename... Args>
tl::unexpected<Error> unwritable(const char* text, const QString& path, const Args&... args) {
    return fail(ErrorCode::FileUnwritable, text, path.toStdString(), args.toStdString()...);
}

}  // namespace

Result<void> checkPlace(const QString& path) {
    const QFileInfo info(path);
    const QFileInfo folder(info.absolutePath());
    if (info.isDir()) return unwritable(SENTENCE("{} is a folder; give the name of a file"), path);
    if (!folder.exists())
        return unwritable(SENTENCE("{}: there is no folder {}; create it, or write somewhere else"), path,
                          folder.filePath());
    if (!folder.isDir()) return unwritable(SENTENCE("{}: {} is not a folder"), path, folder.filePath());
    if (info.exists() && !info.isFile())
        return unwritable(SENTENCE("{} is not an ordinary file; give the name of one"), path);
    if (!QFileInfo(folder.filePath()).isWritable())
        return unwritable(SENTENCE("{}: the folder {} can't be written to"), path, folder.filePath());
    return {};
}

Result<void> saveFile(const QString& path, const std::function<Result<void>(QIODevice&)>& write) {
    if (auto place = checkPlace(path); !place) return place;
    const auto failed = [&](const QString& reason) {
        return unwritable(SENTENCE("{} can't be written: {}; nothing was changed"), path, reason);
    };
    UnnamedFile file(path);
    if (!file.create()) return failed(file.errorString());
    if (auto written = write(file); !written)
        return file.error() == QFileDevice::NoError ? written : failed(file.errorString());
    if (file.error() != QFileDevice::NoError || !file.publish()) return failed(file.errorString());
    return {};
}

Result<void> saveFile(const QString& path, QByteArrayView bytes) {
    return saveFile(path, [&bytes](QIODevice& device) -> Result<void> {
        writeAll(device, bytes);  // the file's error reports a failure
        return {};
    });
}

bool writeAll(QIODevice& device, QByteArrayView bytes) {
    while (!bytes.isEmpty()) {
        const qint64 written = device.write(bytes.data(), bytes.size());
        if (written <= 0) return false;
        bytes = bytes.sliced(written);
    }
    return true;
}

QString endingOf(const QString& path) {
    const QString suffix = QFileInfo(path).suffix();
    return suffix.isEmpty() ? QString() : u'.' + suffix.toLower();
}

}  // namespace headscope
