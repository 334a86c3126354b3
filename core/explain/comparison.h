// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "core/attention/trace.h"
#include "core/base/sentence.h"

namespace headscope {

/// A setting in which two configurations differ, in the words of the command line.
struct SettingDifference {
    std::string name;  ///< "mask", "key chunk size"
    Sentence a, b;     ///< "causal", "none"
    bool operator==(const SettingDifference&) const = default;
};
/// The settings that make A another computation than B, in the order of the controls. The seed is included only if it
/// affects the result; texts are compared by the first sequence that differs.
std::vector<SettingDifference> differing_settings(const Request& a, const Request& b);

/// A - B in one stage.
struct DifferenceMatrix {
    std::int64_t rows = 0, columns = 0;
    std::vector<double> values{};                      ///< A - B; 0 if both are equal, NaN or the same infinity
    std::vector<std::uint8_t> masked_a{}, masked_b{};  ///< 1 = masked in that trace; empty if columns are not keys
    std::int64_t undefined = 0;        ///< number of cells that are NaN in only one of the two; NaN in values
    double largest = 0;                ///< largest |A - B| of the other cells; if it is 0, A and B are equal there
    double floor = 0;                  ///< smaller differences are rounding: a few units in the last place of the
                                       ///< largest number compared, in the finer of the two precisions
    std::int64_t row = 0, column = 0;  ///< the first cell with that difference
    std::int64_t compared_rows = 0;

    bool equal() const { return largest == 0 && undefined == 0; }
    bool within_rounding() const { return largest <= floor && undefined == 0; }
};

/// Subtracts the matrices of one stage; the mask counts as 1 = allowed. head is ignored if the stage has none. Errors:
/// InvalidPair if the matrices' sizes differ (the message contains both), InvalidValue if one does not exist,
/// OutOfMemory if the difference does not fit.
Result<DifferenceMatrix> difference(const Trace& a, const Trace& b, Stage stage, std::int64_t sequence,
                                    std::int64_t head);

/// The same of at most `rows` rows, spread evenly, for matrices that are not kept. The values and masks stay empty.
Result<DifferenceMatrix> sampled_difference(const Trace& a, const Trace& b, Stage stage, std::int64_t sequence,
                                            std::int64_t head, std::int64_t rows,
                                            const std::atomic<bool>* cancel = nullptr);

}  // namespace headscope
