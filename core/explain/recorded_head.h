// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <vector>

#include "core/explain/head_measures.h"
#include "core/files/recording.h"

namespace headscope {

/// One head of a recording at a glance.
struct RecordedHead {
    HeadMeasures measures;
    std::int64_t side = 0;         ///< of the thumbnail, at most S
    std::vector<float> thumbnail;  ///< (side,side): the largest weight of each cell's part of the matrix
};

/// Reads a head's weights once, in blocks of rows, without keeping them. Errors: those of Recording::read_rows(),
/// Cancelled.
Result<RecordedHead> look_at_head(const Recording& recording, const Recording::Place& place, std::int64_t most_cells,
                                  const std::atomic<bool>* cancel = nullptr);

}  // namespace headscope
