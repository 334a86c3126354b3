// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/region.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "core/attention/preview.h"
#include "core/attention/recorded.h"
#include "core/attention/row_reader.h"
#include "core/attention/tile_numbers.h"
#include "core/base/buffer_pool.h"
#include "core/base/thread_pool.h"
#include "core/masks/tile_map.h"

namespace headscope {

namespace {

using Edges = std::vector<std::int64_t>;

/// A run of cells of the result: those from edge number `first` to `end`.
struct Part {
    std::size_t first, end;
};

/// Rows × columns numbers of the matrix and their cells of the mask, in rows `stride` and `allowed_stride` apart.
template <typename T>
struct Block {
    const T* numbers;
    std::int64_t stride;
    const std::uint8_t* allowed;
    std::int64_t allowed_stride;
    std::int64_t first_row, rows, first_column, columns;
};

/// Reduces blocks of the matrix to some rows of the result: first each column, in plain loops that the compiler
/// vectorises, then the columns of each cell.
template <typename T>
class Reducer {
public:
    Reducer(const Edges& row_edges, const Edges& column_edges, Reduction reduction, Part rows)
        : row_edges_(row_edges), column_edges_(column_edges), maximum_(reduction == Reduction::Maximum), rows_(rows) {
        const T start = maximum_ ? -std::numeric_limits<T>::infinity() : T{0};
        sums_.resize((rows.end - rows.first) * width(), {static_cast<double>(start), 0, false});
    }

    void add(const Block<T>& block) {
        for (std::size_t r = rows_.first; r < rows_.end; ++r) {
            const std::int64_t first = std::max(row_edges_[r], block.first_row);
            const std::int64_t end = std::min(row_edges_[r + 1], block.first_row + block.rows);
            if (first < end) add_rows(block, first - block.first_row, end - first, sums_.data() + place(r));
        }
    }

    /// masked_value(row, column): of the first cell of a result without an allowed one.
    template <typename MaskedValue>
    void finish(RegionCells& cells, MaskedValue masked_value) const {
        for (std::size_t r = rows_.first; r < rows_.end; ++r) {
            const std::int64_t rows = row_edges_[r + 1] - row_edges_[r];
            for (std::size_t c = 0; c < width(); ++c) {
                const std::int64_t all = rows * (column_edges_[c + 1] - column_edges_[c]);
                const Sum& sum = sums_[place(r) + c];
                double value = maximum_ ? sum.value : sum.value / static_cast<double>(sum.allowed);
                if (sum.nan) value = std::numeric_limits<double>::quiet_NaN();
                if (sum.allowed == 0) value = masked_value(row_edges_[r], column_edges_[c]);
                cells.values[r * width() + c] = value;
                using State = RegionCells::State;
                cells.states[r * width() + c] = sum.allowed == 0    ? State::Masked
                                                : sum.allowed < all ? State::PartlyMasked
                                                                    : State::Allowed;
            }
        }
    }

private:
    struct Sum {
        double value;
        std::int64_t allowed;
        bool nan;
    };

    std::size_t width() const { return column_edges_.size() - 1; }
    std::size_t place(std::size_t row) const { return (row - rows_.first) * width(); }

    void add_rows(const Block<T>& block, std::int64_t first, std::int64_t rows, Sum* sums) {
        const auto n = static_cast<std::size_t>(block.columns);
        values_.assign(n, maximum_ ? -std::numeric_limits<T>::infinity() : T{0});
        allowed_.assign(n, 0);
        nan_.assign(n, 0);
        for (std::int64_t i = first; i < first + rows; ++i) {
            const T* numbers = block.numbers + i * block.stride;
            const std::uint8_t* allowed = block.allowed + i * block.allowed_stride;
            maximum_ ? add_maximum(numbers, allowed) : add_sum(numbers, allowed);
        }
        add_columns(block, sums);
    }
    void add_maximum(const T* numbers, const std::uint8_t* allowed) {
        for (std::size_t j = 0; j < values_.size(); ++j) {
            // Always load both: a conditional load would prevent vectorisation.
            const T number = numbers[j], best = values_[j];
            const T candidate = allowed[j] ? number : -std::numeric_limits<T>::infinity();
            values_[j] = candidate > best ? candidate : best;
        }
        note(numbers, allowed);
    }
    void add_sum(const T* numbers, const std::uint8_t* allowed) {
        for (std::size_t j = 0; j < values_.size(); ++j) {
            const T number = numbers[j];
            values_[j] += allowed[j] ? number : T{0};
        }
        note(numbers, allowed);
    }
    void note(const T* numbers, const std::uint8_t* allowed) {
        for (std::size_t j = 0; j < values_.size(); ++j) {
            nan_[j] |= static_cast<std::uint8_t>(numbers[j] != numbers[j]) & allowed[j];
            allowed_[j] += allowed[j];
        }
    }

