// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/explain/row_account.h"

#include <QTest>
#include <cmath>

#include "traces.h"

using namespace headscope;
using namespace headscope::testing;

class TestRowAccount : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void whatTheMaskTookAndToWhomItWent() {
        std::mt19937 random(12);
        // A weight is rounded once; the exponential and the sum are off by some units of float besides.
        for (const auto& [precision, rounding] :
             {std::pair(Precision::Float32, 2e-6), std::pair(Precision::Float64, 1e-14),
              std::pair(Precision::BFloat16, 0x1p-7), std::pair(Precision::Float16, 0x1p-9)}) {
            Request request = random_request(random, {6}, 6, 8, 2, "causal", 2);
            request.precision = precision;
            const TracePtr masked = traced(request);
            request.mask = {};
            const TracePtr open = traced(request);
            QVERIFY(masked && open);
            for (std::int64_t i = 0; i < 6; ++i) {
                const auto row = row_account(*masked, 0, 1, i);
                VERIFY_RESULT(row);
                double taken = 0, gained = 0;
                for (std::int64_t j = 0; j < 6; ++j) {
                    const auto n = static_cast<std::size_t>(j);
                    const double before = open->matrix(Stage::Weights, 0, 1).at(i, j);
                    QVERIFY(near(row->unmasked_weights[n], before, rounding * before));
                    QCOMPARE(row->change[n], row->weights[n] - row->unmasked_weights[n]);
                    QVERIFY(j > i ? row->change[n] <= 0 : row->change[n] >= -rounding);
                    (j > i ? taken : gained) += j > i ? row->unmasked_weights[n] : row->change[n];
                }
                QCOMPARE(row->taken, taken);
                QVERIFY(near(gained, taken, 6 * rounding));  // what was taken was given
                if (i == 5) QCOMPARE(row->taken, 0.0);
            }
        }
    }

    void entropy() {
        QCOMPARE(entropy_in_bits({1, 0, 0}), 0.0);
        QVERIFY(!std::signbit(entropy_in_bits({1, 0})));
        QCOMPARE(entropy_in_bits({0.25, 0.25, 0.25, 0.25}), 2.0);
        QCOMPARE(entropy_in_bits({0.5, 0.25, 0.25}), 1.5);
        QCOMPARE(entropy_in_bits({}), 0.0);
        QVERIFY(std::isnan(entropy_in_bits({0.5, std::nan("")})));
    }

    void reasonsAreInWords() {
        std::mt19937 random(2);
        Request request = random_request(random, {6}, 6, 8, 2, "causal", 2);
        const auto reason = [&](std::int64_t query) {
            return row_account(*traced(request), 0, 0, query)->reason.str();
        };
        QCOMPARE(reason(5), std::string("all 6 keys are allowed"));
        QVERIFY(reason(2).starts_with("3 of 6 keys are allowed; the softmax redistributes the 0."));
        QCOMPARE(QString::fromStdString(reason(0)).section(u' ', 0, 8),
                 QStringLiteral("1 of 6 keys is allowed; it gets the"));
        const auto alone = traced(random_request(random, {1}, 1, 8, 2, "none", 2));
        QCOMPARE(row_account(*alone, 0, 0, 0)->reason.str(), std::string("the only key is allowed"));
        const Request bad = with_x(request, 0, 4, 0, std::nan(""));
        const auto kept_out = row_account(*traced(bad), 0, 0, 2);
        QVERIFY(kept_out->outcome == RowOutcome::Normal && std::isnan(kept_out->taken));
        QCOMPARE(kept_out->reason.str(),
                 std::string("3 of 6 keys are allowed; the mask excludes a score that is NaN or +inf"));
        QVERIFY(row_account(*traced(bad), 0, 0, 5)->reason.str().find("NaN") != std::string::npos);
    }

    void maskingAfterTheSoftmaxDoesNotRenormalise() {
        std::mt19937 random(7);
        for (const Fill fill : {Fill::Safe, Fill::Inf, Fill::MinusBillion}) {
            Request request = random_request(random, {6, 0}, 6, 8, 2, "padding,causal", 1);
            request.fill = fill;
            const TracePtr trace = traced(request);
            request.mask = {};
            const TracePtr unmasked = traced(request);
            for (std::int64_t b = 0; b < 2; ++b) {
                for (std::int64_t i = 0; i < 6; ++i) {
                    const auto row = row_account(*trace, b, 1, i);
                    VERIFY_RESULT(row);
                    const std::vector<double> weights = masked_after_softmax(*row);
                    double sum = 0;
                    for (std::int64_t j = 0; j < 6; ++j) {
                        const double before = unmasked->matrix(Stage::Weights, b, 1).at(i, j);
                        const double expected = trace->mask.of(0).allowed(b, i, j) ? before : 0;
                        QVERIFY(std::fabs(weights[static_cast<std::size_t>(j)] - expected) <= 1e-6 * expected);
                        sum += weights[static_cast<std::size_t>(j)];
                    }
                    // Only the last row of the first sequence attends to every key.
                    QCOMPARE(sum < 0.9999, !(b == 0 && i == 5));
                }
            }
        }
    }
};

QTEST_APPLESS_MAIN(TestRowAccount)
#include "tst_row_account.moc"
