// SPDX-License-Identifier: GPL-3.0-or-later
#include <QLabel>
#include <QTest>
#include <cmath>

#include "core/explain/cell_account.h"
#include "core/explain/contributions.h"
#include "heads_support.h"
#include "ui/maps/cell_explanation.h"
#include "ui/maps/cell_steps.h"
#include "ui/pages/heads/explained_cell.h"

using namespace headscope;

namespace {

const double kNan = std::numeric_limits<double>::quiet_NaN();

Setting catSat(const std::string& mask = "none", Fill fill = Fill::Safe) {
    Setting setting;
    setting.text = QStringLiteral("the cat sat\non");
    setting.mask = mask;
    setting.fill = fill;
    return setting;
}

TracePtr weighing(double share, const Setting& setting = catSat()) {
    return withNumbers(traceOf(setting), Stage::Weights, [share](int, int, int) { return share; });
}

Selection inSequence(int sequence, Stage stage = Stage::Weights) {
    Selection selection = selectionOf(stage);
    selection.sequence = sequence;
    return selection;
}

}  // namespace

class TestCellExplanation : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aWeightIsASentence() {
        const CellExplanation explanation = cellExplanation(*weighing(0.34100612), {}, {2, 1, 1});
        QCOMPARE(explanation.sentence, QStringLiteral("'sat' (query 2) takes 34.1% from 'cat' (key 1) in head 1"));
        QCOMPARE(explanation.exact,
                 QStringLiteral("0.34100613"));  // float(0.34100612) reads back from this, and no shorter
        QCOMPARE(explanation.exact.toFloat(), 0.34100612f);
        QCOMPARE(cellSentence(*weighing(0.34100612), {}, {2, 1, 1}),
                 explanation.sentence + QStringLiteral(" · 0.34100613"));
    }

    void sharesAreNotRoundedToAllOrNothing() {
        QCOMPARE(percentText(0), QStringLiteral("0.0%"));
        QCOMPARE(percentText(1e-30), QStringLiteral("<0.1%"));
        QCOMPARE(percentText(0.00049), QStringLiteral("<0.1%"));
        QCOMPARE(percentText(0.0005), QStringLiteral("0.1%"));
        QCOMPARE(percentText(0.9994), QStringLiteral("99.9%"));
        QCOMPARE(percentText(0.99999), QStringLiteral(">99.9%"));
        QCOMPARE(percentText(1), QStringLiteral("100.0%"));
        QCOMPARE(percentText(kNan), QStringLiteral("NaN"));
    }

    void exactTextReadsBack() {
        std::mt19937 random(3);
        for (int i = 0; i < 2000; ++i) {
            const float number = std::bit_cast<float>(std::uint32_t(random()));
            if (!std::isfinite(number)) continue;
            QCOMPARE(exactText(double(number), Tensor::Type::Float32).toFloat(), number);
            const double wide = double(number) / 3;
            QCOMPARE(exactText(wide, Tensor::Type::Float64).toDouble(), wide);
        }
        QCOMPARE(exactText(0.1f, Tensor::Type::Float32), QStringLiteral("0.1"));
        QCOMPARE(exactText(kNan, Tensor::Type::Float32), QStringLiteral("NaN"));
    }

    void anUnderflowSaysSo_data() {
        QTest::addColumn<int>("precision");
        QTest::addColumn<QString>("exact");
        QTest::newRow("float32") << int(Precision::Float32) << QStringLiteral("<1e-38");
        QTest::newRow("float64") << int(Precision::Float64) << QStringLiteral("<1e-308");
        QTest::newRow("bfloat16") << int(Precision::BFloat16) << QStringLiteral("<1e-38");
        QTest::newRow("float16") << int(Precision::Float16) << QStringLiteral("<6e-08");
    }
    void anUnderflowSaysSo() {
        QFETCH(int, precision);
        QFETCH(QString, exact);
        Setting setting = catSat();
        setting.precision = Precision(precision);
        const TracePtr trace = weighing(0, setting);
        QCOMPARE(cellExplanation(*trace, {}, {0, 1, 0}).exact, exact);
        // A score of −∞ gives exactly nothing.
        const TracePtr infinite = withNumbers(trace, Stage::Scores, [](int, int, int) { return -INFINITY; });
        QCOMPARE(cellExplanation(*infinite, {}, {0, 1, 0}).exact, QStringLiteral("0"));
    }

    void aMaskedCellNamesItsLayers() {
        const CellExplanation explanation = cellExplanation(*traceOf(catSat("causal,local:1:1")), {}, {0, 2, 1});
        QVERIFY(explanation.sentence.startsWith(
            QStringLiteral("Masked: 'the' (query 0) can't attend to 'sat' (key 2) · ")));
        QVERIFY(explanation.sentence.contains(QStringLiteral("causal")));
        QVERIFY(explanation.sentence.contains(QStringLiteral("window")));
        QCOMPARE(explanation.exact, QStringLiteral("0"));
    }

    void leaksAndNansAreTold() {
        const TracePtr leaked = weighing(0.25, catSat("causal", Fill::MinusBillion));
        QVERIFY(
            cellExplanation(*leaked, {}, {0, 2, 1}).sentence.contains(QStringLiteral("leaked weight on a masked key")));
        const CellExplanation nan = cellExplanation(*weighing(kNan), {}, {0, 2, 1});
        QVERIFY(nan.sentence.startsWith(QStringLiteral("'the' (query 0) takes NaN from 'sat' (key 2) in head 1")));
        QCOMPARE(nan.exact, QStringLiteral("NaN"));
    }

    void fullyMaskedRowsAreExplainedByTheirFill() {
        const auto told = [](Fill fill, Precision precision = Precision::Float32) {
            Setting setting = catSat("padding,local:0:0", fill);
            setting.precision = precision;
            return cellExplanation(*traceOf(setting), inSequence(1), {2, 0, 0});
        };
        const QString start = QStringLiteral("'[PAD]' (query 2) is fully masked: ");
        QCOMPARE(told(Fill::Safe).sentence, start + QStringLiteral("its weights and its context are 0"));
        QCOMPARE(told(Fill::Safe).exact, QStringLiteral("0"));
        QCOMPARE(told(Fill::Inf).sentence, start + QStringLiteral("all its scores are −∞, so its weights are NaN"));
        QCOMPARE(told(Fill::Inf).exact, QStringLiteral("NaN"));
        QCOMPARE(told(Fill::MinusBillion).sentence,
                 start + QStringLiteral("all its scores are −1e9, so it takes 33.3% from every key, masked or not"));
        QCOMPARE(told(Fill::MinusBillion).exact.toFloat(), 1.f / 3);
        QVERIFY(told(Fill::MinusBillion, Precision::BFloat16).sentence.contains(QStringLiteral("−998244352")));
        QVERIFY(told(Fill::MinusBillion, Precision::Float16).sentence.contains(QStringLiteral("weights are NaN")));
    }

    void otherStagesNameTheirNumber() {
        const auto trace = withNumbers(traceOf(catSat("causal")), Stage::Q, [](int head, int row, int column) {
            return head == 1 && row == 2 && column == 5 ? -0.123 : 1.0;
        });
        const auto told = [&](Stage stage, const Cell& cell) {
            return cellExplanation(*trace, selectionOf(stage), cell);
        };
        QCOMPARE(told(Stage::Q, {2, 5, 1}).sentence, QStringLiteral("q[2, 5] of 'sat' in head 1 = −0.123"));
        QCOMPARE(told(Stage::Q, {2, 5, 1}).exact, QStringLiteral("-0.123"));
        QVERIFY(told(Stage::X, {1, 3, 0}).sentence.startsWith(QStringLiteral("x[1, 3] of 'cat' = ")));
        // 2 heads of 16: [q0 k0 v0 q1 k1 v1] of 16 each, so that column 70 is number 6 of the fifth.
        QVERIFY(told(Stage::Qkv, {0, 70, 0})
                    .sentence.startsWith(QStringLiteral("qkv[0, 70] of 'the' (k of head 1, dimension 6) = ")));
        QVERIFY(told(Stage::Heads, {0, 33, 1})
                    .sentence.startsWith(QStringLiteral("heads[0, 33] of 'the' in head 1 (v, dimension 1) = ")));
        QVERIFY(told(Stage::Concat, {0, 17, 0})
                    .sentence.startsWith(QStringLiteral("concat[0, 17] of 'the' (head 1, dimension 1) = ")));
        QVERIFY(told(Stage::Scores, {0, 2, 1}).sentence.startsWith(QStringLiteral("'the' (query 0) scores ")));
        QVERIFY(told(Stage::Masked, {0, 2, 1}).sentence.startsWith(QStringLiteral("Masked: ")));
        QCOMPARE(told(Stage::Masked, {0, 2, 1}).exact, QStringLiteral("-inf"));
        QCOMPARE(told(Stage::Mask, {0, 2, 0}).sentence, QStringLiteral("'the' (query 0) is masked from 'sat' (key 2)"));
        QCOMPARE(told(Stage::Mask, {2, 0, 0}).exact, QStringLiteral("1"));
    }

    void qkvColumnsAreThoseOfTheHeads() {
        const TracePtr trace = traceOf(catSat());
        const std::pair<Stage, QString> parts[] = {
            {Stage::Q, QStringLiteral("q")}, {Stage::K, QStringLiteral("k")}, {Stage::V, QStringLiteral("v")}};
        for (int column = 0; column < 96; ++column) {
            const int head = column / 48, part = column % 48 / 16, dimension = column % 16;
            QCOMPARE(trace->matrix(Stage::Qkv, 0, 0).at(1, column),
                     trace->matrix(parts[part].first, 0, head).at(1, dimension));
            const QString told = cellExplanation(*trace, selectionOf(Stage::Qkv), {1, column, 0}).sentence;
            QVERIFY(told.contains(
                QStringLiteral("(%1 of head %2, dimension %3)").arg(parts[part].second).arg(head).arg(dimension)));
        }
    }

    void tokensArePlainText() {
        Setting setting;
        setting.text = QStringLiteral("<b>x</b> &amp; %1%2");
        const TracePtr trace = weighing(0.5, setting);
        QCOMPARE(cellExplanation(*trace, {}, {0, 2, 1}).sentence,
                 QStringLiteral("'<b>x</b>' (query 0) takes 50.0% from '%1%2' (key 2) in head 1"));
    }

    void whatIsNotThereSaysNothing() {
        const TracePtr trace = traceOf(catSat());
        for (const Cell& cell : {Cell{-1, 0, 0}, Cell{3, 0, 0}, Cell{0, 3, 0}, Cell{0, -1, 0}, Cell{0, 0, 2}})
            QVERIFY(cellSentence(*trace, {}, cell).isEmpty());
        QVERIFY(cellSentence(*trace, inSequence(2), {0, 0, 0}).isEmpty());
        QVERIFY(cellSentence(*trace, inSequence(-1), {0, 0, 0}).isEmpty());
    }

    void theExplanationIsTheAccounts() {
        const TracePtr trace = traceOf(catSat("causal"));
        ExplainedCell strip;
        strip.setCell(trace, 0, Cell{2, 1, 1});
        const CellAccount account = cell_account(*trace, 0, 1, 2, 1).value();
        const auto n = [](double value) { return numberText(value); };
        const auto norm = [](const std::vector<double>& vector) {
            double sum = 0;
            for (const double number : vector) sum += number * number;
            return std::sqrt(sum);
        };
        const QString largest =
            account.maximum < 0 ? QStringLiteral("(%1)").arg(n(account.maximum)) : n(account.maximum);
        QCOMPARE(strip.formula(),
                 QStringLiteral("q · k = %1 × 1/√16 → %2 → allowed → exp(%2 − %3) / %4 → %5 · adds %5 · v₁ to the "
                                "context of “sat”")
                     .arg(n(account.rounded_sum), n(account.score), largest, n(account.row_sum), n(account.weight)));
        QCOMPARE(cellMoved(*trace, account),
                 QStringLiteral("‖weight · v‖ = %1 in the context, ‖weight · v W_Oᵀ‖ = %2 in the output")
                     .arg(n(norm(account.added)), n(norm(moved_output(*trace, 0, 1, 2, 1)))));
        QCOMPARE(account.weight, trace->matrix(Stage::Weights, 0, 1).at(2, 1));
        QCOMPARE(strip.accessibleDescription(), strip.formula());
        QCOMPARE(strip.findChild<QLabel*>(QStringLiteral("explainedTitle"))->text(),
                 QStringLiteral("How “sat” (query 2) comes to its weight on “cat” (key 1) in head 1"));
        // The page of the steps says the same numbers.
        const QList<CellStep> steps = cellSteps(*trace, account);
        QStringList numbers;
        for (const CellStep& step : steps) numbers << step.text;
        QCOMPARE(numbers, (QStringList{n(account.rounded_sum), n(account.score), n(account.masked_score),
                                       n(account.exponential), n(account.weight)}));
    }

    void theExplanationOfAMaskedCell() {
        ExplainedCell strip;
        strip.setCell(traceOf(catSat("causal")), 0, Cell{0, 1, 0});
        QVERIFY(strip.formula().endsWith(
            QStringLiteral("→ masked: −∞ → exp(−∞) = 0 → 0 · adds nothing to the context of “the”")));
        strip.setCell(traceOf(catSat("padding,local:0:0")), 1, Cell{2, 0, 0});
        QVERIFY(strip.formula().contains(QStringLiteral("→ fully masked row → 0 · ")));
        strip.setCell(traceOf(catSat("padding,local:0:0", Fill::Inf)), 1, Cell{2, 0, 0});
        QVERIFY(strip.formula().contains(QStringLiteral("exp(−∞ − (−∞)) / NaN → NaN · adds NaN")));
        strip.setCell(traceOf(catSat("padding,local:0:0", Fill::MinusBillion)), 1, Cell{2, 0, 0});
        QVERIFY(strip.formula().contains(QStringLiteral("exp(−1e9 − (−1e9)) / 3 → 0.3333 · ")));
        QVERIFY(!strip.isHidden());
        strip.setCell(traceOf(catSat()), 0, std::nullopt);
        QVERIFY(strip.formula().isEmpty());
        QVERIFY(strip.isHidden());
    }

    void theStripsAreDrawn() {
        const TracePtr trace =
            withNumbers(traceOf(catSat()), Stage::Q, [](int, int, int column) { return column < 8 ? -1.0 : 1.0; });
        ExplainedCell strip;
        strip.setCell(trace, 0, Cell{2, 1, 1});
        for (const int width : {900, 620}) {
            strip.resize(width, strip.sizeHint().height());
            strip.show();
            const QImage picture = strip.grab().toImage();
            int blue = 0, red = 0;
            const auto& colors = paletteColors(Palette::Diverging);
            for (int y = 0; y < picture.height(); ++y)
                for (int x = 0; x < picture.width(); ++x) {
                    blue += picture.pixel(x, y) == colors.front();
                    red += picture.pixel(x, y) == colors.back();
                }
            QVERIFY(blue > 300);
            QVERIFY(red > 300);
        }
        QVERIFY2(strip.height() <= 92, qPrintable(QString::number(strip.height())));  // lower than three cells
    }
};

QTEST_MAIN(TestCellExplanation)
#include "tst_cell_explanation.moc"
