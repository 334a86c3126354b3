// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <cstdint>

namespace headscope {

/// How much of a long computation is done, for whoever watches it from another thread.
struct WorkCounter {
    std::atomic<std::int64_t> done{0}, all{0};  ///< parts of about the same size

    /// From 0 to 1.
    double share() const {
        const std::int64_t parts = all;
        return parts > 0 ? static_cast<double>(done) / static_cast<double>(parts) : 0;
    }
};

}  // namespace headscope
