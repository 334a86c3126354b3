// SPDX-License-Identifier: GPL-3.0-or-later
// What can be read before the pass ends equals what the complete trace has; and differences of regions.
#include <QTest>
#include <cmath>
#include <random>

#include "core/attention/plan.h"
#include "core/attention/preview.h"
#include "core/attention/region_difference.h"
#include "core/attention/row_reader.h"
#include "core/explain/cell_account.h"
#include "traces.h"

using namespace headscope;
using namespace headscope::testing;

namespace {

using State = RegionCells::State;

constexpr Fill kFills[] = {Fill::Safe, Fill::Inf, Fill::MinusBillion};
constexpr const char* kMasks[] = {"none", "causal", "padding", "causal,local:3:0+global:2", "block:16,random:3:7"};

std::int64_t below(std::mt19937& random, std::int64_t n) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint32_t>(n));
}

double allowed_of(Precision precision) {
    return precision == Precision::BFloat16  ? 0.02
           : precision == Precision::Float16 ? 0.003
           : precision == Precision::Float64 ? 1e-12
                                             : 1e-5;
}

struct Previewed {
    TracePtr preview, complete;
    int previews = 0;
};

Previewed previewed(const Request& request, const TracePtr& previous = nullptr) {
    Previewed result;
    WorkCounter progress;
    const auto take = [&](const TracePtr& early) {
        result.preview = early;
        ++result.previews;
    };
    const auto trace = compute(request, previous, nullptr, {take, &progress});
    if (trace) result.complete = *trace;
    if (progress.all != progress.done) qWarning("the progress ends at %f", progress.share());
    return result;
}

Request lean_request(std::mt19937& random, std::int64_t size) {
    const std::vector<std::int64_t> lengths{size, below(random, size + 1)};
    Request request = random_request(random, lengths, size, 16, 2, kMasks[below(random, std::size(kMasks))], 1.5);
    request.fill = kFills[below(random, 3)];
    request.precision = static_cast<Precision>(below(random, 4));
    request.kept_bytes = 0;
    if (below(random, 3) == 0) request = with_x(request, 0, below(random, size), 3, below(random, 2) ? NAN : INFINITY);
    return request;
}

}  // namespace

