// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/explain/recorded_head.h"

#include <algorithm>

namespace headscope {

namespace {

// A weight of bfloat16 is off by up to 2^-9 of itself; other files are rounded to no fewer than 3 decimals.
constexpr double kBfloat16Error = 4e-3, kSumError = 1e-3;

}  // namespace

Result<RecordedHead> look_at_head(const Recording& recording, const Recording::Place& place, std::int64_t most_cells,
                                  const std::atomic<bool>* cancel) {
    constexpr std::int64_t kRows = 64;
    const std::int64_t size = recording.batch().sequence_length();
    RecordedHead head;
    head.side = std::min(size, most_cells);
    head.thumbnail.assign(static_cast<std::size_t>(head.side * head.side), 0);
    std::vector<std::int64_t> part(static_cast<std::size_t>(size));
    for (std::int64_t j = 0; j < size; ++j) part[static_cast<std::size_t>(j)] = j * head.side / size;

    const double sum_error = recording.dtype() == "BF16" ? kBfloat16Error : kSumError;
    HeadMeasurer measurer(recording.batch(), place.sequence, sum_error);
    std::vector<float> rows(static_cast<std::size_t>(std::min(kRows, size) * size));
    for (std::int64_t first = 0; first < size; first += kRows) {
        if (cancel && *cancel) return fail(ErrorCode::Cancelled, "a newer change replaced it");
        const std::int64_t count = std::min(kRows, size - first);
        if (auto done = recording.read_rows(place, first, count, rows.data()); !done)
            return tl::unexpected(done.error());
        for (std::int64_t r = 0; r < count; ++r) {
            const float* row = rows.data() + r * size;
            measurer.add(first + r, row);
            float* cells = head.thumbnail.data() + part[static_cast<std::size_t>(first + r)] * head.side;
            for (std::int64_t j = 0; j < size; ++j) {
                float& cell = cells[part[static_cast<std::size_t>(j)]];
                cell = std::max(cell, row[j]);
            }
        }
    }
    head.measures = measurer.measures();
    return head;
}

}  // namespace headscope
