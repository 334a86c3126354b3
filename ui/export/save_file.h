// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArrayView>
#include <QIODevice>
#include <QString>
#include <functional>

#include "core/base/result.h"

namespace headscope {

/// Writes a file whole or not at all: what stood under the name stays until the last byte is written. `write` calls
/// writeAll(); it may fail by itself, and that error is passed on; every fault of the disk is FileUnwritable with the
/// path and a reason.
Result<void> saveFile(const QString& path, const std::function<Result<void>(QIODevice&)>& write);
Result<void> saveFile(const QString& path, QByteArrayView bytes);

/// All of the bytes, or false and an error of the device. Its own write() may take some of them and say nothing.
bool writeAll(QIODevice& device, QByteArrayView bytes);

/// Can a file be made here at all, as far as can be told before the work that goes into it? FileUnwritable.
Result<void> checkPlace(const QString& path);

/// The ending of a path in lower case, with the dot: ".png"; empty where there is none.
QString endingOf(const QString& path);

}  // namespace headscope
