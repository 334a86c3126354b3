// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/preview.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <limits>

#include "core/attention/head.h"
#include "core/attention/softmax.h"
#include "core/base/buffer_pool.h"
#include "core/base/memory.h"
#include "core/base/thread_pool.h"
#include "core/masks/tile_map.h"

namespace headscope {

namespace {

constexpr std::int64_t kRows = 16;  // computed together

/// The place in each step of the query that previews know: its middle.
std::int64_t known_in_step(std::int64_t step) {
    return (step - 1) / 2;
}

bool is_known(std::int64_t size, std::int64_t query) {
    const std::int64_t step = preview_step(size);
    return query % step == known_in_step(step);
}

std::vector<std::int64_t> known_queries(std::int64_t size) {
    const std::int64_t step = preview_step(size);
    std::vector<std::int64_t> queries;
    for (std::int64_t query = known_in_step(step); query < size; query += step) queries.push_back(query);
    return queries;
}

/// Queries that are computed together, and the keys of which at least one of them attends to some.
struct Group {
    std::vector<std::int64_t> queries;
    std::vector<Tile> runs{};  ///< keys only
    std::int64_t keys = 0;
};

Group group_of(const Mask& mask, Fill mode, std::int64_t sequence, std::vector<std::int64_t> queries) {
    constexpr std::int64_t kSide = TileMap::kSide, kMost = 4096;  // so that products have few sizes
    const std::int64_t size = mask.size();
    const bool all = mode == Fill::MinusBillion || mask.all_allowed();
    Group group{std::move(queries)};
    for (std::int64_t j = 0; j < size; j += kSide) {
        const std::int64_t keys = std::min(kSide, size - j);
        const bool wanted = all || std::any_of(group.queries.begin(), group.queries.end(), [&](std::int64_t i) {
                                return mask.kind(sequence, i, i + 1, j, j + keys) != TileKind::FullyMasked;
                            });
        if (!wanted) continue;
        group.keys += keys;
        if (!group.runs.empty() && group.runs.back().first_key + group.runs.back().keys == j &&
            group.runs.back().keys < kMost) {
            group.runs.back().keys += keys;
        } else {
            group.runs.push_back({sequence, 0, 0, j, keys});
        }
    }
    return group;
}

/// Some rows together where they attend to much the same keys, and otherwise one by one.
std::vector<Group> groups_of(const Trace& trace, std::int64_t sequence, const std::vector<std::int64_t>& queries) {
    const Mask& mask = *trace.mask.shared();
    const Fill mode = effective_mode(trace.request.fill, trace.request.precision);
    std::vector<Group> groups;
    for (std::size_t first = 0; first < queries.size(); first += kRows) {
        const std::size_t count = std::min(queries.size() - first, static_cast<std::size_t>(kRows));
        const auto begin = queries.begin() + static_cast<std::ptrdiff_t>(first);
        Group together = group_of(mask, mode, sequence, {begin, begin + static_cast<std::ptrdiff_t>(count)});
        std::vector<Group> apart;
        std::int64_t keys = 0;
        if (!mask.all_allowed() && mode != Fill::MinusBillion) {
            for (const std::int64_t query : together.queries) {
                apart.push_back(group_of(mask, mode, sequence, {query}));
                keys += apart.back().keys;
            }
        }
        if (apart.empty() || 4 * keys >= static_cast<std::int64_t>(count) * together.keys) {
            groups.push_back(std::move(together));
        } else {
            std::move(apart.begin(), apart.end(), std::back_inserter(groups));
        }
    }
    return groups;
}

/// One head, of which a group of rows is computed at a time.
template <typename T>
class Rows {
public:
    Rows(const Trace& trace, std::int64_t sequence, std::int64_t head)
        : rules_(*trace.mask.shared(), trace.request.fill, trace.request.precision),
          scaling_{trace.request.precision, trace.request.scale, trace.dims().head_dim()},
          sequence_(sequence) {
        const std::int64_t size = trace.dims().sequence_length;
        const std::int64_t first = (sequence * trace.dims().num_heads + head) * size * scaling_.head_dim;
        q_ = trace.q->data<T>() + first;
        k_ = trace.k->data<T>() + first;
    }

    void add(const Group& group, T* offsets, T* sums, const std::atomic<bool>* cancel) const {
        const std::int64_t dh = scaling_.head_dim, count = static_cast<std::int64_t>(group.queries.size());
        const PooledArray<T> q(static_cast<std::size_t>(count * dh)),
            scores(static_cast<std::size_t>(count * group.keys));
        for (std::int64_t n = 0; n < count; ++n)
            std::copy_n(q_ + group.queries[static_cast<std::size_t>(n)] * dh, dh, q.data() + n * dh);
        std::int64_t place = 0;
        for (const Tile& run : group.runs) {
            tile_scores(q.data(), k_, scaling_, {sequence_, 0, count, run.first_key, run.keys}, scores.data() + place,
                        group.keys, cancel);
            place += run.keys;
        }
        std::vector<std::uint8_t> cells(rules_.mask.all_allowed() ? 0 : static_cast<std::size_t>(group.keys));
        for (std::int64_t n = 0; n < count && !(cancel && *cancel); ++n) {
            const std::int64_t query = group.queries[static_cast<std::size_t>(n)];
            if (!cells.empty()) copy_cells(group, query, cells.data());
            T* row = scores.data() + n * group.keys;
            const ScoreRow<T> masked{row, cells.empty() ? nullptr : cells.data(), group.keys, rules_.mode,
                                     static_cast<T>(rules_.fill)};
            const T maximum = group.keys > 0 ? fill_row<T>(masked, row) : -std::numeric_limits<T>::infinity();
            const bool nothing = maximum == -std::numeric_limits<T>::infinity() && rules_.mode != Fill::MinusBillion;
            offsets[query] = maximum;
            sums[query] = nothing ? T{0} : static_cast<T>(exponentiate(row, group.keys, maximum));
        }
    }

private:
    void copy_cells(const Group& group, std::int64_t query, std::uint8_t* out) const {
        for (const Tile& run : group.runs) {
            const std::uint8_t* row = rules_.mask.cells(sequence_, query, run.first_key, run.keys, out);
            if (row != out) std::copy_n(row, run.keys, out);
            out += run.keys;
        }
    }

