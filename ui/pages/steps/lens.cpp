// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/steps/lens.h"

#include <algorithm>

#include "core/attention/row_reader.h"

namespace headscope {

namespace {

/// Masked cells are hatched, as they count in none of the numbers beside the map.
DerivedMatrixPtr mapOf(const PrecisionError& error, const Mask& mask, int sequence) {
    DerivedMatrix map{Tensor(Tensor::Type::Float64, {error.size, error.size}), {}, true};
    std::copy(error.error.begin(), error.error.end(), map.numbers.data<double>());
    if (!mask.all_allowed()) {
        map.allowed.resize(static_cast<std::size_t>(error.size * error.size));
        for (std::int64_t i = 0; i < error.size; ++i) {
            std::uint8_t* out = map.allowed.data() + i * error.size;
            const std::uint8_t* row = mask.cells(sequence, i, 0, error.size, out);
            if (row != out) std::copy_n(row, error.size, out);
        }
    }
    return std::make_shared<const DerivedMatrix>(std::move(map));
}

}  // namespace

double Lens::value(Precision precision, std::int64_t query, std::int64_t key) const {
    return cell_of(*traces.of(precision), stage, sequence, head, query, key);
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
        lens.maps[index] = mapOf(*error, lens.traces.of(precision)->mask.of(head), sequence);
        lens.errors[index] = std::move(*error);
    }
    return std::make_shared<const Lens>(std::move(lens));
}

}  // namespace headscope
