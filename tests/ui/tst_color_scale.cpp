// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <cmath>
#include <limits>

#include "heads_support.h"
#include "ui/look/color_scale.h"
#include "ui/look/theme.h"

using namespace headscope;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
const double kNan = std::numeric_limits<double>::quiet_NaN();

}  // namespace

class TestColorScale : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void positionIsLinearAndClamped() {
        const ColorScale scale{-2, 6};
        QCOMPARE(scale.position(-2), 0.0);
        QCOMPARE(scale.position(0), 0.25);
        QCOMPARE(scale.position(6), 1.0);
        QCOMPARE(scale.position(-1e300), 0.0);
        QCOMPARE(scale.position(kInfinity), 1.0);
        QCOMPARE(scale.position(-kInfinity), 0.0);
        QVERIFY(std::isnan(scale.position(kNan)));
    }

    void aRangeOfAllDoublesDoesNotOverflow() {
        const double most = std::numeric_limits<double>::max();
        QCOMPARE(ColorScale({-most, most}).position(0), 0.5);
        QCOMPARE(ColorScale({-most, most}).position(most), 1.0);
    }

    void noWidthIsTheMiddle() {
        for (const double value : {-1.0, 0.25, 7.0}) QCOMPARE(ColorScale({0.25, 0.25}).position(value), 0.5);
        QCOMPARE(ColorScale({0, 0, false, Palette::Diverging}).color(0), paletteColors(Palette::Diverging)[128]);
        QVERIFY(std::isnan(ColorScale({0.25, 0.25}).position(kNan)));
    }

    void logarithmsHaveAFloor() {
        const ColorScale scale{1e-6, 1, true};
        QCOMPARE(scale.position(1), 1.0);
        QVERIFY(std::abs(scale.position(1e-3) - 0.5) < 1e-12);
        QCOMPARE(scale.position(1e-6), 0.0);
        QCOMPARE(scale.position(1e-30), 0.0);
        QCOMPARE(scale.position(0), 0.0);
        QCOMPARE(scale.position(-1), 0.0);
    }

    void coloursAreThePalettes() {
        for (int p = 0; p <= int(Palette::Diverging); ++p) {
            const ColorScale scale{0, 1, false, Palette(p)};
            const auto& colors = paletteColors(Palette(p));
            QCOMPARE(scale.color(0), colors.front());
            QCOMPARE(scale.color(1), colors.back());
            for (int i = 0; i < 256; ++i) QCOMPARE(scale.color((i + 0.5) / 256), colors[std::size_t(i)]);
            QCOMPARE(qAlpha(scale.color(kNan)), 0);
        }
    }

    void weightsAreUnitUnlessAsked() {
        const TracePtr trace = traceOf({});
        for (int head = 0; head < 2; ++head) QCOMPARE(colorScale(*trace, {}, head), ColorScale{});
        const ColorScale log = colorScale(*trace, selectionOf(Stage::Weights, Range::Log, Palette::Magma), 1);
        QCOMPARE(log, (ColorScale{1e-6, 1, true, Palette::Magma}));
    }

    void headsAloneAndShared() {
        const TracePtr trace = withNumbers(traceOf({}), Stage::Weights, [](int head, int row, int column) {
            return head == 0 ? 0.25 + 0.125 * (row == 2 && column == 1) : 0.5 * (column == 3);
        });
        const Selection own = selectionOf(Stage::Weights, Range::Head),
                        shared = selectionOf(Stage::Weights, Range::Shared);
        QCOMPARE(colorScale(*trace, own, 0), (ColorScale{0.25, 0.375}));
        QCOMPARE(colorScale(*trace, own, 1), (ColorScale{0, 0.5}));
        for (int head = 0; head < 2; ++head) QCOMPARE(colorScale(*trace, shared, head), (ColorScale{0, 0.5}));
    }

    void aUniformHeadHasNoWidth() {
        const TracePtr trace = withNumbers(traceOf({}), Stage::Weights, [](int, int, int) { return 0.125; });
        const ColorScale scale = colorScale(*trace, selectionOf(Stage::Weights, Range::Head), 0);
        QCOMPARE(scale, (ColorScale{0.125, 0.125}));
        QCOMPARE(scale.color(0.125), paletteColors(Palette::Viridis)[128]);
    }

    void maskedAndNonFiniteCellsDontCount() {
        Setting setting;
        setting.mask = "causal";
        const auto numbers = [](int, int row, int column) {
            if (column > row) return 100.0;            // masked
            if (row == 3 && column == 0) return kNan;  // not finite
            if (row == 3 && column == 1) return -kInfinity;
            return row == column ? 0.5 : 0.25;
        };
        const TracePtr trace = withNumbers(traceOf(setting), Stage::Weights, numbers);
        QCOMPARE(colorScale(*trace, selectionOf(Stage::Weights, Range::Shared), 0), (ColorScale{0.25, 0.5}));
        // Scores are before the mask: there every finite cell counts; masked scores are as seen after it.
        const TracePtr scores = withNumbers(traceOf(setting), Stage::Scores, numbers);
        QCOMPARE(colorScale(*scores, selectionOf(Stage::Scores), 0).high, 100.0);
        QCOMPARE(colorScale(*scores, selectionOf(Stage::Masked), 0).high, 0.5);
        QVERIFY(!shownMatrix(*scores, selectionOf(Stage::Scores), 0).masked(0, 5));
        QVERIFY(shownMatrix(*scores, selectionOf(Stage::Masked), 0).masked(0, 5));
    }

    void aRowWithNothingOpenDoesntCount() {
        Setting setting;
        setting.text = QStringLiteral("a b c\nd");
        setting.mask = "padding,local:0:0";
        const TracePtr trace =
            withNumbers(traceOf(setting), Stage::Weights, [](int, int row, int) { return row ? 9.0 : 0.5; });
        Selection selection = selectionOf(Stage::Weights, Range::Head);
        selection.sequence = 1;  // rows 1 and 2 are fully masked
        QCOMPARE(colorScale(*trace, selection, 0), (ColorScale{0.5, 0.5}));
    }

    void signedStagesAreSymmetric() {
        const TracePtr trace = withNumbers(traceOf({}), Stage::Q, [](int head, int row, int column) {
            return row == 1 && column == 2 ? (head ? 0.5 : -4.0) : 0.25;
        });
        QCOMPARE(colorScale(*trace, selectionOf(Stage::Q), 1), (ColorScale{-4, 4, false, Palette::Diverging}));
        QCOMPARE(colorScale(*trace, selectionOf(Stage::Q, Range::Head), 1),
                 (ColorScale{-0.5, 0.5, false, Palette::Diverging}));
        // 0 to 1 and logarithms are for weights.
        QCOMPARE(colorScale(*trace, selectionOf(Stage::Q, Range::Log), 1),
                 (ColorScale{-4, 4, false, Palette::Diverging}));
        const ColorScale scale = colorScale(*trace, selectionOf(Stage::Q), 0);
        QCOMPARE(scale.position(0), 0.5);
    }

    void nothingToSeeHasAScale() {
        const TracePtr nans = withNumbers(traceOf({}), Stage::Weights, [](int, int, int) { return kNan; });
        QCOMPARE(colorScale(*nans, selectionOf(Stage::Weights, Range::Head), 0), (ColorScale{0, 1}));
        const TracePtr scores = withNumbers(traceOf({}), Stage::Scores, [](int, int, int) { return kNan; });
        QCOMPARE(colorScale(*scores, selectionOf(Stage::Scores), 0), (ColorScale{0, 0, false, Palette::Diverging}));
    }

    void oneForEachMatrix() {
        Setting setting;
        setting.mask = "causal";
        setting.num_heads = 4;
        const TracePtr trace = traceOf(setting);
        for (int stage = 0; stage <= int(Stage::Output); ++stage)
            for (const auto range :
                 {std::optional<Range>(), std::optional(Range::Head), std::optional(Range::Shared)}) {
                const Selection selection = selectionOf(Stage(stage), range);
                const auto scales = colorScales(*trace, selection);
                QCOMPARE(scales.size(), std::size_t(has_heads(Stage(stage), trace->request) ? 4 : 1));
                for (std::size_t head = 0; head < scales.size(); ++head)
                    QCOMPARE(scales[head], colorScale(*trace, selection, int(head)));
            }
    }

    void doubleIsReadAsDouble() {
        Setting setting;
        setting.precision = Precision::Float64;
        const TracePtr trace =
            withNumbers(traceOf(setting), Stage::Weights, [](int, int row, int) { return row == 0 ? 0.1 : 0.2; });
        QCOMPARE(colorScale(*trace, selectionOf(Stage::Weights, Range::Head), 0), (ColorScale{0.1, 0.2}));
    }

    void labelsAreShort() {
        QCOMPARE(scaleLabel(0), QStringLiteral("0"));
        QCOMPARE(scaleLabel(-0.0), QStringLiteral("0"));
        QCOMPARE(scaleLabel(1), QStringLiteral("1"));
        QCOMPARE(scaleLabel(1e-6), QStringLiteral("1e−6"));
        QCOMPARE(scaleLabel(0.34100612), QStringLiteral("0.341"));
        QCOMPARE(scaleLabel(-2.654), QStringLiteral("−2.65"));
    }
};

QTEST_MAIN(TestColorScale)
#include "tst_color_scale.moc"
