// SPDX-License-Identifier: GPL-3.0-or-later
// Masks and rules by head against a naive computation of this file: whole, in chunks, by regions and by rows.
#include <QTest>
#include <cmath>
#include <complex>
#include <limits>
#include <random>

#include "core/attention/compute.h"
#include "core/attention/query_key.h"
#include "core/attention/region.h"
#include "core/attention/row_reader.h"
#include "core/engine/head_tiles.h"
#include "core/engine/tiled.h"
#include "core/explain/cell_account.h"
#include "core/explain/chunk_steps.h"
#include "core/explain/row_account.h"
#include "core/masks/head_masks.h"
#include "traces.h"

using namespace headscope;
using namespace headscope::testing;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

std::int64_t below(std::mt19937& random, std::int64_t n) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint32_t>(n));
}

/// The slopes of the paper's own Python, get_slopes() (Press, Smith and Lewis 2022), for its base 2^-8.
std::vector<double> published_slopes(int heads) {
    const auto of_power = [](int n) {
        const double start = std::pow(2, -std::pow(2, -(std::log2(n) - 3)));
        std::vector<double> slopes;
        for (int i = 0; i < n; ++i) slopes.push_back(start * std::pow(start, i));
        return slopes;
    };
    const int power = 1 << static_cast<int>(std::floor(std::log2(heads)));
    if (power == heads) return of_power(heads);
    std::vector<double> slopes = of_power(power);
    const std::vector<double> more = published_slopes(2 * power);
    for (std::size_t i = 0; slopes.size() < static_cast<std::size_t>(heads); i += 2) slopes.push_back(more[i]);
    return slopes;
}

/// One head computed cell by cell in double, from the rows of qkv.
struct NaiveHead {
    std::vector<double> q, k, v, scores, weights, context;  // (S,Dh) and (S,S)
};

/// Rotates by complex multiplication, which the library does not use.
void naive_rope(std::vector<double>& rows, std::int64_t size, std::int64_t dh, const ScoreRule& rule) {
    for (std::int64_t i = 0; i < size; ++i) {
        for (std::int64_t d = 0; d < dh / 2; ++d) {
            const auto first = static_cast<std::size_t>(i * dh + (rule.interleaved ? 2 * d : d));
            const auto second = static_cast<std::size_t>(i * dh + (rule.interleaved ? 2 * d + 1 : d + dh / 2));
            const double angle = static_cast<double>(i) /
                                 std::exp(std::log(rule.number) * static_cast<double>(2 * d) / static_cast<double>(dh));
            const std::complex<double> turned =
                std::complex<double>(rows[first], rows[second]) * std::polar(1.0, angle);
            rows[first] = turned.real();
            rows[second] = turned.imag();
        }
    }
}

void naive_norm(std::vector<double>& rows, std::int64_t size, std::int64_t dh, double eps) {
    for (std::int64_t i = 0; i < size; ++i) {
        double squares = 0;
        for (std::int64_t d = 0; d < dh; ++d) squares += std::pow(rows[static_cast<std::size_t>(i * dh + d)], 2);
        for (std::int64_t d = 0; d < dh; ++d)
            rows[static_cast<std::size_t>(i * dh + d)] /= std::sqrt(squares / static_cast<double>(dh) + eps);
    }
}

double naive_score(double score, const std::vector<ScoreRule>& rules, std::int64_t i, std::int64_t j, std::int64_t head,
                   std::int64_t heads) {
    for (const ScoreRule& rule : rules) {
        if (rule.kind == ScoreRule::Kind::SoftCap) score = rule.number * std::tanh(score / rule.number);
        if (rule.kind == ScoreRule::Kind::Alibi) {
            const double published = published_slopes(static_cast<int>(heads))[static_cast<std::size_t>(head)];
            const double slope = std::pow(rule.number, std::log2(published));  // base^x where the paper has 2^x
            score -= slope * std::fabs(static_cast<double>(i - j));
        }
    }
    return score;
}

