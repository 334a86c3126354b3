// SPDX-License-Identifier: GPL-3.0-or-later
// The explanation of a cell and of its row as a person reads it: every number is the trace's, whatever the mask, the
// fill and the precision made of it.
#include <QCheckBox>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTest>
#include <cmath>

#include "panel_support.h"
#include "tests/support.h"
#include "ui/maps/cell_explanation.h"
#include "ui/maps/cell_steps.h"
#include "ui/maps/strip_table.h"
#include "ui/pages/steps/explained_cell.h"
#include "ui/pages/steps/row_bars.h"
#include "ui/pages/steps/row_words.h"
#include "ui/pages/steps/story_view.h"

using namespace headscope;
using headscope::testing::same;

namespace {

/// A view on a session of its own, shown and computed.
struct Desk {
    Session session;
    StoryView view{session};

    Desk() {
        view.resize(1000, 700);
        view.show();
        (void)QTest::qWaitForWindowExposed(&view);
        (void)waitForTrace(session);
    }
    void set(Field field, const QString& value) {
        session.edit(field, value);
        QVERIFY(waitForTrace(session));
        QVERIFY2(session.reading().problems.isEmpty(), qPrintable(value));
    }
    QString text(const char* name) const { return control<QLabel>(view, name)->text(); }
    RowBars* bars() const { return control<RowBars>(view, "rowBars"); }
    double at(Stage stage, int row, int column) const {
        const auto& cell = *session.selection().locked;
        return session.trace()->matrix(stage, session.selection().sequence, cell.head).at(row, column);
    }
    bool tellsNothing() const { return control<QLabel>(view, "storyEmpty")->isVisible(); }
};

/// What is wrong with the explained cell; empty where each number is the trace's.
QString faultOf(const Desk& desk) {
    const Trace& trace = *desk.session.trace();
    const Cell cell = *desk.session.selection().locked;
    const int sequence = desk.session.selection().sequence;
    const auto account = cell_account(trace, sequence, cell.head, cell.query, cell.key);
    if (!account) return QStringLiteral("no account");
    const QList<CellStep> steps = cellSteps(trace, *account);
    const std::pair<int, Stage> of_trace[] = {{1, Stage::Scores}, {2, Stage::Masked}, {4, Stage::Weights}};
    for (const auto& [step, stage] : of_trace) {
        const double expected = desk.at(stage, cell.query, cell.key);
        if (!same(steps[step].value, expected) || steps[step].text != numberText(expected) ||
            steps[step].exact != exactText(expected, trace.weights->type()))
            return QStringLiteral("%1 is %2, not %3").arg(steps[step].name, steps[step].exact).arg(expected);
    }
    for (int step = 0; step < steps.size(); ++step) {
        const QByteArray name = "step" + QByteArray::number(step);
        if (desk.text(name.constData()) != steps[step].text) return QStringLiteral("step %1 isn't shown").arg(step);
        if (desk.text(QByteArray(name + "How").constData()) != steps[step].formula)
            return QStringLiteral("how step %1 is made isn't shown").arg(step);
    }
    const auto differs = [&](const char* table, int strip, Stage stage, int row) -> QString {
        const auto& numbers = control<StripTable>(desk.view, table)->strips()[strip].numbers;
        for (std::size_t d = 0; d < numbers.size(); ++d)
            if (!same(numbers[d], desk.at(stage, row, static_cast<int>(d))))
                return QStringLiteral("%1[%2] is %3").arg(QLatin1StringView(table)).arg(d).arg(numbers[d]);
        return numbers.size() == static_cast<std::size_t>(trace.dims().head_dim()) ? QString()
                                                                                   : QStringLiteral("not all numbers");
    };
    for (const QString& fault :
         {differs("scoreStrips", 0, Stage::Q, cell.query), differs("scoreStrips", 1, Stage::K, cell.key),
          differs("contextStrips", 0, Stage::V, cell.key), differs("contextStrips", 2, Stage::HeadContext, cell.query)})
        if (!fault.isEmpty()) return fault;
    // The row: all numbers of each key, as its tooltip tells them.
    for (int key = 0; key < trace.dims().sequence_length; ++key) {
        const QString told = desk.bars()->keyText(key);
        const auto exact = [&](Stage stage) {
            return exactText(desk.at(stage, cell.query, key), trace.weights->type());
        };
        QStringList expected{QStringLiteral("score ") + exact(Stage::Scores),
                             QStringLiteral("weight ") + exact(Stage::Weights)};
        if (!trace.mask.of(0).allowed(sequence, cell.query, key))
            expected << QStringLiteral("masked: ") + exact(Stage::Masked);
        for (const QString& line : expected)
            if (!told.split(u'\n').contains(line)) return QStringLiteral("no '%1' in: %2").arg(line, told);
    }
    return {};
}

}  // namespace

