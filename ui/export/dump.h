// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <atomic>

#include "core/attention/trace.h"
#include "core/files/file_tensor.h"

namespace headscope {

/// Every tensor of a trace by the names of PRODUCT §6, with the configuration and the tokens as metadata; the metadata
/// also lets the file be opened again as a weights file. OutOfMemory where it can't be put together.
Result<TensorFile> dumpOf(const Trace& trace, const std::atomic<bool>* cancel = nullptr);

/// dumpOf() as .npz or .safetensors by the ending of path; atomic.
Result<void> writeDump(const QString& path, const Trace& trace, const std::atomic<bool>* cancel = nullptr);

}  // namespace headscope
