// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace headscope {

/// Size of the attention that the window shows.
struct InterfaceSize {
    std::int64_t sequence_length = 0, num_heads = 0;
};

/// Parses "64x8,32x96" (tokens × heads). Tokens must be at least 2 and heads at least 1; without the second number,
/// num_heads is used. InvalidValue for anything else.
Result<std::vector<InterfaceSize>> parseInterfaceSizes(std::string_view text, std::int64_t num_heads);

/// Time from one user action to the repaint that shows its result.
struct InterfaceLine {
    std::string gesture;  ///< "open", "mask toggle", "type a token", "num_heads", "stage", "hover", "zoom", "pan"
    InterfaceSize size;
    double median_ms = 0, min_ms = 0;
    double picture_ms = 0;   ///< median until the first picture of the new numbers, which may be a coarse preview
    double complete_ms = 0;  ///< median until the maps were also exact; they are at once if the numbers are kept
    double resident_mb = 0;  ///< memory of the process afterwards
};
/// {"gesture":"mask toggle","sequence_length":64,"num_heads":8,"median_ms":7.1,"min_ms":6.8,"picture_ms":7.1,
/// "complete_ms":7.1,"resident_mb":120}
std::string to_json(const InterfaceLine& line);

struct InterfaceJob {
    std::vector<InterfaceSize> sizes;
    std::int64_t embed_dim = 0;  ///< 0 = 512, or the next multiple of the heads
    int repeat = 0;              ///< 0 = 15 of each gesture, or 3 if more than 2048 tokens are recomputed
};

/// Opens the window of the program offscreen, 1440 × 900, with the default settings, and measures each gesture from the
/// edit, key or mouse movement until the new trace has arrived and every affected widget has been painted. Doesn't read
/// or write the user's settings. No application object may exist yet. Errors: those of the draft (InvalidPair,
/// OutOfMemory ...), and Unsupported if nothing is painted within two minutes.
Result<void> benchInterface(const InterfaceJob& job, const std::function<void(const InterfaceLine&)>& report);

}  // namespace headscope
