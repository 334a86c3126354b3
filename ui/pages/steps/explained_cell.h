// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/trace.h"
#include "ui/state/selection.h"

namespace headscope {

/// The cell that page Steps explains.
struct ExplainedCell {
    Cell cell;
    bool locked = false;  ///< by a person; else it was chosen here
    bool operator==(const ExplainedCell&) const = default;
};

/// The locked cell. Where none is locked, or where its column is no key, the weight nearest to one half: neither
/// nothing nor everything. It is looked for in the enlarged head and the row of the locked number, where there are
/// such; of long sequences in some rows only.
ExplainedCell explainedCell(const Trace& trace, const Selection& selection);

}  // namespace headscope
