// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/explain/chunk_steps.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/attention/softmax.h"
#include "core/explain/row_account.h"

namespace headscope {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::int64_t kMostTiles = 65'536;

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
    double largest = 0;
    for (std::size_t n = 0; n < a.size(); ++n) {
        if (a[n] == b[n] || (std::isnan(a[n]) && std::isnan(b[n]))) continue;
        const double difference = std::fabs(a[n] - b[n]);
        largest = std::max(largest, std::isnan(difference) ? kInfinity : difference);
    }
    return largest;
}

class Stepper {
public:
    Stepper(const Trace& trace, const RowAccount& row)
        : trace_(trace),
          row_(row),
          mode_(effective_mode(trace.request.fill, trace.request.precision)),
          fill_(effective_fill(trace.request.fill, trace.request.precision)),
          scores_(trace.matrix(Stage::Scores, row.sequence, row.head)),
          values_(trace.matrix(Stage::V, row.sequence, row.head)),
          maximum_(-kInfinity),
          running_(static_cast<std::size_t>(values_.columns)) {}

    ChunkStory run() {
        const std::int64_t size = scores_.rows;
        const Request& request = trace_.request;
        ChunkStory story{.sequence = row_.sequence, .head = row_.head, .query = row_.query};
        story.chunk_size = std::min(request.chunk_size.value_or(size), size);
        story.key_chunk_size = std::min(request.key_chunk_size.value_or(size), size);
        for (std::int64_t i = 0; i < size; i += story.chunk_size) {
            for (std::int64_t j = 0; j < size; j += story.key_chunk_size) {
                ChunkStep step{.first_query = i,
                               .queries = std::min(story.chunk_size, size - i),
                               .first_key = j,
                               .keys = std::min(story.key_chunk_size, size - j)};
                take(step);
                story.skipped += step.skipped;
                story.steps.push_back(std::move(step));
            }
        }
        finish(story);
        return story;
    }

private:
    void take(ChunkStep& step) {
        step.open_cells = open_cells(step);
        step.skipped = step.open_cells == 0 && (mode_ != Fill::MinusBillion || cannot_leak(step));
        step.holds_row = row_.query >= step.first_query && row_.query < step.first_query + step.queries;
        if (step.holds_row && !step.skipped) add(step);
        step.maximum = maximum_;
        step.sum = sum_;
        if (step.holds_row) step.context = context();
    }

    std::int64_t open_cells(const ChunkStep& step) const {
        std::int64_t open = 0;
        for (std::int64_t i = 0; i < step.queries; ++i) {
            const std::uint8_t* cells = trace_.mask->row(row_.sequence, step.first_query + i) + step.first_key;
            open = std::accumulate(cells, cells + step.keys, open);
        }
        return open;
    }

    /// Would the tile, computed with a finite fill, change nothing? Each of its rows must have, somewhere, an open
    /// score so far above the fill that exp() of the distance is 0, and no key a value that 0 doesn't take away.
    bool cannot_leak(const ChunkStep& step) {
        if (best_.empty()) look_for_best();
        const auto all = [](const auto& of, std::int64_t first, std::int64_t count, auto holds) {
            const auto begin = of.begin() + static_cast<std::ptrdiff_t>(first);
            return std::all_of(begin, begin + static_cast<std::ptrdiff_t>(count), holds);
        };
        constexpr double kExpIsZero = 800;  // exp(-745.2) is the last above 0 in double
        return all(finite_, step.first_key, step.keys, [](std::uint8_t finite) { return finite != 0; }) &&
               all(best_, step.first_query, step.queries, [this](double best) { return best - fill_ > kExpIsZero; });
    }

    /// The best open score of each row, and whether each key's v is finite: once for all tiles.
    void look_for_best() {
        for (std::int64_t i = 0; i < scores_.rows; ++i) {
            double best = -kInfinity;
            for (std::int64_t j = 0; j < scores_.columns; ++j) {
                if (!scores_.masked(i, j)) best = std::max(best, scores_.at(i, j));
            }
            best_.push_back(best);
            const auto v = row_values(values_, i);
            finite_.push_back(std::all_of(v.begin(), v.end(), [](double value) { return std::isfinite(value); }));
        }
    }

