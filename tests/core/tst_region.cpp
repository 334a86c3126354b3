// SPDX-License-Identifier: GPL-3.0-or-later
// Regions, rows and cells of matrices that a trace does not keep, against the kept ones reduced naively.
#include <QTest>
#include <cmath>
#include <limits>
#include <random>

#include "core/attention/plan.h"
#include "core/attention/preview.h"
#include "core/attention/region.h"
#include "core/attention/row_reader.h"
#include "core/engine/rounding.h"
#include "core/masks/mask_edit.h"
#include "traces.h"

using namespace headscope;
using namespace headscope::testing;

namespace {

using State = RegionCells::State;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr Fill kFills[] = {Fill::Safe, Fill::Inf, Fill::MinusBillion};
constexpr Stage kSquares[] = {Stage::Scores, Stage::Mask, Stage::Masked, Stage::Weights};

std::int64_t below(std::mt19937& random, std::int64_t n) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint32_t>(n));
}

MaskExpression random_mask(std::int64_t size, std::mt19937& random) {
    const char* texts[] = {"none",       "causal",           "padding",           "padding,causal",
                           "local:3:1",  "block:16",         "local:70:0,causal", "global:2+local:1:0",
                           "random:3:7", "strided:5,causal", "documents:50:70:9", "logarithmic,causal"};
    MaskExpression expression = parse_mask(texts[below(random, std::size(texts))]).value();
    if (below(random, 3)) return expression;
    PaintedMask painted = paint::uniform(size, below(random, 2) != 0);
    for (int n = 0; n < 4; ++n) {
        const auto any = [&] { return below(random, size); };
        painted = paint::rectangle(std::move(painted), {any(), any()}, {any(), any()}, below(random, 2) != 0);
    }
    const MaskExpression layer = paint::with_painted_layer({}, std::move(painted));
    expression.layers.insert(expression.layers.end(), layer.layers.begin(), layer.layers.end());
    return expression;
}

std::optional<std::int64_t> random_chunk(std::mt19937& random, std::int64_t size) {
    if (below(random, 2) == 0) return std::nullopt;
    return 1 + below(random, size);
}

/// Products of small whole numbers are exact in any order, so huge scales and odd numbers have one answer. With 1e9,
/// rows leak weight onto masked keys.
void make_exact(Request& request, std::mt19937& random) {
    auto file = std::make_shared<LayerFile>(*request.file);
    const std::int64_t embed = request.embed_dim, size = request.batch.sequence_length();
    const auto whole = [&](std::int64_t) { return static_cast<double>(below(random, 3) - 1); };
    file->fused_weight = filled(Tensor::Type::Float64, {3 * embed, embed}, whole);
    file->fused_bias = filled(Tensor::Type::Float64, {3 * embed}, whole);
    const double odd[] = {-kInfinity, kInfinity, kNan, 8};
    const double bad = odd[below(random, std::size(odd))];
    const std::int64_t often = below(random, 3) == 0 ? size * embed : below(random, 2) ? size * embed / 3 + 1 : 1 << 30;
    file->x = filled(Tensor::Type::Float64, file->x->shape(),
                     [&](std::int64_t n) { return below(random, often) == 0 ? bad : whole(n); });
    request.file = file;
    const double scales[] = {1, -1, 1e-3, 1e9, -1e9};
    if (!is_half(request.precision)) request.scale = scales[below(random, std::size(scales))];
}

std::vector<std::int64_t> random_edges(std::int64_t size, std::mt19937& random) {
    const std::int64_t first = below(random, 2) ? 0 : below(random, size);
    const std::int64_t count = below(random, 2) ? size - first : 1 + below(random, size - first);
    if (below(random, 2)) return even_edges(first, count, 1 + below(random, 60));
    std::vector<std::int64_t> edges{first};
    while (edges.back() < first + count && edges.size() < 40) {
        edges.push_back(std::min(first + count, edges.back() + 1 + below(random, 1 + below(random, 90))));
    }
    return edges;
}

/// A result as it is defined, cell by cell.
std::pair<double, State> naive(const MatrixView& matrix, bool before_mask, Reduction reduction, std::int64_t i0,
                               std::int64_t i1, std::int64_t j0, std::int64_t j1) {
    double largest = -kInfinity, sum = 0;
    std::int64_t allowed = 0, all = 0;
    bool nan = false;
    for (std::int64_t i = i0; i < i1; ++i) {
        for (std::int64_t j = j0; j < j1; ++j) {
            ++all;
            if (!before_mask && matrix.masked(i, j)) continue;
            ++allowed;
            const double value = matrix.at(i, j);
            nan = nan || std::isnan(value);
            largest = std::max(largest, value);
            sum += value;
        }
    }
    if (allowed == 0) return {matrix.at(i0, j0), State::Masked};
    const double value = nan ? kNan : reduction == Reduction::Maximum ? largest : sum / static_cast<double>(allowed);
    return {value, allowed < all ? State::PartlyMasked : State::Allowed};
}

