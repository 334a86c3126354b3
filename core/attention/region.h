// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "core/attention/trace.h"

namespace headscope {

/// How several cells are combined into one.
enum class Reduction { Maximum, Mean };

/// A rectangle of a head's S×S matrix, and the smaller matrix to which it is reduced. Cell r, c of the result combines
/// the rows row_edges[r] ... row_edges[r + 1] - 1 and the columns column_edges[c] ... column_edges[c + 1] - 1.
struct Region {
    Stage stage = Stage::Weights;  ///< scores, mask, masked or weights
    std::int64_t sequence = 0, head = 0;
    std::vector<std::int64_t> row_edges{}, column_edges{};  ///< strictly ascending, from 0 to S
    Reduction reduction = Reduction::Maximum;
    /// Quick: each cell of the result is a single cell of the matrix, near the middle; see sampled_query().
    bool sampled = false;
};

/// The edges of `parts` parts of first ... first + count - 1 whose sizes differ by 1 at most; `count` parts if there
/// are fewer numbers than parts.
std::vector<std::int64_t> even_edges(std::int64_t first, std::int64_t count, std::int64_t parts);

/// Masked cells are excluded from a reduction, except that scores are taken before the mask: there every cell is
/// allowed. An allowed NaN makes the result NaN. A result of masked cells only has the value of the first of them: the
/// fill value, leaked weight, or 0.
struct RegionCells {
    enum class State : std::uint8_t { Allowed, PartlyMasked, Masked };
    std::int64_t rows = 0, columns = 0;
    std::vector<double> values{};
    std::vector<State> states{};

    double value(std::int64_t row, std::int64_t column) const { return values[index(row, column)]; }
    State state(std::int64_t row, std::int64_t column) const { return states[index(row, column)]; }
    std::size_t index(std::int64_t row, std::int64_t column) const {
        return static_cast<std::size_t>(row * columns + column);
    }
};

/// Reduces a matrix. Large ones on several threads.
RegionCells reduced(const MatrixView& matrix, const std::vector<std::int64_t>& row_edges,
                    const std::vector<std::int64_t>& column_edges, Reduction reduction);

/// Reads the numbers if the trace keeps them. Otherwise computes those tiles alone, on several threads, from q, k, the
/// mask and the rows' softmax; fully masked tiles are skipped. The same numbers up to rounding. Errors: InvalidValue if
/// there is no such matrix or region, Cancelled.
Result<RegionCells> region(const Trace& trace, const Region& region, const std::atomic<bool>* cancel = nullptr);

}  // namespace headscope
