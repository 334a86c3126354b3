// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "core/attention/trace.h"

namespace headscope {

/// What the shape flow says about a stage beside its line of PyTorch: its name on the box; a sentence that explains the
/// step; what its tensor takes in memory.
QString stageName(Stage stage);
QString stageSentence(Stage stage);
QString stageMemory(Stage stage, const Trace& trace);

}  // namespace headscope