double epsilon(Precision precision) {
    return precision == Precision::Float64    ? 0x1p-52
           : precision == Precision::Float32  ? 0x1p-23
           : precision == Precision::BFloat16 ? 0x1p-8
                                              : 0x1p-11;
}

/// The tolerance: some roundings to the precision, more for weights of large scores that are not exact, and in the
/// stored type those of a mean of 700 rows.
double allowed_of(const Trace& kept, Stage stage, bool exact, std::int64_t sequence, std::int64_t head) {
    const double own = epsilon(kept.request.precision);
    double largest = 0;
    const MatrixView scores = kept.matrix(Stage::Scores, sequence, head);
    for (std::int64_t i = 0; i < scores.rows; ++i) {
        for (std::int64_t j = 0; j < scores.columns; ++j) {
            if (std::isfinite(scores.at(i, j))) largest = std::max(largest, std::fabs(scores.at(i, j)));
        }
    }
    if (stage == Stage::Mask) return 0;
    const double means = 400 * (kept.request.precision == Precision::Float64 ? 0x1p-52 : 0x1p-23);
    if (stage != Stage::Weights) return (4 * own + means) * largest;
    return own * (exact ? 4 : 8 * largest + 4) + means;
}

QString text_of(const Request& r, Stage stage) {
    return QString::fromStdString(fmt::format(
        "{} of B={} S={} E={} H={} mask={} fill={} {} scale={} chunks {} x {}", to_string(stage), r.batch.size(),
        r.batch.sequence_length(), r.embed_dim, r.num_heads, to_string(r.mask).substr(0, 60), to_string(r.fill),
        to_string(r.precision), r.scale_value(), r.chunk_size.value_or(0), r.key_chunk_size.value_or(0)));
}

struct Pair {
    Request request;
    TracePtr kept, lean;
    bool exact = false;
};

Pair random_pair(int round, std::mt19937& random) {
    const std::int64_t most = round % 20 == 0 ? 700 : round % 4 == 0 ? 200 : 70;
    const std::int64_t size = 1 + below(random, most), heads = 1 + below(random, 3), batch = 1 + below(random, 2);
    std::vector<std::int64_t> lengths;
    for (std::int64_t b = 0; b < batch; ++b) lengths.push_back(below(random, size + 1));
    Pair pair;
    pair.exact = below(random, 2) != 0;
    const std::int64_t dims[] = {1, 2, 4, 8, 16, 64};
    const std::int64_t embed = heads * dims[below(random, pair.exact ? 3 : 6)];
    pair.request = random_request(random, lengths, size, embed, heads, "none", 1.5);
    pair.request.mask = random_mask(size, random);
    pair.request.fill = kFills[below(random, 3)];
    pair.request.precision = static_cast<Precision>(below(random, 4));
    pair.request.chunk_size = random_chunk(random, size);
    pair.request.key_chunk_size = random_chunk(random, size);
    if (pair.exact) make_exact(pair.request, random);
    pair.kept = traced(pair.request);
    Request lean = pair.request;
    lean.kept_bytes = 0;
    pair.lean = traced(lean);
    return pair;
}

}  // namespace

