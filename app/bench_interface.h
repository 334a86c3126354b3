// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace headscope {

/// How large the attention is that the window shows.
struct InterfaceSize {
    std::int64_t sequence_length = 0, num_heads = 0;
};

/// "64x8,32x96": tokens × heads, of which there must be 2 and 1; without the second number, num_heads of them.
/// InvalidValue for anything else.
Result<std::vector<InterfaceSize>> parseInterfaceSizes(std::string_view text, std::int64_t num_heads);

/// From one movement of a hand to the picture that answers it.
struct InterfaceLine {
    std::string gesture;  ///< "mask toggle", "type a token", "num_heads", "stage", "hover", "zoom", "pan"
    InterfaceSize size;
    double median_ms = 0, min_ms = 0;
};
/// {"gesture":"mask toggle","sequence_length":64,"num_heads":8,"median_ms":7.1,"min_ms":6.8}
std::string to_json(const InterfaceLine& line);

struct InterfaceJob {
    std::vector<InterfaceSize> sizes;
    std::int64_t embed_dim = 0;  ///< 0 = 512, or the next multiple of the heads
    int repeat = 0;              ///< 0 = fifteen of each gesture, three where more than 2048 tokens are computed anew
};

/// Opens the window of the program offscreen, 1440 × 900, with the defaults of a first start, and measures each gesture
/// from the edit, key or movement of the mouse until the new trace has arrived and every widget that it concerns has
/// painted. Nothing is read from or written to a person's settings. There must be no application object yet.
/// Errors: those of the draft (InvalidPair, OutOfMemory ...), and Unsupported where no picture comes within two
/// minutes.
Result<void> benchInterface(const InterfaceJob& job, const std::function<void(const InterfaceLine&)>& report);

}  // namespace headscope