/// The softmax of one row by its definition.
void naive_softmax(const std::vector<double>& scores, const std::vector<std::uint8_t>& allowed, Fill fill,
                   std::optional<double> sink, double* weights) {
    const std::size_t size = scores.size();
    std::vector<double> masked(size);
    double most = sink.value_or(-kInfinity);
    for (std::size_t j = 0; j < size; ++j) {
        masked[j] = allowed[j] ? scores[j] : fill == Fill::MinusBillion ? -1e9 : -kInfinity;
        most = std::max(most, masked[j]);
    }
    if (most == -kInfinity) {
        std::fill_n(weights, size, fill == Fill::Safe ? 0.0 : kNan);
        return;
    }
    double sum = sink ? std::exp(*sink - most) : 0;
    for (const double score : masked) sum += std::exp(score - most);
    for (std::size_t j = 0; j < size; ++j) weights[j] = std::exp(masked[j] - most) / sum;
}

NaiveHead naive_head(const Trace& t, std::int64_t b, std::int64_t h) {
    const Dims d = t.dims();
    const std::int64_t size = d.sequence_length, dh = d.head_dim();
    const HeadPart& part = t.request.mask.of(h);
    const MaskPtr built = Mask::build(part.mask, t.request.batch).value();
    const Mask& mask = *built;
    NaiveHead head;
    for (std::vector<double>* rows : {&head.q, &head.k, &head.v}) {
        const std::int64_t which = rows == &head.q ? 0 : rows == &head.k ? 1 : 2;
        for (std::int64_t s = 0; s < size; ++s)
            for (std::int64_t n = 0; n < dh; ++n)
                rows->push_back(t.qkv->value(((b * size + s) * d.num_heads + h) * 3 * dh + which * dh + n));
    }
    for (std::vector<double>* rows : {&head.q, &head.k}) {
        if (const auto* norm = part.rule(ScoreRule::Kind::Norm)) naive_norm(*rows, size, dh, norm->number);
        if (const auto* rope = part.rule(ScoreRule::Kind::Rope)) naive_rope(*rows, size, dh, *rope);
    }
    head.scores.resize(static_cast<std::size_t>(size * size));
    head.weights.resize(head.scores.size());
    head.context.resize(head.v.size());
    const auto* sink = part.rule(ScoreRule::Kind::Sink);
    for (std::int64_t i = 0; i < size; ++i) {
        std::vector<double> row;
        std::vector<std::uint8_t> allowed;
        for (std::int64_t j = 0; j < size; ++j) {
            double product = 0;
            for (std::int64_t n = 0; n < dh; ++n)
                product += head.q[static_cast<std::size_t>(i * dh + n)] * head.k[static_cast<std::size_t>(j * dh + n)];
            row.push_back(naive_score(product * t.request.scale_value(), part.rules, i, j, h, d.num_heads));
            allowed.push_back(mask.allowed(b, i, j));
        }
        std::copy(row.begin(), row.end(), head.scores.begin() + i * size);
        double* weights = head.weights.data() + i * size;
        naive_softmax(row, allowed, t.request.fill, sink ? std::optional(sink->number) : std::nullopt, weights);
        for (std::int64_t j = 0; j < size; ++j) {
            if (!allowed[static_cast<std::size_t>(j)] && t.request.fill != Fill::MinusBillion && weights[j] == 0)
                continue;
            for (std::int64_t n = 0; n < dh; ++n)
                head.context[static_cast<std::size_t>(i * dh + n)] +=
                    weights[j] * head.v[static_cast<std::size_t>(j * dh + n)];
        }
    }
    return head;
}

std::string random_part(std::mt19937& random, std::int64_t dh) {
    const char* masks[] = {"none",
                           "causal",
                           "padding",
                           "causal,local:4:0",
                           "local:2:1",
                           "documents:3:9",
                           "causal,padding",
                           "global:1+local:1:0",
                           "random:3:1,causal",
                           "block:5"};
    std::string text = masks[below(random, std::size(masks))];
    const char* rules[] = {"alibi",   "alibi:4", "softcap:1.5", "softcap:20",          "sink:0.5",
                           "sink:-3", "qknorm",  "rope:100",    "rope:50:interleaved", "sink:4"};
    std::vector<std::string> used;
    for (std::int64_t n = below(random, 4); n > 0; --n) {
        const std::string rule = rules[below(random, std::size(rules))], word = rule.substr(0, rule.find(':'));
        if (word == "rope" && dh % 2 != 0) continue;
        if (std::find(used.begin(), used.end(), word) != used.end()) continue;
        used.push_back(word);
        text += "," + rule;
    }
    return text.starts_with("none,") ? text.substr(5) : text;
}

