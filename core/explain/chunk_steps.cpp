// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/explain/chunk_steps.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/attention/chunks.h"
#include "core/attention/plan.h"
#include "core/attention/softmax.h"
#include "core/engine/row_kernels.h"
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
          skips_(computes_tiles(trace.request)),
          values_(trace.matrix(Stage::V, row.sequence, row.head)),
          maximum_(row.sink.value_or(-kInfinity)),
          sum_(row.sink ? 1 : 0),
          running_(static_cast<std::size_t>(values_.columns)) {}

    ChunkAccount run() {
        const std::int64_t size = this->size();
        const Request& request = trace_.request;
        ChunkAccount account{.sequence = row_.sequence, .head = row_.head, .query = row_.query};
        account.chunk_size = std::min(request.chunk_size.value_or(size), size);
        account.key_chunk_size = std::min(request.key_chunk_size.value_or(size), size);
        for (std::int64_t i = 0; i < size; i += account.chunk_size) {
            for (std::int64_t j = 0; j < size; j += account.key_chunk_size) {
                ChunkStep step{.first_query = i,
                               .queries = std::min(account.chunk_size, size - i),
                               .first_key = j,
                               .keys = std::min(account.key_chunk_size, size - j)};
                take(step);
                account.skipped += step.skipped;
                account.steps.push_back(std::move(step));
            }
        }
        finish(account);
        return account;
    }

