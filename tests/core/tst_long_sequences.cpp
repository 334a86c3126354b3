// SPDX-License-Identifier: GPL-3.0-or-later
// Sequences whose scores, weights and mask are too large to be kept.
#include <QTest>
#include <cmath>
#include <random>

#include "core/attention/region.h"
#include "core/attention/row_reader.h"
#include "traces.h"

using namespace headscope;
using namespace headscope::testing;

class TestLongSequences : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// Nothing that is kept, computed or estimated grows with the square of the length.
    void longSequencesKeepNoSquares() {
        Request request;
        std::vector<std::string> line(65'536, "a");
        request.batch = make_batch({line});
        request.mask = parse_mask("causal,local:256:0+global:4").value();
        const auto bytes = estimated_bytes(request);
        VERIFY_RESULT(bytes);
        QVERIFY2(*bytes < 2'500'000'000, qPrintable(QString::number(*bytes)));
        request.fill = Fill::Inf;
        request.precision = Precision::BFloat16;  // computed by the stages
        QVERIFY(estimated_bytes(request).value() < 3'000'000'000);
    }

    void aLongWindowIsExact() {
        std::mt19937 random(97);
        constexpr std::int64_t kSize = 12'000, kWindow = 256, kGlobal = 4;
        Request request = random_request(random, {kSize}, kSize, 16, 1, "causal,local:256:0+global:4");
        const TracePtr trace = traced(request);
        QVERIFY(trace);
        QVERIFY(!trace->weights && !trace->mask.of(0).stores_cells());
        const auto is_allowed = [](std::int64_t i, std::int64_t j) {
            return j <= i && (i - j <= kWindow || i < kGlobal || j < kGlobal);
        };
        for (const std::int64_t i : {std::int64_t{0}, std::int64_t{300}, std::int64_t{7777}, kSize - 1}) {
            std::vector<double> expected(kSize);
            double sum = 0;
            std::int64_t allowed = 0;
            for (std::int64_t j = 0; j < kSize; ++j) {
                if (!is_allowed(i, j)) continue;
                double score = 0;
                for (std::int64_t d = 0; d < 16; ++d)
                    score += trace->q->value(i * 16 + d) * trace->k->value(j * 16 + d);
                expected[static_cast<std::size_t>(j)] = std::exp(score / 4);
                sum += std::exp(score / 4);
                ++allowed;
            }
            for (double& value : expected) value /= sum;
            const auto row = row_of(*trace, Stage::Weights, 0, 0, i);
            for (std::size_t j = 0; j < row.size(); ++j) QVERIFY(near(row[j], expected[j], 1e-5));
            QCOMPARE(trace->mask.of(0).allowed_in_row(0, i), allowed);
            const Region one{.row_edges = {i, i + 1}, .column_edges = even_edges(0, kSize, 40)};
            const auto cells = region(*trace, one);
            VERIFY_RESULT(cells);
            for (std::int64_t c = 0; c < cells->columns; ++c) {
                double largest = 0;
                for (std::int64_t j = one.column_edges[std::size_t(c)]; j < one.column_edges[std::size_t(c) + 1]; ++j)
                    largest = std::max(largest, expected[std::size_t(j)]);
                QVERIFY(near(cells->value(0, c), largest, 1e-5));
            }
        }
    }
};

QTEST_APPLESS_MAIN(TestLongSequences)
#include "tst_long_sequences.moc"
