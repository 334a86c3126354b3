// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

/// Files of a test, gone with it.
class Scratch {
public:
    std::string path(const std::string& name) const {
        return folder_.filePath(QString::fromStdString(name)).toStdString();
    }
    std::string write(const std::string& name, std::string_view bytes) const {
        QFile file(QString::fromStdString(path(name)));
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes.data(), qint64(bytes.size())) != qint64(bytes.size()))
            qFatal("a file of the test can't be written");
        return path(name);
    }
    std::string write(const std::string& name, const std::vector<std::uint8_t>& bytes) const {
        return write(name, std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
    }
    void open_to_all() const {
        QFile::setPermissions(folder_.path(), QFile::permissions(folder_.path()) | QFile::ExeGroup | QFile::ExeOther);
    }

private:
    /// In memory where the system has such a folder, so that thousands of files take no time.
    static QString place() {
        const QString memory = QStringLiteral("/dev/shm");
        return (QFileInfo(memory).isWritable() ? memory : QDir::tempPath()) + QStringLiteral("/headscope_test_XXXXXX");
    }
    QTemporaryDir folder_{place()};
};

/// The numbers' bytes as they lie in memory.
template <typename T>
std::vector<std::uint8_t> bytes_of(const std::vector<T>& numbers) {
    std::vector<std::uint8_t> bytes(numbers.size() * sizeof(T));
    if (!numbers.empty()) std::memcpy(bytes.data(), numbers.data(), bytes.size());
    return bytes;
}

/// An error of that code, whose sentence names the file and holds `part`; an empty text where it is so.
template <typename T>
QString not_the_error(const headscope::Result<T>& result, headscope::ErrorCode code, const std::string& file,
                      const std::string& part) {
    if (result) return QStringLiteral("no error");
    const std::string message = result.error().message();
    if (result.error().code == code && message.find(file) != std::string::npos &&
        message.find(part) != std::string::npos)
        return {};
    return QStringLiteral("code %1: %2").arg(int(result.error().code)).arg(QString::fromStdString(message));
}

/// The rows of a test about files that a reader refuses: what stands in them, and a part of the error's sentence.
struct BadFiles {
    BadFiles() {
        QTest::addColumn<QByteArray>("file");
        QTest::addColumn<headscope::ErrorCode>("code");
        QTest::addColumn<QString>("part");
    }
    void operator()(const char* name, const std::string& file, const char* part,
                    headscope::ErrorCode code = headscope::ErrorCode::FileFormat) const {
        QTest::newRow(name) << QByteArray::fromStdString(file) << code << QString::fromUtf8(part);
    }
};
/// Reads the file of the present row; an empty text where the error is the expected one.
template <typename Read>
QString not_the_error_of_row(const Scratch& scratch, Read read) {
    QFETCH(QByteArray, file);
    QFETCH(headscope::ErrorCode, code);
    QFETCH(QString, part);
    const std::string path = scratch.write("bad", file.toStdString());
    return not_the_error(read(path), code, path, part.toStdString());
}

/// A reader's errors about a file that isn't there and about a folder; an empty text where it makes them.
template <typename Read>
QString not_refused(const Scratch& scratch, Read read) {
    const std::string missing = scratch.path("missing"), folder = scratch.path(".");
    const QString wrong = not_the_error(read(missing), headscope::ErrorCode::FileMissing, missing, "no such file");
    if (!wrong.isEmpty()) return wrong;
    return not_the_error(read(folder), headscope::ErrorCode::FileUnreadable, folder, "folder");
}

#define VERIFY_ERROR(result, code, file, part)                                 \
    do {                                                                       \
        const QString wrong = not_the_error((result), (code), (file), (part)); \
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong));                          \
    } while (false)
