// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>
#include <vector>

#include "core/explain/cell_account.h"
#include "ui/look/theme.h"

namespace headscope {

/// One line of a cell's story: what is done, with which numbers, and what comes out.
struct CellStep {
    QString name;     ///< "weight"
    QString formula;  ///< "1 / 1.091, the sum of the row"
    double value = 0;
    QString text;       ///< the value for a person: "0.9164"
    QString exact;      ///< the shortest that reads back the same
    bool warn = false;  ///< something that surprises: a leak, NaN
};

/// From the products to the weight, in the order in which it is computed. Each value is the account's.
QList<CellStep> cellSteps(const Trace& trace, const CellAccount& cell);

/// A vector of the story, drawn as a strip.
struct NumberStrip {
    QString name;  ///< "q₅ (64)"
    Role role;
    std::vector<double> numbers;
};
/// q, k and q ⊙ k, from which the score comes; v, what the cell adds, and the context of which that is a part.
QList<NumberStrip> scoreStrips(const CellAccount& cell);
QList<NumberStrip> contextStrips(const CellAccount& cell);

}  // namespace headscope
