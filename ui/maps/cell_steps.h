// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>
#include <vector>

#include "core/explain/cell_account.h"
#include "ui/look/theme.h"

namespace headscope {

/// One step of the explained cell: what is computed, from which numbers, and the result.
struct CellStep {
    QString name;     ///< "weight"
    QString formula;  ///< "1 / 1.091, the sum of the row"
    QString brief;    ///< "/ 1.091": the short form, used in a line with the other steps
    double value = 0;
    QString text;       ///< the value, rounded: "0.9164"
    QString exact;      ///< the shortest text that parses to the same number
    bool warn = false;  ///< marks an unexpected value: leaked weight, NaN
};

/// The steps from the products to the weight, in the order of computation: the sum of products, the scaled score, one
/// step for each rule that changes it, the mask, the exponential and the weight. The values are those of the account.
QList<CellStep> cellSteps(const Trace& trace, const CellAccount& cell);

/// "How “because” (query 6) comes to its weight on “sat” (key 2) in head 6"
QString cellTitle(const Trace& trace, const CellAccount& cell);
/// "adds 0.019 · v₂ to the context of “because”"
QString cellContribution(const Trace& trace, const CellAccount& cell);
/// How much that is: "‖weight · v‖ = 0.12 in the context, ‖weight · v W_Oᵀ‖ = 0.08 in the output"; empty if it is
/// nothing.
QString cellMoved(const Trace& trace, const CellAccount& cell);

/// A vector of the explained cell, drawn as a strip.
struct NumberStrip {
    QString name;  ///< "q₅ (64)"
    Role role;
    std::vector<double> numbers;
};
/// q, k and q ⊙ k, from which the score is computed; v; the contribution of the cell; and the context that contains it.
QList<NumberStrip> scoreStrips(const CellAccount& cell);
QList<NumberStrip> contextStrips(const CellAccount& cell);

}  // namespace headscope
