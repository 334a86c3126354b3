// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/explain/head_summary.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/attention/row_reader.h"
#include "core/explain/row_account.h"

namespace headscope {

namespace {

double sum_of(const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0);
}

/// True if a row counts: the query is a real token, and its weights are finite and not all 0.
bool counts(const std::vector<double>& weights) {
    const double sum = sum_of(weights);
    return std::isfinite(sum) && sum > 0;
}

std::vector<std::int64_t> real_rows(const Batch& batch, std::int64_t sequence) {
    std::vector<std::int64_t> rows;
    for (std::int64_t i = 0; i < batch.sequence_length(); ++i) {
        if (batch.is_real(sequence, i)) rows.push_back(i);
    }
    return rows;
}

/// Selects `most` of the rows, spread evenly.
std::vector<std::int64_t> spread(const std::vector<std::int64_t>& rows, std::int64_t most) {
    const auto n = static_cast<std::int64_t>(rows.size());
    if (n <= most) return rows;
    std::vector<std::int64_t> some;
    for (std::int64_t at = 0; at < most; ++at) some.push_back(rows[static_cast<std::size_t>(at * n / most)]);
    return some;
}

/// Rows that the trace does not keep are computed one by one, at most this many.
constexpr std::int64_t kMostComputed = 256;

HeadSummary summary_of(const Trace& trace, std::int64_t sequence, std::int64_t head, const std::atomic<bool>* cancel) {
    const bool kept = static_cast<bool>(trace.matrix(Stage::Weights, sequence, head));
    const auto real = real_rows(trace.batch(), sequence);
    HeadSummary summary;
    for (const std::int64_t i : kept ? real : spread(real, kMostComputed)) {
        if (cancel && *cancel) break;
        const auto row = row_of(trace, Stage::Weights, sequence, head, i);
        if (!counts(row)) continue;
        ++summary.rows;
        summary.entropy_bits += entropy_in_bits(row);
        for (std::size_t j = 0; j < row.size(); ++j) {
            summary.mean_distance += row[j] * static_cast<double>(std::abs(i - static_cast<std::int64_t>(j)));
        }
    }
    const double n = summary.rows ? static_cast<double>(summary.rows) : std::numeric_limits<double>::quiet_NaN();
    summary.entropy_bits /= n;
    summary.mean_distance /= n;
    return summary;
}

/// The divergence of two rows, computed from their entropies.
double divergence(const std::vector<double>& p, const std::vector<double>& q, double entropies) {
    double mixed = 0;
    for (std::size_t j = 0; j < p.size(); ++j) {
        const double m = (p[j] + q[j]) / 2;
        if (m > 0) mixed -= m * std::log2(m);
    }
    return std::max(0.0, mixed - entropies / 2);  // rounding can give slightly less than 0
}

/// Adds one row of every head to each pair's sum of divergence and number of rows.
void add_row(const Trace& trace, std::int64_t sequence, std::int64_t i, std::vector<double>& sums,
             std::vector<double>& rows) {
    const std::int64_t heads = trace.dims().num_heads;
    std::vector<std::vector<double>> weights;
    std::vector<double> entropies;
    for (std::int64_t h = 0; h < heads; ++h) {
        weights.push_back(row_of(trace, Stage::Weights, sequence, h, i));
        entropies.push_back(counts(weights.back()) ? entropy_in_bits(weights.back())
                                                   : std::numeric_limits<double>::quiet_NaN());
    }
    for (std::size_t a = 0; a < weights.size(); ++a) {
        for (std::size_t b = a + 1; b < weights.size(); ++b) {
            const double both = entropies[a] + entropies[b];
            if (std::isnan(both)) continue;
            const std::size_t pair = a * weights.size() + b;
            sums[pair] += divergence(weights[a], weights[b], both);
            ++rows[pair];
        }
    }
}

/// A group of heads in order, with joined_at for all but the first.
struct Group {
    std::vector<std::int64_t> heads;
    std::vector<double> joined_at;
};

double mean_between(const HeadLikeness& likeness, const Group& a, const Group& b) {
    double sum = 0;
    for (const std::int64_t left : a.heads) {
        for (const std::int64_t right : b.heads) {
            sum += likeness.divergence[static_cast<std::size_t>(left * likeness.heads + right)];
        }
    }
    return sum / static_cast<double>(a.heads.size() * b.heads.size());
}

}  // namespace

std::vector<HeadSummary> head_summaries(const Trace& trace, std::int64_t sequence, const std::atomic<bool>* cancel) {
    std::vector<HeadSummary> summaries;
    for (std::int64_t h = 0; h < trace.dims().num_heads; ++h) {
        if (!has_rows(trace, Stage::Weights, sequence, h)) return {};
        summaries.push_back(summary_of(trace, sequence, h, cancel));
    }
    return summaries;
}

