// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/recorded.h"

#include <algorithm>
#include <chrono>
#include <limits>

#include "core/attention/plan.h"
#include "core/base/memory.h"
#include "core/base/sentence.h"
#include "core/files/recording.h"

namespace headscope {

namespace {

constexpr std::int64_t kRows = 64;  // read at a time, between two looks at cancel

double fully_masked_value(Fill fill, std::int64_t size) {
    if (fill == Fill::Safe) return 0;
    return fill == Fill::Inf ? std::numeric_limits<double>::quiet_NaN() : 1 / static_cast<double>(size);
}

template <typename T>
void renormalise(const std::uint8_t* allowed, std::int64_t size, Fill fill, T* row) {
    double sum = 0;
    std::int64_t count = 0;
    for (std::int64_t j = 0; j < size; ++j) {
        sum += allowed[j] ? static_cast<double>(row[j]) : 0;
        count += allowed[j];
    }
    if (count == 0) {
        std::fill_n(row, size, static_cast<T>(fully_masked_value(fill, size)));
        return;
    }
    for (std::int64_t j = 0; j < size; ++j)
        row[j] = allowed[j] && sum != 0 ? static_cast<T>(static_cast<double>(row[j]) / sum) : T{0};
}

template <typename T>
Result<void> read_rows(const Trace& trace, const Recording::Place& place, std::int64_t first, std::int64_t count,
                       T* out) {
    if (auto done = trace.request.recording->read_rows(place, first, count, out); !done) return done;
    const Mask& mask = trace.mask.of(place.head);
    if (mask.all_allowed()) return {};
    const std::int64_t size = mask.size();
    std::vector<std::uint8_t> scratch(static_cast<std::size_t>(size));
    for (std::int64_t i = 0; i < count; ++i)
        renormalise(mask.cells(place.sequence, first + i, 0, size, scratch.data()), size, trace.request.fill,
                    out + i * size);
    return {};
}

/// The precision whose rounding the recorded numbers show.
Precision precision_of(const std::string& dtype) {
    if (dtype == "F16") return Precision::Float16;
    if (dtype == "BF16") return Precision::BFloat16;
    return dtype == "F64" ? Precision::Float64 : Precision::Float32;
}

class Reader {
public:
    Reader(const Request& request, TracePtr previous, const std::atomic<bool>* cancel)
        : previous_(std::move(previous)), cancel_(cancel) {
        trace_.request = request;
    }

    Result<TracePtr> run() {
        const auto begin = std::chrono::steady_clock::now();
        if (auto done = prepare(); !done) return tl::unexpected(done.error());
        const auto done =
            storage_type(trace_.request.precision) == Tensor::Type::Float64 ? read<double>() : read<float>();
        if (!done) return tl::unexpected(done.error());
        trace_.milliseconds =
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
        return std::make_shared<const Trace>(std::move(trace_));
    }

private:
    bool cancelled() const { return cancel_ && *cancel_; }

    Result<void> prepare() {
        const Request& request = trace_.request;
        if (auto legal = check_request(request); !legal) return legal;
        const auto bytes = needed_bytes(request, {});
        if (!bytes) return tl::unexpected(bytes.error());
        if (auto fits = require_memory(*bytes, phrase("this layer of the recording")); !fits) return fits;
        auto mask = HeadMasks::build(request.mask, request.batch, request.num_heads, stored_mask_bytes(request),
                                     previous_ ? previous_->mask : HeadMasks());
        if (!mask) return tl::unexpected(mask.error());
        const bool same = previous_ && previous_->request.source == WeightSource::Recording &&
                          *mask == previous_->mask && mask->stores_cells() == previous_->mask.stores_cells();
        trace_.mask = std::move(*mask);
        if (!same) trace_.computed.push_back(Stage::Mask);
        same_mask_ = same;
        return {};
    }

    /// True if the previous trace has the same numbers.
    bool can_reuse(const Kept& kept) const {
        if (!same_mask_ || !previous_->weights) return false;
        const Request &now = trace_.request, &before = previous_->request;
        return now.recording == before.recording && now.recorded_layer == before.recorded_layer &&
               now.fill == before.fill && now.precision == before.precision && kept == kept_sequences(before);
    }

