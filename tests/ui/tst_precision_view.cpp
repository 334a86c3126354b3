// SPDX-License-Identifier: GPL-3.0-or-later
// The precision lens as a person sees it: its table and maps against core's numbers, and when it works at all.
#include <QSpinBox>
#include <QTest>
#include <QToolButton>
#include <cmath>

#include "panel_support.h"
#include "ui/look/theme.h"
#include "ui/maps/cell_explanation.h"
#include "ui/maps/head_card.h"
#include "ui/maps/heat_map.h"
#include "ui/pages/steps/fault_overlay.h"
#include "ui/pages/steps/precision_table.h"
#include "ui/pages/steps/precision_view.h"
#include "ui/state/background.h"

using namespace headscope;

namespace {

constexpr std::array kMeasured{Precision::Float32, Precision::BFloat16, Precision::Float16};

struct Desk {
    Session session;
    PrecisionView view{session};

    explicit Desk(const char* mask = "causal") {
        Draft draft;
        draft.set(Field::EmbedDim, utf8("64"));
        draft.set(Field::Mask, utf8(mask));
        Selection first;
        first.head = 0;
        session.replace(draft, first);
        view.resize(760, 480);
    }
    bool show() {
        view.show();
        return QTest::qWaitForWindowExposed(&view) && waitForTrace(session) && settle();
    }
    /// Until what is asked for now is there, or it is said why not.
    bool settle() {
        return waitForTrace(session) && QTest::qWaitFor([&] { return !view.isBusy(); }, 30000);
    }
    bool set(Field field, const QString& value) {
        session.edit(field, value);
        return settle();
    }
    PrecisionTable* table() const { return control<PrecisionTable>(view, "precisionTable"); }
    HeatMap* map(int index) const {
        return control<HeatMap>(view, qPrintable(QStringLiteral("precisionMap%1").arg(index)));
    }
    FaultOverlay* faults(int index) const { return map(index)->findChild<FaultOverlay*>(); }
    HeadCard* card(int index) const { return qobject_cast<HeadCard*>(map(index)->parentWidget()); }
    QString emptyText() const {
        auto* label = control<QLabel>(view, "precisionEmpty");
        return label->isVisible() ? label->text() : QString();
    }
    void click(const char* name) { QTest::mouseClick(control(view, name), Qt::LeftButton); }
    /// What core gives for the same question.
    PrecisionError error(Precision precision, Stage stage, int head) const {
        const auto traces = compute_precisions(session.trace()->request);
        return precision_error(*traces, precision, stage, session.selection().sequence, head).value();
    }
};

}  // namespace