std::string random_expression(std::mt19937& random, std::int64_t heads, std::int64_t dh) {
    if (heads == 1 || below(random, 4) == 0) return random_part(random, dh);
    std::string text;
    for (std::int64_t head = 0; head < heads;) {
        const std::int64_t last = std::min(heads - 1, head + below(random, 3));
        text += fmt::format("{}head {}-{}: {}", head ? "; " : "", head, last, random_part(random, dh));
        head = last + 1;
        if (head < heads && below(random, 4) == 0) return text + "; other heads: " + random_part(random, dh);
    }
    return text;
}

QString fault(const char* what, double a, double e, double allowed) {
    if (near(a, e, allowed * std::max(1.0, std::fabs(e)))) return {};
    return QStringLiteral("%1 is %2, not %3").arg(QLatin1String(what)).arg(a, 0, 'g', 12).arg(e, 0, 'g', 12);
}

/// Compares the scores, weights and contexts of a trace, kept or not, with the naive ones.
QString compare(const Trace& t, double allowed) {
    const Dims d = t.dims();
    const std::int64_t size = d.sequence_length, dh = d.head_dim();
    for (std::int64_t b = 0; b < d.batch; ++b) {
        for (std::int64_t h = 0; h < d.num_heads; ++h) {
            const NaiveHead naive = naive_head(t, b, h);
            for (std::int64_t i = 0; i < size; ++i) {
                const auto scores = row_of(t, Stage::Scores, b, h, i), weights = row_of(t, Stage::Weights, b, h, i);
                for (std::int64_t j = 0; j < size; ++j) {
                    const auto n = static_cast<std::size_t>(j), at = static_cast<std::size_t>(i * size + j);
                    QString text = fault("score", scores[n], naive.scores[at], 8 * allowed);
                    if (text.isEmpty()) text = fault("weight", weights[n], naive.weights[at], allowed);
                    if (!text.isEmpty())
                        return text + QStringLiteral(" at b %1 h %2 i %3 j %4").arg(b).arg(h).arg(i).arg(j);
                }
                for (std::int64_t n = 0; n < dh; ++n) {
                    const double context = t.context->value((b * size + i) * d.embed_dim + h * dh + n);
                    const QString text =
                        fault("context", context, naive.context[static_cast<std::size_t>(i * dh + n)], 4 * allowed);
                    if (!text.isEmpty()) return text + QStringLiteral(" at b %1 h %2 i %3").arg(b).arg(h).arg(i);
                }
            }
        }
    }
    return {};
}

/// Every cell of the regions of a trace without kept matrices equals the kept one.
QString compare_regions(const Trace& lean, const Trace& kept, double allowed) {
    const Dims d = kept.dims();
    for (const Stage stage : {Stage::Scores, Stage::Mask, Stage::Masked, Stage::Weights}) {
        for (std::int64_t h = 0; h < d.num_heads; ++h) {
            const auto edges = even_edges(0, d.sequence_length, d.sequence_length);
            for (const bool sampled : {false, true}) {
                const auto cells = region(lean, {stage, 0, h, edges, edges, Reduction::Maximum, sampled});
                if (!cells) return QStringLiteral("no region");
                for (std::int64_t i = 0; i < d.sequence_length; ++i) {
                    const auto row = row_of(kept, stage, 0, h, i);
                    for (std::int64_t j = 0; j < d.sequence_length; ++j) {
                        const QString text =
                            fault("cell", cells->value(i, j), row[static_cast<std::size_t>(j)], allowed);
                        if (!text.isEmpty())
                            return text + QStringLiteral(" of %1, h %2 i %3 j %4").arg(int(stage)).arg(h).arg(i).arg(j);
                    }
                }
            }
        }
    }
    return {};
}

/// The explanations of some cells agree with the trace.
QString compare_accounts(const Trace& t, std::mt19937& random, double allowed) {
    const Dims d = t.dims();
    const std::int64_t b = below(random, d.batch), h = below(random, d.num_heads), i = below(random, d.sequence_length),
                       j = below(random, d.sequence_length);
    const auto cell = cell_account(t, b, h, i, j);
    if (!cell) return QString::fromStdString(cell.error().message());
    const double score = cell->changes.empty() ? cell->exact_score : cell->changes.back().after;
    QString text = fault("explained score", score, cell->score, 16 * allowed);
    if (text.isEmpty()) text = fault("explained weight", cell->quotient, cell->weight, 4 * allowed);
    const auto steps = chunk_steps(t, b, h, i);
    if (!steps) return QString::fromStdString(steps.error().message());
    if (text.isEmpty() && !(steps->weight_difference <= 4 * allowed))
        text = QStringLiteral("chunk steps differ by %1").arg(steps->weight_difference);
    if (text.isEmpty() && !(steps->context_difference <= 16 * allowed) && !std::isnan(cell->weight))
        text = QStringLiteral("the context of the steps differs by %1").arg(steps->context_difference);
    return text;
}

}  // namespace

