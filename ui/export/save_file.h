// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArrayView>
#include <QIODevice>
#include <QString>
#include <functional>

#include "core/base/result.h"

namespace headscope {

/// Writes a file completely or not at all: an existing file of that name stays until the last byte is written. `write`
/// calls writeAll(); if `write` fails, its error is returned. Every I/O error is FileUnwritable with the path and a
/// reason.
Result<void> saveFile(const QString& path, const std::function<Result<void>(QIODevice&)>& write);
Result<void> saveFile(const QString& path, QByteArrayView bytes);

/// Writes all bytes; false, and an error of the device, if that fails. QIODevice::write() may write only some of them
/// without an error.
bool writeAll(QIODevice& device, QByteArrayView bytes);

/// Checks before the computation whether a file can be created here. FileUnwritable if not.
Result<void> checkPlace(const QString& path);

/// The file name extension of a path in lower case, with the dot: ".png"; empty if there is none.
QString endingOf(const QString& path);

}  // namespace headscope
