// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>

#include "core/attention/trace.h"

namespace headscope {

/// compute() of a request whose source is a recording: a trace with the mask and, where they are kept, the weights of
/// one layer. Under a mask the weights of masked keys are 0 and those of the others are renormalised, which is what the
/// softmax of their scores would be. Errors: those of compute(), and FileUnreadable.
Result<TracePtr> compute_recorded(const Request& request, const TracePtr& previous, const std::atomic<bool>* cancel);

/// Rows first ... first + count - 1 (count,S) of the weights of such a trace, read from the recording. T is float or
/// double. Rows that can't be read any more are NaN.
template <typename T>
void recorded_rows(const Trace& trace, std::int64_t sequence, std::int64_t head, std::int64_t first, std::int64_t count,
                   T* out);

/// The same with the mask's cells, 1 = allowed.
template <typename T>
struct RecordedRows {
    RecordedRows(const Trace& trace, std::int64_t sequence, std::int64_t head, std::int64_t first, std::int64_t count);
    std::vector<T> numbers;             ///< (count,S)
    std::vector<std::uint8_t> allowed;  ///< (count,S)
};
/// Single cells of these rows and columns (rows,columns).
template <typename T>
void recorded_cells(const Trace& trace, std::int64_t sequence, std::int64_t head, const std::vector<std::int64_t>& rows,
                    const std::vector<std::int64_t>& columns, T* out);
/// The weight of a masked key: 0, or in a fully masked row what the fill value makes of it.
double recorded_masked_value(const Trace& trace, std::int64_t sequence, std::int64_t head, std::int64_t query);

}  // namespace headscope
