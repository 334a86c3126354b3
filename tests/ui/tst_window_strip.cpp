// SPDX-License-Identifier: GPL-3.0-or-later
// The strip's place in the window.
#include <QSettings>
#include <QTemporaryDir>
#include <QToolBar>

#include "panel_support.h"
#include "ui/look/theme.h"
#include "ui/panels/tokens/token_chips.h"
#include "ui/panels/tokens/token_strip.h"
#include "ui/state/settings.h"
#include "ui/window/main_window.h"

using namespace headscope;

class TestWindowStrip : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    Session session_;

    static TokenStrip* stripOf(const MainWindow& window) { return window.findChild<TokenStrip*>(); }

private Q_SLOTS:
    void initTestCase() {
        QVERIFY(folder_.isValid());
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, folder_.path());
        applyTheme(Theme::Light);
    }

    /// Tool bar, strip, page.
    void tabLeadsFromTheBarToTheStripToThePage() {
        MainWindow window(session_);
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        const auto within = [&](const char* name) {
            return control(window, name)->isAncestorOf(QApplication::focusWidget());
        };
        stripOf(window)->chips()->setFocus();
        QTest::keyClick(&window, Qt::Key_Backtab);
        QVERIFY(within("stageToolBar"));
        control(window, "addSequence")->setFocus();
        QTest::keyClick(&window, Qt::Key_Tab);
        QVERIFY(within("pages"));
    }

    /// What was remembered of a window that had other docks.
    void aLayoutOfAnEarlierVersionIsNotRestored() {
        {
            MainWindow old(session_);
            control<QToolBar>(old, "tokenToolBar")->hide();
            settings::windowLayout.set(old.saveState(0));
        }
        MainWindow window(session_);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        QVERIFY(stripOf(window)->isVisible());
        QVERIFY(stripOf(window)->width() > window.width() - 40);
    }

    /// A narrow window takes room from the chips, not from the buttons; nothing is hidden behind an arrow.
    void theStripFitsANarrowWindow() {
        MainWindow window(session_);
        const QFont font = QApplication::font();
        for (const int points : {10, 14, 18}) {
            QFont larger = font;
            larger.setPointSize(points);
            QApplication::setFont(larger);
            window.resize(1024, 640);
            window.show();
            QVERIFY(QTest::qWaitForWindowExposed(&window));
            QCoreApplication::processEvents();
            const auto* strip = stripOf(window);
            for (const char* name : {"tokenizer", "editAsText", "addSequence"}) {
                const auto* button = control(window, name);
                QVERIFY(button->isVisible());
                QVERIFY(strip->rect().contains(QRect(button->mapTo(strip, QPoint()), button->size())));
                QVERIFY(button->width() >= button->sizeHint().width());
            }
            QVERIFY(strip->chips()->viewport()->height() >= 2 * strip->chips()->rowRect(0).height());
        }
        QApplication::setFont(font);
    }
};

QTEST_MAIN(TestWindowStrip)
#include "tst_window_strip.moc"
