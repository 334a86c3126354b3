// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QIODevice>
#include <QString>
#include <algorithm>
#include <atomic>

#include "core/attention/trace.h"
#include "ui/state/selection.h"

namespace headscope {

/// A run of rows or columns, as Python's slice first:end.
struct Cut {
    std::int64_t first = 0;
    std::optional<std::int64_t> end{};  ///< nothing = to the last
    std::int64_t endOf(std::int64_t count) const { return std::min(end.value_or(count), count); }
};

/// The part of a trace that is written to a CSV or JSON file; nothing = all.
struct TableChoice {
    std::optional<int> sequence;
    std::optional<int> head;
    Stage stage = Stage::Weights;
    Cut rows{}, columns{};
};

/// Writes .csv, .json, .npz, .safetensors or .py according to the file name extension of path, row by row: numbers that
/// the trace doesn't keep are computed meanwhile. The write is atomic. InvalidValue for another extension or a choice
/// that doesn't exist, OutOfMemory, FileUnwritable, or Cancelled once `cancel` is true. done: the part that is written,
/// from 0 to 1.
Result<void> writeTable(const QString& path, const Trace& trace, const TableChoice& choice,
                        const std::atomic<bool>* cancel = nullptr, std::atomic<double>* done = nullptr);

/// The same, to a device that saveFile() opened.
Result<void> writeCsv(QIODevice& device, const Trace& trace, const TableChoice& choice, const std::atomic<bool>* cancel,
                      std::atomic<double>* done);
Result<void> writeJson(QIODevice& device, const Trace& trace, const TableChoice& choice,
                       const std::atomic<bool>* cancel, std::atomic<double>* done);
/// The cells that a choice writes.
std::uint64_t tableCells(const Trace& trace, const TableChoice& choice);

/// The configuration as JSON text, for metadata and captions: every setting that determines the numbers, except the
/// tokens.
std::string configJson(const Request& request);

/// The shortest text that parses to the same number, in the C locale; "NaN", "Infinity", "-Infinity".
std::string numberText(double value, Tensor::Type type);

}  // namespace headscope