class TestPreview : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void rowsAndRegionsAreThoseOfTheCompleteTrace() {
        std::mt19937 random(11);
        for (int round = 0; round < 60; ++round) {
            const std::int64_t size = round < 4 ? round + 1 : round % 5 == 0 ? 521 : 1 + below(random, 90);
            const Request request = lean_request(random, size);
            const auto [preview, complete, previews] = previewed(request);
            QCOMPARE(previews, 1);
            QVERIFY(preview && complete && is_preview(*preview) && !is_preview(*complete));
            const double allowed = allowed_of(request.precision);
            for (const Stage stage : {Stage::Scores, Stage::Mask, Stage::Masked, Stage::Weights}) {
                const std::int64_t b = below(random, 2), h = below(random, 2), i = below(random, size);
                QVERIFY(has_rows(*preview, stage, b, h));
                const auto early = row_of(*preview, stage, b, h, i), late = row_of(*complete, stage, b, h, i);
                for (std::size_t j = 0; j < early.size(); ++j) {
                    const double margin = stage == Stage::Weights ? allowed : 1e-5 * (1 + std::fabs(late[j]));
                    QVERIFY2(near(early[j], late[j], margin), qPrintable(QString::number(early[j] - late[j])));
                }
                for (const bool sampled : {false, true}) {
                    const Region wanted{.stage = stage,
                                        .sequence = b,
                                        .head = h,
                                        .row_edges = even_edges(i, size - i, 1 + below(random, 40)),
                                        .column_edges = even_edges(0, size, 1 + below(random, 40)),
                                        .sampled = sampled};
                    const auto one = region(*preview, wanted), two = region(*complete, wanted);
                    VERIFY_RESULT(one);
                    VERIFY_RESULT(two);
                    QVERIFY(one->states == two->states);
                    for (std::size_t n = 0; n < one->values.size(); ++n) {
                        const double margin =
                            stage == Stage::Weights ? allowed : 1e-5 * (1 + std::fabs(two->values[n]));
                        QVERIFY(near(one->values[n], two->values[n], margin));
                    }
                }
            }
        }
    }

    /// Their softmax needs more than one mask.
    void headsWithRulesHaveNone() {
        std::mt19937 random(13);
        for (const char* text : {"causal,alibi", "softcap:5", "sink:1", "head 0: causal; head 1: none"}) {
            Request request = lean_request(random, 40);
            request.mask = parse_heads(text).value();
            const auto [preview, complete, previews] = previewed(request);
            QVERIFY(complete && !is_preview(*complete));
            QCOMPARE(previews, 0);
        }
        Request request = lean_request(random, 40);
        request.mask = parse_heads("causal,rope:100").value();  // changes q and k alone
        QCOMPARE(previewed(request).previews, 1);
    }

    /// The context of an explained cell is computed while the trace has none.
    void aCellIsExplained() {
        std::mt19937 random(12);
        for (int round = 0; round < 20; ++round) {
            Request request = lean_request(random, 40);
            request.precision = Precision::Float64;
            const auto [preview, complete, previews] = previewed(request);
            const std::int64_t i = below(random, 40), j = below(random, 40);
            const auto early = cell_account(*preview, 0, 1, i, j), late = cell_account(*complete, 0, 1, i, j);
            VERIFY_RESULT(early);
            VERIFY_RESULT(late);
            QVERIFY(near(early->weight, late->weight, 1e-12));
            QCOMPARE(early->context.size(), late->context.size());
            for (std::size_t d = 0; d < early->context.size(); ++d)
                QVERIFY(near(early->context[d], late->context[d], 1e-10));
        }
    }

    void thereIsNoPreviewOfWhatIsKeptOrReused() {
        std::mt19937 random(13);
        Request request = random_request(random, {30}, 30, 16, 2, "causal");
        QCOMPARE(previewed(request).previews, 0);  // kept
        request.kept_bytes = 0;
        const TracePtr first = previewed(request).complete;
        QCOMPARE(previewed(request, first).previews, 0);  // reused
        request.mask = parse_mask("none").value();
        QCOMPARE(previewed(request, first).previews, 1);
        std::atomic<bool> cancelled = true;
        int previews = 0;
        const auto trace = compute(request, first, &cancelled, {[&](const TracePtr&) { ++previews; }, nullptr});
        QVERIFY(!trace && trace.error().code == ErrorCode::Cancelled);
        QCOMPARE(previews, 0);
    }

    void aSampledQueryIsOneOfItsPart() {
        std::mt19937 random(14);
        for (int round = 0; round < 20000; ++round) {
            const std::int64_t size = 1 + below(random, 70000), step = preview_step(size);
            const std::int64_t first = below(random, size), end = first + 1 + below(random, size - first);
            const std::int64_t query = sampled_query(size, first, end);
            QVERIFY(query >= first && query < end);
            if (first % step == 0 && end - first == step) QCOMPARE(query, (first + end - 1) / 2);
            if (end - first >= step) QCOMPARE(query % step, (step - 1) / 2);
        }
        QCOMPARE(preview_step(1), 1);
        QCOMPARE(preview_step(255), 1);
        QCOMPARE(preview_step(256), 2);
        QCOMPARE(preview_step(16384), 128);
    }

    void aDifferenceIsTheMeanOfItsCells() {
        std::mt19937 random(15);
        for (int round = 0; round < 40; ++round) {
            const std::int64_t size = round % 8 == 0 ? 1100 : 1 + below(random, 90);
            Request request = random_request(random, {size}, size, 8, 1, kMasks[below(random, std::size(kMasks))]);
            request.precision = Precision::Float64;
            request.kept_bytes = 0;
            const TracePtr a = traced(request);
            request.mask = parse_mask(kMasks[below(random, std::size(kMasks))]).value();
            const TracePtr b = traced(request);
            const Region wanted{.stage = Stage::Weights,
                                .row_edges = even_edges(below(random, size), 1, 1),
                                .column_edges = even_edges(0, size, 1 + below(random, 7))};
            const auto cells = difference_region(*a, *b, wanted);
            VERIFY_RESULT(cells);
            const std::int64_t i = wanted.row_edges.front();
            const auto left = row_of(*a, Stage::Weights, 0, 0, i), right = row_of(*b, Stage::Weights, 0, 0, i);
            for (std::int64_t c = 0; c < cells->columns; ++c) {
                double sum = 0;
                std::int64_t allowed = 0, all = 0;
                for (auto j = wanted.column_edges[std::size_t(c)]; j < wanted.column_edges[std::size_t(c) + 1]; ++j) {
                    ++all;
                    if (!a->mask.of(0).allowed(0, i, j) && !b->mask.of(0).allowed(0, i, j)) continue;
                    ++allowed;
                    sum += left[std::size_t(j)] - right[std::size_t(j)];
                }
                const State state = allowed == 0 ? State::Masked : allowed < all ? State::PartlyMasked : State::Allowed;
                QVERIFY(cells->state(0, c) == state);
                QVERIFY(near(cells->value(0, c), allowed ? sum / double(allowed) : 0, 1e-12));
            }
        }
        std::mt19937 other(16);
        Request request = random_request(other, {5}, 5, 8, 1, "none");
        const TracePtr trace = traced(request);
        const auto none = difference_region(*trace, *trace, {.head = 3, .row_edges = {0, 1}, .column_edges = {0, 1}});
        QVERIFY(!none && none.error().code == ErrorCode::InvalidValue);
    }
};

QTEST_MAIN(TestPreview)
#include "tst_preview.moc"