class TestRegion : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void regionsEqualKeptTensorsReducedNaively() {
        std::mt19937 random(91);
        int leaked = 0, nans = 0, masked = 0;
        for (int round = 0; round < 200; ++round) {
            const Pair pair = random_pair(round, random);
            QVERIFY(pair.kept && pair.lean);
            QVERIFY(!pair.lean->weights && !pair.lean->scores && !pair.lean->mask.of(0).stores_cells());
            const Dims dims = pair.kept->dims();
            for (const Stage stage : kSquares) {
                Region wanted{.stage = stage,
                              .sequence = below(random, dims.batch),
                              .head = below(random, dims.num_heads),
                              .row_edges = random_edges(dims.sequence_length, random),
                              .column_edges = random_edges(dims.sequence_length, random),
                              .reduction = below(random, 2) ? Reduction::Mean : Reduction::Maximum};
                const MatrixView matrix = pair.kept->matrix(stage, wanted.sequence, wanted.head);
                const double allowed = allowed_of(*pair.kept, stage, pair.exact, wanted.sequence, wanted.head);
                for (const TracePtr& trace : {pair.kept, pair.lean}) {
                    const auto cells = region(*trace, wanted);
                    VERIFY_RESULT(cells);
                    for (std::int64_t r = 0; r < cells->rows; ++r) {
                        for (std::int64_t c = 0; c < cells->columns; ++c) {
                            const auto at = [](const auto& edges, std::int64_t n) {
                                return edges[static_cast<std::size_t>(n)];
                            };
                            const auto [value, state] =
                                naive(matrix, stage == Stage::Scores, wanted.reduction, at(wanted.row_edges, r),
                                      at(wanted.row_edges, r + 1), at(wanted.column_edges, c),
                                      at(wanted.column_edges, c + 1));
                            if (!near(cells->value(r, c), value, allowed) || cells->state(r, c) != state) {
                                QFAIL(qPrintable(QStringLiteral("round %1, %2,%3: %4, not %5; %6")
                                                     .arg(round)
                                                     .arg(r)
                                                     .arg(c)
                                                     .arg(cells->value(r, c))
                                                     .arg(value)
                                                     .arg(text_of(pair.request, stage))));
                            }
                            masked += state == State::Masked;
                            nans += std::isnan(value);
                            leaked += state == State::Masked && stage == Stage::Weights && value > 0;
                        }
                    }
                }
            }
        }
        QVERIFY2(leaked > 50 && nans > 1000 && masked > 10000,
                 qPrintable(QStringLiteral("%1 %2 %3").arg(leaked).arg(nans).arg(masked)));
    }

    void rowsAndCellsEqualKeptOnes() {
        std::mt19937 random(92);
        for (int round = 0; round < 100; ++round) {
            const Pair pair = random_pair(round, random);
            QVERIFY(pair.kept && pair.lean);
            const Dims dims = pair.kept->dims();
            const std::int64_t b = below(random, dims.batch), h = below(random, dims.num_heads),
                               i = below(random, dims.sequence_length), j = below(random, dims.sequence_length);
            for (const Stage stage : kSquares) {
                const MatrixView matrix = pair.kept->matrix(stage, b, h);
                const double allowed = allowed_of(*pair.kept, stage, pair.exact, b, h);
                const auto equals = [&](const std::vector<double>& row, std::int64_t query) {
                    return differs(
                        dims.sequence_length, [&](std::int64_t n) { return row[static_cast<std::size_t>(n)]; },
                        [&](std::int64_t n) { return matrix.at(query, n); }, stage == Stage::Scores ? 0 : allowed);
                };
                for (const TracePtr& trace : {pair.kept, pair.lean}) {
                    QString text = equals(row_of(*trace, stage, b, h, i), i);
                    QVERIFY2(text.isEmpty(), qPrintable(text + u' ' + text_of(pair.request, stage)));
                    QVERIFY(near(cell_of(*trace, stage, b, h, i, j), matrix.at(i, j), allowed));
                    RowReader reader(*trace, stage, b, h);
                    for (std::int64_t query = 0; query < dims.sequence_length; query += 1 + below(random, 9)) {
                        text = equals(reader.row(query), query);
                        QVERIFY2(text.isEmpty(), qPrintable(text + u' ' + text_of(pair.request, stage)));
                        for (std::int64_t key = 0; key < dims.sequence_length; ++key)
                            QCOMPARE(reader.allowed(query)[key] == 0, matrix.masked(query, key));
                    }
                }
            }
        }
    }

    void aTraceWithoutSquaresHasTheSameOutput() {
        std::mt19937 random(93);
        for (int round = 0; round < 60; ++round) {
            const Pair pair = random_pair(round, random);
            QVERIFY(pair.kept && pair.lean);
            COMPARE_NUMBERS(*pair.lean->output, *pair.kept->output,
                            epsilon(pair.request.precision) * (pair.exact ? 1e6 : 100));
            QCOMPARE(pair.lean->row_check.rows, pair.kept->row_check.rows);
            QCOMPARE(pair.lean->row_check.fully_masked, pair.kept->row_check.fully_masked);
            QCOMPARE(pair.lean->row_check.not_finite, pair.kept->row_check.not_finite);
            QVERIFY(pair.lean->mask == pair.kept->mask);
            // If weights are requested later, only they are computed.
            const TracePtr again = traced(pair.request, pair.lean);
            QCOMPARE(again->output, pair.lean->output);
            QVERIFY(again->keeps(Stage::Weights) && again->matrix(Stage::Mask, 0, 0));
        }
    }

    /// The sum of a row's exponentials and its largest score, from the masked scores in double.
    void rowsKeepTheirSoftmax() {
        std::mt19937 random(94);
        for (int round = 0; round < 60; ++round) {
            const Pair pair = random_pair(round, random);
            QVERIFY(pair.kept && pair.lean);
            const Dims dims = pair.kept->dims();
            for (const TracePtr& trace : {pair.kept, pair.lean}) {
                QCOMPARE(trace->row_sums->shape(), (Shape{dims.batch, dims.num_heads, dims.sequence_length}));
                for (std::int64_t n = 0; n < trace->row_sums->size(); ++n) {
                    const std::int64_t s = dims.sequence_length, head = n / s % dims.num_heads;
                    const MatrixView masked = pair.kept->matrix(Stage::Masked, n / s / dims.num_heads, head);
                    double largest = -kInfinity, sum = 0;
                    for (std::int64_t j = 0; j < s; ++j) largest = std::max(largest, masked.at(n % s, j));
                    const double offset = trace->row_offsets->value(n), found = trace->row_sums->value(n);
                    if (largest == -kInfinity) {
                        QVERIFY(std::isnan(found) || (offset == -kInfinity && found == 0));
                        continue;
                    }
                    for (std::int64_t j = 0; j < s; ++j) sum += std::exp(masked.at(n % s, j) - offset);
                    if (!std::isfinite(sum)) {
                        QVERIFY(!std::isfinite(found));
                        continue;
                    }
                    const double allowed =
                        allowed_of(*pair.kept, Stage::Weights, pair.exact, n / s / dims.num_heads, head);
                    QVERIFY(std::fabs(found / sum - 1) <= allowed + 1e-6);
                    QVERIFY(offset <= largest + allowed * std::fabs(largest) && offset >= largest - 8.5);
                }
            }
        }
    }

    void aSampleIsACellNearTheMiddle() {
        std::mt19937 random(95);
        for (int round = 0; round < 60; ++round) {
            const Pair pair = random_pair(round, random);
            QVERIFY(pair.kept && pair.lean);
            for (const Stage stage : kSquares) {
                const Region wanted{.stage = stage,
                                    .row_edges = random_edges(pair.kept->dims().sequence_length, random),
                                    .column_edges = random_edges(pair.kept->dims().sequence_length, random),
                                    .sampled = true};
                const auto cells = region(*pair.lean, wanted);
                VERIFY_RESULT(cells);
                const MatrixView matrix = pair.kept->matrix(stage, 0, 0);
                const double allowed = allowed_of(*pair.kept, stage, pair.exact, 0, 0);
                for (std::int64_t r = 0; r < cells->rows; ++r) {
                    for (std::int64_t c = 0; c < cells->columns; ++c) {
                        const auto sampled = [&](const auto& edges, std::int64_t n) {
                            const auto at = static_cast<std::size_t>(n);
                            return sampled_query(matrix.rows, edges[at], edges[at + 1]);
                        };
                        const std::int64_t i = sampled(wanted.row_edges, r), j = sampled(wanted.column_edges, c);
                        QVERIFY(near(cells->value(r, c), matrix.at(i, j), allowed));
                        const bool masked = stage != Stage::Scores && matrix.masked(i, j);
                        QVERIFY(cells->state(r, c) == (masked ? State::Masked : State::Allowed));
                    }
                }
            }
        }
    }

    void regionsThatDoNotExistAreErrors() {
        std::mt19937 random(96);
        Request request = random_request(random, {20}, 20, 8, 2, "causal");
        request.kept_bytes = 0;
        const TracePtr trace = traced(request);
        const Region good{.row_edges = {0, 20}, .column_edges = {3, 4, 20}};
        QVERIFY(region(*trace, good).has_value());
        const auto refused = [&](const std::function<void(Region&)>& change) {
            Region bad = good;
            change(bad);
            return code_of(region(*trace, bad)) == ErrorCode::InvalidValue;
        };
        QVERIFY(refused([](Region& r) { r.stage = Stage::Q; }));
        QVERIFY(refused([](Region& r) { r.head = 2; }));
        QVERIFY(refused([](Region& r) { r.sequence = -1; }));
        QVERIFY(refused([](Region& r) { r.row_edges = {0, 21}; }));
        QVERIFY(refused([](Region& r) { r.row_edges = {5, 5}; }));
        QVERIFY(refused([](Region& r) { r.column_edges = {4}; }));
        const std::atomic<bool> cancel{true};
        QCOMPARE(code_of(region(*trace, good, &cancel)), std::optional(ErrorCode::Cancelled));
    }
};

QTEST_APPLESS_MAIN(TestRegion)
#include "tst_region.moc"
