// SPDX-License-Identifier: GPL-3.0-or-later
// The account of a cell, number by number against the trace that it explains.
#include "core/explain/cell_account.h"

#include <QTest>
#include <cmath>
#include <limits>

#include "core/attention/plan.h"
#include "traces.h"

using namespace headscope;
using namespace headscope::testing;

namespace {

constexpr Precision kPrecisions[] = {Precision::Float32, Precision::Float64, Precision::BFloat16, Precision::Float16};
constexpr Fill kFills[] = {Fill::Safe, Fill::Inf, Fill::MinusBillion};

/// Half the distance from 1 to the next number.
double epsilon(Precision precision) {
    switch (precision) {
        case Precision::Float32:
            return 0x1p-24;
        case Precision::Float64:
            return 0x1p-53;
        case Precision::BFloat16:
            return 0x1p-8;
        case Precision::Float16:
            return 0x1p-11;
    }
    return 0;
}
double accumulation(Precision precision) {
    return precision == Precision::Float64 ? 0x1p-53 : 0x1p-24;
}

struct Place {
    std::int64_t b, h, i, j;
};

QString where(const Place& p, const char* what, double shown, double expected) {
    return QStringLiteral("sequence %1 head %2 query %3 key %4: %5 is %6, but %7 was expected")
        .arg(p.b)
        .arg(p.h)
        .arg(p.i)
        .arg(p.j)
        .arg(QString::fromUtf8(what))
        .arg(shown, 0, 'g', 17)
        .arg(expected, 0, 'g', 17);
}

/// Empty if every number of the account is the trace's, or explains it.
/// of_scores: how far a score of the row may be off by its sum having been taken in another order.
QString fault(const Trace& trace, const CellAccount& c, double of_scores) {
    const Place p{c.sequence, c.head, c.query, c.key};
    const auto value = [&](Stage stage, std::int64_t row, std::int64_t column) {
        return trace.matrix(stage, p.b, p.h).at(row, column);
    };
    const auto dh = static_cast<std::size_t>(trace.dims().head_dim());
    const auto s = static_cast<double>(trace.dims().sequence_length);
    const Request& request = trace.request;
    const Fill mode = effective_mode(request.fill, request.precision);

    // The very numbers of the trace.
    for (std::size_t d = 0; d < dh; ++d) {
        const auto column = static_cast<std::int64_t>(d);
        if (!same(c.q[d], value(Stage::Q, p.i, column))) return where(p, "q", c.q[d], value(Stage::Q, p.i, column));
        if (!same(c.k[d], value(Stage::K, p.j, column))) return where(p, "k", c.k[d], value(Stage::K, p.j, column));
        if (!same(c.v[d], value(Stage::V, p.j, column))) return where(p, "v", c.v[d], value(Stage::V, p.j, column));
        const double context = value(Stage::HeadContext, p.i, column);
        if (!same(c.context[d], context)) return where(p, "context", c.context[d], context);
        if (!same(c.products[d], c.q[d] * c.k[d])) return where(p, "product", c.products[d], c.q[d] * c.k[d]);
    }
    if (!same(c.score, value(Stage::Scores, p.i, p.j)))
        return where(p, "score", c.score, value(Stage::Scores, p.i, p.j));
    const double masked = value(Stage::Masked, p.i, p.j), weight = value(Stage::Weights, p.i, p.j);
    if (!same(c.masked_score, masked)) return where(p, "masked score", c.masked_score, masked);
    if (!same(c.weight, weight)) return where(p, "weight", c.weight, weight);
    if (c.masked_by.empty() != trace.mask.of(0).allowed(p.b, p.i, p.j)) return where(p, "layers", 0, 1);

    // The steps between them. A sum of Dh products in float is off by Dh epsilons of the sum of their sizes at most.
    double sum = 0, size = 0;
    for (const double product : c.products) {
        sum += product;
        size += std::fabs(product);
    }
    if (!same(sum, c.product_sum)) return where(p, "sum", c.product_sum, sum);
    const double rounding = 2 * epsilon(request.precision);
    const double of_sum = (static_cast<double>(dh) * accumulation(request.precision)) * size;
    const bool half = request.precision == Precision::BFloat16 || request.precision == Precision::Float16;
    const double largest = request.precision == Precision::Float16 ? 65504 : 3e38;
    const bool overflow = request.precision != Precision::Float64 && std::fabs(sum) > largest;
    if (!overflow && !near(c.rounded_sum, sum, of_sum + rounding * std::fabs(sum) + 0x1p-24)) {
        return where(p, "rounded sum", c.rounded_sum, sum);
    }
    const double exact = request.scale ? c.rounded_sum * c.scale : c.rounded_sum / c.scale;
    if (!same(exact, c.exact_score)) return where(p, "exact score", c.exact_score, exact);
    if (half) {
        const double rounded = round_to(request.precision, static_cast<double>(static_cast<float>(exact)));
        if (!same(rounded, c.score)) return where(p, "score", c.score, rounded);
    } else {
        const double factor = request.scale ? std::fabs(c.scale) : 1 / c.scale;
        if (!near(c.score, exact, of_sum * factor + 2 * rounding * std::fabs(exact))) {
            return where(p, "score", c.score, exact);
        }
    }

    const bool given = mode == Fill::Safe && c.maximum == -std::numeric_limits<double>::infinity();
    const bool left_out = !c.masked_by.empty() && mode != Fill::MinusBillion &&
                          (mode == Fill::Safe || trace.mask.of(0).allowed_in_row(p.b, p.i) > 0);
    const double quotient = given || left_out ? 0 : std::exp(c.masked_score - c.maximum) / c.row_sum;
    if (!same(c.quotient, quotient)) return where(p, "quotient", c.quotient, quotient);
    // The exponential is off by 3e-7 of itself and 8e-8 of its exponent more (row_kernels.h), the sum likewise; 1.2e-38
    // is where it goes under. The engine's tiles take the products' sums in another order than the
    // stages.
    const double of_tiles = computes_tiles(request) ? 4 * of_scores : 0;
    const double of_exponential =
        of_tiles + (request.precision == Precision::Float64 ? (8 + s + c.maximum - c.masked_score) * 0x1p-53
                                                            : 1e-6 + s * 0x1p-24 + 2e-7 * (c.maximum - c.masked_score));
    if (!near(c.weight, c.quotient, c.quotient * (of_exponential + 2 * rounding) + (half ? 0x1p-24 : 1.3e-38))) {
        return where(p, "weight", c.weight, c.quotient);
    }
    for (std::size_t d = 0; d < dh; ++d) {
        const bool skipped = !c.masked_by.empty() && mode != Fill::MinusBillion && c.weight == 0;
        const double added = skipped ? 0 : c.weight * c.v[d];
        if (!same(c.added[d], added)) return where(p, "added", c.added[d], added);
    }
    return {};
}

/// Dh epsilons of the largest sum of |q k| in the row, scaled.
double score_rounding(const Trace& trace, std::int64_t b, std::int64_t h, std::int64_t i) {
    const MatrixView q = trace.matrix(Stage::Q, b, h), k = trace.matrix(Stage::K, b, h);
    double largest = 0;
    for (std::int64_t j = 0; j < k.rows; ++j) {
        double size = 0;
        for (std::int64_t d = 0; d < k.columns; ++d) size += std::fabs(q.at(i, d) * k.at(j, d));
        largest = std::max(largest, size);
    }
    return static_cast<double>(q.columns) * accumulation(trace.request.precision) * largest *
           std::fabs(trace.request.scale_value());
}

/// Every cell of a trace; and what the cells of a row add is the row's context.
QString fault(const Trace& trace) {
    const Dims dims = trace.dims();
    for (std::int64_t b = 0; b < dims.batch; ++b) {
        for (std::int64_t h = 0; h < dims.num_heads; ++h) {
            for (std::int64_t i = 0; i < dims.sequence_length; ++i) {
                std::vector<double> sum(static_cast<std::size_t>(dims.head_dim())), size = sum, context;
                const double of_scores = score_rounding(trace, b, h, i);
                for (std::int64_t j = 0; j < dims.sequence_length; ++j) {
                    const auto cell = cell_account(trace, b, h, i, j);
                    if (!cell) return QString::fromStdString(cell.error().message());
                    if (const QString text = fault(trace, *cell, of_scores); !text.isEmpty()) return text;
                    context = cell->context;
                    for (std::size_t d = 0; d < sum.size(); ++d) {
                        sum[d] += cell->added[d];
                        size[d] += std::fabs(cell->added[d]);
                    }
                }
                const Precision precision = trace.request.precision;
                const double of_sum = static_cast<double>(dims.sequence_length + 2) * accumulation(precision);
                for (std::size_t d = 0; d < sum.size(); ++d) {
                    // Chunks divide by the sum at the end, when the weights were never rounded; and see above.
                    const double of_weights =
                        trace.request.key_chunk_size ? 4 * of_scores + 4 * epsilon(precision) : 0.0;
                    const double allowed =
                        size[d] * (of_sum + of_weights) + 2 * epsilon(precision) * std::fabs(sum[d]) + 0x1p-24;
                    if (std::isnan(context[d]) == std::isnan(sum[d]) && near(context[d], sum[d], allowed)) continue;
                    return where({b, h, i, -1}, "sum of what was added", sum[d], context[d]);
                }
            }
        }
    }
    return {};
}

#define VERIFY_TRACE(trace)                         \
    do {                                            \
        QVERIFY(trace);                             \
        const QString text = fault(*(trace));       \
        QVERIFY2(text.isEmpty(), qPrintable(text)); \
    } while (false)

}  // namespace

