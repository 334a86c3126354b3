// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <atomic>

#include "core/attention/trace.h"
#include "core/base/result.h"

namespace headscope {

/// Writes layer_python() of a trace as path, and the tensors that it reads as path.npz. Errors as layer_python() and
/// writeDump(); each file is written completely or not at all, the tensors first.
Result<void> writeScript(const QString& path, const Trace& trace, const std::atomic<bool>* cancel = nullptr,
                         std::atomic<double>* done = nullptr);

}  // namespace headscope