Tensor mean_over_heads(const Trace& trace, std::int64_t sequence) {
    const Dims dims = trace.dims();
    const std::int64_t s = dims.sequence_length;
    if (!trace.matrix(Stage::Weights, sequence, 0)) return {};
    Tensor mean(storage_type(trace.request.precision), {s, s});
    std::vector<double> sums(static_cast<std::size_t>(s));
    for (std::int64_t i = 0; i < s; ++i) {
        std::fill(sums.begin(), sums.end(), 0.0);
        for (std::int64_t h = 0; h < dims.num_heads; ++h) {
            const auto row = row_values(trace.matrix(Stage::Weights, sequence, h), i);
            std::transform(row.begin(), row.end(), sums.begin(), sums.begin(), std::plus<>());
        }
        for (std::int64_t j = 0; j < s; ++j) {
            const double value = sums[static_cast<std::size_t>(j)] / static_cast<double>(dims.num_heads);
            if (mean.type() == Tensor::Type::Float64) {
                mean.data<double>()[i * s + j] = value;
            } else {
                mean.data<float>()[i * s + j] = static_cast<float>(value);
            }
        }
    }
    return mean;
}

Result<HeadLikeness> head_likeness(const Trace& trace, std::int64_t sequence, const std::atomic<bool>* cancel) {
    constexpr std::int64_t kMostHeads = 128, kMostRows = 256, kMostCells = 200'000'000;
    const Dims dims = trace.dims();
    const std::int64_t heads = dims.num_heads, pairs = heads * heads / 2 + 1;
    if (heads > kMostHeads) {
        return fail(ErrorCode::InvalidValue, "there are {} heads; similarity is computed for {} at most", heads,
                    kMostHeads);
    }
    if (!has_rows(trace, Stage::Weights, sequence, 0)) {
        return fail(ErrorCode::InvalidValue, "there is no sequence {}; they are numbered from 0 to {}", sequence,
                    dims.batch - 1);
    }
    const std::int64_t most = std::clamp<std::int64_t>(kMostCells / (pairs * dims.sequence_length), 1, kMostRows);
    const auto rows = spread(real_rows(trace.batch(), sequence), most);
    const auto cells = static_cast<std::size_t>(heads * heads);
    HeadLikeness likeness{heads, static_cast<std::int64_t>(rows.size()), std::vector<double>(cells)};
    std::vector<double> counted(cells);
    for (const std::int64_t i : rows) {
        if (cancel && *cancel) return fail(ErrorCode::Cancelled, "a newer change replaced it");
        add_row(trace, sequence, i, likeness.divergence, counted);
    }
    for (std::size_t a = 0; a < static_cast<std::size_t>(heads); ++a) {
        for (std::size_t b = a + 1; b < static_cast<std::size_t>(heads); ++b) {
            const std::size_t pair = a * static_cast<std::size_t>(heads) + b;
            if (counted[pair] > 0) likeness.divergence[pair] /= counted[pair];
            likeness.divergence[b * static_cast<std::size_t>(heads) + a] = likeness.divergence[pair];
        }
    }
    return likeness;
}

HeadOrder order_by_likeness(const HeadLikeness& likeness) {
    std::vector<Group> groups;
    for (std::int64_t h = 0; h < likeness.heads; ++h) groups.push_back({{h}, {}});
    while (groups.size() > 1) {
        std::size_t left = 0, right = 1;
        double closest = std::numeric_limits<double>::infinity();
        for (std::size_t a = 0; a < groups.size(); ++a) {
            for (std::size_t b = a + 1; b < groups.size(); ++b) {
                const double apart = mean_between(likeness, groups[a], groups[b]);
                if (apart < closest) {
                    closest = apart;
                    left = a;
                    right = b;
                }
            }
        }
        Group& into = groups[left];
        const Group from = groups[right];
        into.joined_at.push_back(closest);
        into.heads.insert(into.heads.end(), from.heads.begin(), from.heads.end());
        into.joined_at.insert(into.joined_at.end(), from.joined_at.begin(), from.joined_at.end());
        groups.erase(groups.begin() + static_cast<std::ptrdiff_t>(right));
    }
    if (groups.empty()) return {};
    HeadOrder order{std::move(groups.front().heads), std::move(groups.front().joined_at)};
    order.joined_at.insert(order.joined_at.begin(), 0.0);
    return order;
}

std::vector<std::uint8_t> heaviest_cells(const MatrixView& weights, double share) {
    const auto columns = static_cast<std::size_t>(weights.columns);
    std::vector<std::uint8_t> kept(static_cast<std::size_t>(weights.rows) * columns);
    std::vector<std::size_t> keys(columns);
    for (std::int64_t i = 0; i < weights.rows; ++i) {
        const auto row = row_values(weights, i);
        const double sum = sum_of(row);
        std::uint8_t* out = kept.data() + static_cast<std::size_t>(i) * columns;
        if (!std::isfinite(sum)) {
            std::fill_n(out, columns, std::uint8_t{1});
            continue;
        }
        std::iota(keys.begin(), keys.end(), std::size_t{0});
        std::stable_sort(keys.begin(), keys.end(), [&](std::size_t a, std::size_t b) { return row[a] > row[b]; });
        // A share of 1 must include the last cells, although the sum was computed in another order.
        const double wanted = share >= 1 ? std::numeric_limits<double>::infinity() : share * sum;
        double held = 0;
        for (const std::size_t j : keys) {
            if (held >= wanted || row[j] <= 0) break;
            out[j] = 1;
            held += row[j];
        }
    }
    return kept;
}

}  // namespace headscope
