// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/batch.h"

namespace headscope {

/// What a head may do, each measured by a number from 0 to 1.
enum class HeadMeasure { Previous, Next, Itself, Separator, First, SameWord, Induction, Duplicate, Broad };
inline constexpr std::size_t kHeadMeasures = 9;

struct HeadMeasureType {
    HeadMeasure measure;
    const char* word;      ///< "previous"
    const char* name;      ///< in the window: a phrase()
    const char* sentence;  ///< what is measured: a phrase()
};
/// The table in the order of HeadMeasure.
std::span<const HeadMeasureType> head_measure_types();
std::optional<HeadMeasure> parse_head_measure(const std::string& word);

/// The measures of one head on one text. Each is a mean over the queries that it is defined for; NaN if there are none.
struct HeadMeasures {
    static constexpr double kNamed = 0.5;  ///< a head is named by its largest measure if that is at least this
    std::array<double, kHeadMeasures> values{};
    std::int64_t rows = 0;      ///< that count: of real tokens, finite and not all 0
    std::int64_t all_rows = 0;  ///< that were added
    std::int64_t not_one = 0;   ///< of all rows, those whose sum differs from 1 by more than rounding explains

    double of(HeadMeasure measure) const { return values[static_cast<std::size_t>(measure)]; }
    /// Nothing if no measure is large enough: the head does several things.
    std::optional<HeadMeasure> name() const;
};

/// Adds up the rows of a head's weights one by one, so that they need not be in memory together.
class HeadMeasurer {
public:
    /// sum_error: how far rounding of the recorded weights may move the sum of a row away from 1.
    HeadMeasurer(const Batch& batch, std::int64_t sequence, double sum_error = 1e-3);
    /// weights: S numbers, of the keys that query i attends to. Rows come in ascending order.
    void add(std::int64_t i, const float* weights);
    HeadMeasures measures() const;

private:
    struct Mean {
        double sum = 0;
        std::int64_t count = 0;
        void add(double value) {
            sum += value;
            ++count;
        }
    };
    Mean& mean(HeadMeasure measure) { return means_[static_cast<std::size_t>(measure)]; }
    void add_repeated(std::int64_t i, const float* weights);
    void add_breadth(std::int64_t i, const float* weights);

    const Batch& batch_;
    std::int64_t sequence_, size_;
    double sum_error_;
    std::vector<std::int64_t> separators_;
    std::vector<std::int64_t> word_;                      ///< of each token, the number of its text
    std::vector<std::vector<std::int64_t>> occurrences_;  ///< of each text, ascending
    std::array<Mean, kHeadMeasures> means_{};
    Mean causal_breadth_;     ///< among the keys up to the query
    bool is_causal_ = true;   ///< no key after its query had weight
    HeadMeasures counted_{};  ///< the rows
};

}  // namespace headscope
