// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/explain/precision_lens.h"

#include <cmath>

#include "core/attention/compute.h"
#include "core/attention/row_reader.h"
#include "core/base/memory.h"
#include "core/base/sentence.h"

namespace headscope {

namespace {

CellFault fault_of(double value, double exact) {
    if (std::isnan(value) != std::isnan(exact)) return CellFault::Nan;
    if (std::isinf(value) && std::isfinite(exact)) return CellFault::Overflow;
    if (value == 0 && exact != 0) return CellFault::Underflow;
    return CellFault::None;
}

double error_of(double value, double exact) {
    const bool same = value == exact || (std::isnan(value) && std::isnan(exact));  // includes equal infinities
    return same ? 0 : value - exact;
}

void count(PrecisionError& result, CellFault fault) {
    result.overflows += fault == CellFault::Overflow;
    result.underflows += fault == CellFault::Underflow;
    result.nans += fault == CellFault::Nan;
}

Result<RowReader> reader_of(const PrecisionTraces& traces, Precision precision, Stage stage, std::int64_t sequence,
                            std::int64_t head) {
    const TracePtr& trace = traces.of(precision);
    if (!trace && traces.refusal(precision)) return tl::unexpected(*traces.refusal(precision));
    if (!trace) return fail(ErrorCode::InvalidValue, "{} was not computed", to_string(precision));
    if (has_rows(*trace, stage, sequence, head)) return RowReader(*trace, stage, sequence, head);
    return fail(ErrorCode::InvalidValue, "there is no sequence {}, head {} of {}", sequence, head, to_string(stage));
}

}  // namespace

Result<PrecisionTraces> compute_precisions(const Request& request, const PrecisionTraces& previous,
                                           const std::atomic<bool>* cancel) {
    PrecisionTraces traces;
    for (const Precision precision : kPrecisions) {
        Request own = request;
        own.precision = precision;
        auto trace = compute(own, previous.of(precision), cancel);
        if (trace)
            traces.set(std::move(*trace));
        else if (trace.error().code == ErrorCode::InvalidValue && precision != Precision::Float64)
            traces.refuse(precision, trace.error());
        else
            return tl::unexpected(trace.error());
    }
    return traces;
}

Result<PrecisionError> precision_error(const PrecisionTraces& traces, Precision precision, Stage stage,
                                       std::int64_t sequence, std::int64_t head) {
    if (stage != Stage::Scores && stage != Stage::Weights) {
        return fail(ErrorCode::InvalidValue, "precisions are compared in scores and weights, not in {}",
                    to_string(stage));
    }
    auto exact = reader_of(traces, Precision::Float64, stage, sequence, head);
    if (!exact) return tl::unexpected(exact.error());
    auto values = reader_of(traces, precision, stage, sequence, head);
    if (!values) return tl::unexpected(values.error());
    const std::int64_t size = exact->rows();
    if (values->rows() != size) {
        return fail(ErrorCode::InvalidPair, "{} has {} tokens, but float64 has {}", to_string(precision),
                    values->rows(), size);
    }
    PrecisionError result{.precision = precision, .size = size};
    const auto cells = static_cast<std::size_t>(size * size);
    if (auto fits = require_memory(cells * (sizeof(double) + sizeof(CellFault)), phrase("the errors of a precision"));
        !fits) {
        return tl::unexpected(fits.error());
    }
    result.error.reserve(cells);
    result.faults.reserve(cells);
    double sum = 0;
    for (std::int64_t i = 0; i < size; ++i) {
        const auto &true_row = exact->row(i), &row = values->row(i);
        const std::uint8_t* allowed = exact->allowed(i);
        for (std::int64_t j = 0; j < size; ++j) {
            const auto at = static_cast<std::size_t>(j);
            const bool masked = !allowed[j];
            const double value = row[at], truth = true_row[at], error = error_of(value, truth);
            const bool compared = stage == Stage::Scores || !masked;
            result.faults.push_back(compared ? fault_of(value, truth) : CellFault::None);
            result.error.push_back(error);
            count(result, result.faults.back());
            if (masked || !std::isfinite(error)) continue;
            if (std::fabs(error) > result.largest) {
                result.largest = std::fabs(error);
                result.largest_query = i;
                result.largest_key = j;
            }
            sum += std::fabs(error);
            ++result.cells;
        }
    }
    if (result.cells > 0) result.mean = sum / static_cast<double>(result.cells);
    return result;
}

}  // namespace headscope
