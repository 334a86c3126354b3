// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/explain/head_summary.h"

#include <QTest>
#include <cmath>
#include <numeric>

#include "core/explain/row_account.h"
#include "traces.h"

using namespace headscope;
using namespace headscope::testing;

namespace {

/// A trace whose weights are given by f(sequence, head, query, key).
Trace trace_with(std::int64_t heads, const std::vector<std::int64_t>& lengths, std::int64_t size,
                 const std::function<double(std::int64_t, std::int64_t, std::int64_t, std::int64_t)>& f,
                 Precision precision = Precision::Float64) {
    Trace trace;
    trace.request.batch = batch_of_lengths(lengths, size);
    trace.request.embed_dim = trace.request.num_heads = heads;
    trace.request.precision = precision;
    trace.mask = build_mask("none", trace.request.batch);
    const auto batch = static_cast<std::int64_t>(lengths.size());
    trace.weights =
        std::make_shared<Tensor>(filled(storage_type(precision), {batch, heads, size, size}, [&](std::int64_t n) {
            return f(n / (heads * size * size), n / (size * size) % heads, n / size % size, n % size);
        }));
    return trace;
}

std::vector<double> random_row(std::int64_t n, std::mt19937& random) {
    std::exponential_distribution<double> weight(1);
    std::vector<double> row(static_cast<std::size_t>(n));
    for (double& w : row) w = random() % 3 ? weight(random) : 0.0;
    row[random() % row.size()] += 0.1;
    const double sum = std::accumulate(row.begin(), row.end(), 0.0);
    for (double& w : row) w /= sum;
    return row;
}

/// The definition: half the divergence of each from the mixture (Kullback and Leibler).
double jensen_shannon(const std::vector<double>& p, const std::vector<double>& q) {
    double sum = 0;
    for (std::size_t j = 0; j < p.size(); ++j) {
        const double m = (p[j] + q[j]) / 2;
        if (p[j] > 0) sum += p[j] * std::log2(p[j] / m) / 2;
        if (q[j] > 0) sum += q[j] * std::log2(q[j] / m) / 2;
    }
    return sum;
}

}  // namespace

