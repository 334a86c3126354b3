// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <atomic>

#include "core/attention/trace.h"
#include "ui/state/selection.h"

namespace headscope {

/// What of a trace goes into a CSV or JSON file; nothing = all.
struct TableChoice {
    std::optional<int> sequence;
    std::optional<int> head;
    Stage stage = Stage::Weights;
};

/// .csv, .json, .npz or .safetensors by the ending of path (PRODUCT §6 "A dump", CSV, JSON); atomic. Scores and weights
/// of sequences that the trace didn't keep are computed once more. InvalidValue for another ending or a choice that
/// isn't there, OutOfMemory, FileUnwritable, or Cancelled once `cancel` is true.
Result<void> writeTable(const QString& path, const Trace& trace, const TableChoice& choice,
                        const std::atomic<bool>* cancel = nullptr);

/// The configuration as JSON text, for metadata and captions: everything that makes the numbers but the tokens.
std::string configJson(const Request& request);

/// The trace itself where it kept the scores and weights of a sequence, else one that does.
Result<TracePtr> traceOf(const Trace& trace, int sequence, const std::atomic<bool>* cancel = nullptr);

/// The shortest text that reads back as the same number, in the C locale; "NaN", "Infinity", "-Infinity".
std::string numberText(double value, Tensor::Type type);

}  // namespace headscope
