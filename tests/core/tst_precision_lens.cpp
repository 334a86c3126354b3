// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/explain/precision_lens.h"

#include <QTest>
#include <cmath>
#include <limits>

#include "core/base/memory.h"
#include "traces.h"

using namespace headscope;
using namespace headscope::testing;

namespace {

constexpr Stage kStages[] = {Stage::Scores, Stage::Weights};

}  // namespace

class TestPrecisionLens : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void errorsAreTheDifferences() {
        std::mt19937 random(1);
        const auto traces = compute_precisions(random_request(random, {9, 5}, 9, 16, 2, "padding,causal", 2));
        VERIFY_RESULT(traces);
        for (const Precision precision : kPrecisions) {
            QVERIFY(traces->of(precision)->request.precision == precision);
            for (const Stage stage : kStages) {
                for (std::int64_t h = 0; h < 2; ++h) {
                    const auto lens = precision_error(*traces, precision, stage, 1, h);
                    VERIFY_RESULT(lens);
                    const auto a = traces->of(precision)->matrix(stage, 1, h);
                    const auto b = traces->of(Precision::Float64)->matrix(stage, 1, h);
                    double largest = 0, sum = 0;
                    std::int64_t cells = 0;
                    for (std::int64_t n = 0; n < 81; ++n) {
                        const double error = a.at(n / 9, n % 9) - b.at(n / 9, n % 9);
                        QCOMPARE(lens->error[static_cast<std::size_t>(n)], error);
                        if (!traces->of(precision)->mask.of(0).allowed(1, n / 9, n % 9)) continue;
                        largest = std::max(largest, std::fabs(error));
                        sum += std::fabs(error);
                        ++cells;
                    }
                    QCOMPARE(lens->cells, cells);
                    QCOMPARE(lens->largest, largest);
                    QCOMPARE(lens->mean, sum / static_cast<double>(cells));
                    QCOMPARE(
                        std::fabs(lens->error[static_cast<std::size_t>(lens->largest_query * 9 + lens->largest_key)]),
                        largest);
                    if (precision == Precision::Float64) QCOMPARE(largest, 0.0);
                }
            }
        }
    }

    void fewerBitsLargerErrors() {
        // A number rounded to p bits is off by 2^-p of itself; the weights of x of 16 dimensions go through five
        // roundings and a sum, so that a hundred units is far above and one unit far below what can be.
        std::mt19937 random(2);
        const auto traces = compute_precisions(random_request(random, {20}, 20, 16, 2, "none", 1));
        VERIFY_RESULT(traces);
        double before = 0;
        for (const auto& [precision, unit] :
             {std::pair(Precision::Float32, 0x1p-24), std::pair(Precision::Float16, 0x1p-11),
              std::pair(Precision::BFloat16, 0x1p-8)}) {
            const auto lens = precision_error(*traces, precision, Stage::Weights, 0, 0);
            QVERIFY(lens->largest < 100 * unit);
            QVERIFY(lens->largest > unit / 100);
            QVERIFY(lens->mean <= lens->largest && lens->mean > before);
            before = lens->mean;
        }
    }

    void overflowAndUnderflow() {
        // Scores beyond 65504 overflow in float16 alone, and make its row NaN; weights below 2^-24 go under there.
        std::mt19937 random(3);
        Request request = random_request(random, {6}, 6, 8, 1, "causal", 1);
        request.scale = 6e4;
        auto traces = compute_precisions(request);
        VERIFY_RESULT(traces);
        auto lens = precision_error(*traces, Precision::Float16, Stage::Scores, 0, 0);
        QVERIFY(lens->overflows > 0);
        check(*traces, *lens, Stage::Scores);
        lens = precision_error(*traces, Precision::Float16, Stage::Weights, 0, 0);
        QVERIFY(lens->nans > 0 && lens->overflows == 0);
        check(*traces, *lens, Stage::Weights);
        for (const Precision precision : {Precision::Float64, Precision::Float32, Precision::BFloat16})
            QCOMPARE(precision_error(*traces, precision, Stage::Scores, 0, 0)->overflows, 0);

        request.scale = 30;
        traces = compute_precisions(request);
        lens = precision_error(*traces, Precision::Float16, Stage::Weights, 0, 0);
        QVERIFY(lens->underflows > 0);
        check(*traces, *lens, Stage::Weights);
        QVERIFY(lens->underflows >= precision_error(*traces, Precision::BFloat16, Stage::Weights, 0, 0)->underflows);
        QCOMPARE(precision_error(*traces, Precision::Float64, Stage::Weights, 0, 0)->underflows, 0);
    }

    /// 1e5 is more than float16's largest number; 1e300 more than those of all but float64.
    void aScaleThatAPrecisionCantHold() {
        std::mt19937 random(8);
        Request request = random_request(random, {4}, 4, 8, 2, "none");
        request.scale = 1e5;
        auto traces = compute_precisions(request);
        VERIFY_RESULT(traces);
        for (const Precision precision : kPrecisions) {
            const bool holds = precision != Precision::Float16;
            QCOMPARE(traces->of(precision) != nullptr, holds);
            QCOMPARE(!traces->refusal(precision), holds);
            const auto lens = precision_error(*traces, precision, Stage::Scores, 0, 0);
            QCOMPARE(lens.has_value(), holds);
            if (!lens) QCOMPARE(lens.error(), *traces->refusal(precision));
        }
        QVERIFY(traces->refusal(Precision::Float16)->message().find("float16") != std::string::npos);
        request.precision = Precision::Float64;
        request.scale = 1e300;
        traces = compute_precisions(request);
        VERIFY_RESULT(traces);
        for (const Precision precision : kPrecisions)
            QCOMPARE(traces->of(precision) != nullptr, precision == Precision::Float64);
    }

    void whatIsNotFiniteInBothIsNoFault() {
        std::mt19937 random(4);
        for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
            const auto traces = compute_precisions(with_x(random_request(random, {5}, 5, 8, 2, "none"), 0, 2, 1, bad));
            VERIFY_RESULT(traces);
            for (const Precision precision : kPrecisions) {
                const auto lens = precision_error(*traces, precision, Stage::Scores, 0, 0);
                QCOMPARE(lens->nans + lens->overflows, 0);
                QVERIFY(lens->cells == 25 && std::isfinite(lens->mean));
            }
        }
    }

    void fullyMaskedRowsOfMinusBillion() {
        // float16 has no -1e9: its empty rows are NaN where the others' are uniform; but they are masked.
        std::mt19937 random(5);
        Request request = random_request(random, {3, 0}, 3, 4, 1, "padding");
        request.fill = Fill::MinusBillion;
        const auto traces = compute_precisions(request);
        VERIFY_RESULT(traces);
        const auto lens = precision_error(*traces, Precision::Float16, Stage::Weights, 1, 0);
        QVERIFY(std::isnan(lens->error[0]));
        QCOMPARE(lens->nans, 0);
        QCOMPARE(lens->cells, 0);
        QCOMPARE(lens->mean, 0.0);
    }

    void aNewMaskKeepsTheScores() {
        std::mt19937 random(6);
        Request request = random_request(random, {5}, 5, 8, 2, "none");
        const auto first = compute_precisions(request);
        VERIFY_RESULT(first);
        request.mask = parse_mask("causal").value();
        const auto second = compute_precisions(request, *first);
        VERIFY_RESULT(second);
        PrecisionTraces one;  // the trace that is on the screen anyway
        one.set(first->of(Precision::BFloat16));
        const auto third = compute_precisions(request, one);
        for (const Precision precision : kPrecisions) {
            QVERIFY(second->of(precision)->scores == first->of(precision)->scores);
            QCOMPARE(third->of(precision)->scores == first->of(precision)->scores, precision == Precision::BFloat16);
        }
    }

    void whatCannotBeCompared() {
        std::mt19937 random(7);
        const Request request = random_request(random, {3}, 3, 4, 2, "none");
        const auto traces = compute_precisions(request);
        VERIFY_RESULT(traces);
        const auto code = [](const auto& result) { return result ? std::optional<ErrorCode>() : result.error().code; };
        QVERIFY(code(precision_error(*traces, Precision::Float32, Stage::Q, 0, 0)) == ErrorCode::InvalidValue);
        QVERIFY(code(precision_error(*traces, Precision::Float32, Stage::Scores, 1, 0)) == ErrorCode::InvalidValue);
        QVERIFY(code(precision_error(*traces, Precision::Float32, Stage::Scores, 0, 2)) == ErrorCode::InvalidValue);
        QVERIFY(code(precision_error({}, Precision::Float32, Stage::Scores, 0, 0)) == ErrorCode::InvalidValue);
        PrecisionTraces mixed = *traces;
        Request longer = random_request(random, {4}, 4, 4, 2, "none");
        mixed.set(traced(longer));
        QVERIFY(code(precision_error(mixed, Precision::Float32, Stage::Scores, 0, 0)) == ErrorCode::InvalidPair);

        const std::atomic<bool> cancel{true};
        QVERIFY(code(compute_precisions(request, {}, &cancel)) == ErrorCode::Cancelled);
        set_memory_limit_for_tests(100);
        const auto refused = compute_precisions(request);
        set_memory_limit_for_tests(0);
        QVERIFY(code(refused) == ErrorCode::OutOfMemory);
    }

