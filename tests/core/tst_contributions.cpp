// SPDX-License-Identifier: GPL-3.0-or-later
// What is moved from keys to queries: summed over keys and heads it is the output; norms against naive ones.
#include "core/explain/contributions.h"

#include <QTest>

#include "core/explain/row_account.h"
#include "traces.h"

using namespace headscope;
using namespace headscope::testing;

namespace {

/// Largest difference between the output and the sum of what is moved, plus the bias, relative to the largest output.
double sum_error(const Trace& trace) {
    const Dims dims = trace.dims();
    double error = 0, largest = 0;
    for (std::int64_t b = 0; b < dims.batch; ++b)
        for (std::int64_t i = 0; i < dims.sequence_length; ++i) {
            std::vector<double> sum(static_cast<std::size_t>(dims.embed_dim));
            for (std::size_t n = 0; n < sum.size(); ++n)
                sum[n] = trace.used_layer->out_bias.value(static_cast<std::int64_t>(n));
            for (std::int64_t h = 0; h < dims.num_heads; ++h)
                for (std::int64_t j = 0; j < dims.sequence_length; ++j) {
                    const auto moved = moved_output(trace, b, h, i, j);
                    for (std::size_t n = 0; n < sum.size(); ++n) sum[n] += moved[n];
                }
            const auto output = row_values(trace.matrix(Stage::Output, b, 0), i);
            for (std::size_t n = 0; n < sum.size(); ++n) {
                error = std::max(error, std::abs(sum[n] - output[n]));
                largest = std::max(largest, std::abs(output[n]));
            }
        }
    return error / largest;
}

double norm(const std::vector<double>& vector) {
    double sum = 0;
    for (const double number : vector) sum += number * number;
    return std::sqrt(sum);
}

}  // namespace

class TestContributions : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theyAddUpToTheOutput() {
        std::mt19937 random(30);
        for (const char* mask : {"none", "padding,causal", "local:1:1", "padding"})
            for (const Fill fill : {Fill::Safe, Fill::MinusBillion})
                for (const Precision precision : {Precision::Float32, Precision::Float64}) {
                    Request request = random_request(random, {7, 5}, 7, 12, 3, mask);
                    request.fill = fill;
                    request.precision = precision;
                    const TracePtr trace = traced(request);
                    QVERIFY(trace);
                    const double error = sum_error(*trace);
                    QVERIFY2(error < (precision == Precision::Float32 ? 1e-5 : 1e-13), mask);
                }
    }

    void theNormsAreThoseOfTheVectors() {
        std::mt19937 random(31);
        const TracePtr trace = traced(random_request(random, {6}, 6, 20, 4, "causal"));
        QVERIFY(trace);
        for (std::int64_t h = 0; h < 4; ++h) {
            const auto value = key_norms(*trace, 0, h, Measure::WeightedValue),
                       output = key_norms(*trace, 0, h, Measure::WeightedOutput);
            QCOMPARE(key_norms(*trace, 0, h, Measure::Weight), std::vector<double>(6, 1.0));
            for (std::int64_t i = 0; i < 6; ++i) {
                const auto weights = row_values(trace->matrix(Stage::Weights, 0, h), i);
                const auto moved = contributions_of(*trace, 0, h, i, output);
                for (std::int64_t j = 0; j < 6; ++j) {
                    const auto at = static_cast<std::size_t>(j);
                    QVERIFY(near(value[at], norm(row_values(trace->matrix(Stage::V, 0, h), j)), 1e-12));
                    QVERIFY(near(moved[at], norm(moved_output(*trace, 0, h, i, j)), 1e-9));
                    QVERIFY(near(contributions_of(*trace, 0, h, i, value)[at], weights[at] * value[at], 1e-12));
                }
            }
        }
    }

    /// NaN in the v of a masked key reaches nothing (docs/conventions.md 7).
    void aMaskedKeyMovesNothing() {
        std::mt19937 random(32);
        Request request = random_request(random, {4}, 4, 8, 2, "causal");
        const TracePtr trace = traced(with_x(request, 0, 3, 2, std::nan("")));
        QVERIFY(trace);
        const auto norms = key_norms(*trace, 0, 0, Measure::WeightedOutput);
        QVERIFY(std::isnan(norms[3]));
        QCOMPARE(contributions_of(*trace, 0, 0, 1, norms)[3], 0.0);
        QCOMPARE(norm(moved_output(*trace, 0, 0, 1, 3)), 0.0);
    }

    /// The first key gets a long k and almost no v in head 1.
    void aPlantedSinkIsNamed() {
        const std::int64_t size = 8, e = 8, dh = 4;
        Request request;
        auto file = std::make_shared<LayerFile>();
        std::mt19937 random(33);
        file->path = "sink";
        file->embed_dim = e;
        file->layout = Layout::Interleaved;
        file->fused_weight = Tensor(Tensor::Type::Float64, {3 * e, e});
        file->fused_bias = Tensor(Tensor::Type::Float64, {3 * e});
        for (std::int64_t n = 0; n < 3 * e * e; ++n) file->fused_weight.data<double>()[n] = 0;
        for (std::int64_t n = 0; n < 3 * e; ++n) file->fused_bias.data<double>()[n] = 0;
        const auto row = [&](std::int64_t head, std::int64_t part, std::int64_t d) {
            return head * 3 * dh + part * dh + d;
        };
        const auto weight = [&](std::int64_t r, std::int64_t c) -> double& {
            return file->fused_weight.data<double>()[r * e + c];
        };
        file->fused_bias.data<double>()[row(1, 0, 0)] = 1;  // q of head 1
        weight(row(1, 1, 0), 0) = 12;                       // k: the mark of token 0, which is element 0 of x
        for (const std::int64_t head : {0, 1})
            for (std::int64_t d = 0; d < dh; ++d) weight(row(head, 2, d), 1 + d) = 1;  // v: elements 1 to 4
        file->out_weight = random_tensor(Tensor::Type::Float64, {e, e}, random, 0.5);
        file->out_bias = filled(Tensor::Type::Float64, {e}, [](auto) { return 0.0; });
        file->batch = batch_of_lengths({size}, size);
        file->x = filled(Tensor::Type::Float64, {1, size, e}, [&](std::int64_t n) {
            const std::int64_t token = n / e, element = n % e;
            if (element == 0) return token == 0 ? 1.0 : 0.0;
            return token == 0 ? 0.01 : 1.0 + 0.1 * static_cast<double>(token + element);
        });
        request.batch = file->batch;
        request.embed_dim = e;
        request.num_heads = 2;
        request.source = WeightSource::File;
        request.file = file;
        request.mask = parse_mask("causal").value();
        const TracePtr trace = traced(request);
        QVERIFY(trace);
        const auto sinks = find_sinks(*trace, 0);
        QCOMPARE(sinks.size(), std::size_t{1});
        QVERIFY(sinks[0].head == 1 && sinks[0].key == 0);
        QVERIFY(sinks[0].mean_weight > 0.9 && sinks[0].norm < 0.1 * sinks[0].median_norm);
    }

    void noSinkAmongRandomHeads() {
        std::mt19937 random(34);
        for (const char* mask : {"none", "causal"}) {
            const TracePtr trace = traced(random_request(random, {24}, 24, 32, 4, mask));
            QVERIFY(trace && find_sinks(*trace, 0).empty());
        }
    }
};

QTEST_GUILESS_MAIN(TestContributions)
#include "tst_contributions.moc"
