// SPDX-License-Identifier: GPL-3.0-or-later
// Masks and rules by head in the window: the expression, its notes, the editor of one head, maps, steps and files.
#include <QTemporaryDir>

#include "core/files/npz_file.h"
#include "heads_support.h"
#include "panel_support.h"
#include "ui/export/figure_layout.h"
#include "ui/export/tables.h"
#include "ui/maps/cell_explanation.h"
#include "ui/maps/cell_steps.h"
#include "ui/maps/head_grid.h"
#include "ui/maps/heat_map.h"
#include "ui/pages/mask/mask_painter.h"
#include "ui/pages/mask/mask_picture.h"
#include "ui/panels/parameters/parameter_panel.h"

using namespace headscope;

namespace {

const QString kByHead = QStringLiteral("head 0-3: causal,local:4:0; head 4-7: causal,alibi");

}  // namespace

class TestHeadMasks : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void thePanelTakesTheExpression() {
        Session session;
        ParameterPanel panel(session);
        QVERIFY(showPanel(panel, session, 900));
        paste(panel, "maskExpression", kByHead);
        QCOMPARE(problemOf(panel, "maskExpression"), QString());
        QVERIFY(waitForTrace(session));
        QCOMPARE(QString::fromStdString(to_string(session.trace()->request.mask)), kByHead);
        QVERIFY(!session.trace()->mask.one_for_all());
        QVERIFY(!control(panel, "maskCausal")->isEnabled());
        const QString note = control<QLabel>(panel, "maskHeads")->text();
        QVERIFY2(note.contains(QStringLiteral("head 4-7: ALiBi")), qPrintable(note));
        // 10 tokens: 55 cells under causal, 40 in the window, in four heads each.
        QTRY_COMPARE(control<QLabel>(panel, "allowedCells")->text(), QStringLiteral("380 of 800 allowed"));
        paste(panel, "maskExpression", QStringLiteral("causal,softcap:20"));
        QVERIFY(waitForTrace(session));
        QVERIFY(control(panel, "maskCausal")->isEnabled());
        QCOMPARE(stateOf(panel, "maskCausal"), Qt::Checked);
        QTRY_VERIFY(control<QLabel>(panel, "maskHeads")->text().startsWith(QStringLiteral("soft cap")));
        click(panel, "maskCausal");
        QCOMPARE(textOf(panel, "maskExpression"), QStringLiteral("softcap:20"));  // a box leaves the rules
    }

    void whatDoesNotFitIsSaidBesideTheLine() {
        Session session;
        ParameterPanel panel(session);
        QVERIFY(showPanel(panel, session, 900));
        for (const auto& [typed, part] :
             {std::pair("head 0-8: causal", "describes head 8"), std::pair("head 0-6: causal", "anything of head 7"),
              std::pair("head 0: causal; none", "for which heads"), std::pair("alibi+causal", "plus sign"),
              std::pair("causal,softcap:0", "must be from")}) {
            paste(panel, "maskExpression", QLatin1String(typed));
            const QString problem = problemOf(panel, "maskExpression");
            QVERIFY2(problem.contains(QLatin1String(part)), qPrintable(problem));
        }
    }

    void theEditorPaintsTheMaskOfTheEnlargedHead() {
        Session session;
        Draft draft;
        draft.set(Field::Text, QStringLiteral("a b c d"));
        draft.set(Field::Mask, QStringLiteral("head 0-3: causal; other heads: none,alibi"));
        session.edit(draft, QStringLiteral("desk"));
        QVERIFY(waitForTrace(session));
        MaskPainter painter(session);
        QCOMPARE(presentHead(session), 0);
        QCOMPARE(maskPicture(session)->allowedCells(), 10);
        session.setHead(5);
        QCOMPARE(presentHead(session), 5);
        QCOMPARE(maskPicture(session)->allowedCells(), 16);
        painter.press({2, 1}, PaintTool::Cells);
        painter.release();
        QVERIFY(waitForTrace(session));
        const Trace& trace = *session.trace();
        for (int head = 0; head < 8; ++head) QCOMPARE(trace.mask.of(head).allowed(0, 2, 1), head < 4);
        QVERIFY(trace.mask.of(0).allowed_cells(0) == 10 && trace.mask.of(7).allowed_cells(0) == 15);
        QVERIFY(trace.request.mask.of(5).rule(ScoreRule::Kind::Alibi));  // the rules stay
        const QString text = session.draft().value(Field::Mask);
        QVERIFY2(text.startsWith(QStringLiteral("head 0-3: causal; other heads: painted:4:")), qPrintable(text));
    }

    void theMaskIsAMapForEachHead() {
        Session session;
        Draft draft;
        draft.set(Field::Mask, kByHead);
        session.edit(draft, QStringLiteral("heads"));
        QVERIFY(waitForTrace(session));
        session.setStage(Stage::Mask);
        HeadGrid grid(session);
        grid.resize(900, 600);
        grid.show();
        QVERIFY(QTest::qWaitForWindowExposed(&grid));
        qsizetype visible = 0;
        for (const HeatMap* map : grid.findChildren<HeatMap*>()) visible += map->isVisible();
        QCOMPARE(visible, 8);
        Selection selection = session.selection();
        QCOMPARE(figureHeads(*session.trace(), selection).size(), 8);
        // The window masks key 0 for query 9 in head 2, and not in head 6.
        QVERIFY(cellExplanation(*session.trace(), selection, {9, 0, 2}).sentence.contains(QStringLiteral("is masked")));
        QVERIFY(
            cellExplanation(*session.trace(), selection, {9, 0, 6}).sentence.contains(QStringLiteral("is allowed")));
    }

    void theStepsNameTheRules() {
        Setting setting;
        setting.mask = "causal,softcap:3,alibi,sink:1,rope:100";
        const TracePtr trace = traceOf(setting);
        const CellAccount account = cell_account(*trace, 0, 1, 4, 1).value();
        const QList<CellStep> steps = cellSteps(*trace, account);
        QCOMPARE(steps.size(), 7);
        QVERIFY2(steps[0].formula.contains(QStringLiteral("rotated")), qPrintable(steps[0].formula));
        QCOMPARE(steps[1].name, QStringLiteral("scaled"));
        QCOMPARE(steps[2].name, QStringLiteral("soft cap"));
        QVERIFY(std::abs(steps[2].value - 3 * std::tanh(steps[1].value / 3)) < 1e-12);
        QCOMPARE(steps[3].name, QStringLiteral("ALiBi"));
        QVERIFY(std::abs(steps[3].value - (steps[2].value - 3.0 / 256)) < 1e-6);  // head 1 of 2: the slope 2^-8
        QCOMPARE(steps[3].value, account.score);
        QVERIFY2(steps[6].formula.contains(QStringLiteral("of the sink")), qPrintable(steps[6].formula));
        setting.mask = "causal";
        const TracePtr plain = traceOf(setting);
        QCOMPARE(cellSteps(*plain, cell_account(*plain, 0, 1, 4, 1).value()).size(), 5);
    }

    void aDumpHasEachMaskAndOpensAgain() {
        const QTemporaryDir folder;
        const QString place = folder.filePath(QStringLiteral("heads.npz"));
        Setting setting;
        setting.mask = "head 0: causal,local:1:0; head 1: causal,alibi";
        const TracePtr trace = traceOf(setting);
        QVERIFY(writeTable(place, *trace, {}));
        const auto dump = read_npz(place.toStdString());
        QVERIFY(dump);
        const FileTensor* mask = dump->find("mask");
        QVERIFY(mask);
        QCOMPARE(mask->shape, (Shape{1, 2, 6, 6}));
        for (int n = 0; n < 2 * 36; ++n)
            QCOMPARE(mask->bytes[static_cast<std::size_t>(n)] == 1,
                     trace->mask.of(n / 36).allowed(0, n / 6 % 6, n % 6));
        const Reading reading = readDraft(withWeights(Draft(), place));
        QVERIFY2(reading.request, reading.problems.isEmpty() ? "" : reading.problems.first().error.message().c_str());
        QVERIFY(reading.request->mask == trace->request.mask);
        const TracePtr again = testing::traced(*reading.request);
        COMPARE_NUMBERS(*again->output, *trace->output, 1e-6);
    }
};

QTEST_MAIN(TestHeadMasks)
#include "tst_head_masks.moc"
