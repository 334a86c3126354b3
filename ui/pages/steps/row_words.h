// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <vector>

#include "core/explain/row_account.h"

namespace headscope {

/// Sentences about a row: how many keys it attends to, how spread its weights are, and which weight the mask
/// redistributed to which keys, or why the row is fully masked or NaN. Plain text; every number is the account's.
QStringList rowSentences(const Trace& trace, const RowAccount& row);

/// "the row sums to 0.65, not to 1: ...", of masked_after_softmax().
QString multipliedSentence(const RowAccount& row);

/// Of all weights, in double.
double sumOf(const std::vector<double>& weights);

}  // namespace headscope
