// SPDX-License-Identifier: GPL-3.0-or-later
// Beside the mask: what is wrong with it, and what a query reaches after several layers.
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QSlider>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include "panel_support.h"
#include "ui/controls/problem_note.h"
#include "ui/look/theme.h"
#include "ui/pages/mask/check_panel.h"
#include "ui/pages/mask/mask_grid.h"
#include "ui/pages/mask/mask_lab.h"
#include "ui/pages/mask/reach_panel.h"

using namespace headscope;

namespace {

struct Desk {
    Session session;
    MaskLab lab{session};
    MaskGrid* grid = nullptr;

    explicit Desk(const char* mask, const char* side, const char* text = "a b c d e f g h i j") {
        Draft draft;
        draft.set(Field::Text, utf8(text));
        draft.set(Field::Mask, utf8(mask));
        session.replace(draft, Selection());
        lab.resize(900, 600);
        lab.show();
        (void)QTest::qWaitForWindowExposed(&lab);
        (void)waitForTrace(session);
        grid = control<MaskGrid>(lab, "maskGrid");
        QTest::mouseClick(control(lab, side), Qt::LeftButton);
    }
    QString text(const char* name) const {
        const auto* label = control<QLabel>(lab, name);
        return label->isVisible() ? label->text() : QString();
    }
    void mean(const char* expression) { control<QComboBox>(lab, "meant")->setEditText(utf8(expression)); }
    void setLayers(int layers) { control<QSlider>(lab, "reachLayers")->setValue(layers); }
    QPoint at(std::int64_t query, std::int64_t key) const { return grid->cellRect(query, key).center().toPoint(); }
    void click(std::int64_t query, std::int64_t key) { QTest::mouseClick(grid, Qt::LeftButton, {}, at(query, key)); }
    /// Whether a pixel of the cell, or so many around it, has a colour.
    bool shows(std::int64_t query, std::int64_t key, const QColor& wanted, int around = 0) {
        const QImage image = grid->grab().toImage();
        const QRect area =
            grid->cellRect(query, key).toAlignedRect().adjusted(-around, -around, around, around) & image.rect();
        for (int y = area.top(); y <= area.bottom(); ++y)
            for (int x = area.left(); x <= area.right(); ++x)
                if (image.pixelColor(x, y).rgb() == wanted.rgb()) return true;
        return false;
    }
};

}  // namespace

