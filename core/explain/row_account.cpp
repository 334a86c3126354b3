// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/explain/row_account.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/attention/query_key.h"
#include "core/attention/row_reader.h"
#include "core/attention/softmax.h"
#include "core/engine/rounding.h"

namespace headscope {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Result<void> check_place(const Trace& trace, std::int64_t sequence, std::int64_t head, std::int64_t query) {
    const Dims dims = trace.dims();
    const std::pair<const char*, std::pair<std::int64_t, std::int64_t>> places[] = {
        {"sequence", {sequence, dims.batch}},
        {"head", {head, dims.num_heads}},
        {"query", {query, dims.sequence_length}}};
    for (const auto& [name, place] : places) {
        const auto [wanted, count] = place;
        if (wanted >= 0 && wanted < count) continue;
        return fail(ErrorCode::InvalidValue, "there is no {} {}; they are numbered from 0 to {}", name, wanted,
                    count - 1);
    }
    return {};
}

std::vector<double> masked_row(const std::vector<double>& scores, const std::vector<std::uint8_t>& allowed,
                               double fill) {
    std::vector<double> masked = scores;
    for (std::size_t j = 0; j < masked.size(); ++j) masked[j] = allowed[j] ? masked[j] : fill;
    return masked;
}

double maximum_of(const std::vector<double>& values) {
    double maximum = -kInfinity;
    for (const double value : values) {
        if (std::isnan(value)) return value;
        maximum = std::max(maximum, value);
    }
    return maximum;
}

/// The row's softmax with every key allowed, computed by the stages' code.
template <typename T>
std::vector<double> unmasked_softmax(const RowAccount& row, const Request& request) {
    const std::vector<T> in(row.scores.begin(), row.scores.end());
    std::vector<T> out(in.size());
    softmax_row<T>(
        {in.data(), nullptr, static_cast<std::int64_t>(in.size()), effective_mode(request.fill, request.precision),
         static_cast<T>(effective_fill(request.fill, request.precision)),
         row.sink ? std::optional(static_cast<T>(*row.sink)) : std::nullopt},
        out.data());
    round_all(out.data(), static_cast<std::int64_t>(out.size()), request.precision);
    return {out.begin(), out.end()};
}

RowOutcome outcome_of(const RowAccount& row, Fill mode) {
    if (row.allowed_keys == 0) return RowOutcome::FullyMasked;
    double best = -kInfinity;  // of the scores that the softmax uses
    for (std::size_t j = 0; j < row.scores.size(); ++j) {
        if (!row.allowed[j]) continue;
        if (std::isnan(row.scores[j]) || row.scores[j] == kInfinity) return RowOutcome::NotFinite;
        best = std::max(best, row.scores[j]);
    }
    // With -1e9 masked keys have a finite score.
    const bool filled = mode == Fill::MinusBillion && row.allowed_keys < static_cast<std::int64_t>(row.scores.size());
    return best == -kInfinity && !filled ? RowOutcome::NothingFinite : RowOutcome::Normal;
}

Sentence reason_with_sink(const RowAccount& row) {
    const std::string taken = fmt::format("{:.4g}", row.sink_exponential / row.row_sum);
    const auto keys = static_cast<std::int64_t>(row.scores.size());
    if (row.outcome == RowOutcome::FullyMasked)
        return say("fully masked row: the sink takes {} of the weight, and the keys share the rest", taken);
    return say("{} of {} keys are allowed; the sink takes {} of the weight", row.allowed_keys, keys, taken);
}

Sentence reason_of(const RowAccount& row, const Request& request) {
    const auto keys = static_cast<std::int64_t>(row.scores.size());
    const Fill mode = effective_mode(request.fill, request.precision);
    if (row.sink && row.outcome != RowOutcome::NotFinite) return reason_with_sink(row);
    switch (row.outcome) {
        case RowOutcome::FullyMasked:
            return fully_masked_row_sentence(request.fill, request.precision, keys);
        case RowOutcome::NothingFinite:
            return mode == Fill::Safe
                       ? say("every allowed key has the score -inf, so the row is zeros, as a fully masked one")
                       : say("every allowed key has the score -inf, and -inf minus -inf is NaN");
        case RowOutcome::NotFinite:
            return say("the score of an allowed key is NaN or +inf, which makes the row's sum NaN");
        case RowOutcome::Normal:
            break;
    }
    if (row.leaked > 0) {
        return say(
            "the fill value {} is finite: masked keys have {} leaked weight, since no allowed score is far above it",
            effective_fill(request.fill, request.precision), fmt::format("{:.4g}", row.leaked));
    }
    if (row.allowed_keys == keys)
        return keys == 1 ? say("the only key is allowed") : say("all {} keys are allowed", keys);
    const bool one = row.allowed_keys == 1;
    if (std::isnan(row.taken)) {
        return one ? say("1 of {} keys is allowed; the mask excludes a score that is NaN or +inf", keys)
                   : say("{} of {} keys are allowed; the mask excludes a score that is NaN or +inf", row.allowed_keys,
                         keys);
    }
    const std::string taken = fmt::format("{:.4g}", row.taken);
    return one ? say("1 of {} keys is allowed; it gets the {} of the weight that masked keys would have", keys, taken)
               : say("{} of {} keys are allowed; the softmax redistributes the {} of the weight that masked keys would "
                     "have",
                     row.allowed_keys, keys, taken);
}

/// exp(masked - maximum), and 0 for keys that the softmax excludes.
void exponentiate_row(RowAccount& row, Fill mode) {
    const bool nothing = mode == Fill::Safe && row.maximum == -kInfinity;
    row.exponentials.resize(row.masked.size());
    for (std::size_t j = 0; j < row.masked.size(); ++j) {
        const bool left_out = nothing || (!row.allowed[j] && row.allowed_keys > 0 && mode != Fill::MinusBillion);
        row.exponentials[j] = left_out ? 0 : std::exp(row.masked[j] - row.maximum);
    }
    row.sink_exponential = row.sink ? std::exp(*row.sink - row.maximum) : 0;
    row.row_sum = std::accumulate(row.exponentials.begin(), row.exponentials.end(), row.sink_exponential);
}

void compare_with_unmasked(RowAccount& row, const Request& request) {
    row.unmasked_weights = storage_type(request.precision) == Tensor::Type::Float64
                               ? unmasked_softmax<double>(row, request)
                               : unmasked_softmax<float>(row, request);
    row.change.resize(row.weights.size());
    for (std::size_t j = 0; j < row.weights.size(); ++j) {
        row.change[j] = row.weights[j] - row.unmasked_weights[j];
        if (row.allowed[j]) continue;
        row.taken += row.unmasked_weights[j];
        row.leaked += row.weights[j];
    }
}

}  // namespace

