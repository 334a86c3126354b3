// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/explain/contributions.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/attention/row_reader.h"
#include "core/explain/row_account.h"

namespace headscope {

namespace {

/// The columns of W_O that a head's context is multiplied by: Dh numbers for each of E outputs.
std::vector<double> head_columns(const Trace& trace, std::int64_t head) {
    const Dims dims = trace.dims();
    const std::int64_t dh = dims.head_dim(), e = dims.embed_dim;
    std::vector<double> columns;
    columns.reserve(static_cast<std::size_t>(e * dh));
    for (std::int64_t n = 0; n < e; ++n)
        for (std::int64_t d = 0; d < dh; ++d)
            columns.push_back(trace.used_layer->out_weight.value(n * e + head * dh + d));
    return columns;
}

/// W_O's columns of the head times themselves, (Dh,Dh): ‖v Wᵀ‖² = v G vᵀ costs Dh² a key in place of E · Dh.
std::vector<double> gram(const std::vector<double>& columns, std::int64_t dh) {
    std::vector<double> products(static_cast<std::size_t>(dh * dh));
    for (auto row = columns.begin(); row != columns.end(); row += dh)
        for (std::int64_t a = 0; a < dh; ++a)
            for (std::int64_t b = 0; b < dh; ++b) products[static_cast<std::size_t>(a * dh + b)] += row[a] * row[b];
    return products;
}

double quadratic_form(const std::vector<double>& v, const std::vector<double>& matrix) {
    double sum = 0;
    for (std::size_t a = 0; a < v.size(); ++a)
        sum += v[a] *
               std::inner_product(v.begin(), v.end(), matrix.begin() + static_cast<std::ptrdiff_t>(a * v.size()), 0.0);
    return std::isnan(sum) ? sum : std::max(sum, 0.0);
}

/// A masked weight of 0 excludes the key, except where the fill is finite (docs/conventions.md 7).
bool is_excluded(const Trace& trace, double weight, bool allowed) {
    const Request& request = trace.request;
    return !allowed && weight == 0 && effective_mode(request.fill, request.precision) != Fill::MinusBillion;
}

double median_without(std::vector<double> values, std::size_t left_out) {
    values.erase(values.begin() + static_cast<std::ptrdiff_t>(left_out));
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

/// The mean weight of each key over the other queries that can attend to it, and what uniform weights would give it.
struct MeanWeights {
    std::vector<double> mean, uniform;
};

MeanWeights mean_weights(const Trace& trace, std::int64_t sequence, std::int64_t head) {
    const auto size = static_cast<std::size_t>(trace.dims().sequence_length);
    MeanWeights means{std::vector<double>(size), std::vector<double>(size)};
    std::vector<double> queries(size);
    RowReader reader(trace, Stage::Weights, sequence, head);
    for (std::size_t i = 0; i < size; ++i) {
        const auto query = static_cast<std::int64_t>(i);
        const std::vector<double>& weights = reader.row(query);
        const std::uint8_t* allowed = reader.allowed(query);
        const auto keys = static_cast<double>(trace.mask.of(head).allowed_in_row(sequence, query));
        for (std::size_t j = 0; j < weights.size(); ++j) {
            if (j == i || !allowed[j]) continue;
            means.mean[j] += weights[j];
            means.uniform[j] += 1 / keys;
            ++queries[j];
        }
    }
    for (std::size_t j = 0; j < size; ++j)
        for (std::vector<double>* sum : {&means.mean, &means.uniform})
            (*sum)[j] = queries[j] > 0 ? (*sum)[j] / queries[j] : 0;
    return means;
}

}  // namespace

std::vector<double> key_norms(const Trace& trace, std::int64_t sequence, std::int64_t head, Measure measure) {
    const Dims dims = trace.dims();
    if (measure == Measure::Weight) return std::vector<double>(static_cast<std::size_t>(dims.sequence_length), 1.0);
    std::vector<double> products;
    if (measure == Measure::WeightedOutput) products = gram(head_columns(trace, head), dims.head_dim());
    const MatrixView v = trace.matrix(Stage::V, sequence, head);
    std::vector<double> norms;
    for (std::int64_t j = 0; j < dims.sequence_length; ++j) {
        const std::vector<double> row = row_values(v, j);
        norms.push_back(std::sqrt(products.empty() ? std::inner_product(row.begin(), row.end(), row.begin(), 0.0)
                                                   : quadratic_form(row, products)));
    }
    return norms;
}

std::vector<double> contributions_of(const Trace& trace, std::int64_t sequence, std::int64_t head, std::int64_t query,
                                     const std::vector<double>& norms) {
    std::vector<double> contributions = row_of(trace, Stage::Weights, sequence, head, query);
    const std::vector<double> allowed = row_of(trace, Stage::Mask, sequence, head, query);
    for (std::size_t j = 0; j < contributions.size(); ++j)
        contributions[j] = is_excluded(trace, contributions[j], allowed[j] != 0) ? 0.0 : contributions[j] * norms[j];
    return contributions;
}

std::vector<double> moved_output(const Trace& trace, std::int64_t sequence, std::int64_t head, std::int64_t query,
                                 std::int64_t key) {
    const Dims dims = trace.dims();
    std::vector<double> moved(static_cast<std::size_t>(dims.embed_dim));
    const double weight = cell_of(trace, Stage::Weights, sequence, head, query, key);
    if (is_excluded(trace, weight, trace.mask.of(head).allowed(sequence, query, key))) return moved;
    const std::vector<double> v = row_values(trace.matrix(Stage::V, sequence, head), key);
    const std::vector<double> columns = head_columns(trace, head);
    auto row = columns.begin();
    for (double& number : moved) {
        number = weight * std::inner_product(v.begin(), v.end(), row, 0.0);
        row += dims.head_dim();
    }
    return moved;
}

std::vector<Sink> find_sinks(const Trace& trace, std::int64_t sequence, const std::atomic<bool>* cancel) {
    constexpr double kHeavy = 0.3, kOfUniform = 3, kSmall = 0.25;
    const Dims dims = trace.dims();
    std::vector<Sink> sinks;
    if (trace.request.recording) return sinks;  // has no v
    for (std::int64_t head = 0; head < dims.num_heads && dims.sequence_length > 2 && !(cancel && *cancel); ++head) {
        if (!has_rows(trace, Stage::Weights, sequence, head)) continue;
        const MeanWeights weights = mean_weights(trace, sequence, head);
        const std::vector<double> norms = key_norms(trace, sequence, head, Measure::WeightedOutput);
        for (std::size_t j = 0; j < norms.size(); ++j) {
            const auto key = static_cast<std::int64_t>(j);
            const double mean = weights.mean[j];
            if (!trace.batch().is_real(sequence, key) || !(mean >= kHeavy && mean >= kOfUniform * weights.uniform[j]))
                continue;
            const double median = median_without(norms, j);
            if (norms[j] <= kSmall * median) sinks.push_back({head, key, mean, norms[j], median});
        }
    }
    std::stable_sort(sinks.begin(), sinks.end(),
                     [](const Sink& a, const Sink& b) { return a.mean_weight > b.mean_weight; });
    return sinks;
}

}  // namespace headscope
