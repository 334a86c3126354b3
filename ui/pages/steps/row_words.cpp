// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/steps/row_words.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "ui/look/plural.h"
#include "ui/maps/cell_explanation.h"
#include "ui/state/draft.h"

namespace headscope {
namespace {

constexpr std::size_t kMostNamed = 3;

struct Tr {
    Q_DECLARE_TR_FUNCTIONS(RowWords)
};

QString allowedKeys(const Trace& trace, const RowAccount& row) {
    return Tr::tr("%1 (query %2) attends to %3 of %4 keys in head %5", nullptr, counted(row.scores.size()))
        .arg(quotedToken(trace, row.sequence, row.query), QString::number(row.query), QString::number(row.allowed_keys),
             QString::number(row.scores.size()), QString::number(row.head));
}

/// Entropy against the most that so many keys can have.
QString spread(const RowAccount& row) {
    const double sum = sumOf(row.weights);
    if (std::isnan(sum)) return Tr::tr("the row contains NaN, so it has no sum and no entropy");
    return Tr::tr("weights sum to %1 · entropy %2 bits (0: one key alone, %3: all %4 alike)")
        .arg(numberText(sum), numberText(row.entropy_bits, 3),
             numberText(std::log2(static_cast<double>(row.weights.size())), 3), QString::number(row.weights.size()));
}

/// The allowed keys that gained most by the mask, with what they gained.
QString gains(const Trace& trace, const RowAccount& row) {
    std::vector<std::size_t> keys(row.change.size());
    std::iota(keys.begin(), keys.end(), std::size_t{0});
    std::stable_sort(keys.begin(), keys.end(), [&](auto a, auto b) { return row.change[a] > row.change[b]; });
    QStringList named;
    std::size_t gaining = 0;
    for (const std::size_t key : keys) {
        if (!row.allowed[key] || !(row.change[key] > 0)) continue;
        if (++gaining > kMostNamed) continue;
        named << Tr::tr("%1 (key %2) +%3")
                     .arg(quotedToken(trace, row.sequence, static_cast<std::int64_t>(key)), QString::number(key),
                          percentText(row.change[key]));
    }
    if (gaining > kMostNamed) named << Tr::tr("%1 more").arg(gaining - kMostNamed);
    return named.join(QStringLiteral(", "));
}

/// What the mask took and to whom it went, or why the row is no usual one.
QString reason(const Trace& trace, const RowAccount& row) {
    const auto keys = static_cast<std::int64_t>(row.scores.size());
    if (row.outcome != RowOutcome::Normal || row.leaked > 0 || row.allowed_keys == keys || std::isnan(row.taken) ||
        row.sink)
        return sentence(row.reason);
    if (row.taken == 0) return Tr::tr("the mask took nothing: the masked keys have no weight without it either");
    const QString what =
        Tr::tr("without the mask, masked keys would have %1 of the weight").arg(percentText(std::min(row.taken, 1.0)));
    const QString to = gains(trace, row);
    return to.isEmpty() ? what : Tr::tr("%1; it is redistributed to %2").arg(what, to);
}

}  // namespace

double sumOf(const std::vector<double>& weights) {
    return std::accumulate(weights.begin(), weights.end(), 0.0);
}

QStringList rowSentences(const Trace& trace, const RowAccount& row) {
    return {allowedKeys(trace, row), spread(row), reason(trace, row)};
}

QString multipliedSentence(const RowAccount& row) {
    const double sum = sumOf(masked_after_softmax(row));
    if (std::isnan(sum)) return Tr::tr("a score that is NaN makes the row NaN, masked or not: 0 · NaN is NaN");
    if (row.allowed_keys == static_cast<std::int64_t>(row.scores.size()))
        return Tr::tr("no key of this row is masked, so that both ways agree");
    if (row.taken == 0)
        return Tr::tr("the row sums to %1: its masked keys would have no weight anyway").arg(numberText(sum));
    if (row.sink)
        return Tr::tr(
                   "the row sums to %1: beside the sink's part, the weight of the masked keys is lost, as the row is "
                   "not renormalised")
            .arg(numberText(sum));
    return Tr::tr("the row sums to %1, not to 1: the weight of the masked keys is lost, as the row is not renormalised")
        .arg(numberText(sum));
}

}  // namespace headscope
