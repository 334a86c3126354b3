// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "core/attention/trace.h"

namespace headscope {

/// The texts of a stage in the shape flow besides its line of PyTorch code: the name on the box, a sentence that
/// explains the step, and the memory of its tensor.
QString stageName(Stage stage);
QString stageSentence(Stage stage);
QString stageMemory(Stage stage, const Trace& trace);

}  // namespace headscope
