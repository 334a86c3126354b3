// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/steps/lens.h"

#include <algorithm>

namespace headscope {

namespace {

/// Masked cells are hatched, as they count in none of the numbers beside the map.
DerivedMatrixPtr mapOf(const PrecisionError& error, const Mask& mask, int sequence) {
    DerivedMatrix map{Tensor(Tensor::Type::Float64, {error.size, error.size}), {}, true};
    std::copy(error.error.begin(), error.error.end(), map.numbers.data<double>());
    if (!mask.all_allowed()) {
        const std::uint8_t* cells = mask.row(sequence, 0);
        map.allowed.assign(cells, cells + error.size * error.size);
    }
    return std::make_shared<const DerivedMatrix>(std::move(map));
}

}  // namespace

double Lens::value(Precision precision, std::int64_t query, std::int64_t key) const {
    return traces.of(precision)->matrix(stage, sequence, head).at(query, key);
}

Result<LensPtr> lookThroughLens(const Request& request, const PrecisionTraces& previous, Stage stage, int sequence,
                                int head, const std::atomic<bool>& cancel) {
    Request kept = request;
    kept.kept_sequence = sequence;
    kept.keep_scores = stage == Stage::Scores;
    auto traces = compute_precisions(kept, previous, &cancel);
    if (!traces) return tl::unexpected(traces.error());
    Lens lens{std::move(*traces), stage, sequence, head};
    for (const Precision precision : kPrecisions) {
        const auto index = static_cast<std::size_t>(precision);
        lens.errors[index].precision = precision;
        if (lens.refusal(precision)) continue;
        auto error = precision_error(lens.traces, precision, stage, sequence, head);
        if (!error) return tl::unexpected(error.error());
        lens.maps[index] = mapOf(*error, *lens.traces.of(precision)->mask, sequence);
        lens.errors[index] = std::move(*error);
    }
    return std::make_shared<const Lens>(std::move(lens));
}

}  // namespace headscope
