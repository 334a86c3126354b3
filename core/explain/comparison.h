// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

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
/// What makes A another computation than B, in the order of the controls. A seed counts where it is drawn from; of two
/// texts the first sequence that differs stands for all.
std::vector<SettingDifference> differing_settings(const Request& a, const Request& b);

/// A - B in one stage.
struct DifferenceMatrix {
    std::int64_t rows = 0, columns = 0;
    std::vector<double> values{};                      ///< 0 where both hold the same, also NaN or an infinity
    std::vector<std::uint8_t> masked_a{}, masked_b{};  ///< 1 = shut by that mask; empty where columns are no keys
    std::int64_t undefined = 0;                        ///< cells that are NaN in one of the two only; NaN in values
    double largest = 0;                ///< |A - B|, of the other cells; where it is 0, A and B are equal there
    double floor = 0;                  ///< smaller differences are rounding: a few units in the last place of the largest
                                       ///< number compared, in the finer of the two precisions
    std::int64_t row = 0, column = 0;  ///< where it is: the first such cell

    bool equal() const { return largest == 0 && undefined == 0; }
    bool within_rounding() const { return largest <= floor && undefined == 0; }
};

/// One matrix of each; the mask counts as 1 = may attend. head is ignored where the stage has none.
/// Errors: InvalidPair where the matrices' sizes differ (the sentence holds both), InvalidValue where one isn't there
/// or wasn't kept.
Result<DifferenceMatrix> difference(const Trace& a, const Trace& b, Stage stage, std::int64_t sequence,
                                    std::int64_t head);

}  // namespace headscope
