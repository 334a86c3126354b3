// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/attention/trace.h"

namespace headscope {

/// The order in which precisions are compared: the reference first.
inline constexpr std::array kPrecisions{Precision::Float64, Precision::Float32, Precision::BFloat16,
                                        Precision::Float16};

/// The traces of one request in the four precisions. A precision that can't hold a number of the request, such as its
/// scale, has a refusal instead.
class PrecisionTraces {
public:
    const TracePtr& of(Precision precision) const { return traces_[static_cast<std::size_t>(precision)]; }
    void set(TracePtr trace) { traces_[static_cast<std::size_t>(trace->request.precision)] = std::move(trace); }
    const std::optional<Error>& refusal(Precision precision) const {
        return refusals_[static_cast<std::size_t>(precision)];
    }
    void refuse(Precision precision, Error error) { refusals_[static_cast<std::size_t>(precision)] = std::move(error); }

private:
    std::array<TracePtr, kPrecisions.size()> traces_;
    std::array<std::optional<Error>, kPrecisions.size()> refusals_;
};

/// previous: earlier traces (also of a single precision), whose unchanged tensors are reused. Errors as compute(),
/// which checks the memory before each of the four computations; what another precision than float64 refuses is kept
/// in the result.
Result<PrecisionTraces> compute_precisions(const Request& request, const PrecisionTraces& previous = {},
                                           const std::atomic<bool>* cancel = nullptr);

/// How a number differs in kind from the float64 number.
enum class CellFault : std::uint8_t {
    None,
    Overflow,   ///< infinite here, finite in float64
    Underflow,  ///< 0 here, not in float64
    Nan,        ///< NaN in only one of the two
};

/// The difference between a precision and float64 in one head's scores or weights.
struct PrecisionError {
    Precision precision = Precision::Float32;
    std::int64_t size = 0;
    std::vector<double> error{};      ///< (S,S) number - float64's number; infinite or NaN for a fault
    std::vector<CellFault> faults{};  ///< (S,S)
    std::int64_t overflows = 0, underflows = 0, nans = 0;

    // Over the allowed cells whose error is finite.
    std::int64_t cells = 0;
    double largest = 0, mean = 0;                     ///< of |error|
    std::int64_t largest_query = 0, largest_key = 0;  ///< the first cell with the largest error
};

/// stage: Scores or Weights. Masked weights have no faults, because the mask makes them 0. Errors: InvalidValue for
/// another stage, a precision that was not computed (its refusal if there is one), or a sequence or head that does not
/// exist or was not kept.
Result<PrecisionError> precision_error(const PrecisionTraces& traces, Precision precision, Stage stage,
                                       std::int64_t sequence, std::int64_t head);

}  // namespace headscope
