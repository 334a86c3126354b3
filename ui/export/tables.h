// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QIODevice>
#include <QString>
#include <atomic>

#include "core/attention/trace.h"
#include "ui/state/selection.h"

namespace headscope {

/// The part of a trace that is written to a CSV or JSON file; nothing = all.
struct TableChoice {
    std::optional<int> sequence;
    std::optional<int> head;
    Stage stage = Stage::Weights;
};

/// Writes .csv, .json, .npz or .safetensors according to the file name extension of path. The write is atomic. Scores
/// and weights of sequences that the trace didn't keep are recomputed. InvalidValue for another extension or a choice
/// that doesn't exist, OutOfMemory, FileUnwritable, or Cancelled once `cancel` is true.
Result<void> writeTable(const QString& path, const Trace& trace, const TableChoice& choice,
                        const std::atomic<bool>* cancel = nullptr);

/// The same, to a device that saveFile() opened.
Result<void> writeCsv(QIODevice& device, const Trace& trace, const TableChoice& choice,
                      const std::atomic<bool>* cancel);
Result<void> writeJson(QIODevice& device, const Trace& trace, const TableChoice& choice,
                       const std::atomic<bool>* cancel);

/// The configuration as JSON text, for metadata and captions: every setting that determines the numbers, except the
/// tokens.
std::string configJson(const Request& request);

/// The trace itself if it kept the scores and weights of a sequence, else one recomputed with them.
Result<TracePtr> traceOf(const Trace& trace, int sequence, const std::atomic<bool>* cancel = nullptr);

/// The shortest text that parses to the same number, in the C locale; "NaN", "Infinity", "-Infinity".
std::string numberText(double value, Tensor::Type type);

}  // namespace headscope
