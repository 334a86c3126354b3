// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/attention/trace.h"

namespace headscope {

/// A Python script that builds a trace's layer in PyTorch, computes its attention, and asserts that the weights are
/// those of the trace.
struct LayerPython {
    std::string code;
    /// What the script reads from the npz file beside it, by the names of a dump: x, the four parameters, weights.
    /// Empty if a seed gives all of them and the weights stand in the script.
    std::vector<std::string> tensors;
};

/// The weights of more cells are read from the npz file; those of fewer stand in a script that needs no file otherwise.
inline constexpr std::int64_t kMostCellsInScript = 65536;

/// tensors_ending: what follows the script's own name in that of the npz file beside it, ".npz". Tolerance: 1e-5, and
/// 2^-7 in bfloat16, where other kernels round at other places. Unsupported for a recording, and for a precision that
/// PyTorch does not compute attention in.
Result<LayerPython> layer_python(const Trace& trace, const std::string& tensors_ending);

}  // namespace headscope
