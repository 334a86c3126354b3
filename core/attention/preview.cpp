// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/preview.h"

#include <algorithm>
#include <bit>

#include "core/attention/head.h"
#include "core/attention/softmax.h"
#include "core/base/buffer_pool.h"
#include "core/base/memory.h"
#include "core/base/thread_pool.h"

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

/// One head, whose whole rows are computed a few at a time.
template <typename T>
class Rows {
public:
    Rows(const Trace& trace, std::int64_t sequence, std::int64_t head)
        : rules_(*trace.mask, trace.request.fill, trace.request.precision),
          scaling_{trace.request.precision, trace.request.scale, trace.dims().head_dim()},
          sequence_(sequence),
          size_(trace.dims().sequence_length) {
        const std::int64_t first = (sequence * trace.dims().num_heads + head) * size_ * scaling_.head_dim;
        q_ = trace.q->data<T>() + first;
        k_ = trace.k->data<T>() + first;
    }

    void add(const std::int64_t* queries, std::int64_t count, T* offsets, T* sums,
             const std::atomic<bool>* cancel) const {
        const std::int64_t dh = scaling_.head_dim;
        const PooledArray<T> q(static_cast<std::size_t>(count * dh)), scores(static_cast<std::size_t>(count * size_));
        for (std::int64_t n = 0; n < count; ++n) std::copy_n(q_ + queries[n] * dh, dh, q.data() + n * dh);
        tile_scores(q.data(), k_, scaling_, {sequence_, 0, count, 0, size_}, scores.data(), size_, cancel);
        std::vector<std::uint8_t> scratch(static_cast<std::size_t>(size_));
        for (std::int64_t n = 0; n < count && !(cancel && *cancel); ++n) {
            T* row = scores.data() + n * size_;
            const std::uint8_t* allowed = rules_.allowed(sequence_, queries[n], 0, size_, scratch.data());
            const auto [maximum, sum] =
                softmax_row<T>({row, allowed, size_, rules_.mode, static_cast<T>(rules_.fill)}, row);
            offsets[queries[n]] = maximum;
            sums[queries[n]] = static_cast<T>(sum);
        }
    }

private:
    HeadRules rules_;
    Scaling scaling_;
    std::int64_t sequence_, size_;
    const T *q_, *k_;
};

template <typename T>
void add_rows(const Trace& trace, T* offsets, T* sums, const std::atomic<bool>* cancel) {
    const Dims dims = trace.dims();
    const std::int64_t size = dims.sequence_length;
    const std::vector<std::int64_t> queries = known_queries(size);
    const auto count = static_cast<std::int64_t>(queries.size()), blocks = (count + kRows - 1) / kRows;
    parallel_for(available_threads(), dims.batch * dims.num_heads * blocks, [&](std::int64_t index, int) {
        if (cancel && *cancel) return;
        const std::int64_t head = index / blocks, first = index % blocks * kRows;
        const Rows<T> rows(trace, head / dims.num_heads, head % dims.num_heads);
        rows.add(queries.data() + first, std::min(kRows, count - first), offsets + head * size, sums + head * size,
                 cancel);
    });
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
    const auto count = static_cast<std::int64_t>(unknown.size());
    const Rows<T> rows(trace, sequence, head);
    const double operations = 2.0 * static_cast<double>(count * size) * static_cast<double>(trace.dims().head_dim());
    parallel_for(threads_for(operations), (count + kRows - 1) / kRows, [&](std::int64_t block, int) {
        if (cancel && *cancel) return;
        const std::int64_t first = block * kRows;
        rows.add(unknown.data() + first, std::min(kRows, count - first), offsets, sums, cancel);
    });
}

template void add_softmax(const Trace&, std::int64_t, std::int64_t, const std::vector<std::int64_t>&, float*, float*,
                          const std::atomic<bool>*);
template void add_softmax(const Trace&, std::int64_t, std::int64_t, const std::vector<std::int64_t>&, double*, double*,
                          const std::atomic<bool>*);

}  // namespace headscope
