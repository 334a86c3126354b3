// SPDX-License-Identifier: GPL-3.0-or-later
// How much of the window the heads have at the first start, and whether their labels can be read.
#include <QFontInfo>
#include <QScrollArea>
#include <QScrollBar>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

#include "support.h"
#include "ui/look/theme.h"
#include "ui/look/type_size.h"
#include "ui/maps/head_grid.h"
#include "ui/maps/heat_map.h"
#include "ui/maps/label_strip.h"
#include "ui/pages/heads/heads_page.h"
#include "ui/panels/parameters/parameter_panel.h"
#include "ui/window/main_window.h"
#include "window_support.h"

using namespace headscope;

class TestHeadsShare : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        QVERIFY(testing::beginAsAtFirstStart(folder_));
        QVERIFY(QFontInfo(labelFont(QApplication::font())).pixelSize() >= 11);
    }

    void theCellsCoverTheWindow_data() {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<double>("least");
        QTest::newRow("1024x640") << QSize(1024, 640) << 0.18;
        QTest::newRow("1280x720") << QSize(1280, 720) << 0.24;
        QTest::newRow("1440x900") << QSize(1440, 900) << 0.29;
        QTest::newRow("1920x1080") << QSize(1920, 1080) << 0.40;
    }
    /// With the strip of the explained cell open; hatched cells count as well.
    void theCellsCoverTheWindow() {
        QFETCH(QSize, size);
        QFETCH(double, least);
        Session session;
        MainWindow window(session);
        window.resize(size);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        QVERIFY(waitForTrace(session));
        QCOMPARE(window.size(), size);
        session.edit(Field::Mask, QStringLiteral("causal"));
        QVERIFY(waitForTrace(session));
        session.setLocked(Cell{6, 2, 6});
        QCoreApplication::processEvents();
        auto* grid = window.findChild<HeadsPage*>()->grid();
        QCOMPARE(grid->maps().size(), std::size_t(8));
        double covered = 0;
        for (const HeatMap* map : grid->maps()) {
            const QRect cells = map->mapRect().toAlignedRect();
            QVERIFY(map->visibleRegion().contains(cells));
            QVERIFY((map->visibleRegion() & cells).boundingRect() == cells);
            covered += cells.width() * cells.height();
        }
        const double share = covered / (size.width() * size.height());
        QVERIFY2(share >= least, qPrintable(QString::number(share)));
        if (size.width() < 1280) return;
        const auto* parameters = window.findChild<ParameterPanel*>()->findChild<QScrollArea*>();
        QCOMPARE(parameters->verticalScrollBar()->maximum(), 0);
        for (const char* name : {"queryLabels", "keyLabels"})
            QCOMPARE(grid->findChild<LabelStrip*>(QLatin1String(name))->band().step, 1);
    }

    void theKeyboardReachesTheHeads() {
        Session session;
        MainWindow window(session);
        window.resize(1280, 720);
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        QVERIFY(waitForTrace(session));
        QTest::keyClick(&window, Qt::Key_1, Qt::AltModifier);
        QVERIFY(qobject_cast<HeatMap*>(window.focusWidget()));
        // And by Tab, from the start of the bar.
        window.findChild<QWidget*>(QStringLiteral("stage_q"))->setFocus();
        int tabs = 0;
        for (; tabs < 12 && !qobject_cast<HeatMap*>(window.focusWidget()); ++tabs)
            QTest::keyClick(window.focusWidget(), Qt::Key_Tab);
        QCOMPARE(window.focusWidget(), window.findChild<HeadsPage*>()->grid()->maps().front());
        QTest::keyClick(window.focusWidget(), Qt::Key_Tab);
        QCOMPARE(window.focusWidget(), window.findChild<HeadsPage*>()->grid()->maps().at(1));
    }

private:
    QTemporaryDir folder_;
};

QTEST_MAIN(TestHeadsShare)
#include "tst_heads_share.moc"
