// SPDX-License-Identifier: GPL-3.0-or-later
// The laboratory for masks as a person uses it: paint with mouse and keyboard, undo, combine, save, load, and read what
// the page says.
#include <QCheckBox>
#include <QClipboard>
#include <QElapsedTimer>
#include <QGuiApplication>
#include <QLabel>
#include <QPlainTextEdit>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include "core/explain/mask_code.h"
#include "panel_support.h"
#include "ui/export/save_file.h"
#include "ui/look/theme.h"
#include "ui/maps/heat_map.h"
#include "ui/pages/mask/code_page.h"
#include "ui/pages/mask/mask_grid.h"
#include "ui/pages/mask/mask_lab.h"

using namespace headscope;

namespace {

struct Desk {
    Session session;
    MaskLab lab{session};
    MaskGrid* grid = nullptr;

    explicit Desk(const char* text = "a b c d\ne f", const char* mask = "none") {
        Draft draft;
        draft.set(Field::Text, utf8(text));
        draft.set(Field::Mask, utf8(mask));
        session.replace(draft, Selection());
        lab.resize(900, 560);
        lab.show();
        (void)QTest::qWaitForWindowExposed(&lab);
        (void)waitForTrace(session);
        grid = control<MaskGrid>(lab, "maskGrid");
        grid->setFocus();
    }
    QString mask() const { return session.draft().value(Field::Mask); }
    QString text(const char* name) const {
        const auto* label = control<QLabel>(lab, name);
        return label->isVisible() ? label->text() : QString();
    }
    QPoint at(std::int64_t query, std::int64_t key) const { return grid->cellRect(query, key).center().toPoint(); }
    void drag(const QList<QPoint>& path, Qt::KeyboardModifiers modifiers = {}) {
        QTest::mousePress(grid, Qt::LeftButton, modifiers, path.front());
        for (const QPoint& point : path) QTest::mouseMove(grid, point);
        QTest::mouseRelease(grid, Qt::LeftButton, modifiers, path.back());
    }
    void click(const char* name) { QTest::mouseClick(control(lab, name), Qt::LeftButton); }
    /// What was computed: "1110 1111 ...".
    QString rows() {
        if (!waitForTrace(session)) return {};
        const Mask& shown = session.trace()->mask.of(0);
        QStringList rows;
        for (std::int64_t i = 0; i < shown.size(); ++i) {
            rows << QString();
            for (std::int64_t j = 0; j < shown.size(); ++j)
                rows.last() += shown.allowed(session.selection().sequence, i, j) ? u'1' : u'0';
        }
        return rows.join(u' ');
    }
};

QAction* action(const QWidget& within, const char* name) {
    auto* found = within.findChild<QAction*>(utf8(name));
    if (!found) qFatal("there is no action %s", name);
    return found;
}

}  // namespace

