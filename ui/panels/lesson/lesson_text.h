// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "core/attention/trace.h"
#include "ui/state/lesson.h"

namespace headscope {

/// A text of a lesson in the language of the interface, with the numbers and tokens of a trace in place of its
/// placeholders; without a trace as it is. `selection`: the step's. Its sequence is read, and its locked cell fills in
/// omitted arguments; without one, query 0 and key 0. Placeholders that can't be read stay as they are; a number that
/// the trace doesn't keep is "…".
QString filledText(const LessonText& text, const Selection& selection, const TracePtr& trace);

}  // namespace headscope
