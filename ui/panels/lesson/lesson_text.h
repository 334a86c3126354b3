// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "core/attention/trace.h"
#include "ui/state/selection.h"

namespace headscope {

/// A sentence of a lesson with the numbers and tokens of a trace in the place of its placeholders. `selection`: the
/// step's, whose sequence is read, and whose locked cell is meant where a placeholder gives none. Placeholders that
/// can't be read stay as they are; a number that the trace doesn't keep is "…".
QString filledSentence(const QString& text, const Trace& trace, const Selection& selection);

}  // namespace headscope