class TestPrecisionView : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { applyTheme(Theme::Light); }

    void nothingIsComputedWhileItIsHidden() {
        Desk desk;
        QVERIFY(waitForTrace(desk.session));
        QVERIFY(!desk.view.isBusy());
        QVERIFY(!desk.view.lens());
        QVERIFY(desk.show());
        QVERIFY(desk.view.lens() != nullptr);
        QCOMPARE(desk.emptyText(), QString());
        desk.view.hide();
        QVERIFY(!desk.view.lens());  // four computations aren't kept for nobody
        QVERIFY(desk.set(Field::Mask, utf8("none")));
        QVERIFY(!desk.view.lens());
        QVERIFY(desk.show());
        QVERIFY(desk.view.lens()->traces.of(Precision::Float64)->mask.all_allowed());
    }

    void theOneInUseIsNotComputedAgain() {
        Desk desk;
        QVERIFY(desk.show());
        QCOMPARE(desk.view.lens()->traces.of(Precision::Float32)->weights, desk.session.trace()->weights);
        QVERIFY(desk.set(Field::Precision, utf8("bfloat16")));
        QCOMPARE(desk.view.lens()->traces.of(Precision::BFloat16)->weights, desk.session.trace()->weights);
        const auto* table = desk.table();
        QVERIFY(table->item(2, PrecisionTable::Name)->font().bold());
        QVERIFY(!table->item(1, PrecisionTable::Name)->font().bold());
    }

    void theTableSaysWhatCoreSays_data() {
        QTest::addColumn<bool>("scores");
        QTest::addColumn<int>("head");
        QTest::newRow("weights") << false << 0;
        QTest::newRow("weights of another head") << false << 6;
        QTest::newRow("scores") << true << 3;
    }
    void theTableSaysWhatCoreSays() {
        QFETCH(bool, scores);
        QFETCH(int, head);
        Desk desk;
        QVERIFY(desk.show());
        control<QSpinBox>(desk.view, "precisionHead")->setValue(head);
        desk.click(scores ? "precisionScores" : "precisionWeights");
        QVERIFY(desk.settle());
        for (const Precision precision : kMeasured) {
            const PrecisionError error = desk.error(precision, scores ? Stage::Scores : Stage::Weights, head);
            QVERIFY(error.largest > 0);
            QCOMPARE(desk.table()->text(precision, PrecisionTable::Largest), QStringLiteral("%1 (%2, %3)")
                                                                                 .arg(numberText(error.largest, 3))
                                                                                 .arg(error.largest_query)
                                                                                 .arg(error.largest_key));
            QCOMPARE(desk.table()->text(precision, PrecisionTable::Mean), numberText(error.mean, 3));
            QCOMPARE(desk.table()->text(precision, PrecisionTable::Overflow), QString::number(error.overflows));
            QCOMPARE(desk.table()->text(precision, PrecisionTable::Underflow), QString::number(error.underflows));
            QCOMPARE(desk.table()->text(precision, PrecisionTable::Nan), QString::number(error.nans));
        }
    }

    /// What can be computed is shown, and beside it why the rest was not.
    void aScaleThatFloat16CantHold() {
        Desk desk;
        QVERIFY(desk.show());
        QVERIFY(desk.set(Field::Scale, utf8("1e5")));
        QCOMPARE(desk.emptyText(), QString());
        const auto* refusal = control<QLabel>(desk.view, "precisionRefusal2");
        QVERIFY(refusal->isVisible() && refusal->text().contains(utf8("float16")));
        QVERIFY(!control(desk.view, "precisionRefusal1")->isVisible());
        QCOMPARE(desk.table()->text(Precision::Float16, PrecisionTable::Largest), utf8("not computed"));
        QCOMPARE(desk.card(2)->subtitle(), utf8("not computed"));
        desk.click("precisionScores");
        QVERIFY(desk.settle());
        for (const Precision precision : {Precision::Float32, Precision::BFloat16})
            QVERIFY(desk.table()->text(precision, PrecisionTable::Largest).contains(u'('));
        desk.session.setHover(Cell{5, 2, 0});
        QCOMPARE(desk.table()->text(Precision::Float16, PrecisionTable::Here), QString());
        QVERIFY(!desk.table()->text(Precision::BFloat16, PrecisionTable::Here).isEmpty());
        QVERIFY(desk.set(Field::Scale, utf8("auto")));
        QVERIFY(!refusal->isVisible());
        QVERIFY(desk.table()->text(Precision::Float16, PrecisionTable::Largest).contains(u'('));
    }

    void minusABillionInEachPrecision() {
        Desk desk;
        QVERIFY(desk.show());
        QCOMPARE(desk.table()->text(Precision::Float64, PrecisionTable::Fill), utf8("−1e9"));
        QCOMPARE(desk.table()->text(Precision::Float32, PrecisionTable::Fill), utf8("−1e9"));
        QCOMPARE(desk.table()->text(Precision::BFloat16, PrecisionTable::Fill), utf8("−998244352"));
        QCOMPARE(desk.table()->text(Precision::Float16, PrecisionTable::Fill), utf8("−∞"));
    }

    void theCellUnderTheHandIsReadInAllFour() {
        Desk desk;
        QVERIFY(desk.show());
        QTest::mouseMove(desk.map(1), desk.map(1)->cellRect(5, 2).center().toPoint());
        QTRY_COMPARE(desk.session.hover(), std::optional(Cell{5, 2, 0}));
        QCOMPARE(desk.table()->horizontalHeaderItem(PrecisionTable::Here)->text(), utf8("query 5, key 2"));
        const auto traces = compute_precisions(desk.session.trace()->request).value();
        for (const Precision precision : kPrecisions) {
            const double value = traces.of(precision)->matrix(Stage::Weights, 0, 0).at(5, 2);
            QCOMPARE(desk.table()->text(precision, PrecisionTable::Here), exactText(value, storage_type(precision)));
        }
        const double error = desk.error(Precision::BFloat16, Stage::Weights, 0).error[52];
        QCOMPARE(desk.card(1)->subtitle(), utf8("here ") + numberText(error, 3));
        // Nothing under the hand: the locked cell, then none.
        QTest::mouseClick(desk.map(0), Qt::LeftButton, Qt::NoModifier, desk.map(0)->cellRect(7, 3).center().toPoint());
        QCOMPARE(desk.session.selection().locked, std::optional(Cell{7, 3, 0}));
        desk.session.setHover(std::nullopt);
        QCOMPARE(desk.table()->horizontalHeaderItem(PrecisionTable::Here)->text(), utf8("query 7, key 3"));
        desk.session.setLocked(std::nullopt);
        QCOMPARE(desk.table()->text(Precision::Float16, PrecisionTable::Here), QString());
        QVERIFY(desk.card(1)->subtitle().startsWith(utf8("± ")));
    }

    void aClickOnTheLargestErrorLocksItsCell() {
        Desk desk;
        desk.session.setStage(Stage::Q);  // where a cell would be a dimension
        QVERIFY(desk.show());
        control<QSpinBox>(desk.view, "precisionHead")->setValue(2);
        QVERIFY(desk.settle());
        const PrecisionError error = desk.error(Precision::BFloat16, Stage::Weights, 2);
        const QRect cell = desk.table()->visualItemRect(desk.table()->item(2, PrecisionTable::Largest));
        QTest::mouseClick(desk.table()->viewport(), Qt::LeftButton, Qt::NoModifier, cell.center());
        QCOMPARE(desk.session.selection().stage, Stage::Weights);
        QCOMPARE(desk.session.selection().locked,
                 std::optional(Cell{static_cast<int>(error.largest_query), static_cast<int>(error.largest_key), 2}));
    }

    void underflowAndOverflowHaveASignOfTheirOwn() {
        Desk desk("none");
        QVERIFY(desk.show());
        for (const bool scores : {false, true}) {
            // Scores beyond 65504 are infinite in float16; weights of far keys are 0.
            if (scores) QVERIFY(desk.set(Field::Scale, utf8("30000")));
            desk.click(scores ? "precisionScores" : "precisionWeights");
            QVERIFY(desk.settle());
            desk.map(2)->grab();
            const PrecisionError error = desk.error(Precision::Float16, scores ? Stage::Scores : Stage::Weights, 0);
            const CellFault fault = scores ? CellFault::Overflow : CellFault::Underflow;
            QVERIFY((scores ? error.overflows : error.underflows) > 0);
            std::vector<QPointF> wanted;
            for (std::int64_t n = 0; n < 100; ++n)
                if (error.faults[static_cast<std::size_t>(n)] == fault)
                    wanted.push_back(
                        desk.map(2)->cellRect(static_cast<int>(n / 10), static_cast<int>(n % 10)).center());
            std::vector<QPointF> found;
            for (const auto& mark : desk.faults(2)->marks())
                if (mark.fault == fault) found.push_back(mark.centre);
            QCOMPARE(found, wanted);
            const QImage image = desk.map(2)->grab().toImage();
            const ColorScale scale{-error.largest, error.largest, false, Palette::Diverging};
            const QColor ink = readableOn(QColor(scale.color(scores ? INFINITY : 0.0)));
            for (const QPointF& centre : wanted) QCOMPARE(image.pixelColor(centre.toPoint()), ink);
            const PrecisionError narrow = desk.error(Precision::Float32, scores ? Stage::Scores : Stage::Weights, 0);
            desk.map(0)->grab();
            QCOMPARE(static_cast<std::int64_t>(desk.faults(0)->marks().size()), narrow.overflows + narrow.underflows);
        }
    }

    void masksAndErrorsAreDrawn() {
        Desk desk;
        QVERIFY(desk.show());
        const QImage image = desk.map(1)->grab().toImage();
        const PrecisionError error = desk.error(Precision::BFloat16, Stage::Weights, 0);
        const auto at = [&](std::int64_t query, std::int64_t key) {
            return image.pixelColor(
                desk.map(1)->cellRect(static_cast<int>(query), static_cast<int>(key)).center().toPoint());
        };
        const ColorScale scale{-error.largest, error.largest, false, Palette::Diverging};
        const auto n = static_cast<std::size_t>(error.largest_query * 10 + error.largest_key);
        QCOMPARE(at(error.largest_query, error.largest_key).rgb(), scale.color(error.error[n]));
        const QColor masked = at(2, 7);
        QVERIFY(masked == color(Role::Masked, Theme::Light) || masked == color(Role::Hatch, Theme::Light));
    }

    void whatCannotBeComputedIsSaid() {
        Desk desk;
        QVERIFY(desk.show());
        desk.session.edit(Field::Text, QString());
        QVERIFY(desk.emptyText().startsWith(utf8("Type a sentence")));
        QVERIFY(desk.set(Field::Text, utf8("two tokens")));
        QCOMPARE(desk.emptyText(), QString());
        QCOMPARE(desk.view.lens()->error(Precision::Float16).size, 2);
    }

    void theHeadFollowsTheLockedCell() {
        Desk desk;
        QVERIFY(desk.show());
        desk.session.setLocked(Cell{1, 0, 5});
        QVERIFY(desk.settle());
        QCOMPARE(control<QSpinBox>(desk.view, "precisionHead")->value(), 5);
        QCOMPARE(desk.view.lens()->head, 5);
        desk.session.setSequence(1);
        QVERIFY(desk.settle());
        QCOMPARE(desk.view.lens()->sequence, 1);
        QCOMPARE(desk.table()->text(Precision::Float32, PrecisionTable::Here),
                 exactText(desk.session.trace()->matrix(Stage::Weights, 1, 5).at(1, 0), Tensor::Type::Float32));
    }

    void themeAndTypeChangeInPlace() {
        Desk desk;
        QVERIFY(desk.show());
        const QImage light = desk.map(0)->grab().toImage();
        applyTheme(Theme::Dark);
        QVERIFY(desk.map(0)->grab().toImage() != light);
        const int height = desk.table()->height();
        const QFont font = QApplication::font();
        QFont large = font;
        large.setPointSize(20);
        QApplication::setFont(large);
        applyTheme(Theme::Dark);  // as the window does
        QTRY_VERIFY(desk.table()->height() > height);
        QApplication::setFont(font);
        applyTheme(Theme::Light);
    }

    // The background that it works in.

    void onlyTheNewestArrives() {
        Background work;
        QList<int> arrived;
        std::atomic<int> begun = 0;
        for (int i = 0; i < 5; ++i)
            work.run([&, i](const std::atomic<bool>& cancel) -> Background::Finish {
                ++begun;
                while (!cancel && i < 4) QThread::msleep(1);
                return [&arrived, i] { arrived << i; };
            });
        QVERIFY(QTest::qWaitFor([&] { return !work.isBusy(); }, 30000));
        QTest::qWait(0);
        QCOMPARE(arrived, QList<int>{4});
        QVERIFY(begun >= 1);
    }

    void cancelledWorkSaysNothing() {
        Background work;
        bool arrived = false;
        work.run([&](const std::atomic<bool>& cancel) -> Background::Finish {
            while (!cancel) QThread::msleep(1);
            return [&] { arrived = true; };
        });
        QVERIFY(work.isBusy());
        work.cancel();
        QVERIFY(!work.isBusy());
        QTest::qWait(50);
        QVERIFY(!arrived);
    }

    void noMemoryIsAnError() {
        Background work;
        QStringList said;
        connect(&work, &Background::failed, this, [&](const Error& error) { said << sentence(error); });
        work.run([](const std::atomic<bool>&) -> Background::Finish { throw std::bad_alloc(); });
        QVERIFY(QTest::qWaitFor([&] { return !work.isBusy(); }, 30000));
        work.run([](const std::atomic<bool>&) -> Background::Finish { throw std::runtime_error("of this"); });
        QVERIFY(QTest::qWaitFor([&] { return !work.isBusy(); }, 30000));
        QCOMPARE(said.size(), 2);
        QVERIFY(said[0].contains(utf8("no memory left")));
        QVERIFY(said[1].contains(utf8("of this")));
    }
};

QTEST_MAIN(TestPrecisionView)
#include "tst_precision_view.moc"
