// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "core/attention/trace.h"
#include "ui/state/selection.h"

namespace headscope {

/// The explanation of one cell, in plain text. Both are empty if the trace has no such cell.
struct CellExplanation {
    QString sentence;  ///< "'sat' (query 2) takes 34.1% from 'cat' (key 1) in head 3"
    QString exact;     ///< "0.34100612": the shortest text that parses to the same number; "<1e-38" if it underflowed
};
CellExplanation cellExplanation(const Trace& trace, const Selection& selection, const Cell& cell);

/// The sentence, followed by the exact value.
QString cellSentence(const Trace& trace, const Selection& selection, const Cell& cell);

/// “sat”, quoted as in sentences.
QString quotedToken(const Trace& trace, std::int64_t sequence, std::int64_t position);

/// Explains the values of a fully masked row under the current fill value.
QString fullyMaskedRowSentence(const Trace& trace, int sequence, int head, int query);

/// "34.1%"; never "0.0%" or "100.0%" unless the value is exactly that.
QString percentText(double share);
/// Formats with the given number of significant digits and a minus sign; "NaN", "∞", "−∞".
QString numberText(double value, int digits = 4);
/// The shortest text in the C locale that parses to the same float (or double).
QString exactText(double value, Tensor::Type type);

}  // namespace headscope
