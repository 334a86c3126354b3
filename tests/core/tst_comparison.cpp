// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/explain/comparison.h"

#include <QTest>
#include <cmath>

#include "core/explain/precision_lens.h"
#include "core/masks/mask_edit.h"
#include "traces.h"

using namespace headscope;
using namespace headscope::testing;

namespace {

constexpr Stage kAllStages[] = {Stage::X,           Stage::Qkv,    Stage::Heads, Stage::Q,      Stage::K,
                                Stage::V,           Stage::Scores, Stage::Mask,  Stage::Masked, Stage::Weights,
                                Stage::HeadContext, Stage::Concat, Stage::Output};

QString names(const std::vector<SettingDifference>& differences) {
    QStringList list;
    for (const auto& d : differences)
        list << QStringLiteral("%1: %2 / %3")
                    .arg(QString::fromStdString(d.name), QString::fromStdString(d.a.str()),
                         QString::fromStdString(d.b.str()));
    return list.join(u'\n');
}

}  // namespace

class TestComparison : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void equalConfigurationsAreExactlyEqual() {
        std::mt19937 random(1);
        for (const Precision precision : kPrecisions) {
            for (const Fill fill : {Fill::Safe, Fill::Inf, Fill::MinusBillion}) {
                Request request = random_request(random, {6, 0}, 6, 8, 2, "padding,causal", 2);
                request.precision = precision;
                request.fill = fill;
                request.key_chunk_size = 2;
                const TracePtr a = traced(request), b = traced(request);  // each computed by itself
                QVERIFY(differing_settings(a->request, b->request).empty());
                for (const Stage stage : kAllStages) {
                    for (std::int64_t n = 0; n < 4; ++n) {
                        const auto d = difference(*a, *b, stage, n / 2, n % 2);
                        VERIFY_RESULT(d);
                        QVERIFY(d->equal());
                        QCOMPARE(d->undefined, 0);
                        for (const double value : d->values) QCOMPARE(value, 0.0);
                        QCOMPARE(d->masked_a.empty(), !is_square(stage));
                    }
                }
            }
        }
    }

    /// Of matrices that are not kept some rows are compared, and all if that many are wanted.
    void sampledRowsAreThoseOfTheWhole() {
        std::mt19937 random(8);
        Request request = random_request(random, {40}, 40, 16, 2, "causal", 2);
        request.kept_bytes = 0;
        const TracePtr a = traced(request);
        request.mask = parse_mask("causal,local:6:0").value();
        const TracePtr b = traced(request);
        QVERIFY(!a->weights && !b->weights);
        for (const Stage stage : {Stage::Scores, Stage::Masked, Stage::Weights, Stage::Mask}) {
            const auto whole = difference(*a, *b, stage, 0, 1), all = sampled_difference(*a, *b, stage, 0, 1, 99),
                       some = sampled_difference(*a, *b, stage, 0, 1, 8);
            VERIFY_RESULT(whole);
            VERIFY_RESULT(all);
            VERIFY_RESULT(some);
            QCOMPARE(whole->compared_rows, 40);
            QCOMPARE(all->compared_rows, 40);
            QCOMPARE(some->compared_rows, 8);
            QVERIFY(near(all->largest, whole->largest, 1e-6));
            QVERIFY(some->largest <= whole->largest + 1e-6);
            QVERIFY(some->row % 5 == 0 && some->values.empty());
        }
    }

    void wholeAndChunkedAreWithinTheLens() {
        // Conventions 12: chunks are off by twice what the whole is, so that the two are apart by three times at most;
        // and by one rounding of a number up to 1.
        std::mt19937 random(2);
        for (const auto& [precision, rounding] :
             {std::pair(Precision::Float32, 0x1p-24), std::pair(Precision::BFloat16, 0x1p-8),
              std::pair(Precision::Float16, 0x1p-11)}) {
            Request request = random_request(random, {40}, 40, 16, 2, "causal", 1.5);
            request.precision = precision;
            const auto lens_traces = compute_precisions(request);
            VERIFY_RESULT(lens_traces);
            Request chunked = request;
            chunked.chunk_size = 7;
            chunked.key_chunk_size = 5;
            const TracePtr whole = traced(request), chunks = traced(chunked);
            QCOMPARE(names(differing_settings(whole->request, chunks->request)),
                     QStringLiteral("chunk size: whole / 7\nkey chunk size: whole / 5"));
            for (std::int64_t h = 0; h < 2; ++h) {
                const auto d = difference(*whole, *chunks, Stage::Weights, 0, h);
                const auto lens = precision_error(*lens_traces, precision, Stage::Weights, 0, h);
                VERIFY_RESULT(d);
                VERIFY_RESULT(lens);
                QVERIFY2(d->largest <= 3 * lens->largest + rounding, qPrintable(QString::number(d->largest)));
                QVERIFY(difference(*whole, *chunks, Stage::Mask, 0, h)->equal());
            }
        }
    }

    void differencesAreAMinusB() {
        std::mt19937 random(3);
        Request request = random_request(random, {6, 4}, 6, 8, 2, "none", 2);
        const TracePtr a = traced(request);
        request.mask = parse_mask("causal").value();
        request.scale = 0.3;
        const TracePtr b = traced(request);
        for (const Stage stage : kAllStages) {
            const auto d = difference(*a, *b, stage, 1, 1);
            VERIFY_RESULT(d);
            const MatrixView left = a->matrix(stage, 1, 1), right = b->matrix(stage, 1, 1);
            double largest = 0;
            for (std::int64_t n = 0; n < d->rows * d->columns; ++n) {
                const std::int64_t i = n / d->columns, j = n % d->columns;
                const double expected = left.at(i, j) - right.at(i, j);
                QCOMPARE(d->values[static_cast<std::size_t>(n)], expected);
                largest = std::max(largest, std::fabs(expected));
                if (!is_square(stage)) continue;
                QCOMPARE(d->masked_a[static_cast<std::size_t>(n)], std::uint8_t{0});
                QCOMPARE(d->masked_b[static_cast<std::size_t>(n)], static_cast<std::uint8_t>(j > i));
            }
            QCOMPARE(d->largest, largest);
            if (largest > 0)
                QCOMPARE(std::fabs(d->values[static_cast<std::size_t>(d->row * d->columns + d->column)]), largest);
            // The mask comes after the scores: what is before is untouched by it (and by the scale).
            QCOMPARE(d->equal(), stage == Stage::X || stage == Stage::Qkv || stage == Stage::Heads ||
                                     stage == Stage::Q || stage == Stage::K || stage == Stage::V);
        }
        QCOMPARE(difference(*a, *b, Stage::Masked, 0, 0)->largest, std::numeric_limits<double>::infinity());
        QCOMPARE(difference(*a, *b, Stage::Mask, 0, 0)->largest, 1.0);
    }

    void nanOnOneSideIsUndefined() {
        std::mt19937 random(4);
        Request request = random_request(random, {3, 0}, 3, 4, 1, "padding");
        request.fill = Fill::Inf;
        const TracePtr nan = traced(request);
        request.fill = Fill::Safe;
        const TracePtr safe = traced(request);
        const auto d = difference(*nan, *safe, Stage::Weights, 1, 0);
        VERIFY_RESULT(d);
        QCOMPARE(d->undefined, 9);
        QCOMPARE(d->largest, 0.0);
        QVERIFY(!d->equal());
        QVERIFY(difference(*nan, *safe, Stage::Weights, 0, 0)->equal());
    }

    void whatCannotBeSubtracted() {
        std::mt19937 random(5);
        const TracePtr a = traced(random_request(random, {4}, 4, 8, 2, "none"));
        const TracePtr longer = traced(random_request(random, {5}, 5, 8, 2, "none"));
        const TracePtr heads = traced(random_request(random, {4}, 4, 8, 4, "none"));
        const auto sizes = difference(*a, *longer, Stage::Weights, 0, 0);
        QVERIFY(!sizes);
        QCOMPARE(sizes.error().code, ErrorCode::InvalidPair);
        QCOMPARE(sizes.error().message(),
                 std::string("weights of A are 4x4, of B 5x5; only matrices of one size can be subtracted"));
        QVERIFY(difference(*a, *heads, Stage::Weights, 0, 1).has_value());
        QCOMPARE(difference(*a, *heads, Stage::Q, 0, 1).error().code, ErrorCode::InvalidPair);
        for (const auto& [b, h] : {std::pair(1, 0), std::pair(-1, 0), std::pair(0, 2), std::pair(0, -1)})
            QCOMPARE(difference(*a, *heads, Stage::Weights, b, h).error().code, ErrorCode::InvalidValue);
        QVERIFY(difference(*a, *heads, Stage::Output, 0, 99).has_value());  // it has no heads
    }

    void everySettingIsListed() {
        std::mt19937 random(6);
        const Request base = random_request(random, {2}, 2, 8, 2, "none");
        const auto changed = [&](const std::function<void(Request&)>& change) {
            Request other = base;
            change(other);
            return names(differing_settings(base, other));
        };
        QCOMPARE(changed([](Request&) {}), QString());
        QCOMPARE(changed([](Request& r) { r.embed_dim = 16; }), QStringLiteral("embed_dim: 8 / 16"));
        QCOMPARE(changed([](Request& r) { r.num_heads = 4; }), QStringLiteral("num_heads: 2 / 4"));
        QCOMPARE(changed([](Request& r) { r.source = WeightSource::Seed; }),
                 QStringLiteral("weights: test (interleaved) / seed"));
        QCOMPARE(changed([](Request& r) { r.fill = Fill::MinusBillion; }), QStringLiteral("fill: safe / 1e9"));
        QCOMPARE(changed([](Request& r) { r.scale = 0.125; }), QStringLiteral("scale: auto / 0.125"));
        QCOMPARE(changed([](Request& r) { r.precision = Precision::BFloat16; }),
                 QStringLiteral("precision: float32 / bfloat16"));
        QCOMPARE(changed([](Request& r) { r.chunk_size = 3; }), QStringLiteral("chunk size: whole / 3"));
        QCOMPARE(changed([](Request& r) { r.key_chunk_size = 1; }), QStringLiteral("key chunk size: whole / 1"));
        QCOMPARE(changed([](Request& r) { r.mask = parse_mask("causal,off:padding").value(); }),
                 QStringLiteral("mask: none / causal"));
        QCOMPARE(changed([](Request& r) { r.mask = parse_mask("off:padding").value(); }), QString());
        QCOMPARE(changed([](Request& r) { r.mask = paint::with_painted_layer({}, paint::uniform(9, false)); }),
                 QStringLiteral("mask: none / painted:9 (0/81)"));
        QCOMPARE(changed([](Request& r) {
                     r.batch = make_batch({{"t0", "x"}});
                 }),
                 QStringLiteral("text: 1 x 2 tokens, sequence 0: t0 t1 / 1 x 2 tokens, sequence 0: t0 x"));
        QCOMPARE(changed([](Request& r) {
                     r.batch = make_batch({{"t0", "t1"}, {"y"}});
                 }),
                 QStringLiteral("text: 1 x 2 tokens / 2 x 2 tokens, sequence 1: y [PAD]"));
        QVERIFY(changed([](Request& r) {
                    r.batch = make_batch({std::vector<std::string>(40, "word")});
                }).endsWith(QStringLiteral("word ...")));
        // A seed counts only where something is drawn from it.
        QCOMPARE(changed([](Request& r) { r.seed = 5; }), QString());
        QCOMPARE(changed([](Request& r) {
                     r.source = WeightSource::Seed;
                     r.seed = 5;
                 }),
                 QStringLiteral("weights: test (interleaved) / seed\nseed: 0 / 5"));
        QCOMPARE(changed([](Request& r) { r.kept_sequence = 1; }),
                 QString());  // what is looked at, not what is computed
    }
};

QTEST_APPLESS_MAIN(TestComparison)
#include "tst_comparison.moc"