private:
    /// Each flag says what the two numbers say.
    static void check(const PrecisionTraces& traces, const PrecisionError& lens, Stage stage) {
        const auto values = traces.of(lens.precision)->matrix(stage, 0, 0);
        const auto exact = traces.of(Precision::Float64)->matrix(stage, 0, 0);
        std::int64_t overflows = 0, underflows = 0, nans = 0;
        for (std::int64_t n = 0; n < lens.size * lens.size; ++n) {
            const std::int64_t i = n / lens.size, j = n % lens.size;
            const CellFault fault = lens.faults[static_cast<std::size_t>(n)];
            const double value = values.at(i, j), truth = exact.at(i, j);
            if (stage == Stage::Weights && exact.masked(i, j)) {
                QVERIFY(fault == CellFault::None);
                continue;
            }
            QCOMPARE(fault == CellFault::Overflow, std::isinf(value) && !std::isinf(truth));
            QCOMPARE(fault == CellFault::Underflow, value == 0 && truth != 0);
            QCOMPARE(fault == CellFault::Nan, std::isnan(value) && !std::isnan(truth));
            QVERIFY(same(lens.error[static_cast<std::size_t>(n)], value - truth));
            overflows += fault == CellFault::Overflow;
            underflows += fault == CellFault::Underflow;
            nans += fault == CellFault::Nan;
        }
        QCOMPARE(lens.overflows, overflows);
        QCOMPARE(lens.underflows, underflows);
        QCOMPARE(lens.nans, nans);
    }
};

QTEST_APPLESS_MAIN(TestPrecisionLens)
#include "tst_precision_lens.moc"
