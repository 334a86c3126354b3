// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <concepts>
#include <functional>
#include <type_traits>
#include <utility>

#include "core/attention/compute.h"

namespace headscope {

/// core's compute(), or a replacement in tests, which may leave the reports out.
class ComputeFunction {
public:
    template <typename Function>
    requires(!std::same_as<std::remove_cvref_t<Function>, ComputeFunction>) ComputeFunction(
        Function function) {  // NOLINT(google-explicit-constructor): takes lambdas as std::function does
        if constexpr (std::is_invocable_v<Function, const Request&, const TracePtr&, const std::atomic<bool>*,
                                          const Reports&>) {
            function_ = std::move(function);
        } else {
            function_ = [silent = std::move(function)](
                            const Request& request, const TracePtr& previous, const std::atomic<bool>* cancel,
                            const Reports&) -> Result<TracePtr> { return silent(request, previous, cancel); };
        }
    }

    Result<TracePtr> operator()(const Request& request, const TracePtr& previous, const std::atomic<bool>* cancel,
                                const Reports& reports) const {
        return function_(request, previous, cancel, reports);
    }

private:
    std::function<Result<TracePtr>(const Request&, const TracePtr&, const std::atomic<bool>*, const Reports&)>
        function_;
};

}  // namespace headscope