class TestCellAccount : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyNumberIsTheTraces_data() {
        QTest::addColumn<int>("precision");
        QTest::addColumn<int>("fill");
        for (const Precision precision : kPrecisions) {
            for (const Fill fill : kFills) {
                QTest::addRow("%s %s", to_string(precision).data(), to_string(fill).data())
                    << static_cast<int>(precision) << static_cast<int>(fill);
            }
        }
    }
    void everyNumberIsTheTraces() {
        QFETCH(int, precision);
        QFETCH(int, fill);
        std::mt19937 random(7);
        for (const char* mask : {"none", "causal", "padding", "padding,causal,local:1:0", "block:3,off:causal"}) {
            for (const auto& scale : {std::optional<double>(), std::optional<double>(0.7), std::optional<double>(-2)}) {
                Request request = random_request(random, {7, 4, 0}, 7, 12, 2, mask, 2);
                request.precision = static_cast<Precision>(precision);
                request.fill = static_cast<Fill>(fill);
                request.scale = scale;
                VERIFY_TRACE(traced(request));
                request.chunk_size = 3;
                request.key_chunk_size = 2;
                VERIFY_TRACE(traced(request));
            }
        }
    }

    void halfPrecisionSumsAreTheOnesBehindTheScores() {
        // Sums of 64 products that cancel: float and double round many of them to different neighbours.
        std::mt19937 random(8);
        for (const Precision precision : {Precision::BFloat16, Precision::Float16}) {
            Request request = random_request(random, {40}, 40, 128, 2, "none", 4);
            request.precision = precision;
            VERIFY_TRACE(traced(request));
        }
    }

    void maskedScoresThatAreNotFinite() {
        std::mt19937 random(9);
        const double infinity = std::numeric_limits<double>::infinity();
        for (const double bad : {std::numeric_limits<double>::quiet_NaN(), infinity, -infinity}) {
            for (const Precision precision : kPrecisions) {
                for (const Fill fill : kFills) {
                    Request request = with_x(random_request(random, {6}, 6, 8, 2, "causal", 2), 0, 3, 1, bad);
                    request.precision = precision;
                    request.fill = fill;
                    const TracePtr trace = traced(request);
                    VERIFY_TRACE(trace);
                    // Token 3 is masked for query 1: only -1e9 lets it in.
                    const auto row = row_account(*trace, 0, 0, 1);
                    VERIFY_RESULT(row);
                    QCOMPARE(row->allowed_keys, 2);
                    const auto late = row_account(*trace, 0, 0, 4);
                    VERIFY_RESULT(late);
                    // An infinite key may also score -inf, which is nothing.
                    if (!std::isnan(bad) && late->outcome == RowOutcome::Normal) continue;
                    QVERIFY(late->outcome == RowOutcome::NotFinite);
                    QVERIFY(std::isnan(late->entropy_bits));
                }
            }
        }
    }

    void leaks() {
        // A scale of 1e12 takes the open scores far below -1e9, so that the masked keys win.
        std::mt19937 random(10);
        Request request = random_request(random, {6}, 6, 8, 2, "causal", 1);
        request.fill = Fill::MinusBillion;
        request.scale = 1e12;
        for (const Precision precision : {Precision::Float32, Precision::Float64, Precision::BFloat16}) {
            request.precision = precision;
            const TracePtr trace = traced(request);
            VERIFY_TRACE(trace);
            int leaks = 0;
            for (std::int64_t n = 0; n < 12; ++n) {
                const std::int64_t h = n / 6, i = n % 6;
                const auto row = row_account(*trace, 0, h, i);
                VERIFY_RESULT(row);
                double sum = 0;
                for (std::int64_t j = i + 1; j < 6; ++j) {
                    const auto cell = cell_account(*trace, 0, h, i, j);
                    QCOMPARE(cell->leaked, cell->weight > 0);
                    sum += cell->weight;
                }
                QCOMPARE(row->leaked, sum);
                if (sum == 0) continue;
                ++leaks;
                QVERIFY(row->reason.str().find("leaked weight") != std::string::npos);
                QVERIFY(row->outcome == RowOutcome::Normal);
            }
            QVERIFY(leaks > 0);
        }
        // Nothing leaks where the fill is -inf.
        request.precision = Precision::Float32;
        for (const Fill fill : {Fill::Safe, Fill::Inf}) {
            request.fill = fill;
            const TracePtr trace = traced(request);
            VERIFY_TRACE(trace);
            for (std::int64_t i = 0; i < 6; ++i) QCOMPARE(row_account(*trace, 0, 1, i)->leaked, 0.0);
        }
    }

    void fullyMaskedRowsOfEveryFill() {
        std::mt19937 random(11);
        for (const Precision precision : kPrecisions) {
            for (const Fill fill : kFills) {
                Request request = random_request(random, {5, 0}, 5, 8, 2, "padding", 1);
                request.precision = precision;
                request.fill = fill;
                const TracePtr trace = traced(request);
                VERIFY_TRACE(trace);
                const auto row = row_account(*trace, 1, 0, 2);
                VERIFY_RESULT(row);
                QVERIFY(row->outcome == RowOutcome::FullyMasked);
                QCOMPARE(row->allowed_keys, 0);
                QCOMPARE(row->reason.str(), fully_masked_row_sentence(fill, precision, 5).str());
                const Fill mode = effective_mode(fill, precision);
                if (mode == Fill::Inf) {
                    QVERIFY(std::isnan(row->entropy_bits) && std::isnan(row->leaked));
                } else if (mode == Fill::Safe) {
                    QCOMPARE(row->entropy_bits, 0.0);
                    QCOMPARE(row->leaked, 0.0);
                    QCOMPARE(row->row_sum, 0.0);
                } else {
                    QVERIFY(near(row->entropy_bits, std::log2(5.0), 0.01));
                    QVERIFY(near(row->leaked, 1, 0.01));
                    for (const double weight : row->weights) QCOMPARE(weight, row->weights[0]);
                }
                QVERIFY(near(row->taken, 1, 0.02));  // without the mask there would be weights
            }
        }
        QVERIFY(fully_masked_row_sentence(Fill::MinusBillion, Precision::BFloat16, 5).str().find("-998244352") !=
                std::string::npos);
        QVERIFY(fully_masked_row_sentence(Fill::MinusBillion, Precision::Float16, 5)
                    .str()
                    .find("float16 can't represent -1e9") != std::string::npos);
        QVERIFY(fully_masked_row_sentence(Fill::MinusBillion, Precision::Float32, 5).str().find("1/5") !=
                std::string::npos);
    }

    void allScoresMinusInfinity() {
        // Every open score -inf is not an empty row, but there is as little to attend to.
        std::mt19937 random(13);
        Request request = random_request(random, {4}, 4, 4, 1, "causal", 1);
        auto file = std::make_shared<LayerFile>(*request.file);
        // q = k = (v =) 1e200 · ±1 in float32: infinite products of one sign.
        file->fused_weight = filled(Tensor::Type::Float64, {12, 4}, [](auto) { return 0; });
        file->fused_bias = filled(Tensor::Type::Float64, {12}, [](auto n) { return n < 4 ? -1e30 : n < 8 ? 1e30 : 1; });
        request.file = file;
        for (const Fill fill : kFills) {
            request.fill = fill;
            const TracePtr trace = traced(request);
            VERIFY_TRACE(trace);
            const auto row = row_account(*trace, 0, 0, 3);
            QVERIFY(row->outcome == RowOutcome::NothingFinite);
            QVERIFY(row->reason.str().find("-inf") != std::string::npos);
            const auto first = row_account(*trace, 0, 0, 0);
            // With -1e9 the masked keys hold the only finite scores: all of the weight leaks.
            QCOMPARE(first->outcome == RowOutcome::Normal, fill == Fill::MinusBillion);
            if (fill == Fill::MinusBillion) QVERIFY(near(first->leaked, 1, 1e-6));
        }
    }

    void placesThatAreNotThere() {
        std::mt19937 random(14);
        const TracePtr trace = traced(random_request(random, {4, 4}, 4, 4, 2, "none", 1));
        QVERIFY(trace);
        const std::pair<Place, const char*> cases[] = {{{2, 0, 0, 0}, "sequence 2; they are numbered from 0 to 1"},
                                                       {{-1, 0, 0, 0}, "sequence -1"},
                                                       {{0, 2, 0, 0}, "head 2"},
                                                       {{0, -1, 0, 0}, "head -1"},
                                                       {{0, 0, 4, 0}, "query 4; they are numbered from 0 to 3"},
                                                       {{0, 0, 0, 4}, "key 4; they are numbered from 0 to 3"},
                                                       {{0, 0, 0, -1}, "key -1"}};
        for (const auto& [p, part] : cases) {
            const auto cell = cell_account(*trace, p.b, p.h, p.i, p.j);
            QVERIFY(!cell);
            QCOMPARE(cell.error().code, ErrorCode::InvalidValue);
            QVERIFY2(cell.error().message().find(part) != std::string::npos, cell.error().message().c_str());
        }
        Trace kept = *trace;  // of a batch so large that only sequence 1 was kept
        kept.first_kept = 1;
        kept.scores = std::make_shared<Tensor>(trace->scores->part(1, 1));
        kept.weights = std::make_shared<Tensor>(trace->weights->part(1, 1));
        QVERIFY(row_account(kept, 0, 0, 0)->weights == row_account(*trace, 0, 0, 0)->weights);
        QVERIFY(row_account(kept, 1, 0, 0).has_value());
    }
};

QTEST_APPLESS_MAIN(TestCellAccount)
#include "tst_cell_account.moc"
