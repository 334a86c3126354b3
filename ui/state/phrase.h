// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/stage_type.h"
#include "ui/state/draft.h"

namespace headscope {

/// A phrase() of core in the language of the interface.
QString translated(const char* phrase);
/// The name of a stage: "weights", "Q".
QString stageTitle(Stage stage);

}  // namespace headscope