class TestHeadSummary : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void knownHeads() {
        // Head 0 looks at the token before, head 1 at all alike, head 2 at the first.
        const Trace trace = trace_with(3, {4}, 4, [](auto, auto h, auto i, auto j) {
            return h == 0 ? double(j == std::max<std::int64_t>(0, i - 1)) : h == 1 ? 0.25 : double(j == 0);
        });
        const auto heads = head_summaries(trace, 0);
        QCOMPARE(heads.size(), std::size_t{3});
        for (const auto& head : heads) QCOMPARE(head.rows, 4);
        QCOMPARE(heads[0].entropy_bits, 0.0);
        QCOMPARE(heads[1].entropy_bits, 2.0);
        QCOMPARE(heads[0].mean_distance, 0.75);
        QCOMPARE(heads[1].mean_distance, (6 + 4 + 4 + 6) / 4.0 / 4);
        QCOMPARE(heads[2].mean_distance, 1.5);
    }

    void rowsThatSayNothingDoNotCount() {
        const double nan = std::nan("");
        const Trace trace = trace_with(1, {3, 0}, 4, [&](auto, auto, auto i, auto j) {
            if (i == 0) return j == 2 ? nan : 0.0;
            if (i == 1) return 0.0;
            return j == 0 ? 1.0 : 0.0;  // row 3 is padding's
        });
        const auto heads = head_summaries(trace, 0);
        QCOMPARE(heads[0].rows, 1);
        QCOMPARE(heads[0].mean_distance, 2.0);
        const auto none = head_summaries(trace, 1);
        QCOMPARE(none[0].rows, 0);
        QVERIFY(std::isnan(none[0].entropy_bits) && std::isnan(none[0].mean_distance));
        QVERIFY(head_summaries(trace, 2).empty());
        QVERIFY(head_summaries(trace, -1).empty());
    }

    void meanOverHeads() {
        std::mt19937 random(1);
        for (const Precision precision : {Precision::Float32, Precision::Float64}) {
            Request request = random_request(random, {5, 3}, 5, 12, 3, "padding,causal", 2);
            request.precision = precision;
            const TracePtr trace = traced(request);
            for (std::int64_t b = 0; b < 2; ++b) {
                const Tensor mean = mean_over_heads(*trace, b);
                QCOMPARE(mean.shape(), (Shape{5, 5}));
                const double rounding = precision == Precision::Float32 ? 0x1p-24 : 0x1p-51;
                const QString wrong = differs(
                    25, [&](auto n) { return mean.value(n); },
                    [&](auto n) {
                        double sum = 0;
                        for (std::int64_t h = 0; h < 3; ++h)
                            sum += trace->matrix(Stage::Weights, b, h).at(n / 5, n % 5);
                        return sum / 3;
                    },
                    rounding);
                QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
            }
            QCOMPARE(mean_over_heads(*trace, 2).size(), 0);
        }
        const Trace bad = trace_with(
            2, {2}, 2, [](auto, auto h, auto i, auto j) { return h == 1 && i == 0 && j == 1 ? std::nan("") : 0.5; });
        const Tensor mean = mean_over_heads(bad, 0);
        QVERIFY(std::isnan(mean.value(1)) && mean.value(0) == 0.5 && mean.value(3) == 0.5);
    }

    void likenessIsTheDivergence() {
        std::mt19937 random(2);
        const std::int64_t heads = 5, size = 7;
        std::vector<std::vector<double>> rows;
        for (std::int64_t n = 0; n < heads * size; ++n) rows.push_back(random_row(size, random));
        const auto row = [&](auto h, auto i) { return rows[static_cast<std::size_t>(h * size + i)]; };
        const Trace trace = trace_with(
            heads, {size}, size, [&](auto, auto h, auto i, auto j) { return row(h, i)[static_cast<std::size_t>(j)]; });
        const auto likeness = head_likeness(trace, 0);
        VERIFY_RESULT(likeness);
        QCOMPARE(likeness->rows, size);
        for (std::int64_t a = 0; a < heads; ++a) {
            for (std::int64_t b = 0; b < heads; ++b) {
                double mean = 0;
                for (std::int64_t i = 0; i < size; ++i) mean += jensen_shannon(row(a, i), row(b, i)) / size;
                const double found = likeness->divergence[static_cast<std::size_t>(a * heads + b)];
                QVERIFY(std::fabs(found - mean) < 1e-14);
                QVERIFY(found >= 0 && found <= 1);
            }
        }
        // One head, and heads that never agree.
        QCOMPARE(head_likeness(trace_with(1, {2}, 2, [](auto...) { return 0.5; }), 0)->divergence,
                 std::vector<double>{0});
        const auto apart =
            head_likeness(trace_with(2, {2}, 2, [](auto, auto h, auto, auto j) { return double(h == j); }), 0);
        QCOMPARE(apart->divergence, (std::vector<double>{0, 1, 1, 0}));
    }

    void likenessOfRowsThatCountInBoth() {
        // Head 1's first row is NaN: only the second tells the heads apart.
        const Trace trace = trace_with(2, {2}, 2, [](auto, auto h, auto i, auto j) {
            return h == 1 && i == 0 ? std::nan("") : double(j == (i == 1 ? h : 0));
        });
        QCOMPARE(head_likeness(trace, 0)->divergence, (std::vector<double>{0, 1, 1, 0}));
        const Trace nothing = trace_with(2, {2}, 2, [](auto...) { return 0.0; });
        QCOMPARE(head_likeness(nothing, 0)->divergence, (std::vector<double>{0, 0, 0, 0}));
        const Trace padding = trace_with(2, {0}, 2, [](auto, auto h, auto, auto j) { return double(h == j); });
        QCOMPARE(head_likeness(padding, 0)->rows, 0);
    }

    void likenessHasLimits() {
        const auto even = [](auto...) { return 0.5; };
        QCOMPARE(head_likeness(trace_with(129, {2}, 2, even), 0).error().code, ErrorCode::InvalidValue);
        QVERIFY(head_likeness(trace_with(128, {2}, 2, even), 0).has_value());
        QCOMPARE(head_likeness(trace_with(2, {2}, 2, even), 1).error().code, ErrorCode::InvalidValue);
        const std::atomic<bool> cancel{true};
        QCOMPARE(head_likeness(trace_with(2, {2}, 2, even), 0, &cancel).error().code, ErrorCode::Cancelled);
        // Many rows are sampled, over all of the sequence.
        const Trace many = trace_with(
            2, {600}, 600, [](auto, auto h, auto i, auto j) { return i < 300 ? double(j == 0) : double(j == h); });
        const auto likeness = head_likeness(many, 0);
        QCOMPARE(likeness->rows, 256);
        QVERIFY(std::fabs(likeness->divergence[1] - 0.5) < 0.01);
    }

    void likeHeadsStandTogether() {
        // Three kinds, mixed up: heads 0 3 5, 1 4 and 2.
        const int kinds[] = {0, 1, 2, 0, 1, 0};
        HeadLikeness likeness{6, 1, std::vector<double>(36)};
        for (std::size_t a = 0; a < 6; ++a)
            for (std::size_t b = 0; b < 6; ++b)
                likeness.divergence[a * 6 + b] = a == b                     ? 0
                                                 : kinds[a] == kinds[b]     ? 0.1
                                                 : kinds[a] + kinds[b] == 1 ? 0.5
                                                                            : 0.9;
        const HeadOrder order = order_by_likeness(likeness);
        QCOMPARE(order.heads, (std::vector<std::int64_t>{0, 3, 5, 1, 4, 2}));
        const double joined_at[] = {0, 0.1, 0.1, 0.5, 0.1, 0.9};
        for (std::size_t n = 0; n < 6; ++n) QVERIFY(std::fabs(order.joined_at[n] - joined_at[n]) < 1e-15);
        QCOMPARE(order_by_likeness({}).heads.size(), std::size_t{0});
        QCOMPARE(order_by_likeness({1, 1, {0}}).heads, std::vector<std::int64_t>{0});
    }

    void anyOrderIsAPermutationAndCutsIntoGroups() {
        std::mt19937 random(3);
        std::uniform_real_distribution<double> unit(0, 1);
        for (int round = 0; round < 50; ++round) {
            const auto heads = static_cast<std::int64_t>(1 + random() % 12);
            const auto h = static_cast<std::size_t>(heads);
            HeadLikeness likeness{heads, 1, std::vector<double>(h * h)};
            for (std::size_t a = 0; a < h; ++a)
                for (std::size_t b = a + 1; b < h; ++b)
                    likeness.divergence[a * h + b] = likeness.divergence[b * h + a] = unit(random);
            HeadOrder order = order_by_likeness(likeness);
            QCOMPARE(order.joined_at.size(), h);
            // The closest two of all were joined first, so that they stand side by side at that number.
            if (heads > 1) {
                double closest = 2;
                for (std::size_t a = 0; a < h; ++a)
                    for (std::size_t b = a + 1; b < h; ++b) closest = std::min(closest, likeness.divergence[a * h + b]);
                QCOMPARE(*std::min_element(order.joined_at.begin() + 1, order.joined_at.end()), closest);
            }
            std::sort(order.heads.begin(), order.heads.end());
            for (std::size_t n = 0; n < h; ++n) QCOMPARE(order.heads[n], static_cast<std::int64_t>(n));
        }
    }

    void theHeaviestCellsAreTheFewest() {
        std::mt19937 random(4);
        for (int round = 0; round < 100; ++round) {
            const auto row = random_row(8, random);
            const Trace trace =
                trace_with(1, {8}, 8, [&](auto, auto, auto, auto j) { return row[static_cast<std::size_t>(j)]; });
            const MatrixView weights = trace.matrix(Stage::Weights, 0, 0);
            for (const double share : {0.1, 0.5, 0.9, 0.99}) {
                const auto kept = heaviest_cells(weights, share);
                double held = 0, lightest = 2;
                int count = 0;
                for (std::size_t j = 0; j < 8; ++j) {
                    if (!kept[j]) continue;
                    held += row[j];
                    lightest = std::min(lightest, row[j]);
                    ++count;
                }
                QVERIFY(held >= share - 1e-12);
                // Without its lightest cell it would hold too little, and no set of as many is lighter on cells.
                QVERIFY(held - lightest < share);
                for (unsigned set = 0; set < 256; ++set) {
                    double sum = 0;
                    for (std::size_t j = 0; j < 8; ++j) sum += set >> j & 1U ? row[j] : 0;
                    if (sum >= share + 1e-12) QVERIFY(__builtin_popcount(set) >= count);
                }
            }
        }
    }

    void heaviestCellsAtTheEdges() {
        const double nan = std::nan("");
        const std::vector<std::vector<double>> rows{
            {0.25, 0.25, 0.25, 0.25}, {0, 0, 0, 0}, {0.5, nan, 0.25, 0.25}, {0, 0, 1, 0}};
        const Trace trace = trace_with(1, {4}, 4, [&](auto, auto, auto i, auto j) {
            return rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
        });
        const MatrixView weights = trace.matrix(Stage::Weights, 0, 0);
        using Cells = std::vector<std::uint8_t>;
        QCOMPARE(heaviest_cells(weights, 0.5), (Cells{1, 1, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 1, 0}));
        QCOMPARE(heaviest_cells(weights, 0.51), (Cells{1, 1, 1, 0, 0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 1, 0}));
        for (const double all : {1.0, 2.0})
            QCOMPARE(heaviest_cells(weights, all), (Cells{1, 1, 1, 1, 0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 1, 0}));
        for (const double none : {0.0, -1.0})
            QCOMPARE(heaviest_cells(weights, none), (Cells{0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 0}));
        QVERIFY(heaviest_cells({}, 0.5).empty());
    }
};

QTEST_APPLESS_MAIN(TestHeadSummary)
#include "tst_head_summary.moc"