class TestMaskLab : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        applyTheme(Theme::Light);
        QVERIFY(folder_.isValid());
    }

    void cellsRowsColumnsAndRectanglesAreDragged() {
        Desk desk;
        desk.drag({desk.at(0, 1), desk.at(0, 3)});
        QCOMPARE(desk.rows(), utf8("1000 1111 1111 1111"));
        desk.drag({desk.grid->rowHandle(1).toPoint(), desk.grid->rowHandle(2).toPoint()});
        QCOMPARE(desk.rows(), utf8("1000 0000 0000 1111"));
        desk.drag({desk.grid->columnHandle(3).toPoint()});
        QCOMPARE(desk.rows(), utf8("1000 0000 0000 1110"));
        desk.drag({desk.at(1, 1), desk.at(2, 3)}, Qt::ShiftModifier);
        QCOMPARE(desk.rows(), utf8("1000 0111 0111 1110"));
        QCOMPARE(desk.session.undoStack()->count(), 4);
        for (const char* before : {"1000 0000 0000 1110", "1000 0000 0000 1111", "1000 1111 1111 1111"}) {
            desk.session.undoStack()->undo();
            QCOMPARE(desk.rows(), utf8(before));
        }
        desk.session.undoStack()->undo();
        QCOMPARE(desk.mask(), utf8("none"));
    }

    void theHeadsFollowWhileTheHandMoves() {
        Desk desk;
        QTest::mousePress(desk.grid, Qt::LeftButton, {}, desk.at(2, 0));
        QTest::mouseMove(desk.grid, desk.at(2, 1));
        QCOMPARE(desk.rows(), utf8("1111 1111 0011 1111"));  // and the button is still down
        for (int head = 0; head < 8; ++head)
            QCOMPARE(desk.session.trace()->matrix(Stage::Weights, 0, head).at(2, 0), 0.0);
        QCOMPARE(desk.lab.findChildren<HeatMap*>().size(), 8);
        for (const auto* map : desk.lab.findChildren<HeatMap*>()) QVERIFY(map->isVisible());
        QTest::mouseRelease(desk.grid, Qt::LeftButton, {}, desk.at(2, 1));
        QCOMPARE(desk.session.undoStack()->count(), 1);
    }

    void toolsAndInksAreChosen() {
        Desk desk;
        desk.click("toolColumns");
        desk.click("inkMask");
        desk.drag({desk.at(2, 0), desk.at(0, 1)});
        QCOMPARE(desk.rows(), utf8("0011 0011 0011 0011"));
        desk.click("inkAllow");
        desk.click("toolRectangle");
        desk.drag({desk.at(3, 3), desk.at(2, 0)});
        QCOMPARE(desk.rows(), utf8("0011 0011 1111 1111"));
    }

    void theKeyboardPaintsToo() {
        Desk desk;
        QTest::keyClick(desk.grid, Qt::Key_Down);
        QTest::keyClick(desk.grid, Qt::Key_Right);
        QTest::keyClick(desk.grid, Qt::Key_Space);
        QCOMPARE(desk.rows(), utf8("1111 1011 1111 1111"));
        QTest::keyClick(desk.grid, Qt::Key_Space);
        QCOMPARE(desk.rows(), utf8("1111 1111 1111 1111"));
        QCOMPARE(desk.session.undoStack()->count(), 2);
        // Shift held: one stroke until it is let go.
        QTest::keyPress(desk.grid, Qt::Key_Right, Qt::ShiftModifier);
        QTest::keyPress(desk.grid, Qt::Key_Down, Qt::ShiftModifier);
        QTest::keyRelease(desk.grid, Qt::Key_Down, Qt::ShiftModifier);
        QCOMPARE(desk.rows(), utf8("1111 1001 1101 1111"));
        QCOMPARE(desk.session.undoStack()->count(), 3);
        for (int i = 0; i < 9; ++i) QTest::keyClick(desk.grid, Qt::Key_Up);
        QTest::keyClick(desk.grid, Qt::Key_End);
        QCOMPARE(desk.text("maskCell"), utf8("'a' (query 0) can attend to 'd' (key 3): no layer masks it"));
        QTest::keyClick(desk.grid, Qt::Key_Return);
        QCOMPARE(desk.session.selection().locked, std::optional(Cell{0, 3, 0}));
        QTest::keyClick(desk.grid, Qt::Key_Return);
        QVERIFY(!desk.session.selection().locked);
    }

    void escapeTakesTheStrokeBack() {
        Desk desk;
        QTest::mousePress(desk.grid, Qt::LeftButton, {}, desk.at(0, 0));
        QTest::mouseMove(desk.grid, desk.at(3, 3));
        QTest::keyClick(desk.grid, Qt::Key_Escape);
        QTest::mouseMove(desk.grid, desk.at(3, 0));
        QTest::mouseRelease(desk.grid, Qt::LeftButton, {}, desk.at(3, 0));
        QCOMPARE(desk.mask(), utf8("none"));
        QCOMPARE(desk.session.undoStack()->count(), 0);
    }

    void changesOfTheWholeMask() {
        Desk desk("a b c d", "causal");
        action(desk.lab, "startFromPresent")->trigger();
        QCOMPARE(desk.rows(), utf8("1000 1100 1110 1111"));
        QTest::keyClick(desk.grid, Qt::Key_T, Qt::ControlModifier);
        QCOMPARE(desk.rows(), utf8("1111 0111 0011 0001"));
        QTest::keyClick(desk.grid, Qt::Key_I, Qt::ControlModifier);
        QCOMPARE(desk.rows(), utf8("0000 1000 1100 1110"));
        action(desk.lab, "allowDiagonal")->trigger();
        QCOMPARE(desk.rows(), utf8("1000 1100 1110 1111"));
        action(desk.lab, "maskAll")->trigger();
        QCOMPARE(desk.rows(), utf8("0000 0000 0000 0000"));
        action(desk.lab, "allowAll")->trigger();
        QCOMPARE(desk.rows(), utf8("1111 1111 1111 1111"));
        action(desk.lab, "startFrom_block:4")->trigger();
        QCOMPARE(desk.rows(), utf8("1111 1111 1111 1111"));
        QCOMPARE(desk.session.undoStack()->count(), 6);  // blocks of 4 are all that there is: no step
    }

    void layersAreListedSwitchedAndNamed() {
        Desk desk("a b c d", "padding,causal");
        desk.drag({desk.at(0, 1), desk.at(0, 3)});  // begun on a masked cell it allows, and causal keeps it masked
        QCOMPARE(desk.mask(), utf8("padding,causal"));
        QVERIFY2(desk.text("maskCell").contains(utf8("Painting can't allow it")), qPrintable(desk.text("maskCell")));
        desk.click("inkMask");
        desk.drag({desk.at(0, 1), desk.at(0, 1)});
        QCOMPARE(desk.text("layerTitle"), utf8("Layers: 10 of 16 cells allowed"));
        QCOMPARE(desk.text("layerName2"), utf8("painted by hand"));
        QTest::mouseMove(desk.grid, desk.at(0, 1));
        QCOMPARE(desk.text("maskCell"),
                 utf8("'a' (query 0) can't attend to 'b' (key 1): masked by the causal layer and the painted layer"));
        QCOMPARE(desk.text("layerMark0"), QString());
        QVERIFY(!desk.text("layerMark1").isEmpty() && !desk.text("layerMark2").isEmpty());
        QCOMPARE(desk.session.hover(), std::optional(Cell{0, 1, 0}));

        desk.click("layer1");
        QVERIFY2(desk.mask().startsWith(utf8("padding,off:causal,painted:4:")), qPrintable(desk.mask()));
        QVERIFY(!control<QCheckBox>(desk.lab, "layer1")->isChecked());
        QCOMPARE(desk.rows(), utf8("1011 1111 1111 1111"));
        desk.click("layer1");
        QCOMPARE(desk.rows(), utf8("1000 1100 1110 1111"));
        desk.session.undoStack()->undo();
        QVERIFY(!control<QCheckBox>(desk.lab, "layer1")->isChecked());
    }

    void aCellOfAHeadIsExplainedHereToo() {
        Desk desk("a b c d", "causal");
        desk.session.setHover(Cell{1, 2, 5});
        QCOMPARE(desk.text("maskCell"), utf8("'b' (query 1) can't attend to 'c' (key 2): masked by the causal layer"));
        desk.session.setHover(std::nullopt);
        desk.session.setLocked(Cell{0, 3, 1});
        QCOMPARE(desk.text("maskCell"), utf8("'a' (query 0) can't attend to 'd' (key 3): masked by the causal layer"));
        // Where a column is a dimension the grid points for itself alone.
        desk.session.setStage(Stage::Q);
        QTest::mouseMove(desk.grid, desk.at(1, 3));
        QCOMPARE(desk.text("maskCell"), utf8("'b' (query 1) can't attend to 'd' (key 3): masked by the causal layer"));
        QVERIFY(!desk.session.hover());
    }

    void filesAreSavedLoadedAndAnswered() {
        Desk desk("a b c d", "causal");
        const QString good = folder_.filePath(utf8("good.json")), bad = folder_.filePath(utf8("bad.csv"));
        desk.lab.saveMask(good);
        QVERIFY(QFile::exists(good));
        QVERIFY(saveFile(bad, QByteArray("1,1,1\n1,1,1\n1,1,1\n")));
        desk.lab.loadMask(bad);
        const auto* note = control<ProblemNote>(desk.lab, "maskProblem");
        QTRY_VERIFY(note->isVisible());
        QVERIFY2(note->sentence().contains(utf8("3x3")) && note->sentence().contains(utf8("4x4")),
                 qPrintable(note->sentence()));
        QCOMPARE(desk.mask(), utf8("causal"));
        desk.session.edit(Field::Mask, utf8("none"));
        QVERIFY(!note->isVisible());
        desk.lab.loadMask(good);
        QTRY_COMPARE(desk.session.undoStack()->count(), 2);
        QVERIFY(!note->isVisible());
        QCOMPARE(desk.rows(), utf8("1000 1100 1110 1111"));
        desk.session.undoStack()->undo();
        QCOMPARE(desk.rows(), utf8("1111 1111 1111 1111"));
    }

    void fullyMaskedRowsAreMarkedAndTheFillDecides() {
        Desk desk;
        QCOMPARE(desk.text("maskFullyMaskedRows"), QString());
        desk.drag({desk.grid->rowHandle(1).toPoint()});
        QVERIFY2(desk.text("maskFullyMaskedRows").startsWith(utf8("'b' (query 1) has no key to attend to")),
                 qPrintable(desk.text("maskFullyMaskedRows")));
        const auto weight = [&] {
            (void)waitForTrace(desk.session);
            return desk.session.trace()->matrix(Stage::Weights, 0, 3).at(1, 2);
        };
        QCOMPARE(weight(), 0.0);
        const QString safe = desk.text("maskFullyMaskedRows");
        desk.click("fillInf");
        QVERIFY(std::isnan(weight()));
        QVERIFY(desk.text("maskFullyMaskedRows").contains(utf8("NaN")));
        desk.click("fill1e9");
        QCOMPARE(weight(), 0.25);
        QVERIFY(desk.text("maskFullyMaskedRows").contains(utf8("1/4")));
        desk.click("fillSafe");
        QCOMPARE(weight(), 0.0);
        QCOMPARE(desk.text("maskFullyMaskedRows"), safe);
    }

    void aMaskOfAnotherSizeSaysSo() {
        Desk desk;
        desk.drag({desk.at(0, 0)});
        desk.session.edit(Field::Text, utf8("a b c d e f"));
        QVERIFY2(desk.text("maskSize").contains(utf8("4x4")) && desk.text("maskSize").contains(utf8("6x6")),
                 qPrintable(desk.text("maskSize")));
        QCOMPARE(desk.rows().left(6), utf8("011111"));
        desk.session.edit(Field::Text, utf8("a b"));
        QVERIFY2(desk.text("maskSize").contains(utf8("2x2")), qPrintable(desk.text("maskSize")));
        desk.session.edit(Field::Text, utf8("a b c d"));
        QCOMPARE(desk.text("maskSize"), QString());
        QCOMPARE(desk.rows(), utf8("0111 1111 1111 1111"));
    }

    void anExpressionThatCantBeReadIsSaid() {
        Desk desk("a b c d", "causal");
        desk.session.edit(Field::Mask, utf8("causally"));
        QVERIFY(desk.text("maskSize").contains(utf8("is not legal")));
    }

    void threeConventionsOfOneMask() {
        Desk desk("a b c d", "causal");
        desk.click("sideCode");
        QCOMPARE(desk.grid->cellText(true), utf8("1"));
        QCOMPARE(desk.grid->cellText(false), utf8("0"));
        const auto line = [&] { return desk.text("conventionLine").remove(QChar(0x200B)); };
        QCOMPARE(line(), utf8("F.scaled_dot_product_attention(q, k, v, attn_mask=mask)"));
        desk.click("formByHand");
        QCOMPARE(line(), utf8("scores.masked_fill(mask == 0, -math.inf).softmax(dim=-1)"));
        desk.click("conventionIgnored");
        QVERIFY(line().startsWith(utf8("mha(x, x, x,")));
        QVERIFY(desk.text("conventionMeaning").startsWith(utf8("True = masked")));
        QCOMPARE(desk.grid->cellText(false).left(1), utf8("T"));
        QCOMPARE(desk.grid->cellText(true).left(1), utf8("F"));
        desk.click("conventionAdditive");
        QCOMPARE(desk.grid->cellText(true), utf8("0"));
        QCOMPARE(desk.grid->cellText(false), utf8("−∞"));
        QVERIFY(line().startsWith(utf8("(scores + additive)")));
    }

    void theCodeIsCopiedOrTheReasonIsSaid_data() {
        QTest::addColumn<QString>("convention");
        QTest::addColumn<QString>("fill");
        for (const char* convention : {"conventionMayAttend", "conventionIgnored", "conventionAdditive"})
            for (const char* fill : {"safe", "inf", "1e9"})
                QTest::addRow("%s %s", convention, fill) << utf8(convention) << utf8(fill);
    }
    void theCodeIsCopiedOrTheReasonIsSaid() {
        QFETCH(QString, convention);
        QFETCH(QString, fill);
        Desk desk("a b c d\ne f", "padding,causal");
        desk.session.edit(Field::Fill, fill);
        desk.drag({desk.grid->rowHandle(2).toPoint()});  // an empty row, which the fills treat differently
        QVERIFY(waitForTrace(desk.session));
        desk.click("sideCode");
        desk.click(convention.toLatin1().constData());
        const auto expected = mask_code(*desk.session.trace(), control<CodePage>(desk.lab, "codePage")->form());
        QGuiApplication::clipboard()->setText(utf8("what was there"));
        desk.click("copyCode");
        const auto* box = control<QPlainTextEdit>(desk.lab, "maskCode");
        QVERIFY(box->isReadOnly());
        QCOMPARE(box->toPlainText(), QString::fromStdString(expected.code));
        if (expected.impossible) {
            QCOMPARE(QGuiApplication::clipboard()->text(), utf8("what was there"));
            QCOMPARE(desk.text("conventionNote").remove(QChar(0x200B)), sentence(*expected.impossible));
            QVERIFY(!control(desk.lab, "copyCode")->isEnabled());
        } else {
            QCOMPARE(QGuiApplication::clipboard()->text(), QString::fromStdString(expected.code));
        }
    }

    void theCodeFollowsTheHand() {
        Desk desk;
        desk.click("sideCode");
        const QString before = control<QPlainTextEdit>(desk.lab, "maskCode")->toPlainText();
        desk.drag({desk.at(0, 0)});
        QTRY_VERIFY(control<QPlainTextEdit>(desk.lab, "maskCode")->toPlainText() != before);
    }

    void itIsDrawnInBothThemesAndAnySize() {
        Desk desk("a b c d\ne f", "padding,causal");
        desk.drag({desk.at(1, 0), desk.at(3, 2)}, Qt::ShiftModifier);
        for (const Theme theme : {Theme::Dark, Theme::Light}) {
            applyTheme(theme);
            for (const QSize& size : {QSize(460, 360), QSize(1600, 1200)}) {
                desk.lab.resize(size);
                const QImage image = desk.grid->grab().toImage();
                const auto pixel = [&](std::int64_t i, std::int64_t j) {
                    return image.pixelColor(desk.grid->cellRect(i, j).topLeft().toPoint() + QPoint(2, 2));
                };
                QCOMPARE(pixel(0, 0), tint(Role::Accent, theme));
                QVERIFY(pixel(0, 3) != tint(Role::Accent, theme));
            }
        }
    }

    /// Not a test of time: it says how long a stroke step takes from the hand to the screen.
    void strokesOnSixtyFourTokens() {
        Desk desk(QStringList(64, utf8("w")).join(u' ').toLatin1().constData());
        QList<double> steps;
        QTest::mousePress(desk.grid, Qt::LeftButton, {}, desk.at(0, 0));
        for (int i = 1; i < 64; ++i) {
            const auto before = desk.session.trace();
            QElapsedTimer timer;
            timer.start();
            QTest::mouseMove(desk.grid, desk.at(i, i));
            while (desk.session.isComputing()) QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
            for (auto* map : desk.lab.findChildren<HeatMap*>()) map->repaint();
            desk.grid->repaint();
            steps << static_cast<double>(timer.nsecsElapsed()) / 1e6;
            QVERIFY(desk.session.trace() != before);
            QVERIFY(!desk.session.trace()->mask.of(0).allowed(0, i, i));
        }
        QTest::mouseRelease(desk.grid, Qt::LeftButton, {}, desk.at(63, 63));
        QCOMPARE(desk.session.undoStack()->count(), 1);
        std::sort(steps.begin(), steps.end());
        qInfo("64 tokens, 8 heads: a stroke step takes %.1f ms, the slowest %.1f ms", steps[steps.size() / 2],
              steps.last());
    }

private:
    QTemporaryDir folder_;
};

QTEST_MAIN(TestMaskLab)
#include "tst_mask_lab.moc"