class TestMaskCheck : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { applyTheme(Theme::Light); }

    void theAnswerNamesTheMistakeAndItsFirstCell() {
        Desk desk("causal,local:4:0", "sideCheck");
        QTRY_COMPARE(desk.text("maskAnswer"), utf8("This is causal,local:4:0."));
        QVERIFY(!control(desk.lab, "goToWrong")->isVisible());
        desk.mean("causal,local:3:0");
        QTRY_COMPARE(desk.text("maskAnswer"),
                     utf8("Off by one: the window is local:4:0 where local:3:0 was meant. 6 of 100 cells differ. First "
                          "wrong cell: query 4, key 0 is allowed and should be masked."));
        const QColor error = color(Role::Error, Theme::Light);
        QVERIFY(desk.shows(4, 0, error) && desk.shows(9, 5, error) && !desk.shows(9, 0, error));
        QTest::mouseClick(control(desk.lab, "goToWrong"), Qt::LeftButton);
        QCOMPARE(desk.session.selection().locked, std::optional(Cell{4, 0, 0}));
        QCOMPARE(desk.grid->cursorCell()->query, 4);
        desk.mean("causal,local:4:0");
        QTRY_COMPARE(desk.text("maskAnswer"), utf8("Equal: every cell is as causal,local:4:0 says."));
        QVERIFY(!desk.shows(4, 0, error, 2));
    }

    void theAnswerFollowsThePainter() {
        Desk desk("causal", "sideCheck");
        desk.mean("causal");
        QTRY_COMPARE(desk.text("maskAnswer"), utf8("Equal: every cell is as causal says."));
        desk.click(5, 2);
        QTRY_COMPARE(
            desk.text("maskAnswer"),
            utf8("One of 100 cells differs. First wrong cell: query 5, key 2 is masked and should be allowed."));
        desk.click(5, 2);
        QTRY_COMPARE(desk.text("maskAnswer"), utf8("Equal: every cell is as causal says."));
        desk.mean("");
        QTRY_COMPARE(desk.text("maskAnswer"), utf8("This is causal."));
    }

    void aMaskFileIsChecked() {
        QTemporaryDir folder;
        QFile file(folder.filePath(QStringLiteral("mask.csv")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        for (int i = 0; i < 10; ++i) {
            QByteArrayList cells;
            for (int j = 0; j < 10; ++j) cells << (j > i ? "1" : "0");
            file.write(cells.join(',') + '\n');
        }
        file.close();
        Desk desk("none", "sideCheck");
        desk.lab.loadMask(file.fileName());
        QTRY_VERIFY(desk.text("maskAnswer")
                        .startsWith(utf8("The closest expression is causal. Inverted: allowed cells are masked, and "
                                         "masked cells are allowed. "
                                         "100 of 100 cells differ.")));
    }

    void anIllegalMeaningIsAnswered() {
        Desk desk("causal", "sideCheck");
        desk.mean("casual");
        const auto* problem = control<ProblemNote>(desk.lab, "meantProblem");
        QVERIFY(problem->isVisible() && problem->sentence().contains(utf8("casual")));
        QCOMPARE(desk.text("maskAnswer"), QString());
        desk.mean("file:nowhere.npy");
        QTRY_VERIFY(desk.text("maskAnswer").contains(utf8("nowhere.npy")));
        QVERIFY(!problem->isVisible());
    }

    void aPaddedSequence() {
        Desk desk("padding,causal", "sideCheck", "a b c d\ne f");
        desk.session.setSequence(1);
        desk.mean("causal");
        QTRY_VERIFY(desk.text("maskAnswer").startsWith(utf8("With the additional mask layer padding.")));
    }

    void theReachGrowsWithTheLayers() {
        Desk desk("causal,local:1:0", "sideReach");
        const QString mask = desk.session.draft().value(Field::Mask);
        desk.setLayers(3);
        desk.click(9, 6);
        QCOMPARE(desk.session.selection().locked, std::optional(Cell{9, 6, 0}));
        QCOMPARE(desk.session.draft().value(Field::Mask), mask);  // nothing was painted
        QTRY_COMPARE(desk.text("reachPath"), utf8("'j' (9) → 'i' (8) → 'h' (7) → 'g' (6): 3 layers."));
        QCOMPARE(desk.text("reachCount"),
                 utf8("'j' (9) depends on 4 of 10 tokens after 3 layers; layer by layer: 2, 3, 4."));
        QVERIFY(desk.text("reachLeaks").startsWith(utf8("No pair leaks")));
        QVERIFY(desk.shows(4, 1, reachColor(3, 3, Theme::Light)) && desk.shows(4, 2, reachColor(2, 3, Theme::Light)));
        QVERIFY(!desk.shows(4, 0, reachColor(3, 3, Theme::Light)));
        desk.setLayers(2);
        QCOMPARE(desk.text("reachPath"), utf8("'j' (9) reaches 'g' (6) only after 3 layers."));
        QVERIFY(!desk.shows(4, 1, reachColor(3, 3, Theme::Light)));
        desk.setLayers(12);
        desk.click(3, 6);
        QCOMPARE(desk.text("reachPath"), utf8("'d' (3) does not reach 'g' (6), not even after 12 layers."));
        QTest::mouseClick(control(desk.lab, "sideHeads"), Qt::LeftButton);
        desk.click(4, 4);
        QVERIFY(desk.session.draft().value(Field::Mask) != mask);  // painting again
    }

    void leaksFollowWhatWasMeant() {
        Desk desk("causal,local:1:0", "sideCheck");
        desk.mean("causal,documents:5");
        QTRY_VERIFY(desk.text("maskAnswer").contains(utf8("differ")));
        QTest::mouseClick(control(desk.lab, "sideReach"), Qt::LeftButton);
        desk.setLayers(2);
        QTRY_COMPARE(desk.text("reachLeaks"),
                     utf8("3 pairs leak: causal,documents:5 forbids them at any depth. The first "
                          "is 'f' (5) → 'd' (3)."));
        QVERIFY(desk.shows(5, 4, color(Role::Error, Theme::Light)));
        desk.setLayers(1);
        QVERIFY(desk.text("reachLeaks").startsWith(utf8("1 pairs leak")));
    }

    void documentsWithGlobalTokensLeakThroughThem() {
        Desk desk("documents:4:3+global:1", "sideReach");
        desk.setLayers(1);
        desk.click(9, 5);
        QTRY_COMPARE(desk.text("reachPath"), utf8("'j' (9) reaches 'f' (5) only after 2 layers."));
        desk.setLayers(2);
        QCOMPARE(desk.text("reachPath"), utf8("'j' (9) → 'a' (0) → 'f' (5): 2 layers."));
        QVERIFY(desk.text("reachLeaks").contains(utf8("documents:4:3 forbids them")));
    }

    /// The computation is off the GUI thread; what is drawn over a large mask takes no longer than the mask itself.
    void aLargeMask() {
        QStringList tokens;
        for (int n = 0; n < 1000; ++n) tokens << QString::number(n);
        Desk desk("local:4:4", "sideCheck", tokens.join(u' ').toLatin1().constData());
        QTRY_COMPARE_WITH_TIMEOUT(desk.text("maskAnswer"), utf8("This is local:4:4."), 20000);
        desk.mean("causal");
        QTRY_VERIFY_WITH_TIMEOUT(desk.text("maskAnswer").contains(utf8("differ")), 20000);
        QTest::mouseClick(control(desk.lab, "sideReach"), Qt::LeftButton);
        desk.setLayers(12);
        QTRY_VERIFY_WITH_TIMEOUT(desk.text("reachLeaks").contains(utf8("pairs leak")), 20000);
        for (int n = 0; n < 10; ++n) QTest::mouseMove(desk.grid, desk.at(500, 480 + n));
    }

    void theDarkThemeAndNoTokens() {
        applyTheme(Theme::Dark);
        Desk desk("causal,local:2:0", "sideReach");
        desk.setLayers(2);
        QTRY_VERIFY(desk.shows(4, 0, reachColor(2, 2, Theme::Dark)));
        applyTheme(Theme::Light);
        Desk one("causal", "sideCheck", "a");
        QTRY_VERIFY(!one.text("maskAnswer").isEmpty());
    }
};

QTEST_MAIN(TestMaskCheck)
#include "tst_mask_check.moc"