std::vector<double> masked_after_softmax(const RowAccount& row) {
    std::vector<double> weights = row.unmasked_weights;
    for (std::size_t j = 0; j < weights.size(); ++j) weights[j] *= row.allowed[j];
    return weights;
}

std::vector<double> row_values(const MatrixView& view, std::int64_t row) {
    std::vector<double> values(static_cast<std::size_t>(view.columns));
    for (std::int64_t j = 0; j < view.columns; ++j) values[static_cast<std::size_t>(j)] = view.at(row, j);
    return values;
}

double entropy_in_bits(const std::vector<double>& weights) {
    double sum = 0;
    for (const double p : weights) {
        if (p != 0) sum -= p * std::log2(p);
    }
    return sum + 0.0;  // one key with all the weight gives 0, not -0
}

Sentence fully_masked_row_sentence(Fill fill, Precision precision, std::int64_t keys) {
    switch (fill) {
        case Fill::Safe:
            return say(
                "fully masked row: fill safe makes every weight 0, so the context is 0 and the output is the bias");
        case Fill::Inf:
            return say("fully masked row: every masked score is -inf, and -inf minus -inf is NaN");
        case Fill::MinusBillion:
            break;
    }
    if (effective_mode(fill, precision) == Fill::Inf) {
        return say("fully masked row: float16 can't represent -1e9, which becomes -inf, and -inf minus -inf is NaN");
    }
    if (keys == 1)
        return say(
            "fully masked row: the masked score is {}, so the only key gets all the weight although it is masked",
            effective_fill(fill, precision));
    return say("fully masked row: every masked score is {}, so each of the {} keys gets 1/{}",
               effective_fill(fill, precision), keys, keys);
}

Result<RowAccount> row_account(const Trace& trace, std::int64_t sequence, std::int64_t head, std::int64_t query) {
    if (auto place = check_place(trace, sequence, head, query); !place) return tl::unexpected(place.error());
    if (trace.request.recording)
        return fail(ErrorCode::Unsupported,
                    "a recording has only weights; explaining one requires the layer that computed it");
    const Fill mode = effective_mode(trace.request.fill, trace.request.precision);
    RowAccount row{.sequence = sequence, .head = head, .query = query};
    row.scores = row_of(trace, Stage::Scores, sequence, head, query);
    row.allowed.resize(row.scores.size());
    const Mask& mask = trace.mask.of(head);
    const std::uint8_t* cells = mask.cells(sequence, query, 0, mask.size(), row.allowed.data());
    if (cells != row.allowed.data()) row.allowed.assign(cells, cells + row.scores.size());
    row.masked = masked_row(row.scores, row.allowed, effective_fill(trace.request.fill, trace.request.precision));
    row.weights = row_of(trace, Stage::Weights, sequence, head, query);
    row.allowed_keys = mask.allowed_in_row(sequence, query);
    if (const auto sink = score_change(trace.request, head).sink) row.sink = round_to(trace.request.precision, *sink);
    row.maximum = maximum_of(row.masked);
    if (row.sink && row.maximum < *row.sink) row.maximum = *row.sink;
    exponentiate_row(row, mode);
    row.entropy_bits = entropy_in_bits(row.weights);
    compare_with_unmasked(row, trace.request);
    row.outcome = outcome_of(row, mode);
    row.reason = reason_of(row, trace.request);
    return row;
}

}  // namespace headscope
