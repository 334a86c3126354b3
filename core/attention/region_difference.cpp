// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/region_difference.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/thread_pool.h"

namespace headscope {

namespace {

using State = RegionCells::State;

/// The cells of both, each a single one of the matrix.
struct Both {
    RegionCells a, b;

    static Result<Both> of(const Trace& a, const Trace& b, const Region& wanted, const std::atomic<bool>* cancel) {
        auto left = region(a, wanted, cancel), right = region(b, wanted, cancel);
        if (!left) return tl::unexpected(left.error());
        if (!right) return tl::unexpected(right.error());
        return Both{std::move(*left), std::move(*right)};
    }
    bool allowed(std::size_t n) const { return a.states[n] != State::Masked || b.states[n] != State::Masked; }
    double difference(std::size_t n) const {
        const double left = a.values[n], right = b.values[n];
        const bool same = left == right || (std::isnan(left) && std::isnan(right));
        return same ? 0 : left - right;
    }
};

/// Of one cell of the result.
struct Mean {
    double sum = 0;
    std::int64_t allowed = 0, all = 0;
};

/// Adds up a row of the result from blocks of single cells.
class RowOfMeans {
public:
    RowOfMeans(const Trace& a, const Trace& b, const Region& region, const std::atomic<bool>* cancel)
        : a_(a), b_(b), region_(region), cancel_(cancel), means_(region.column_edges.size() - 1) {}

    Result<std::vector<Mean>> add(std::int64_t first_row, std::int64_t end_row) {
        constexpr std::int64_t kRows = 64, kColumns = 1024;
        const std::int64_t end = region_.column_edges.back();
        for (std::int64_t row = first_row; row < end_row; row += kRows) {
            const std::int64_t rows = std::min(kRows, end_row - row);
            for (std::int64_t column = region_.column_edges.front(); column < end; column += kColumns) {
                if (cancel_ && *cancel_) return fail(ErrorCode::Cancelled, "a newer change replaced it");
                auto added = add_block(row, rows, column, std::min(kColumns, end - column));
                if (!added) return tl::unexpected(added.error());
            }
        }
        return std::move(means_);
    }

private:
    bool is_masked(const Trace& trace, std::int64_t row, std::int64_t rows, std::int64_t column,
                   std::int64_t columns) const {
        return region_.stage != Stage::Scores &&
               trace.mask.of(region_.head).kind(region_.sequence, row, row + rows, column, column + columns) ==
                   TileKind::FullyMasked;
    }

    Result<void> add_block(std::int64_t row, std::int64_t rows, std::int64_t column, std::int64_t columns) {
        const bool masked = is_masked(a_, row, rows, column, columns) && is_masked(b_, row, rows, column, columns);
        Region block = region_;
        block.row_edges = even_edges(row, rows, rows);
        block.column_edges = even_edges(column, columns, columns);
        std::optional<Both> cells;
        if (!masked) {
            auto both = Both::of(a_, b_, block, cancel_);
            if (!both) return tl::unexpected(both.error());
            cells = std::move(*both);
        }
        const auto after = std::upper_bound(region_.column_edges.begin(), region_.column_edges.end(), column);
        auto at = static_cast<std::size_t>(after - region_.column_edges.begin()) - 1;
        for (std::int64_t j = 0; j < columns; ++j) {
            if (column + j == region_.column_edges[at + 1]) ++at;
            means_[at].all += rows;
            for (std::int64_t i = 0; cells && i < rows; ++i) {
                const auto n = static_cast<std::size_t>(i * columns + j);
                if (!cells->allowed(n)) continue;
                means_[at].sum += cells->difference(n);
                ++means_[at].allowed;
            }
        }
        return {};
    }

    const Trace &a_, &b_;
    const Region& region_;
    const std::atomic<bool>* cancel_;
    std::vector<Mean> means_;
};

RegionCells sampled_difference(Both both) {
    for (std::size_t n = 0; n < both.a.values.size(); ++n) {
        both.a.values[n] = both.difference(n);
        both.a.states[n] = both.allowed(n) ? State::Allowed : State::Masked;
    }
    return std::move(both.a);
}

}  // namespace

Result<RegionCells> difference_region(const Trace& a, const Trace& b, const Region& wanted,
                                      const std::atomic<bool>* cancel) {
    if (wanted.sampled || wanted.row_edges.size() < 2 || wanted.column_edges.size() < 2)
        return Both::of(a, b, wanted, cancel).map(sampled_difference);
    const auto rows = static_cast<std::int64_t>(wanted.row_edges.size()) - 1;
    RegionCells cells{rows, static_cast<std::int64_t>(wanted.column_edges.size()) - 1};
    cells.values.resize(static_cast<std::size_t>(cells.rows * cells.columns));
    cells.states.resize(cells.values.size());
    std::vector<Result<void>> outcomes(static_cast<std::size_t>(rows));
    parallel_for(available_threads(), rows, [&](std::int64_t r, int) {
        const auto row = static_cast<std::size_t>(r);
        const auto means = RowOfMeans(a, b, wanted, cancel).add(wanted.row_edges[row], wanted.row_edges[row + 1]);
        if (!means) {
            outcomes[row] = tl::unexpected(means.error());
            return;
        }
        for (std::int64_t c = 0; c < cells.columns; ++c) {
            const Mean& mean = (*means)[static_cast<std::size_t>(c)];
            const std::size_t at = cells.index(r, c);
            cells.values[at] = mean.allowed > 0 ? mean.sum / static_cast<double>(mean.allowed) : 0;
            cells.states[at] = mean.allowed == 0         ? State::Masked
                               : mean.allowed < mean.all ? State::PartlyMasked
                                                         : State::Allowed;
        }
    });
    for (const auto& outcome : outcomes)
        if (!outcome) return tl::unexpected(outcome.error());
    return cells;
}

}  // namespace headscope
