// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "core/trace.h"
#include "ui/selection.h"

namespace headscope {

/// What of a trace goes into a CSV or JSON file; nothing = all.
struct TableChoice {
    std::optional<int> sequence;
    std::optional<int> head;
    Stage stage = Stage::Weights;
};

/// .csv, .json, .npz or .safetensors by the ending of path (PRODUCT §6 "A dump", CSV, JSON); atomic.
Result<void> writeTable(const QString& path, const Trace& trace, const TableChoice& choice);

/// The configuration as JSON text, for metadata and captions.
std::string configJson(const Request& request);

}  // namespace headscope