class TestHeadRules : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void slopesAreAsPublished() {
        // Of the paper's repository for 8 and 12 heads.
        const std::vector<double> eight{0.5, 0.25, 0.125, 0.0625, 0.03125, 0.015625, 0.0078125, 0.00390625};
        for (std::int64_t h = 0; h < 8; ++h) QCOMPARE(alibi_slope(h, 8), eight[static_cast<std::size_t>(h)]);
        std::vector<double> twelve = eight;
        for (const double slope : {0.7071067811865476, 0.35355339059327384, 0.17677669529663692, 0.08838834764831849})
            twelve.push_back(slope);
        for (std::int64_t h = 0; h < 12; ++h)
            QVERIFY(near(alibi_slope(h, 12), twelve[static_cast<std::size_t>(h)], 1e-15));
        for (int heads = 1; heads <= 40; ++heads)
            for (int h = 0; h < heads; ++h)
                QVERIFY(near(alibi_slope(h, heads), published_slopes(heads)[static_cast<std::size_t>(h)], 1e-14));
        QCOMPARE(alibi_slope(0, 8, 4), 0.25);
    }

    void everyWayOfComputingEqualsTheNaiveOne() {
        std::mt19937 random(13);
        constexpr Fill kFills[] = {Fill::Safe, Fill::Inf, Fill::MinusBillion};
        for (int round = 0; round < 500; ++round) {
            const std::int64_t heads = 1 + below(random, 8), dh = 1 + below(random, 9);
            const std::int64_t size = 1 + below(random, round % 25 == 0 ? 150 : 20);
            Request request = random_request(random, {size, below(random, size + 1)}, size, heads * dh, heads, "none");
            const std::string text = random_expression(random, heads, dh);
            const auto expression = parse_heads(text);
            QVERIFY2(expression, expression ? "" : expression.error().message().c_str());
            QVERIFY(parse_heads(to_string(*expression)).value() == *expression);
            request.mask = *expression;
            request.fill = kFills[below(random, 3)];
            request.precision = below(random, 2) ? Precision::Float64 : Precision::Float32;
            if (below(random, 3) == 0) request.scale = 0.7;
            if (below(random, 2)) request.chunk_size = 1 + below(random, size);
            if (below(random, 2)) request.key_chunk_size = 1 + below(random, size);
            request.keep_scores = below(random, 2) != 0;
            const double allowed = request.precision == Precision::Float64 ? 1e-12 : 2e-5;
            const auto kept = compute(request);
            VERIFY_RESULT(kept);
            request.kept_bytes = 0;
            const auto lean = compute(request);
            VERIFY_RESULT(lean);
            QVERIFY(!(*lean)->weights);
            QString wrong = compare(**kept, allowed);
            if (wrong.isEmpty()) wrong = compare(**lean, allowed).prepend(QString());
            if (wrong.isEmpty() && size <= 40) wrong = compare_regions(**lean, **kept, 4 * allowed);
            if (wrong.isEmpty()) wrong = compare_accounts(**kept, random, allowed);
            QVERIFY2(wrong.isEmpty(), qPrintable(QStringLiteral("round %1, %2, fill %3: %4")
                                                     .arg(round)
                                                     .arg(QString::fromStdString(text))
                                                     .arg(int(request.fill))
                                                     .arg(wrong)));
            const RowCheck& check = (*kept)->row_check;
            QCOMPARE(check.rows, 2 * heads * size);
            QVERIFY(check.not_finite == 0 && check.largest_error < 1e-4);
        }
    }

    /// The engine from x to the output, which bench measures, against compute().
    void theLayerInTilesEqualsTheTrace() {
        std::mt19937 random(21);
        for (const Precision precision : {Precision::Float32, Precision::Float64, Precision::BFloat16}) {
            for (const std::int64_t size : {5, 70, 200}) {
                for (const char* text :
                     {"causal,alibi", "softcap:2,sink:1", "head 0: causal,local:9:0; other heads: alibi",
                      "head 1-2: padding,sink:0; head 0,3: causal,softcap:3,alibi:3"}) {
                    Request request = random_request(random, {size, size / 2}, size, 64, 4, "none");
                    request.mask = parse_heads(text).value();
                    request.precision = precision;
                    const TracePtr trace = compute(request).value();
                    const auto maps = HeadTileMaps::of(request.mask, request.batch, 4);
                    VERIFY_RESULT(maps);
                    const TiledLayer layer(trace->layer, precision);
                    for (const bool keeps : {false, true}) {
                        TiledOptions options;
                        options.keep_weights = keeps;
                        const auto tiled = layer.attend(*trace->x, maps->tiles(), options);
                        VERIFY_RESULT(tiled);
                        const double allowed = precision == Precision::BFloat16  ? 0.06
                                               : precision == Precision::Float32 ? 2e-5
                                                                                 : 1e-12;
                        COMPARE_NUMBERS(tiled->output, *trace->output, allowed);
                        if (keeps) COMPARE_NUMBERS(tiled->weights, *trace->weights, allowed);
                    }
                }
            }
        }
    }

    void eachHeadSkipsItsOwnTiles() {
        const std::int64_t size = 1024, heads = 4;
        const Batch batch = batch_of_lengths({size}, size);
        std::mt19937 random(3);
        const Shape shape{1, heads, size, 8};
        const Tensor q = random_tensor(Tensor::Type::Float32, shape, random);
        const auto tiles_of = [&](const char* text) {
            const HeadTileMaps maps = HeadTileMaps::of(parse_heads(text).value(), batch, heads).value();
            TileCounter counter;
            TiledOptions options;
            options.counter = &counter;
            if (!tiled_attention(q, q, q, maps.tiles(), Precision::Float32, options)) return std::int64_t{-1};
            return counter.scores.load() * counter.queries;  // the height of a tile depends on the masks
        };
        const std::int64_t window = tiles_of("causal,local:64:0"), causal = tiles_of("causal"), all = tiles_of("none");
        QVERIFY(window * 5 < all && causal * 3 < all * 2);
        const std::int64_t mixed = tiles_of("head 0-2: causal,local:64:0; other heads: none");
        // Whatever the height of a tile: at most that of the windows in blocks of 128 queries.
        QVERIFY2(mixed >= 3 * window / 4 + all / 4 - 64 && mixed <= 3 * window / 4 * 3 / 2 + all / 4,
                 qPrintable(QStringLiteral("%1 %2 %3").arg(mixed).arg(window).arg(all)));
        QCOMPARE(tiles_of("head 0: causal; other heads: causal,alibi"), causal);
    }

    void halfFormatsRoundEachOperation() {
        std::mt19937 random(5);
        for (const Precision precision : {Precision::BFloat16, Precision::Float16}) {
            for (const auto& key_chunk : {std::optional<std::int64_t>(), std::optional<std::int64_t>(5)}) {
                Request request = random_request(random, {12, 9}, 12, 32, 4, "none");
                request.mask =
                    parse_heads("head 0-1: causal,alibi,softcap:5; other heads: padding,sink:1,rope:100").value();
                request.precision = precision;
                request.key_chunk_size = key_chunk;
                const auto trace = compute(request);
                VERIFY_RESULT(trace);
                const QString wrong = compare(**trace, precision == Precision::BFloat16 ? 0.1 : 0.02);
                QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
                for (std::int64_t n = 0; n < (*trace)->scores->size(); ++n) {
                    const double score = (*trace)->scores->value(n);
                    QCOMPARE(score, round_to(precision, score));
                }
                const auto cell = cell_account(**trace, 0, 1, 7, 3);
                VERIFY_RESULT(cell);
                QCOMPARE(cell->changes.size(), std::size_t{2});
            }
        }
    }

    void onlyWhatChangesIsComputedAgain() {
        std::mt19937 random(8);
        Request request = random_request(random, {10}, 10, 32, 4, "none");
        request.mask = parse_heads("head 0-1: causal; other heads: local:1:1").value();
        const TracePtr first = compute(request).value();
        Request next = request;
        next.mask = parse_heads("head 0-1: causal; other heads: local:2:1").value();
        const TracePtr second = compute(next, first).value();
        QVERIFY(second->scores == first->scores && second->q == first->q);
        QVERIFY(second->mask.pointer(0) == first->mask.pointer(0));  // heads 0 and 1 keep their mask
        QVERIFY(second->mask.pointer(2) != first->mask.pointer(2));
        next.mask = parse_heads("head 0-1: causal; other heads: local:1:1,sink:0").value();
        const TracePtr sink = compute(next, first).value();
        QVERIFY(sink->scores == first->scores && sink->mask.same_objects(first->mask));
        QVERIFY(sink->weights != first->weights);
        next.mask = parse_heads("head 0-1: causal; other heads: local:1:1,alibi").value();
        const TracePtr biased = compute(next, first).value();
        QVERIFY(biased->scores != first->scores && biased->q == first->q);
        next.mask = parse_heads("head 0-1: causal; other heads: local:1:1,rope").value();
        const TracePtr rotated = compute(next, first).value();
        QVERIFY(rotated->q != first->q && rotated->qkv == first->qkv && rotated->mask.same_objects(first->mask));
        for (const TracePtr& trace : {second, sink, biased, rotated}) QVERIFY(compare(*trace, 2e-5).isEmpty());
        Request same = next;
        same.mask = parse_heads("other heads: local:1:1,rope:10000:half; head 0,1: causal").value();
        QVERIFY(compute(same, rotated).value()->weights == rotated->weights);
    }

    void textsAreReadAndRefused() {
        const auto text = [](const char* typed) { return to_string(parse_heads(typed).value()); };
        QCOMPARE(text("head 0-3: causal,local:4:0; head 4-7: causal,alibi"),
                 std::string("head 0-3: causal,local:4:0; head 4-7: causal,alibi"));
        QCOMPARE(text(" heads 0,2-3:causal ;other heads:alibi , none"),
                 std::string("head 0,2-3: causal; other heads: alibi"));
        QCOMPARE(text("alibi:4,causal,off:local:1:0"), std::string("causal,off:local:1:0,alibi:4"));
        QCOMPARE(text("rope,sink:-1e-3,softcap:1e30"), std::string("rope:10000:half,sink:-0.001,softcap:1e30"));
        QCOMPARE(text("head 0: file:a\\;b.npy; other heads: none"),
                 std::string("head 0: file:a\\;b.npy; other heads: none"));
        QCOMPARE(short_text(parse_heads("causal").value()), std::string("causal"));
        const std::pair<const char*, const char*> wrong[] = {
            {"head 0-3: causal; head 3: none", "head 3 is described twice"},
            {"head 3-1: causal", "comes after"},
            {"head x: causal", "is no head"},
            {"head -1: causal", "is no head"},
            {"head 0: causal;", "does not say for which heads"},
            {"head 0: causal; local:1:0", "does not say for which heads"},
            {"other heads: none; other heads: causal", "stands twice"},
            {"head 0:", "the mask is empty"},
            {"head 99999999999999999999: causal", "is no head"},
            {"alibi+causal", "can't be joined"},
            {"off:alibi", "only layers of the mask"},
            {"alibi,alibi:3", "stands twice"},
            {"softcap", "does not have one number"},
            {"softcap:0", "must be from"},
            {"softcap:nan", "is no number"},
            {"softcap:inf", "is no number"},
            {"softcap:5x", "is no number"},
            {"sink:", "is no number"},
            {"sink:1:2", "does not have one number"},
            {"alibi:1", "must be from"},
            {"rope:10:turned", "does not have one number"},
            {"qknorm:-1", "must be from"}};
        for (const auto& [typed, part] : wrong) {
            const auto read = parse_heads(typed);
            QVERIFY2(!read, typed);
            QCOMPARE(read.error().code, ErrorCode::InvalidMask);
            QVERIFY2(read.error().message().find(part) != std::string::npos, read.error().message().c_str());
        }
        for (const char* typed : {"alibi", "causal,sink:0", "head 0: causal"}) QVERIFY(!parse_mask(typed));
    }

    void anyTextIsReadOrRefused() {
        std::mt19937 random(17);
        const char* pieces[] = {"head",    "heads",  " ",    "0",     "1-3",   "other heads", ":",    ";",
                                ",",       "+",      "off:", "alibi", "sink:", "softcap:",    "rope", "causal",
                                "padding", "qknorm", "-1",   "1e9",   "half",  "\\",          "none", "local:1:0"};
        int read = 0;
        for (int round = 0; round < 50000; ++round) {
            std::string text;
            for (std::int64_t n = below(random, 12); n >= 0; --n) text += pieces[below(random, std::size(pieces))];
            const auto expression = parse_heads(text);
            if (!expression) {
                QCOMPARE(expression.error().code, ErrorCode::InvalidMask);
                QVERIFY(!expression.error().message().empty());
                continue;
            }
            ++read;
            QVERIFY2(parse_heads(to_string(*expression)).value() == *expression, text.c_str());
            for (std::int64_t head = 0; head < 9; ++head) (void)expression->of(head);
        }
        QVERIFY(read > 100);
    }

    void aRequestThatDoesNotFitIsRefused() {
        std::mt19937 random(2);
        Request request = random_request(random, {6}, 6, 12, 4, "none");  // head_dim 3
        const std::pair<const char*, const char*> wrong[] = {{"head 0-4: causal", "describes head 4"},
                                                             {"head 0-2: causal", "anything of head 3"},
                                                             {"head 1-3: causal", "anything of head 0"},
                                                             {"rope", "which is odd"}};
        for (const auto& [typed, part] : wrong) {
            request.mask = parse_heads(typed).value();
            const auto trace = compute(request);
            QVERIFY2(!trace, typed);
            QVERIFY2(trace.error().message().find(part) != std::string::npos, trace.error().message().c_str());
        }
        request.precision = Precision::Float16;
        for (const char* typed : {"softcap:1e5", "softcap:1e-5", "sink:-1e6"}) {
            request.mask = parse_heads(typed).value();
            QVERIFY2(!compute(request), typed);
        }
    }

    void aSinkTakesAPartOfEachRow() {
        std::mt19937 random(4);
        Request request = random_request(random, {6, 0}, 6, 8, 2, "none");
        for (const Fill fill : {Fill::Safe, Fill::Inf, Fill::MinusBillion}) {
            request.fill = fill;
            request.mask = parse_heads("padding,sink:2").value();
            const TracePtr trace = compute(request).value();
            const auto full = row_account(*trace, 0, 1, 3).value();
            double sum = full.sink_exponential / full.row_sum;
            QVERIFY(sum > 0 && sum < 1);
            for (const double weight : full.weights) sum += weight;
            QVERIFY(near(sum, 1, 1e-6));
            QVERIFY(full.reason.str().find("the sink takes") != std::string::npos);
            const auto empty = row_account(*trace, 1, 0, 2).value();  // fully masked: zeros, whatever the fill
            for (const double weight : empty.weights) QCOMPARE(weight, 0.0);
            QVERIFY(empty.reason.str().find("the sink takes 1 of") != std::string::npos);
            QCOMPARE(trace->row_check.fully_masked, 2 * 6);
            QCOMPARE(trace->row_check.sum_to_one, 2 * 2 * 6);
            for (std::int64_t n = 0; n < 6 * 8; ++n) QCOMPARE(trace->context->value(6 * 8 + n), 0.0);
        }
    }

    void theMaskHasOneMatrixPerHead() {
        std::mt19937 random(6);
        Request request = random_request(random, {7}, 7, 8, 4, "none");
        request.mask = parse_heads("head 2: causal; other heads: none").value();
        const TracePtr trace = compute(request).value();
        QVERIFY(has_heads(Stage::Mask, request) && stage_shape(Stage::Mask, request) == Shape({1, 4, 7, 7}));
        for (std::int64_t h = 0; h < 4; ++h) {
            const MatrixView view = trace->matrix(Stage::Mask, 0, h);
            QCOMPARE(view.at(1, 5), h == 2 ? 0.0 : 1.0);
            QCOMPARE(cell_of(*trace, Stage::Mask, 0, h, 1, 5), h == 2 ? 0.0 : 1.0);
        }
        QVERIFY(!trace->matrix(Stage::Mask, 0, 4));
        QVERIFY(!trace->mask.shared());
        request.mask = parse_heads("head 2: causal; other heads: causal,alibi").value();
        const TracePtr one = compute(request).value();
        QVERIFY(one->mask.shared() && !has_heads(Stage::Mask, request));
    }
};

QTEST_APPLESS_MAIN(TestHeadRules)
#include "tst_head_rules.moc"
