// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/explain/cell_account.h"

#include <bit>
#include <cmath>
#include <cstdlib>
#include <numeric>

#include "core/attention/head.h"
#include "core/attention/query_key.h"
#include "core/base/precision_type.h"

namespace headscope {

namespace {

/// The number that is `steps` representable numbers away in a half format.
double neighbour(double value, Precision precision, std::int32_t steps) {
    const int unit = 1 << (24 - type_of(precision).significand);
    const auto bits = std::bit_cast<std::int32_t>(static_cast<float>(value));
    return round_to(precision, static_cast<double>(std::bit_cast<float>(bits + steps * unit)));
}

/// The trace sums in float and in another order, so a sum near the middle of two numbers may have been rounded the
/// other way. Returns the neighbour that gives the trace's score.
double sum_behind(const CellAccount& cell, const Scaling& scaling, const ScoreChange& change) {
    const double score = cell.score, product_sum = cell.product_sum;
    const double nearest = round_to(scaling.precision, product_sum);
    for (const std::int32_t steps : {0, 1, -1}) {
        const double sum = steps == 0 ? nearest : neighbour(nearest, scaling.precision, steps);
        auto scaled = static_cast<float>(sum);
        scaling.apply(&scaled, 1);
        change.apply(&scaled, 1, cell.query, cell.key, scaling.precision);
        if (static_cast<double>(scaled) == score) return sum;
    }
    return nearest;
}

void add_score(CellAccount& cell, const Request& request) {
    const Scaling scaling{request.precision, request.scale, request.dims().head_dim()};
    for (std::size_t d = 0; d < cell.q.size(); ++d) cell.products.push_back(cell.q[d] * cell.k[d]);
    cell.product_sum = std::accumulate(cell.products.begin(), cell.products.end(), 0.0);
    const ScoreChange change = score_change(request, cell.head);
    cell.rounded_sum =
        is_half(request.precision) ? sum_behind(cell, scaling, change) : round_to(request.precision, cell.product_sum);
    cell.divided = !request.scale;
    cell.scale = round_to(request.precision, request.scale.value_or(std::sqrt(static_cast<double>(scaling.head_dim))));
    cell.exact_score = cell.divided ? cell.rounded_sum / cell.scale : cell.rounded_sum * cell.scale;
    double score = cell.exact_score;
    for (const ScoreChange::Step& step : change.steps) {
        const double after = ScoreChange::changed(step, score, cell.query, cell.key);
        cell.changes.push_back({step.kind, step.number, std::abs(cell.query - cell.key), score, after});
        score = after;
    }
}

void add_softmax(CellAccount& cell, const RowAccount& row, bool left_out) {
    const auto j = static_cast<std::size_t>(cell.key);
    cell.score = row.scores[j];
    cell.masked_score = row.masked[j];
    cell.maximum = row.maximum;
    cell.exponential = row.exponentials[j];
    cell.row_sum = row.row_sum;
    cell.sink = row.sink;
    cell.sink_exponential = row.sink_exponential;
    cell.quotient = left_out ? 0 : cell.exponential / cell.row_sum;
    cell.weight = row.weights[j];
    cell.leaked = !row.allowed[j] && cell.weight > 0;
}

/// A query's context: the trace's, or of a preview the sum of weights times values.
std::vector<double> context_of(const Trace& trace, const RowAccount& row, bool skips_masked) {
    if (const MatrixView context = trace.matrix(Stage::HeadContext, row.sequence, row.head))
        return row_values(context, row.query);
    const MatrixView values = trace.matrix(Stage::V, row.sequence, row.head);
    std::vector<double> context(static_cast<std::size_t>(values.columns));
    for (std::size_t j = 0; j < row.weights.size(); ++j) {
        if (skips_masked && !row.allowed[j] && row.weights[j] == 0) continue;
        for (std::size_t d = 0; d < context.size(); ++d)
            context[d] += row.weights[j] * values.at(static_cast<std::int64_t>(j), static_cast<std::int64_t>(d));
    }
    return context;
}

}  // namespace

Result<CellAccount> cell_account(const Trace& trace, std::int64_t sequence, std::int64_t head, std::int64_t query,
                                 std::int64_t key) {
    const auto row = row_account(trace, sequence, head, query);
    if (!row) return tl::unexpected(row.error());
    const auto keys = static_cast<std::int64_t>(row->scores.size());
    if (key < 0 || key >= keys) {
        return fail(ErrorCode::InvalidValue, "there is no key {}; they are numbered from 0 to {}", key, keys - 1);
    }
    const Request& request = trace.request;
    const Fill mode = effective_mode(request.fill, request.precision);
    const bool masked = !row->allowed[static_cast<std::size_t>(key)];
    const bool empty = row->allowed_keys == 0;
    // The weights of a row without a finite score are defined, not divided.
    const bool given = mode == Fill::Safe && !row->sink &&
                       (row->outcome == RowOutcome::FullyMasked || row->outcome == RowOutcome::NothingFinite);

    CellAccount cell{.sequence = sequence, .head = head, .query = query, .key = key};
    cell.q = row_values(trace.matrix(Stage::Q, sequence, head), query);
    cell.k = row_values(trace.matrix(Stage::K, sequence, head), key);
    cell.v = row_values(trace.matrix(Stage::V, sequence, head), key);
    cell.context = context_of(trace, *row, mode != Fill::MinusBillion);
    add_softmax(cell, *row, given || (masked && !empty && mode != Fill::MinusBillion));
    add_score(cell, request);
    cell.masked_by = masked_by(request.mask.mask(head), request.batch, sequence, query, key);
    // A masked weight of 0 keeps inf and NaN in v out, except where the fill is finite.
    const bool skipped = masked && cell.weight == 0 && mode != Fill::MinusBillion;
    for (const double v : cell.v) cell.added.push_back(skipped ? 0.0 : cell.weight * v);
    return cell;
}

}  // namespace headscope
