// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "core/attention/trace.h"

namespace headscope {

// What a head moves from keys to queries, not only what it attends to (Kobayashi et al. 2020): a key with a large
// weight and a small v moves little.

/// How much a query takes from a key in one head.
enum class Measure {
    Weight,         ///< the attention weight
    WeightedValue,  ///< weight · ‖v‖: what is added to the head's context
    WeightedOutput  ///< weight · ‖v W_Oᵀ‖: what is added to the output
};

/// (S) of each key of a head: 1, ‖v‖, or ‖v W_Oᵀ‖ with the head's columns of W_O.
std::vector<double> key_norms(const Trace& trace, std::int64_t sequence, std::int64_t head, Measure measure);

/// (S) of one query: its weights times the keys' norms. A masked key without weight contributes 0, whatever its v.
std::vector<double> contributions_of(const Trace& trace, std::int64_t sequence, std::int64_t head, std::int64_t query,
                                     const std::vector<double>& norms);

/// (E) the vector that is added to the output of a query: weight · v W_Oᵀ. Summed over keys and heads, and with the
/// output bias, it is the output.
std::vector<double> moved_output(const Trace& trace, std::int64_t sequence, std::int64_t head, std::int64_t query,
                                 std::int64_t key);

/// A key that takes much of the weight and moves little of it.
struct Sink {
    std::int64_t head, key;
    double mean_weight;  ///< over the other queries that can attend to it
    double norm;         ///< ‖v W_Oᵀ‖
    double median_norm;  ///< of the head's other keys
};
/// Keys of real tokens whose mean weight is at least 0.3 and three times uniform, and whose norm is at most a quarter
/// of the median. The heaviest first.
std::vector<Sink> find_sinks(const Trace& trace, std::int64_t sequence, const std::atomic<bool>* cancel = nullptr);

}  // namespace headscope