    /// The tile's part of the row: what was gathered so far is scaled to the new maximum.
    void add(ChunkStep& step) {
        const auto first = static_cast<std::size_t>(step.first_key);
        std::vector<double> part(static_cast<std::size_t>(step.keys));
        const ScoreRow<double> scores{row_.scores.data() + first, row_.open.data() + first, step.keys, mode_, fill_};
        const double here = fill_row(scores, part.data());
        const double before = maximum_;
        maximum_ = here > before || std::isnan(here) ? here : before;  // once NaN it stays so
        if (maximum_ == -kInfinity) return;
        if (maximum_ != before && before != -kInfinity) {
            step.shrink = std::exp(before - maximum_);
            sum_ *= step.shrink;
            for (double& value : running_) value *= step.shrink;
        }
        sum_ += exponentiate(part.data(), step.keys, maximum_);
        for (std::int64_t j = 0; j < step.keys; ++j) {
            const auto key = first + static_cast<std::size_t>(j);
            if (!row_.open[key] && mode_ != Fill::MinusBillion) continue;  // nothing of a masked key's v gets through
            for (std::size_t d = 0; d < running_.size(); ++d) {
                running_[d] +=
                    part[static_cast<std::size_t>(j)] * values_.at(step.first_key + j, static_cast<std::int64_t>(d));
            }
        }
    }

    std::vector<double> context() const {
        std::vector<double> context = running_;
        for (double& value : context) value = maximum_ == -kInfinity ? 0 : value / sum_;
        return context;
    }

    void finish(ChunkStory& story) const {
        const auto size = static_cast<std::int64_t>(row_.scores.size());
        story.weights.resize(row_.scores.size());
        std::vector<double> at_once = story.weights;
        const ScoreRow<double> scores{row_.scores.data(), row_.open.data(), size, mode_, fill_};
        softmax_row(scores, maximum_, sum_, story.weights.data());
        softmax_row(scores, at_once.data());
        story.weight_difference = largest_difference(story.weights, at_once);
        std::vector<double> last = context();
        if (maximum_ == -kInfinity && mode_ != Fill::Safe) {
            std::fill(last.begin(), last.end(), std::numeric_limits<double>::quiet_NaN());
        }
        story.context_difference = largest_difference(
            last, row_values(trace_.matrix(Stage::HeadContext, row_.sequence, row_.head), row_.query));
        count_bytes(story);
    }

    void count_bytes(ChunkStory& story) const {
        const bool wide = storage_type(trace_.request.precision) == Tensor::Type::Float64;
        const std::uint64_t item = wide ? 8 : 4, both = 2 * item;  // a score and a weight
        const auto size = static_cast<std::uint64_t>(scores_.rows);
        const auto queries = static_cast<std::uint64_t>(story.chunk_size);
        const auto keys = static_cast<std::uint64_t>(story.key_chunk_size);
        story.bytes_whole = size * size * both;
        story.bytes_at_a_time = queries * keys * both;
        // A maximum, a sum and a context of each row.
        if (keys < size)
            story.bytes_at_a_time += queries * (item + 8 + 8 * static_cast<std::uint64_t>(values_.columns));
        for (const ChunkStep& step : story.steps) {
            if (step.skipped) story.bytes_skipped += static_cast<std::uint64_t>(step.queries * step.keys) * both;
        }
    }

    const Trace& trace_;
    const RowAccount& row_;
    Fill mode_;
    double fill_;
    MatrixView scores_, values_;
    double maximum_, sum_ = 0;
    std::vector<double> running_;  ///< the context so far, times sum_
    std::vector<double> best_{};   ///< see look_for_best()
    std::vector<std::uint8_t> finite_{};
};

Result<void> check_tiles(const Trace& trace) {
    const std::int64_t size = trace.dims().sequence_length;
    const auto chunks = [&](std::optional<std::int64_t> wanted) {
        const std::int64_t chunk = std::min(wanted.value_or(size), size);
        return (size - 1) / chunk + 1;
    };
    const std::int64_t tiles = chunks(trace.request.chunk_size) * chunks(trace.request.key_chunk_size);
    if (tiles <= kMostTiles) return {};
    return fail(ErrorCode::InvalidValue,
                "these chunks cut {0}x{0} cells into {1} tiles; {2} can be stepped through, so make them larger", size,
                tiles, kMostTiles);
}

}  // namespace

Result<ChunkStory> chunk_steps(const Trace& trace, std::int64_t sequence, std::int64_t head, std::int64_t query) {
    const auto row = row_account(trace, sequence, head, query);
    if (!row) return tl::unexpected(row.error());
    if (auto tiles = check_tiles(trace); !tiles) return tl::unexpected(tiles.error());
    return Stepper(trace, *row).run();
}

}  // namespace headscope