    void add_columns(const Block<T>& block, Sum* sums) const {
        const std::int64_t end = block.first_column + block.columns;
        const auto after = std::upper_bound(column_edges_.begin(), column_edges_.end(), block.first_column);
        auto c = static_cast<std::size_t>(after - column_edges_.begin()) - 1;
        for (std::int64_t j = block.first_column; j < end; ++c) {
            Sum sum = sums[c];
            for (; j < std::min(end, column_edges_[c + 1]); ++j) {
                const auto at = static_cast<std::size_t>(j - block.first_column);
                const auto value = static_cast<double>(values_[at]);
                sum.value = maximum_ ? std::max(sum.value, value) : sum.value + value;
                sum.allowed += allowed_[at];
                sum.nan |= nan_[at] != 0;
            }
            sums[c] = sum;
        }
    }

    const Edges &row_edges_, &column_edges_;
    bool maximum_;
    Part rows_;
    std::vector<Sum> sums_;
    std::vector<T> values_;  ///< of each column of a block: the maximum or the sum
    std::vector<std::uint32_t> allowed_;
    std::vector<std::uint8_t> nan_;
};

RegionCells empty_cells(const Edges& row_edges, const Edges& column_edges) {
    RegionCells cells{static_cast<std::int64_t>(row_edges.size()) - 1,
                      static_cast<std::int64_t>(column_edges.size()) - 1};
    cells.values.resize(static_cast<std::size_t>(cells.rows * cells.columns));
    cells.states.resize(cells.values.size());
    return cells;
}

double cell_count(const Edges& row_edges, const Edges& column_edges) {
    return static_cast<double>(row_edges.back() - row_edges.front()) *
           static_cast<double>(column_edges.back() - column_edges.front());
}

/// Splits the rows of the result into parts of at least so many rows of the matrix.
std::vector<Part> parts_of(const Edges& edges, std::int64_t rows) {
    std::vector<Part> parts;
    for (std::size_t first = 0; first + 1 < edges.size();) {
        std::size_t end = first + 1;
        while (end + 1 < edges.size() && edges[end] - edges[first] < rows) ++end;
        parts.push_back({first, end});
        first = end;
    }
    return parts;
}

template <typename T>
RegionCells reduce_matrix(const MatrixView& matrix, const Edges& row_edges, const Edges& column_edges,
                          Reduction reduction) {
    constexpr double kOperations = 4;  // approximate operations per cell
    RegionCells cells = empty_cells(row_edges, column_edges);
    const std::int64_t first = column_edges.front(), count = column_edges.back() - first;
    const std::vector<std::uint8_t> all_allowed(matrix.mask ? 0 : static_cast<std::size_t>(count), 1);
    const std::vector<T> ones(matrix.data ? 0 : static_cast<std::size_t>(count), T{1});  // the mask's own numbers
    const int threads = threads_for(kOperations * cell_count(row_edges, column_edges));
    const std::int64_t rows = row_edges.back() - row_edges.front();
    const auto parts = parts_of(row_edges, threads == 1 ? rows : rows / (4 * threads));
    parallel_for(threads, static_cast<std::int64_t>(parts.size()), [&](std::int64_t index, int) {
        const Part part = parts[static_cast<std::size_t>(index)];
        Reducer<T> reducer(row_edges, column_edges, reduction, part);
        const std::int64_t row = row_edges[part.first];
        reducer.add(
            {.numbers = matrix.data ? static_cast<const T*>(matrix.data) + row * matrix.stride + first : ones.data(),
             .stride = matrix.data ? matrix.stride : 0,
             .allowed = matrix.mask ? matrix.mask + row * matrix.columns + first : all_allowed.data(),
             .allowed_stride = matrix.mask ? matrix.columns : 0,
             .first_row = row,
             .rows = row_edges[part.end] - row,
             .first_column = first,
             .columns = count});
        reducer.finish(cells, [&](std::int64_t i, std::int64_t j) { return matrix.at(i, j); });
    });
    return cells;
}

/// Computes the parts of a region that the trace does not keep.
template <typename T>
class Computer {
public:
    Computer(const Trace& trace, const Region& region, const std::atomic<bool>* cancel)
        : mask_(trace.mask.of(region.head)), region_(region), cancel_(cancel) {
        if (region.stage == Stage::Mask) return;
        if (trace.request.source == WeightSource::Recording) {
            recorded_ = &trace;
        } else {
            numbers_.emplace(trace, region.stage, region.sequence, region.head);
            numbers_->prepare(region.sampled ? sampled(region.row_edges) : all_queries(), cancel);
        }
    }

