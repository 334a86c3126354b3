// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/steps/explained_cell.h"

#include <algorithm>
#include <cmath>

#include "core/attention/row_reader.h"

namespace headscope {

namespace {

constexpr int kMostRows = 24;  // of a head

}  // namespace

ExplainedCell explainedCell(const Trace& trace, const Selection& selection) {
    const auto& locked = selection.locked;
    if (locked && is_square(selection.stage)) return {*locked, true};
    const Dims dims = trace.dims();
    const std::optional<int> head = locked ? std::optional(locked->head) : selection.head;
    const auto size = static_cast<int>(dims.sequence_length);
    const int first_head = head.value_or(0), last_head = head.value_or(static_cast<int>(dims.num_heads) - 1);
    const int first_row = locked ? locked->query : 0, last_row = locked ? locked->query : size - 1;
    const int step = std::max(1, size / kMostRows);
    Cell best{first_row, first_row, first_head};
    double distance = INFINITY;
    for (int h = first_head; h <= last_head; ++h) {
        if (!has_rows(trace, Stage::Weights, selection.sequence, h)) break;
        if (!trace.keeps(Stage::Weights) && h > first_head) break;  // enough to choose from
        for (int query = first_row; query <= last_row; query += step) {
            if (!locked && !trace.batch().is_real(selection.sequence, query)) continue;
            const std::vector<double> weights = row_of(trace, Stage::Weights, selection.sequence, h, query);
            for (int key = 0; key < size; ++key) {
                const double here = std::abs(weights[static_cast<std::size_t>(key)] - 0.5);  // NaN is never less
                if (!(here < distance)) continue;
                distance = here;
                best = {query, key, h};
            }
        }
    }
    return {best, false};
}

}  // namespace headscope