private:
    void take(ChunkStep& step) {
        step.allowed_cells = allowed_cells(step);
        step.skipped = skips_ && step.allowed_cells == 0 && !was_filled(step);
        step.holds_row = row_.query >= step.first_query && row_.query < step.first_query + step.queries;
        if (step.holds_row && !step.skipped) add(step);
        step.maximum = maximum();
        step.sum = sum_;
        if (step.holds_row) step.context = context();
    }

    std::int64_t allowed_cells(const ChunkStep& step) const {
        const std::int64_t end = step.first_query + step.queries;
        const Mask& mask = trace_.mask.of(row_.head);
        std::int64_t allowed = 0;
        if (step.keys == size()) {
            for (std::int64_t i = step.first_query; i < end; ++i) allowed += mask.allowed_in_row(row_.sequence, i);
            return allowed;
        }
        const TileKind kind =
            mask.kind(row_.sequence, step.first_query, end, step.first_key, step.first_key + step.keys);
        if (kind != TileKind::Mixed) return kind == TileKind::FullyAllowed ? step.queries * step.keys : 0;
        std::vector<std::uint8_t> scratch(static_cast<std::size_t>(step.keys));
        for (std::int64_t i = step.first_query; i < end; ++i) {
            const std::uint8_t* cells = mask.cells(row_.sequence, i, step.first_key, step.keys, scratch.data());
            allowed = std::accumulate(cells, cells + step.keys, allowed);
        }
        return allowed;
    }

    /// True if the engine computed a fully masked tile because the finite fill could matter for one of its rows.
    bool was_filled(const ChunkStep& step) const {
        const FilledTiles& filled = trace_.filled_tiles;
        if (filled.computed.empty()) return false;
        const std::int64_t blocks = (size() - 1) / filled.queries + 1;
        const std::int64_t head = row_.sequence * trace_.dims().num_heads + row_.head;
        const auto begin = filled.computed.begin() + static_cast<std::ptrdiff_t>(head * blocks);
        const std::int64_t first = step.first_query / filled.queries,
                           last = (step.first_query + step.queries - 1) / filled.queries;
        return std::any_of(begin + static_cast<std::ptrdiff_t>(first), begin + static_cast<std::ptrdiff_t>(last + 1),
                           [](std::uint8_t block) { return block != 0; });
    }

    /// Adds the tile to the row, with the engine's own step of the running softmax.
    void add(ChunkStep& step) {
        const auto first = static_cast<std::size_t>(step.first_key);
        std::vector<double> part(row_.scores.begin() + step.first_key,
                                 row_.scores.begin() + step.first_key + step.keys);
        const double before = maximum_;
        const auto width = static_cast<std::int64_t>(running_.size());
        rows::softmax_step(rows::SoftmaxTile<double>{.scores = part.data(),
                                                     .stride = step.keys,
                                                     .rows = 1,
                                                     .keys = step.keys,
                                                     .padded_keys = step.keys,
                                                     .masked = {row_.allowed.data() + first, step.keys, 0, step.keys},
                                                     .fill = fill_,
                                                     .offset = &maximum_,
                                                     .sum = &sum_,
                                                     .context = running_.data(),
                                                     .context_width = width,
                                                     .half = nullptr,
                                                     .keeps_scores = false});
        if (maximum_ != before && before != -kInfinity) step.shrink = std::exp(before - maximum_);
        for (std::int64_t j = 0; j < step.keys; ++j) {
            const auto key = first + static_cast<std::size_t>(j);
            if (!row_.allowed[key] && mode_ != Fill::MinusBillion) continue;  // excludes the masked key's v
            for (std::int64_t d = 0; d < width; ++d) {
                running_[static_cast<std::size_t>(d)] +=
                    part[static_cast<std::size_t>(j)] * values_.at(step.first_key + j, d);
            }
        }
    }

    /// The running maximum of the masked scores and the sink; NaN if one is NaN, which the step only keeps in the sum.
    double maximum() const { return std::isnan(sum_) && maximum_ != kInfinity ? sum_ : maximum_; }

    std::vector<double> context() const {
        std::vector<double> context = running_;
        for (double& value : context) value = maximum() == -kInfinity ? 0 : value / sum_;
        return context;
    }

    void finish(ChunkAccount& account) const {
        const std::int64_t size = this->size();
        account.weights.resize(row_.scores.size());
        std::vector<double> at_once = account.weights;
        const ScoreRow<double> scores{row_.scores.data(), row_.allowed.data(), size, mode_, fill_, row_.sink};
        softmax_row(scores, maximum(), sum_, account.weights.data());
        softmax_row(scores, at_once.data());
        account.weight_difference = largest_difference(account.weights, at_once);
        std::vector<double> last = context();
        if (maximum() == -kInfinity && mode_ != Fill::Safe) {
            std::fill(last.begin(), last.end(), std::numeric_limits<double>::quiet_NaN());
        }
        account.context_difference = largest_difference(
            last, row_values(trace_.matrix(Stage::HeadContext, row_.sequence, row_.head), row_.query));
        count_bytes(account);
    }

    void count_bytes(ChunkAccount& account) const {
        const Dims one_head{1, size(), values_.columns, 1};
        const Precision precision = trace_.request.precision;
        const auto whole = chunk_bytes(one_head, precision, {}, {});
        const auto chunks = chunk_bytes(one_head, precision, account.chunk_size, account.key_chunk_size);
        if (!whole || !chunks) return;  // can't fail: the trace's own bytes were counted with the same sizes
        account.bytes_whole = whole->sum();
        account.bytes_at_a_time = chunks->sum();
        account.bytes_running = chunks->running;
        const auto cells = static_cast<std::uint64_t>(size() * size());
        for (const ChunkStep& step : account.steps) {
            if (step.skipped)
                account.bytes_skipped +=
                    static_cast<std::uint64_t>(step.queries * step.keys) * account.bytes_whole / cells;
        }
    }

    std::int64_t size() const { return static_cast<std::int64_t>(row_.scores.size()); }

    const Trace& trace_;
    const RowAccount& row_;
    Fill mode_;
    double fill_;
    bool skips_;
    MatrixView values_;
    double maximum_, sum_;
    std::vector<double> running_;  ///< the context so far, times sum_
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

Result<ChunkAccount> chunk_steps(const Trace& trace, std::int64_t sequence, std::int64_t head, std::int64_t query) {
    const auto row = row_account(trace, sequence, head, query);
    if (!row) return tl::unexpected(row.error());
    if (auto tiles = check_tiles(trace); !tiles) return tl::unexpected(tiles.error());
    return Stepper(trace, *row).run();
}

}  // namespace headscope
