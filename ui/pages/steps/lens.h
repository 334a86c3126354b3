// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <memory>

#include "core/explain/precision_lens.h"
#include "ui/look/color_scale.h"
#include "ui/state/derived_matrix.h"

namespace headscope {

/// One head's scores or weights in the four precisions, and how far each is from float64. A precision that can't hold a
/// number of the request has a refusal, no trace and no map.
struct Lens {
    PrecisionTraces traces;
    Stage stage = Stage::Weights;
    int sequence = 0, head = 0;

    const PrecisionError& error(Precision precision) const { return errors[static_cast<std::size_t>(precision)]; }
    const DerivedMatrixPtr& map(Precision precision) const { return maps[static_cast<std::size_t>(precision)]; }
    const std::optional<Error>& refusal(Precision precision) const { return traces.refusal(precision); }
    /// From minus to plus the largest error.
    ColorScale scale(Precision precision) const {
        return {-error(precision).largest, error(precision).largest, false, Palette::Diverging};
    }
    /// The number of one cell, as that precision holds it.
    double value(Precision precision, std::int64_t query, std::int64_t key) const;

    std::array<PrecisionError, kPrecisions.size()> errors{};
    std::array<DerivedMatrixPtr, kPrecisions.size()> maps{};  ///< the errors as heat maps draw them
};
using LensPtr = std::shared_ptr<const Lens>;

/// What is seen through the lens of a request. previous: what is there already, to be passed on. Errors as
/// compute_precisions() and precision_error().
Result<LensPtr> lookThroughLens(const Request& request, const PrecisionTraces& previous, Stage stage, int sequence,
                                int head, const std::atomic<bool>& cancel);

}  // namespace headscope
