// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/explain/head_measures.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "core/base/sentence.h"

namespace headscope {

namespace {

const std::array<HeadMeasureType, kHeadMeasures> kTypes{{
    {HeadMeasure::Previous, "previous", phrase("previous"),
     phrase("mean weight on the token before the query, over all queries but the first")},
    {HeadMeasure::Next, "next", phrase("next"),
     phrase("mean weight on the token after the query, over all queries but the last")},
    {HeadMeasure::Itself, "itself", phrase("itself"), phrase("mean weight on the query's own token")},
    {HeadMeasure::Separator, "separator", phrase("separator"),
     phrase("mean weight on special tokens: [CLS], [SEP], <s>, </s>, <|endoftext|> and their like")},
    {HeadMeasure::First, "first", phrase("first"), phrase("mean weight on the first token")},
    {HeadMeasure::SameWord, "same", phrase("same word"),
     phrase("mean weight on the other occurrences of the query's token, over queries that have such tokens")},
    {HeadMeasure::Induction, "induction", phrase("induction"),
     phrase("mean weight on the tokens after earlier occurrences of the query's token, over queries that have such "
            "tokens")},
    {HeadMeasure::Duplicate, "duplicate", phrase("duplicate"),
     phrase("mean weight on earlier occurrences of the query's token, over queries that have such tokens")},
    {HeadMeasure::Broad, "broad", phrase("broad"),
     phrase("how evenly the weight is spread: (2^entropy - 1) / (keys - 1), 0 for one key, 1 for all equally")},
}};

bool is_separator(const std::string& token) {
    static constexpr const char* special[] = {"[CLS]", "[SEP]",         "<s>",   "</s>",  "<cls>",
                                              "<sep>", "<|endoftext|>", "<bos>", "<eos>", "<|begin_of_text|>"};
    return std::find(std::begin(special), std::end(special), token) != std::end(special);
}

/// (2^entropy - 1) / (n - 1) of n weights w, from Σ w and Σ w log2 w. They need not sum to 1.
double breadth(double sum, double logs, std::int64_t n) {
    return (std::exp2(std::log2(sum) - logs / sum) - 1) / static_cast<double>(n - 1);
}

}  // namespace

std::span<const HeadMeasureType> head_measure_types() {
    return kTypes;
}

std::optional<HeadMeasure> parse_head_measure(const std::string& word) {
    const auto found = std::find_if(kTypes.begin(), kTypes.end(), [&](const auto& type) { return type.word == word; });
    return found == kTypes.end() ? std::nullopt : std::optional(found->measure);
}

std::optional<HeadMeasure> HeadMeasures::name() const {
    const HeadMeasureType* largest = nullptr;
    for (const HeadMeasureType& type : kTypes)
        if (of(type.measure) >= kNamed && (!largest || of(type.measure) > of(largest->measure))) largest = &type;
    return largest ? std::optional(largest->measure) : std::nullopt;
}

HeadMeasurer::HeadMeasurer(const Batch& batch, std::int64_t sequence, double sum_error)
    : batch_(batch), sequence_(sequence), size_(batch.sequence_length()), sum_error_(sum_error) {
    std::map<std::string, std::int64_t> numbers;
    const auto& tokens = batch.tokens[static_cast<std::size_t>(sequence)];
    for (std::int64_t i = 0; i < size_; ++i) {
        const std::string& token = tokens[static_cast<std::size_t>(i)];
        const bool real = batch.is_real(sequence, i);
        if (real && is_separator(token)) separators_.push_back(i);
        const auto next = static_cast<std::int64_t>(occurrences_.size());
        const auto [known, is_new] = numbers.emplace(token, next);
        if (is_new) occurrences_.emplace_back();
        word_.push_back(known->second);
        if (real) occurrences_[static_cast<std::size_t>(known->second)].push_back(i);
    }
}

void HeadMeasurer::add(std::int64_t i, const float* weights) {
    if (!batch_.is_real(sequence_, i)) return;
    double sum = 0;
    for (std::int64_t j = 0; j < size_; ++j) sum += static_cast<double>(weights[j]);
    ++counted_.all_rows;
    counted_.not_one += !(std::fabs(sum - 1) <= sum_error_);
    if (!std::isfinite(sum) || sum <= 0) return;
    ++counted_.rows;
    const auto weight = [&](std::int64_t j) { return static_cast<double>(weights[j]); };
    if (i > 0) mean(HeadMeasure::Previous).add(weight(i - 1));
    if (i + 1 < size_) mean(HeadMeasure::Next).add(weight(i + 1));
    mean(HeadMeasure::Itself).add(weight(i));
    mean(HeadMeasure::First).add(weight(0));
    double on_separators = 0;
    for (const std::int64_t j : separators_) on_separators += weight(j);
    if (!separators_.empty()) mean(HeadMeasure::Separator).add(on_separators);
    add_repeated(i, weights);
    add_breadth(i, weights);
}

/// The measures of tokens that occur more than once.
void HeadMeasurer::add_repeated(std::int64_t i, const float* weights) {
    const auto& places = occurrences_[static_cast<std::size_t>(word_[static_cast<std::size_t>(i)])];
    if (places.size() < 2) return;
    double others = 0, earlier = 0, after = 0;
    for (const std::int64_t j : places) {
        if (j == i) continue;
        others += static_cast<double>(weights[j]);
        if (j > i) continue;
        earlier += static_cast<double>(weights[j]);
        after += static_cast<double>(weights[j + 1]);  // j < i, so it lies within the row
    }
    mean(HeadMeasure::SameWord).add(others);
    if (places.front() == i) return;
    mean(HeadMeasure::Duplicate).add(earlier);
    mean(HeadMeasure::Induction).add(after);
}

/// The keys up to the query and all keys: which of them could have weight is known after the last row.
void HeadMeasurer::add_breadth(std::int64_t i, const float* weights) {
    double sum = 0, logs = 0, sum_upto = 0, logs_upto = 0;
    for (std::int64_t j = 0; j < size_; ++j) {
        const float weight = weights[j];
        sum += static_cast<double>(weight);
        if (weight > 0) logs += static_cast<double>(weight * std::log2(weight));
        if (j != i) continue;
        sum_upto = sum;
        logs_upto = logs;
    }
    is_causal_ = is_causal_ && sum == sum_upto;
    if (size_ > 1) mean(HeadMeasure::Broad).add(breadth(sum, logs, size_));
    if (i > 0 && sum_upto > 0) causal_breadth_.add(breadth(sum_upto, logs_upto, i + 1));
}

HeadMeasures HeadMeasurer::measures() const {
    HeadMeasures measures = counted_;
    for (std::size_t n = 0; n < kHeadMeasures; ++n) {
        const bool causal = static_cast<HeadMeasure>(n) == HeadMeasure::Broad && is_causal_;
        const Mean& mean = causal ? causal_breadth_ : means_[n];
        measures.values[n] =
            mean.count ? mean.sum / static_cast<double>(mean.count) : std::numeric_limits<double>::quiet_NaN();
    }
    return measures;
}

}  // namespace headscope
