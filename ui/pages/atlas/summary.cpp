// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/atlas/summary.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/attention/plan.h"
#include "core/weights/textbook.h"

namespace headscope {

namespace {

/// The stored cells (S,S) of a mask; empty if it stores none.
std::vector<std::uint8_t> cellsOf(const Mask& mask, int sequence) {
    if (!mask.stores_cells()) return {};
    const std::uint8_t* cells = mask.row(sequence, 0);
    return {cells, cells + mask.size() * mask.size()};
}

/// The cells that the mask of at least one head allows.
std::vector<std::uint8_t> allowedBySome(const Trace& trace, int sequence) {
    std::vector<std::uint8_t> allowed = cellsOf(trace.mask.of(0), sequence);
    for (std::int64_t head = 1; head < trace.dims().num_heads && !trace.mask.one_for_all(); ++head) {
        const std::vector<std::uint8_t> own = cellsOf(trace.mask.of(head), sequence);
        for (std::size_t n = 0; n < own.size(); ++n) allowed[n] |= own[n];
    }
    return allowed;
}

/// Numbers with the cells that aren't among the heaviest veiled.
DerivedMatrixPtr thinned(Tensor numbers, std::vector<std::uint8_t> allowed, double share, Summary* counted) {
    if (allowed.empty()) return nullptr;
    DerivedMatrix map{std::move(numbers)};
    const auto cells = static_cast<std::size_t>(map.numbers.size());
    map.allowed = allowed;
    if (share < 1) {
        map.faded = heaviest_cells(map.view(), share);
        for (std::size_t n = 0; n < cells; ++n) {
            if (counted) {
                counted->kept += allowed[n] && map.faded[n];
                counted->allowed += allowed[n];
            }
            map.faded[n] = allowed[n] && !map.faded[n];
        }
    }
    return std::make_shared<const DerivedMatrix>(std::move(map));
}

void thin(Summary& summary, const std::atomic<bool>& cancel) {
    const Trace& trace = *summary.trace;
    const std::int64_t heads = trace.dims().num_heads, size = trace.dims().sequence_length;
    if (summary.mean.size() > 0)
        summary.mean_map = thinned(summary.mean, allowedBySome(trace, summary.sequence), summary.share, nullptr);
    summary.maps.assign(static_cast<std::size_t>(heads), nullptr);
    if (summary.share >= 1 || !trace.weights) {
        summary.allowed = trace.mask.allowed_cells(summary.sequence, heads);
        summary.kept = summary.allowed;
        return;
    }
    const Tensor all = trace.weights->reshaped({trace.weights->dim(0) * heads, size, size});
    for (std::int64_t head = 0; head < heads && !cancel; ++head) {
        const Tensor own = all.part((summary.sequence - trace.first_kept) * heads + head, 1).reshaped({size, size});
        summary.maps[static_cast<std::size_t>(head)] =
            thinned(own, cellsOf(trace.mask.of(head), summary.sequence), summary.share, &summary);
    }
}

}  // namespace

SummaryPtr summarise(const TracePtr& trace, int sequence, double share, const SummaryPtr& previous,
                     const std::atomic<bool>& cancel) {
    auto summary = std::make_shared<Summary>();
    const bool same = previous && previous->trace->weights == trace->weights &&
                      previous->trace->row_sums == trace->row_sums && previous->trace->mask.same_objects(trace->mask) &&
                      previous->sequence == sequence;
    if (same) *summary = *previous;
    summary->trace = is_large(*trace) ? without_scores(trace) : trace;  // they are not what is summed up
    summary->sequence = sequence;
    summary->share = share;
    summary->kept = summary->allowed = 0;
    if (!same) {
        summary->heads = head_summaries(*trace, sequence, &cancel);
        if (summary->heads.empty()) return summary;
        summary->mean = mean_over_heads(*trace, sequence);
        summary->likeness = head_likeness(*trace, sequence, &cancel);
        if (summary->likeness) summary->order = order_by_likeness(*summary->likeness);
    }
    if (!summary->heads.empty()) thin(*summary, cancel);
    return summary;
}

std::vector<int> sortedHeads(const Summary& summary, HeadKey key, bool descending) {
    const bool textbook = summary.trace->request.source == WeightSource::Textbook;
    const auto value = [&](int head) -> double {
        const HeadSummary& of = summary.heads[static_cast<std::size_t>(head)];
        switch (key) {
            case HeadKey::Role:
                return textbook ? static_cast<double>(textbook_role(head)) : 0;
            case HeadKey::Entropy:
                return of.entropy_bits;
            case HeadKey::Distance:
                return of.mean_distance;
            default:
                return head;
        }
    };
    std::vector<int> heads(summary.heads.size());
    std::iota(heads.begin(), heads.end(), 0);
    std::stable_sort(heads.begin(), heads.end(), [&](int a, int b) {
        const double x = value(a), y = value(b);
        if (std::isnan(x) || std::isnan(y)) return !std::isnan(x) && std::isnan(y);
        return descending ? x > y : x < y;
    });
    return heads;
}

std::vector<int> groupsAt(const HeadOrder& order, double cut) {
    std::vector<int> groups;
    int group = 0;
    for (std::size_t i = 0; i < order.heads.size(); ++i) {
        if (i > 0 && order.joined_at[i] > cut) ++group;
        groups.push_back(group);
    }
    return groups;
}

}  // namespace headscope