    template <typename T>
    Result<void> read() {
        const Request& request = trace_.request;
        const Dims dims = request.dims();
        const std::int64_t size = dims.sequence_length;
        const Kept kept = kept_sequences(request);
        trace_.first_kept = kept.first;
        trace_.bytes_whole =
            static_cast<std::uint64_t>(dims.num_heads * size * size) * dtype_size(request.recording->dtype());
        if (can_reuse(kept)) {
            trace_.weights = previous_->weights;
            trace_.row_check = previous_->row_check;
            return {};
        }
        if (kept.count == 0) return {};
        Tensor weights = Tensor::of<T>({kept.count, dims.num_heads, size, size});
        std::vector<double> sums;
        T* out = weights.template data<T>();
        for (std::int64_t matrix = 0; matrix < kept.count * dims.num_heads; ++matrix) {
            const Recording::Place place{request.recorded_layer, kept.first + matrix / dims.num_heads,
                                         matrix % dims.num_heads};
            for (std::int64_t i = 0; i < size; i += kRows) {
                if (cancelled()) return fail(ErrorCode::Cancelled, "a newer change replaced it");
                const std::int64_t rows = std::min(kRows, size - i);
                if (auto done = read_rows(trace_, place, i, rows, out); !done) return done;
                for (std::int64_t r = 0; r < rows; ++r, out += size) {
                    double sum = 0;
                    for (std::int64_t j = 0; j < size; ++j) sum += static_cast<double>(out[j]);
                    sums.push_back(sum);
                }
            }
        }
        check_rows(sums, dims.num_heads, trace_.mask, kept.first, precision_of(request.recording->dtype()),
                   trace_.row_check);
        trace_.weights = std::make_shared<const Tensor>(std::move(weights));
        trace_.computed.push_back(Stage::Weights);
        return {};
    }

    TracePtr previous_;
    const std::atomic<bool>* cancel_;
    bool same_mask_ = false;
    Trace trace_;
};

}  // namespace

Result<TracePtr> compute_recorded(const Request& request, const TracePtr& previous, const std::atomic<bool>* cancel) {
    return Reader(request, previous, cancel).run();
}

template <typename T>
void recorded_rows(const Trace& trace, std::int64_t sequence, std::int64_t head, std::int64_t first, std::int64_t count,
                   T* out) {
    if (read_rows(trace, {trace.request.recorded_layer, sequence, head}, first, count, out)) return;
    std::fill_n(out, count * trace.dims().sequence_length, std::numeric_limits<T>::quiet_NaN());
}

template <typename T>
RecordedRows<T>::RecordedRows(const Trace& trace, std::int64_t sequence, std::int64_t head, std::int64_t first,
                              std::int64_t count) {
    const std::int64_t size = trace.mask.size();
    numbers.resize(static_cast<std::size_t>(count * size));
    allowed.resize(numbers.size());
    recorded_rows(trace, sequence, head, first, count, numbers.data());
    for (std::int64_t r = 0; r < count; ++r) {
        std::uint8_t* own = allowed.data() + r * size;
        const std::uint8_t* row = trace.mask.of(head).cells(sequence, first + r, 0, size, own);
        if (row != own) std::copy_n(row, size, own);
    }
}

template <typename T>
void recorded_cells(const Trace& trace, std::int64_t sequence, std::int64_t head, const std::vector<std::int64_t>& rows,
                    const std::vector<std::int64_t>& columns, T* out) {
    std::vector<T> row(static_cast<std::size_t>(trace.mask.size()));
    for (const std::int64_t query : rows) {
        recorded_rows(trace, sequence, head, query, 1, row.data());
        for (const std::int64_t key : columns) *out++ = row[static_cast<std::size_t>(key)];
    }
}

double recorded_masked_value(const Trace& trace, std::int64_t sequence, std::int64_t head, std::int64_t query) {
    const bool any = trace.mask.of(head).allowed_in_row(sequence, query) > 0;
    return any ? 0 : fully_masked_value(trace.request.fill, trace.mask.size());
}

template void recorded_rows(const Trace&, std::int64_t, std::int64_t, std::int64_t, std::int64_t, float*);
template void recorded_cells(const Trace&, std::int64_t, std::int64_t, const std::vector<std::int64_t>&,
                             const std::vector<std::int64_t>&, float*);
template struct RecordedRows<float>;
template void recorded_rows(const Trace&, std::int64_t, std::int64_t, std::int64_t, std::int64_t, double*);
template void recorded_cells(const Trace&, std::int64_t, std::int64_t, const std::vector<std::int64_t>&,
                             const std::vector<std::int64_t>&, double*);
template struct RecordedRows<double>;

}  // namespace headscope
