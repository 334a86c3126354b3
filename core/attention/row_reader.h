// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "core/attention/trace.h"

namespace headscope {

/// True if the trace keeps these numbers or has what they are computed from.
bool has_rows(const Trace& trace, Stage stage, std::int64_t sequence, std::int64_t head);

/// The rows first ... first + count - 1 (count,S) of a head's scores, masked scores or weights: read if the trace keeps
/// them, and otherwise computed. Computed scores are those of stages::scores() to the last bit if `first` is a multiple
/// of stages::kRowsAtOnce or count is 1; computed weights equal kept ones up to rounding.
Tensor rows_of(const Trace& trace, Stage stage, std::int64_t sequence, std::int64_t head, std::int64_t first,
               std::int64_t count);
/// One row of any stage in double. Of the mask: 1 = allowed.
std::vector<double> row_of(const Trace& trace, Stage stage, std::int64_t sequence, std::int64_t head,
                           std::int64_t query);
double cell_of(const Trace& trace, Stage stage, std::int64_t sequence, std::int64_t head, std::int64_t query,
               std::int64_t column);

/// Reads the matrix of any stage row by row, in ascending order; numbers that the trace does not keep are computed in
/// blocks of rows. The trace must outlive it.
class RowReader {
public:
    RowReader(const Trace& trace, Stage stage, std::int64_t sequence, std::int64_t head);

    std::int64_t rows() const { return size_; }
    std::int64_t columns() const { return columns_; }
    Tensor::Type type() const { return storage_type(trace_.request.precision); }
    /// Valid until the next call. Empty if there is no such matrix.
    const std::vector<double>& row(std::int64_t query);
    /// The mask's cells of a row, 1 = allowed, valid until the next call; null if the columns are not keys.
    const std::uint8_t* allowed(std::int64_t query);

private:
    const Trace& trace_;
    Stage stage_;
    std::int64_t sequence_, head_, size_, columns_;
    MatrixView kept_;
    Tensor block_{};
    std::int64_t first_ = 0;  ///< row of the block
    std::vector<double> row_{};
    std::vector<std::uint8_t> cells_{};
};

}  // namespace headscope