    RegionCells run() const {
        RegionCells cells = empty_cells(region_.row_edges, region_.column_edges);
        const double operations = 128 * cell_count(region_.row_edges, region_.column_edges);
        const auto parts = parts_of(region_.row_edges, kRows);
        parallel_for(threads_for(operations), static_cast<std::int64_t>(parts.size()), [&](std::int64_t index, int) {
            const Part part = parts[static_cast<std::size_t>(index)];
            Reducer<T> reducer(region_.row_edges, region_.column_edges, region_.reduction, part);
            const std::int64_t end = region_.row_edges[part.end];
            for (std::int64_t i = region_.row_edges[part.first]; i < end && !cancelled(); i += kRows) {
                add_rows(i, std::min(kRows, end - i), reducer);
            }
            reducer.finish(cells, [&](std::int64_t i, std::int64_t) { return masked_value(i); });
        });
        return cells;
    }

    RegionCells sample() const {
        RegionCells cells = empty_cells(region_.row_edges, region_.column_edges);
        const Edges rows = sampled(region_.row_edges), columns = sampled(region_.column_edges);
        const double operations = 128 * static_cast<double>(cells.rows * cells.columns);
        constexpr std::int64_t kTogether = 32;
        parallel_for(threads_for(operations), (cells.rows + kTogether - 1) / kTogether, [&](std::int64_t block, int) {
            if (cancelled()) return;
            const std::int64_t begin = block * kTogether, count = std::min(kTogether, cells.rows - begin);
            const Edges some(rows.begin() + begin, rows.begin() + begin + count);
            std::vector<T> values(static_cast<std::size_t>(count * cells.columns), T{1});
            std::vector<std::uint8_t> allowed(static_cast<std::size_t>(cells.columns), 1);
            if (numbers_) numbers_->compute(some, columns, values.data());
            if (recorded_) recorded_cells(*recorded_, region_.sequence, region_.head, some, columns, values.data());
            for (std::int64_t r = 0; r < count; ++r) {
                const std::int64_t query = some[static_cast<std::size_t>(r)];
                if (!before_mask()) chosen_cells(mask_, region_.sequence, query, columns, allowed.data());
                for (std::int64_t c = 0; c < cells.columns; ++c) {
                    const bool masked = !allowed[static_cast<std::size_t>(c)];
                    const auto value = static_cast<double>(values[static_cast<std::size_t>(r * cells.columns + c)]);
                    const std::size_t at = cells.index(begin + r, c);
                    cells.values[at] = masked ? masked_value(query) : value;
                    cells.states[at] = masked ? RegionCells::State::Masked : RegionCells::State::Allowed;
                }
            }
        });
        return cells;
    }

private:
    static constexpr std::int64_t kRows = 64, kSide = TileMap::kSide, kKeys = 16 * kSide;

    bool cancelled() const { return cancel_ && *cancel_; }
    bool before_mask() const { return region_.stage == Stage::Scores; }
    double masked_value(std::int64_t query) const {
        if (recorded_) return recorded_masked_value(*recorded_, region_.sequence, region_.head, query);
        return numbers_ ? static_cast<double>(numbers_->masked_value(query)) : 0;
    }
    TileKind kind(std::int64_t i, std::int64_t rows, std::int64_t j, std::int64_t keys) const {
        return before_mask() ? TileKind::FullyAllowed : mask_.kind(region_.sequence, i, i + rows, j, j + keys);
    }

    /// Adds rows of a recording, which are read whole.
    void add_recorded(std::int64_t i, std::int64_t rows, Reducer<T>& reducer) const {
        const std::int64_t size = mask_.size(), first = region_.column_edges.front();
        const RecordedRows<T> read(*recorded_, region_.sequence, region_.head, i, rows);
        reducer.add({read.numbers.data() + first, size, read.allowed.data() + first, size, i, rows, first,
                     region_.column_edges.back() - first});
    }

    /// Adds some rows, in runs of tiles that are not fully masked.
    void add_rows(std::int64_t i, std::int64_t rows, Reducer<T>& reducer) const {
        if (recorded_) return add_recorded(i, rows, reducer);
        const std::int64_t last = region_.column_edges.back();
        Tile run{region_.sequence, i, rows, region_.column_edges.front(), 0};
        bool mixed = false;
        const auto add = [&](std::int64_t next) {
            if (run.keys > 0 && !cancelled()) add_run(run, mixed, reducer);
            run.first_key = next;
            run.keys = 0;
            mixed = false;
        };
        for (std::int64_t j = run.first_key; j < last;) {
            const std::int64_t end = std::min(last, (j / kSide + 1) * kSide);
            const TileKind tile = kind(i, rows, j, end - j);
            if (tile == TileKind::FullyMasked || run.keys + end - j > kKeys) add(j);
            if (tile == TileKind::FullyMasked) {
                add(end);
            } else {
                run.keys += end - j;
                mixed |= tile == TileKind::Mixed;
            }
            j = end;
        }
        add(last);
    }

