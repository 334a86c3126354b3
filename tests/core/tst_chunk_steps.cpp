// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/explain/chunk_steps.h"

#include <QTest>
#include <cmath>
#include <limits>

#include "core/attention/plan.h"
#include "core/explain/row_account.h"
#include "core/masks/mask_edit.h"
#include "traces.h"

using namespace headscope;
using namespace headscope::testing;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// A mask in which whole stretches are masked, so that tiles are emptied.
MaskExpression random_mask(std::int64_t size, std::mt19937& random) {
    PaintedMask mask = paint::uniform(size, random() % 2);
    for (int n = 0; n < 6; ++n) {
        const auto any = [&] { return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(size)); };
        mask = paint::rectangle(std::move(mask), {any(), any()}, {any(), any()}, random() % 2);
    }
    MaskExpression expression = paint::with_painted_layer({}, std::move(mask));
    const char* more[] = {"none", "causal", "padding", "local:3:1", "block:4+padding"};
    const MaskExpression others = parse_mask(more[random() % 5]).value();
    expression.layers.insert(expression.layers.end(), others.layers.begin(), others.layers.end());
    return expression;
}

/// Empty where the account is right from its first tile to its last.
QString fault(const Trace& trace, const ChunkAccount& account, double tolerance) {
    const std::int64_t size = trace.dims().sequence_length;
    const Fill mode = effective_mode(trace.request.fill, trace.request.precision);
    const auto row = row_account(trace, account.sequence, account.head, account.query).value();
    std::vector<int> covered(static_cast<std::size_t>(size * size));
    std::int64_t skipped = 0, skipped_cells = 0;
    double maximum = -kInfinity, sum = 0;
    std::int64_t last_query = 0, last_key = -1;
    for (const ChunkStep& step : account.steps) {
        // In order: to the right, then down.
        if (step.first_query < last_query || (step.first_query == last_query && step.first_key <= last_key)) {
            return QStringLiteral("tiles out of order");
        }
        last_query = step.first_query;
        last_key = step.first_key;
        std::int64_t allowed = 0;
        for (std::int64_t i = step.first_query; i < step.first_query + step.queries; ++i) {
            for (std::int64_t j = step.first_key; j < step.first_key + step.keys; ++j) {
                ++covered[static_cast<std::size_t>(i * size + j)];
                allowed += trace.mask.of(0).allowed(account.sequence, i, j);
            }
        }
        if (allowed != step.allowed_cells)
            return QStringLiteral("allowed cells: %1, not %2").arg(step.allowed_cells).arg(allowed);
        if (step.skipped && allowed > 0) return QStringLiteral("a tile with allowed cells was skipped");
        if (mode != Fill::MinusBillion && step.skipped != (allowed == 0 && computes_tiles(trace.request))) {
            return QStringLiteral("a tile without allowed cells was computed");
        }
        skipped += step.skipped;
        skipped_cells += step.skipped ? step.queries * step.keys : 0;
        const bool holds = account.query >= step.first_query && account.query < step.first_query + step.queries;
        if (holds != step.holds_row || holds == step.context.empty()) return QStringLiteral("holds_row is wrong");
        if (holds && !step.skipped) {
            // The maximum and the sum over all that was seen so far, anew.
            double seen = -kInfinity, total = 0;
            const auto end = static_cast<std::size_t>(step.first_key + step.keys);
            for (std::size_t j = 0; j < end; ++j) seen = std::max(seen, row.masked[j]);
            for (std::size_t j = 0; j < end; ++j) total += seen == -kInfinity ? 0 : std::exp(row.masked[j] - seen);
            maximum = seen;
            sum = total;
        }
        if (!near(step.maximum, maximum, 0) || !near(step.sum, sum, 1e-12 * sum)) {
            return QStringLiteral("tile %1,%2: maximum %3 and sum %4, but %5 and %6 were expected")
                .arg(step.first_query)
                .arg(step.first_key)
                .arg(step.maximum)
                .arg(step.sum)
                .arg(maximum)
                .arg(sum);
        }
    }
    if (std::any_of(covered.begin(), covered.end(), [](int n) { return n != 1; })) {
        return QStringLiteral("the tiles don't cover each cell once");
    }
    const std::int64_t item = storage_type(trace.request.precision) == Tensor::Type::Float64 ? 8 : 4;
    if (skipped != account.skipped || account.bytes_skipped != static_cast<std::uint64_t>(skipped_cells * 2 * item)) {
        return QStringLiteral("skipped tiles or bytes are miscounted");
    }
    for (std::size_t j = 0; j < row.weights.size(); ++j) {
        if (!near(account.weights[j], row.weights[j], tolerance)) {
            return QStringLiteral("weight %1 is %2, the trace's is %3")
                .arg(j)
                .arg(account.weights[j])
                .arg(row.weights[j]);
        }
    }
    if (!(account.weight_difference <= 1e-14) || !(account.context_difference <= 10 * tolerance)) {
        return QStringLiteral("differences %1 and %2").arg(account.weight_difference).arg(account.context_difference);
    }
    return {};
}

}  // namespace