    HeadRules rules_;
    Scaling scaling_;
    std::int64_t sequence_;
    const T *q_, *k_;
};

template <typename T>
void add_rows(const Trace& trace, T* offsets, T* sums, const std::atomic<bool>* cancel) {
    const Dims dims = trace.dims();
    const std::int64_t size = dims.sequence_length;
    const std::vector<std::int64_t> queries = known_queries(size);
    for (std::int64_t b = 0; b < dims.batch; ++b) {
        const std::vector<Group> groups = groups_of(trace, b, queries);
        const auto count = static_cast<std::int64_t>(groups.size());
        parallel_for(available_threads(), dims.num_heads * count, [&](std::int64_t index, int) {
            if (cancel && *cancel) return;
            const std::int64_t h = index / count, row = (b * dims.num_heads + h) * size;
            Rows<T>(trace, b, h)
                .add(groups[static_cast<std::size_t>(index % count)], offsets + row, sums + row, cancel);
        });
    }
}

}  // namespace

bool is_preview(const Trace& trace) {
    return trace.row_sums && !trace.context;
}

std::int64_t preview_step(std::int64_t size) {
    constexpr std::int64_t kKnown = 128;
    return static_cast<std::int64_t>(
        std::bit_floor(static_cast<std::uint64_t>(std::max<std::int64_t>(1, size / kKnown))));
}

std::int64_t sampled_query(std::int64_t size, std::int64_t first, std::int64_t end) {
    const std::int64_t step = preview_step(size), middle = (first + end - 1) / 2;
    if (middle < known_in_step(step)) return middle;
    const std::int64_t known = (middle - known_in_step(step)) / step * step + known_in_step(step);
    if (known >= first) return known;
    return known + step < end ? known + step : middle;
}

void add_known_rows(Trace& trace, const std::atomic<bool>* cancel) {
    const Dims dims = trace.dims();
    Tensor offsets(trace.q->type(), {dims.batch, dims.num_heads, dims.sequence_length}),
        sums(offsets.type(), offsets.shape());
    if (offsets.type() == Tensor::Type::Float64) {
        add_rows(trace, offsets.data<double>(), sums.data<double>(), cancel);
    } else {
        add_rows(trace, offsets.data<float>(), sums.data<float>(), cancel);
    }
    trace.row_offsets = std::make_shared<const Tensor>(std::move(offsets));
    trace.row_sums = std::make_shared<const Tensor>(std::move(sums));
}

Result<std::uint64_t> preview_bytes(const Dims& dims, Precision precision) {
    const std::int64_t item = storage_type(precision) == Tensor::Type::Float64 ? 8 : 4;
    const auto kept = checked_product({2, dims.batch, dims.num_heads, dims.sequence_length, item});
    const auto scratch = checked_product({available_threads(), kRows, dims.sequence_length, item});
    if (!kept || !scratch) return tl::unexpected(kept ? scratch.error() : kept.error());
    return static_cast<std::uint64_t>(*kept) + static_cast<std::uint64_t>(*scratch);
}

template <typename T>
void add_softmax(const Trace& trace, std::int64_t sequence, std::int64_t head, const std::vector<std::int64_t>& queries,
                 T* offsets, T* sums, const std::atomic<bool>* cancel) {
    const std::int64_t size = trace.dims().sequence_length;
    std::vector<std::int64_t> unknown;
    std::copy_if(queries.begin(), queries.end(), std::back_inserter(unknown),
                 [&](std::int64_t query) { return !is_known(size, query); });
    const std::vector<Group> groups = groups_of(trace, sequence, unknown);
    const Rows<T> rows(trace, sequence, head);
    double cells = 0;
    for (const Group& group : groups)
        cells += static_cast<double>(group.keys) * static_cast<double>(group.queries.size());
    const double operations = 2 * cells * static_cast<double>(trace.dims().head_dim());
    parallel_for(threads_for(operations), static_cast<std::int64_t>(groups.size()), [&](std::int64_t n, int) {
        if (cancel && *cancel) return;
        rows.add(groups[static_cast<std::size_t>(n)], offsets, sums, cancel);
    });
}

template void add_softmax(const Trace&, std::int64_t, std::int64_t, const std::vector<std::int64_t>&, float*, float*,
                          const std::atomic<bool>*);
template void add_softmax(const Trace&, std::int64_t, std::int64_t, const std::vector<std::int64_t>&, double*, double*,
                          const std::atomic<bool>*);

}  // namespace headscope
