// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <atomic>
#include <string>
#include <vector>

#include "core/attention/trace.h"
#include "core/base/result.h"

namespace headscope {

/// Writes every tensor of a trace (x, qkv_proj.*, out_proj.*, q, k, v, scores, mask, weights, context, output), with
/// the configuration and the tokens as metadata, in the format of tensors that the file name extension of path names.
/// With this metadata the file can also be opened as a weights file. Scores and weights that the trace does not keep
/// are computed while they are written. The write is atomic. done: the part that is written, from 0 to 1. names: only
/// these tensors; empty = every tensor.
Result<void> writeDump(const QString& path, const Trace& trace, const std::atomic<bool>* cancel = nullptr,
                       std::atomic<double>* done = nullptr, const std::vector<std::string>& names = {});
/// The bytes of all tensors.
std::uint64_t dumpBytes(const Trace& trace);

}  // namespace headscope