class TestStory : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { applyTheme(Theme::Light); }

    void nothingLockedShowsTheWeightNearestToOneHalf() {
        Desk desk;
        QVERIFY(!desk.tellsNothing());
        const ExplainedCell chosen = explainedCell(*desk.session.trace(), desk.session.selection());
        QVERIFY(!chosen.locked);
        const auto distance = [&](int head, int query, int key) {
            return std::abs(desk.session.trace()->matrix(Stage::Weights, 0, head).at(query, key) - 0.5);
        };
        const double least = distance(chosen.cell.head, chosen.cell.query, chosen.cell.key);
        for (int head = 0; head < 8; ++head)
            for (int query = 0; query < 10; ++query)
                for (int key = 0; key < 10; ++key) QVERIFY(distance(head, query, key) >= least);
        QVERIFY(desk.text("cellTitle").contains(QStringLiteral("in head %1").arg(chosen.cell.head)));
        QVERIFY(!desk.session.selection().locked);  // it is only shown
        desk.session.setHead(3);
        QVERIFY(desk.text("cellTitle").contains(QStringLiteral("in head 3")));
        desk.session.setLocked(Cell{1, 0, 2});
        QVERIFY(desk.text("cellTitle").contains(QStringLiteral("in head 2")));
    }

    void aNumberOfQShowsItsRow() {
        Desk desk;
        desk.session.setStage(Stage::Q);
        desk.session.setLocked(Cell{1, 20, 2});
        QVERIFY(!desk.tellsNothing());
        QVERIFY2(desk.text("cellTitle").contains(QStringLiteral("(query 1)")) &&
                     desk.text("cellTitle").contains(QStringLiteral("in head 2")),
                 qPrintable(desk.text("cellTitle")));
    }

    void theNumberBoxesLeaveUndoToTheWindow() {
        Desk desk;
        desk.set(Field::Mask, QStringLiteral("causal"));
        auto* box = control<QSpinBox>(desk.view, "storyQuery");
        QKeyEvent undo(QEvent::ShortcutOverride, Qt::Key_Z, Qt::ControlModifier);
        QCoreApplication::sendEvent(box->findChild<QLineEdit*>(), &undo);
        QVERIFY(!undo.isAccepted());
    }

    void everyNumberIsTheTraces_data() {
        QTest::addColumn<QString>("mask");
        QTest::addColumn<QString>("fill");
        QTest::addColumn<QString>("precision");
        QTest::addColumn<QString>("scale");
        QTest::addColumn<QString>("kind");
        const auto add = [](const char* name, const char* mask, const char* fill, const char* precision,
                            const char* scale, const char* kind) {
            const auto q = [](const char* text) { return QString::fromLatin1(text); };
            QTest::newRow(name) << q(mask) << q(fill) << q(precision) << q(scale) << q(kind);
        };
        add("open", "none", "safe", "float32", "auto", "");
        add("masked", "causal", "safe", "float32", "auto", "masked");
        add("two layers", "causal,local:2:0", "inf", "float64", "0.3", "masked");
        add("leaked", "causal", "1e9", "float32", "-1e8", "leaked");
        add("NaN", "causal", "safe", "float32", "1e38", "nan");
        add("bfloat16", "causal", "safe", "bfloat16", "auto", "half");
        add("float16", "padding,causal", "1e9", "float16", "auto", "half");
        add("bfloat16 1e9", "local:1:0", "1e9", "bfloat16", "auto", "half");
    }

    void everyNumberIsTheTraces() {
        QFETCH(QString, mask);
        QFETCH(QString, fill);
        QFETCH(QString, precision);
        QFETCH(QString, scale);
        QFETCH(QString, kind);
        Desk desk;
        Draft draft;
        draft.set(Field::Mask, mask);
        draft.set(Field::Fill, fill);
        draft.set(Field::Precision, precision);
        draft.set(Field::Scale, scale);
        desk.session.edit(draft, QStringLiteral("test"));
        QVERIFY(waitForTrace(desk.session));
        QVERIFY(desk.session.reading().problems.isEmpty());
        bool met = kind.isEmpty() || kind == QStringLiteral("half");
        for (const Cell& cell :
             {Cell{3, 1, 0}, Cell{3, 9, 4}, Cell{0, 0, 7}, Cell{0, 5, 2}, Cell{9, 8, 6}, Cell{5, 6, 1}}) {
            desk.session.setLocked(cell);
            const QString fault = faultOf(desk);
            QVERIFY2(fault.isEmpty(), qPrintable(fault));
            const bool masked = !desk.session.trace()->mask.of(0).allowed(0, cell.query, cell.key);
            QCOMPARE(desk.text("step2How").startsWith(QStringLiteral("masked by")), masked);
            const double weight = desk.at(Stage::Weights, cell.query, cell.key);
            if (masked && weight == 0) QVERIFY(desk.text("cellAdds").contains(QStringLiteral("nothing")));
            met = met || (kind == QStringLiteral("masked") && masked && weight == 0);
            met = met || (kind == QStringLiteral("nan") && std::isnan(weight));
            if (kind == QStringLiteral("leaked") && masked && weight > 0) {
                met = true;
                QVERIFY(desk.text("step4How").contains(QStringLiteral("still weighted because the fill is finite")));
                QVERIFY(desk.text("rowText").contains(QStringLiteral("leaked weight")));
            }
        }
        QVERIFY2(met, "none of the cells is of the kind that this row is about");
    }

    void aFullyMaskedRowSaysItsOutcome_data() {
        QTest::addColumn<QString>("fill");
        QTest::addColumn<QString>("precision");
        QTest::addColumn<QString>("weight");
        QTest::addColumn<QString>("reason");
        const auto row = [](const char* fill, const char* precision, const char* weight, const char* reason) {
            QTest::addRow("%s %s", fill, precision) << QString::fromLatin1(fill) << QString::fromLatin1(precision)
                                                    << QString::fromLatin1(weight) << QString::fromLatin1(reason);
        };
        row("safe", "float32", "0", "fill safe makes every weight 0");
        row("inf", "float32", "NaN", "-inf minus -inf is NaN");
        row("1e9", "float32", "0.25", "each of the 4 keys gets 1/4");
        row("1e9", "float16", "NaN", "float16 can't represent -1e9");
    }

    void aFullyMaskedRowSaysItsOutcome() {
        QFETCH(QString, fill);
        QFETCH(QString, precision);
        QFETCH(QString, weight);
        QFETCH(QString, reason);
        Desk desk;
        Draft draft;
        draft.set(Field::Text, QStringLiteral("a b c d\n\n"));
        draft.set(Field::Mask, QStringLiteral("padding"));
        draft.set(Field::Fill, fill);
        draft.set(Field::Precision, precision);
        desk.session.edit(draft, QStringLiteral("test"));
        QVERIFY(waitForTrace(desk.session));
        desk.session.setSequence(1);
        desk.session.setLocked(Cell{2, 1, 3});
        const QString fault = faultOf(desk);
        QVERIFY2(fault.isEmpty(), qPrintable(fault));
        QCOMPARE(desk.text("step4"), weight);
        QVERIFY2(desk.text("rowText").contains(reason), qPrintable(desk.text("rowText")));
        QVERIFY2(desk.text("rowText").contains(QStringLiteral("attends to 0 of 4 keys")),
                 qPrintable(desk.text("rowText")));
    }

    void theRowSaysWhatTheMaskTookAndToWhomItWent() {
        Desk desk;
        desk.set(Field::Mask, QStringLiteral("causal"));
        desk.session.setLocked(Cell{3, 2, 6});
        const auto row = row_account(*desk.session.trace(), 0, 6, 3);
        QVERIFY(row);
        const QString text = desk.text("rowText");
        QVERIFY2(text.contains(QStringLiteral("“on” (query 3) attends to 4 of 10 keys in head 6")), qPrintable(text));
        QVERIFY2(text.contains(percentText(row->taken)), qPrintable(text));
        QVERIFY2(text.contains(QStringLiteral("“on” (key 3) +") + percentText(row->change[3])), qPrintable(text));
        QVERIFY2(text.contains(QStringLiteral("entropy ") + numberText(row->entropy_bits, 3)), qPrintable(text));
    }

    void theWrongWayIsLabelledAndItsSumShown() {
        Desk desk;
        desk.set(Field::Mask, QStringLiteral("causal"));
        desk.session.setLocked(Cell{3, 2, 6});
        QCOMPARE(desk.bars()->panels(), 2);
        QVERIFY(!control<QLabel>(desk.view, "wrongText")->isVisible());
        control<QCheckBox>(desk.view, "wrongWay")->click();
        QCOMPARE(desk.bars()->panels(), 3);
        QVERIFY(control<QLabel>(desk.view, "wrongText")->isVisible());

        // What it should be, from the scores alone.
        double whole = 0, kept = 0;
        for (int key = 0; key < 10; ++key) {
            const double e = std::exp(desk.at(Stage::Scores, 3, key));
            whole += e;
            if (key <= 3) kept += e;
        }
        QVERIFY(kept / whole < 0.9);
        QVERIFY2(desk.text("wrongText").contains(numberText(kept / whole, 3)), qPrintable(desk.text("wrongText")));
        const auto row = row_account(*desk.session.trace(), 0, 6, 3);
        const auto wrong = masked_after_softmax(*row);
        for (int key = 0; key < 10; ++key) {
            const auto j = static_cast<std::size_t>(key);
            QCOMPARE(wrong[j], key <= 3 ? row->unmasked_weights[j] : 0.0);
            QVERIFY(desk.bars()->keyText(key).contains(QStringLiteral("masked after softmax ")));
        }
        desk.session.setLocked(Cell{9, 2, 6});  // the last query sees all keys
        QVERIFY(desk.text("wrongText").contains(QStringLiteral("no key of this row is masked")));
    }

    void barsAndNumbersChooseTheCell() {
        Desk desk;
        desk.session.setLocked(Cell{3, 2, 6});
        auto* bars = desk.bars();
        const QPoint over = bars->columnRect(1, 7).center().toPoint();
        QTest::mouseMove(bars, over);
        QTRY_COMPARE(desk.session.hover(), std::optional(Cell{3, 7, 6}));
        QTest::mouseClick(bars, Qt::LeftButton, Qt::NoModifier, over);
        QCOMPARE(desk.session.selection().locked, std::optional(Cell{3, 7, 6}));
        QVERIFY(desk.text("cellTitle").contains(QStringLiteral("(key 7)")));
        control<QSpinBox>(desk.view, "storyQuery")->stepUp();
        QCOMPARE(desk.session.selection().locked, std::optional(Cell{4, 7, 6}));
        control<QSpinBox>(desk.view, "storyHead")->setValue(1);
        QCOMPARE(desk.session.selection().locked, std::optional(Cell{4, 7, 1}));
        QVERIFY(desk.text("cellTitle").contains(QStringLiteral("in head 1")));
    }

    void stripsReadTheirNumbers() {
        Desk desk;
        desk.session.setLocked(Cell{3, 2, 6});
        auto* strips = control<StripTable>(desk.view, "scoreStrips");
        const QString text = strips->textAt(QPoint(strips->width() - 2, 6));
        QVERIFY2(text.startsWith(QStringLiteral("q₃[63] = ")), qPrintable(text));
        QCOMPARE(text.section(QStringLiteral(" = "), 1), exactText(desk.at(Stage::Q, 3, 63), Tensor::Type::Float32));
        QVERIFY(strips->textAt(QPoint(1, 6)).isEmpty());
    }

    void oneTokenAndManyAreDrawn() {
        Desk desk;
        desk.set(Field::Text, QStringLiteral("alone"));
        desk.session.setLocked(Cell{0, 0, 0});
        QVERIFY(desk.text("rowText").contains(QStringLiteral("attends to 1 of 1 keys")));
        QVERIFY(!desk.view.grab().isNull());
        QStringList words;
        for (int i = 0; i < 1500; ++i) words << QString::number(i);
        desk.set(Field::Text, words.join(u' '));
        desk.session.setLocked(Cell{1400, 3, 0});
        QVERIFY(desk.text("cellTitle").contains(QStringLiteral("(query 1400)")));
        QVERIFY(!desk.view.grab().isNull());
        QCOMPARE(desk.bars()->keyAt(desk.bars()->columnRect(1, 1499).center()), std::optional(1499));
    }

    void aHiddenViewTellsNothing() {
        Desk desk;
        desk.session.setLocked(Cell{3, 2, 6});
        const QString before = desk.text("cellTitle");
        desk.view.hide();
        desk.session.setLocked(Cell{4, 2, 6});
        QCOMPARE(desk.text("cellTitle"), before);
        desk.view.show();
        QVERIFY(desk.text("cellTitle").contains(QStringLiteral("(query 4)")));
    }
};

QTEST_MAIN(TestStory)
#include "tst_story.moc"