class TestChunkSteps : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void runningValuesEndInTheSoftmax_data() {
        QTest::addColumn<int>("fill");
        QTest::addColumn<int>("precision");
        for (const Fill fill : {Fill::Safe, Fill::Inf, Fill::MinusBillion})
            for (const Precision precision : {Precision::Float32, Precision::Float64, Precision::BFloat16})
                QTest::addRow("%s %s", to_string(fill).data(), to_string(precision).data())
                    << static_cast<int>(fill) << static_cast<int>(precision);
    }
    void runningValuesEndInTheSoftmax() {
        QFETCH(int, fill);
        QFETCH(int, precision);
        std::mt19937 random(6);
        std::int64_t skipped = 0;
        for (int round = 0; round < 20; ++round) {
            const auto size = static_cast<std::int64_t>(1 + random() % 30);
            const auto chunk = [&] {
                return random() % 5 ? std::optional<std::int64_t>(1 + random() % 12) : std::nullopt;
            };
            Request request = random_request(random, {size, size / 2}, size, 8, 2, "none", 1.5);
            request.mask = random_mask(size, random);
            request.fill = static_cast<Fill>(fill);
            request.precision = static_cast<Precision>(precision);
            request.chunk_size = chunk();
            request.key_chunk_size = chunk();
            const TracePtr trace = traced(request);
            QVERIFY(trace);
            // bfloat16 keeps weights up to 1 to 2^-9, and scores up to 8 to 2^-6.
            const double tolerance = trace->request.precision == Precision::BFloat16 ? 0.03 : 1e-6;
            for (std::int64_t n = 0; n < 6; ++n) {
                const auto query = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(size));
                const auto account = chunk_steps(*trace, n % 2, n / 2 % 2, query);
                VERIFY_RESULT(account);
                const QString text = fault(*trace, *account, tolerance);
                QVERIFY2(text.isEmpty(), qPrintable(text));
                skipped += account->skipped;
            }
        }
        QVERIFY(skipped > 0);
    }

    void causalSkipsWhatIsAhead() {
        std::mt19937 random(7);
        Request request = random_request(random, {8}, 8, 4, 1, "causal");
        request.chunk_size = 2;
        request.key_chunk_size = 2;
        const TracePtr trace = traced(request);
        const auto account = chunk_steps(*trace, 0, 0, 5);
        VERIFY_RESULT(account);
        QCOMPARE(account->steps.size(), std::size_t{16});
        QCOMPARE(account->skipped, 6);  // of 4 by 4 tiles, those above the diagonal
        for (const ChunkStep& step : account->steps) QCOMPARE(step.skipped, step.first_key > step.first_query);
        QCOMPARE(account->bytes_whole, std::uint64_t{8 * 8 * 8});
        QCOMPARE(account->bytes_skipped, std::uint64_t{6 * 4 * 8});
        QCOMPARE(account->bytes_at_a_time, std::uint64_t{2 * 2 * 8 + 2 * (2 + 4) * 4});
        // Row 5 lies in the third row of tiles, and changes in no other.
        for (const ChunkStep& step : account->steps) QCOMPARE(step.holds_row, step.first_query == 4);
        QCOMPARE(account->steps[7].maximum, -kInfinity);
        QCOMPARE(account->steps[7].sum, 0.0);
        QVERIFY(account->steps[8].sum > 0);
        QCOMPARE(account->steps[15].sum, account->steps[10].sum);
    }

    void aGrowingMaximumShrinksWhatCameBefore() {
        std::mt19937 random(8);
        Request request = random_request(random, {6}, 6, 4, 1, "none", 2);
        request.key_chunk_size = 1;
        const TracePtr trace = traced(request);
        int grew = 0;
        for (std::int64_t i = 0; i < 6; ++i) {
            const auto account = chunk_steps(*trace, 0, 0, i);
            VERIFY_RESULT(account);
            QCOMPARE(account->steps[0].shrink, 1.0);
            for (std::size_t n = 1; n < account->steps.size(); ++n) {
                const ChunkStep &before = account->steps[n - 1], &step = account->steps[n];
                QVERIFY(step.maximum >= before.maximum);
                QCOMPARE(step.shrink, step.maximum > before.maximum ? std::exp(before.maximum - step.maximum) : 1.0);
                const double own = std::exp(trace->matrix(Stage::Scores, 0, 0).at(i, step.first_key) - step.maximum);
                QVERIFY(near(step.sum, before.sum * step.shrink + own, 1e-14));
                grew += step.shrink < 1;
            }
            // One key at a time, the first context is that key's v.
            for (std::int64_t d = 0; d < 4; ++d)
                QVERIFY(near(account->steps[0].context[static_cast<std::size_t>(d)],
                             trace->matrix(Stage::V, 0, 0).at(0, d), 1e-15));
        }
        QVERIFY(grew > 0);
    }

    void minusBillionSkipsOnlyWhatCannotLeak() {
        std::mt19937 random(9);
        Request request = random_request(random, {4, 0}, 4, 4, 1, "padding,causal");
        request.fill = Fill::MinusBillion;
        request.chunk_size = 2;
        request.key_chunk_size = 2;
        const TracePtr trace = traced(request);
        QCOMPARE(chunk_steps(*trace, 0, 0, 0)->skipped, 1);  // above the diagonal
        QCOMPARE(chunk_steps(*trace, 1, 0, 0)->skipped, 0);  // empty rows take their weight from everywhere
        request.scale = 1e12;                                // scores beside which -1e9 is not little
        const TracePtr leaking = traced(request);
        bool leaks = false;
        for (std::int64_t i = 0; i < 2; ++i) leaks = leaks || row_account(*leaking, 0, 0, i)->leaked > 0;
        QCOMPARE(chunk_steps(*leaking, 0, 0, 0)->skipped, leaks ? 0 : 1);
        request.fill = Fill::Safe;
        QCOMPARE(chunk_steps(*traced(request), 1, 0, 0)->skipped, 4);
    }

    void nanAndInfinity() {
        std::mt19937 random(10);
        for (const double bad : {std::nan(""), kInfinity}) {
            for (const Fill fill : {Fill::Safe, Fill::Inf, Fill::MinusBillion}) {
                Request request = with_x(random_request(random, {5}, 5, 4, 1, "causal"), 0, 3, 0, bad);
                request.fill = fill;
                request.chunk_size = 2;
                request.key_chunk_size = 1;
                const TracePtr trace = traced(request);
                for (std::int64_t i = 0; i < 5; ++i) {
                    const auto account = chunk_steps(*trace, 0, 0, i);
                    VERIFY_RESULT(account);
                    const auto row = row_account(*trace, 0, 0, i);
                    for (std::size_t j = 0; j < 5; ++j) QVERIFY(near(account->weights[j], row->weights[j], 1e-6));
                    QVERIFY(near(account->weight_difference, 0, 1e-15));
                    QVERIFY(near(account->context_difference, 0, 1e-5));
                }
            }
        }
    }

    void wholeIsOneTile() {
        std::mt19937 random(11);
        const TracePtr trace = traced(random_request(random, {5}, 5, 4, 1, "causal"));
        const auto account = chunk_steps(*trace, 0, 0, 4);
        VERIFY_RESULT(account);
        QCOMPARE(account->steps.size(), std::size_t{1});
        QCOMPARE(account->bytes_at_a_time, account->bytes_whole);
        QCOMPARE(account->skipped, 0);
    }

    void whatCannotBeSteppedThrough() {
        std::mt19937 random(12);
        Request request = random_request(random, {300}, 300, 4, 1, "causal");
        const TracePtr trace = traced(request);
        QCOMPARE(chunk_steps(*trace, 0, 0, 300).error().code, ErrorCode::InvalidValue);
        QCOMPARE(chunk_steps(*trace, 1, 0, 0).error().code, ErrorCode::InvalidValue);
        Trace small = *trace;
        small.request.chunk_size = small.request.key_chunk_size = 1;
        const auto account = chunk_steps(small, 0, 0, 0);
        QVERIFY(!account);
        QVERIFY(account.error().message().find("into 90000 tiles; 65536 can") != std::string::npos);
        small.request.chunk_size = 2;
        QVERIFY(chunk_steps(small, 0, 0, 0).has_value());
    }
};

QTEST_APPLESS_MAIN(TestChunkSteps)
#include "tst_chunk_steps.moc"
