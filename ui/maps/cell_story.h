// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "core/attention/trace.h"
#include "ui/state/selection.h"

namespace headscope {

/// What one cell says, in plain text. Both are empty where the trace has no such cell.
struct CellStory {
    QString sentence;  ///< "'sat' (query 2) takes 34.1% from 'cat' (key 1) in head 3"
    QString exact;     ///< "0.34100612": the shortest that reads back the same; "<1e-38" where it underflowed
};
CellStory cellStory(const Trace& trace, const Selection& selection, const Cell& cell);

/// The sentence and the exact value beside it.
QString cellSentence(const Trace& trace, const Selection& selection, const Cell& cell);

/// “sat”, as sentences quote it.
QString quotedToken(const Trace& trace, std::int64_t sequence, std::int64_t position);

/// Why a fully masked row looks as it does under the present fill.
QString emptyRowSentence(const Trace& trace, int sequence, int query);

/// "34.1%"; never "0.0%" or "100.0%" of what is more or less than that.
QString percentText(double share);
/// So many significant digits with a true minus; "NaN", "∞", "−∞".
QString numberText(double value, int digits = 4);
/// The shortest text in the C locale that reads back as the same float (or double).
QString exactText(double value, Tensor::Type type);

}  // namespace headscope
