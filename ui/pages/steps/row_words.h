// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <vector>

#include "core/explain/row_account.h"

namespace headscope {

/// What a row says, a sentence each: how much it sees, how spread its weight is, and what the mask took and to whom it
/// went, or why the row is no usual one. Plain text; every number is the account's.
QStringList rowSentences(const Trace& trace, const RowAccount& row);

/// Weights after the classical mistake: the softmax over every key, masked or not, and then times 0 where the mask is
/// shut. (S); NaN where a score is.
std::vector<double> multipliedByZero(const RowAccount& row);
/// "the row sums to 0.65, not to 1: ..." of those.
QString multipliedSentence(const RowAccount& row);

/// Of all weights, in double.
double sumOf(const std::vector<double>& weights);

/// “sat”, as sentences quote it.
QString quotedToken(const Trace& trace, std::int64_t sequence, std::int64_t position);

}  // namespace headscope