    void add_run(const Tile& run, bool mixed, Reducer<T>& reducer) const {
        static thread_local std::vector<std::uint8_t> cells;
        const auto count = static_cast<std::size_t>(run.queries * run.keys);
        const PooledArray<T> values(count);
        if (mixed) {
            cells.resize(count);
            for (std::int64_t r = 0; r < run.queries; ++r) {
                std::uint8_t* own = cells.data() + r * run.keys;
                const std::uint8_t* row = mask_.cells(run.sequence, run.first_query + r, run.first_key, run.keys, own);
                if (row != own) std::copy_n(row, run.keys, own);
            }
        } else {
            cells.assign(static_cast<std::size_t>(run.keys), 1);
        }
        if (numbers_) {
            numbers_->compute(run, mixed ? cells.data() : nullptr, run.keys, values.data());
        } else {
            std::fill_n(values.data(), count, T{1});
        }
        reducer.add({values.data(), run.keys, cells.data(), mixed ? run.keys : 0, run.first_query, run.queries,
                     run.first_key, run.keys});
    }

    Edges all_queries() const {
        Edges queries(static_cast<std::size_t>(region_.row_edges.back() - region_.row_edges.front()));
        std::iota(queries.begin(), queries.end(), region_.row_edges.front());
        return queries;
    }
    /// The same rule for queries and keys, so that a diagonal stays one.
    Edges sampled(const Edges& edges) const {
        Edges cells;
        for (std::size_t n = 0; n + 1 < edges.size(); ++n)
            cells.push_back(sampled_query(mask_.size(), edges[n], edges[n + 1]));
        return cells;
    }

    const Mask& mask_;
    const Region& region_;
    const std::atomic<bool>* cancel_;
    std::optional<TileNumbers<T>> numbers_{};  ///< of what is computed
    const Trace* recorded_ = nullptr;          ///< where the numbers are read from a recording
};

template <typename T>
RegionCells compute_region(const Trace& trace, const Region& region, const std::atomic<bool>* cancel) {
    const Computer<T> computer(trace, region, cancel);
    return region.sampled ? computer.sample() : computer.run();
}

Result<void> check_region(const Trace& trace, const Region& region) {
    const Dims dims = trace.dims();
    const auto legal = [&](const Edges& edges) {
        return edges.size() > 1 && edges.front() >= 0 && edges.back() <= dims.sequence_length &&
               std::adjacent_find(edges.begin(), edges.end(), std::greater_equal<>()) == edges.end();
    };
    const bool exists = is_square(region.stage) && has_rows(trace, region.stage, region.sequence, region.head);
    if (exists && legal(region.row_edges) && legal(region.column_edges)) return {};
    return fail(ErrorCode::InvalidValue, "there is no such region of {} in sequence {}, head {}",
                to_string(region.stage), region.sequence, region.head);
}

}  // namespace

std::vector<std::int64_t> even_edges(std::int64_t first, std::int64_t count, std::int64_t parts) {
    parts = std::min(parts, count);
    std::vector<std::int64_t> edges;
    for (std::int64_t n = 0; n <= parts; ++n) edges.push_back(first + count * n / parts);
    return edges;
}

RegionCells reduced(const MatrixView& matrix, const Edges& row_edges, const Edges& column_edges, Reduction reduction) {
    return matrix.type == Tensor::Type::Float64 ? reduce_matrix<double>(matrix, row_edges, column_edges, reduction)
                                                : reduce_matrix<float>(matrix, row_edges, column_edges, reduction);
}

Result<RegionCells> region(const Trace& trace, const Region& region, const std::atomic<bool>* cancel) {
    if (auto legal = check_region(trace, region); !legal) return tl::unexpected(legal.error());
    MatrixView matrix = trace.matrix(region.stage, region.sequence, region.head);
    if (region.stage == Stage::Scores) matrix.mask = nullptr;
    if (matrix) return reduced(matrix, region.row_edges, region.column_edges, region.reduction);
    const bool wide = storage_type(trace.request.precision) == Tensor::Type::Float64;
    RegionCells cells =
        wide ? compute_region<double>(trace, region, cancel) : compute_region<float>(trace, region, cancel);
    if (cancel && *cancel) return fail(ErrorCode::Cancelled, "a newer change replaced it");
    return cells;
}

}  // namespace headscope
