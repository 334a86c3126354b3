// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <atomic>

#include "core/attention/trace.h"
#include "core/files/file_tensor.h"

namespace headscope {

/// Every tensor of a trace (x, qkv_proj.*, out_proj.*, q, k, v, scores, mask, weights, context, output), with the
/// configuration and the tokens as metadata. With this metadata the file can also be opened as a weights file.
/// OutOfMemory if the tensors can't be allocated.
Result<TensorFile> dumpOf(const Trace& trace, const std::atomic<bool>* cancel = nullptr);

/// Writes dumpOf() in the format of tensors that the file name extension of path names. The write is atomic.
Result<void> writeDump(const QString& path, const Trace& trace, const std::atomic<bool>* cancel = nullptr);

}  // namespace headscope
