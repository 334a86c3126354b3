// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <vector>

#include "ui/pages/compare/compared_maps.h"

namespace headscope {

/// What two configurations and their difference say in plain text.

/// "B differs from A in mask: none → causal · precision: float32 → bfloat16"; or that nothing does.
QString settingsSentence(const std::vector<SettingDifference>& settings);
/// "A · no mask" and "B · causal, bfloat16": what is a side's own, or its mask where they are alike.
QString sideName(bool a, const Request& request, const std::vector<SettingDifference>& settings);

/// "largest difference A − B: +0.34 at “on” (query 3), “sat” (key 2)"; or that there is none beyond rounding; and how
/// many cells are NaN in one of the two only; or why the two can't be subtracted. selection: with the head.
QString largestSentence(const ComparedMaps& maps, const Trace& a, const Trace& b, const Selection& selection);
/// The part of it about the numbers of two matrices of one size.
QString factsSentence(const DifferenceMatrix& facts, double signed_largest, const Trace& trace,
                      const Selection& selection);

/// What becomes of one query from A to B.
struct RowChange {
    QString title;      ///< “on” (query 3)
    QStringList lines;  ///< "attends to 4 of 10 keys", "“sat”: 0.22 → 0.34", "future: 0.35 → 0"
};
RowChange rowChange(const Trace& a, const Trace& b, int sequence, int head, int query);

/// One cell in both, exact: "“on” → “sat”: A 0.22044, B 0.33918, A − B −0.11874"; empty where one hasn't got it.
QString cellChange(const Trace& a, const Trace& b, const Selection& selection, const Cell& cell);

}  // namespace headscope
