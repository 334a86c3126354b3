// SPDX-License-Identifier: GPL-3.0-or-later
// The presentation: text and maps for the back row at two sizes, pen and spotlight, and leaving to where it was.
#include <QAction>
#include <QLabel>
#include <QPointer>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

#include "panel_support.h"
#include "ui/look/theme.h"
#include "ui/look/type_size.h"
#include "ui/maps/head_grid.h"
#include "ui/maps/heat_map.h"
#include "ui/maps/label_band.h"
#include "ui/panels/lesson/lesson_panel.h"
#include "ui/state/lesson.h"
#include "ui/state/lesson_run.h"
#include "ui/window/main_window.h"
#include "ui/window/presentation.h"
#include "ui/window/presentation_ink.h"
#include "window_support.h"

using namespace headscope;

namespace {

struct Hall {
    Session session;
    MainWindow window{session};
    LessonRun* run = window.findChild<LessonRun*>();
    QPointer<Presentation> presentation;

    Hall() {
        window.resize(1280, 720);
        window.show();
        (void)QTest::qWaitForWindowExposed(&window);
        (void)waitForTrace(session);
    }
    void present(const QSize& size) {
        window.findChild<QAction*>(QStringLiteral("present"))->trigger();
        presentation = window.findChild<Presentation*>();
        QVERIFY(presentation);
        presentation->showNormal();
        presentation->resize(size);
        QTest::qWait(20);
        QCOMPARE(presentation->size(), size);
    }
    void start(int lesson, int step) {
        window.startLesson(shippedLessons()[lesson].lesson);
        run->go(step);
        QVERIFY(waitForTrace(session));
        QTest::qWait(50);
    }
    void press(Qt::Key key) {
        QTest::keyClick(presentation.data(), key);
        (void)waitForTrace(session);
    }
    double mapShare() const {
        double area = 0;
        for (const HeatMap* map : presentation->maps()) area += map->mapRect().width() * map->mapRect().height();
        return area / presentation->width() / presentation->height();
    }
    /// Texts in the presentation, by what their fonts have; and that no label is cut off.
    void verifyTexts() const {
        const double least = presentation->height() / 40.0;
        for (const QLabel* label : presentation->findChildren<QLabel*>()) {
            if (!label->isVisible() || label->text().isEmpty()) continue;
            QVERIFY2(label->font().pixelSize() >= least, qPrintable(label->objectName()));
            if (label->wordWrap())
                QVERIFY2(label->heightForWidth(label->width()) <= label->height(), qPrintable(label->text()));
            QVERIFY(presentation->rect().contains(label->geometry()));
        }
        for (const HeatMap* map : presentation->maps()) QVERIFY(labelFont(map->font()).pixelSize() >= least);
        const auto* grid = presentation->findChild<HeadGrid*>();
        for (const QWidget* part : grid->findChildren<QWidget*>())
            if (part->isVisible())
                QVERIFY2(labelFont(part->font()).pixelSize() >= least, part->metaObject()->className());
    }
};

}  // namespace

class TestPresentation : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY(testing::beginAsAtFirstStart(folder_)); }
    void init() { QSettings().clear(); }

    void oneMapAndTwoMapsFillTheScreen_data() {
        QTest::addColumn<QSize>("size");
        QTest::newRow("720") << QSize(1280, 720);
        QTest::newRow("1080") << QSize(1920, 1080);
    }
    void oneMapAndTwoMapsFillTheScreen() {
        QFETCH(QSize, size);
        Hall hall;
        hall.session.setHead(6);
        hall.session.setLocked(Cell{3, 2, 6});
        hall.present(size);
        QCOMPARE(hall.presentation->maps().size(), 1);
        QVERIFY2(hall.mapShare() >= 0.4, qPrintable(QString::number(hall.mapShare())));
        hall.verifyTexts();
        hall.press(Qt::Key_Escape);
        hall.start(4, 1);  // causal: before and after
        hall.present(size);
        QCOMPARE(hall.presentation->maps().size(), 2);
        QVERIFY2(hall.mapShare() >= 0.4, qPrintable(QString::number(hall.mapShare())));
        hall.verifyTexts();
    }

    void everyStepHasItsTextsInFull() {
        Hall hall;
        for (int lesson = 0; lesson < 8; ++lesson) {
            hall.start(lesson, 0);
            hall.present(QSize(1280, 720));
            for (int step = 0; step < hall.run->lesson()->steps.size(); ++step) {
                hall.verifyTexts();
                QVERIFY(!hall.presentation->maps().isEmpty());
                hall.press(Qt::Key_Space);
            }
            hall.press(Qt::Key_Escape);
            QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
            QVERIFY(!hall.presentation);
        }
    }

    void withoutALessonItLeavesToExactlyWhereItWas() {
        Hall hall;
        hall.session.setHead(2);
        QTest::qWait(100);
        const Draft draft = hall.session.draft();
        const Selection selection = hall.session.wantedSelection();
        const QByteArray layout = hall.window.saveState();
        auto* focused = hall.window.findChild<HeatMap*>(QStringLiteral("heatMap0"));
        focused->setFocus();
        hall.present(QSize(1280, 720));
        HeatMap* map = hall.presentation->maps().front();
        QTest::mouseClick(map, Qt::LeftButton, Qt::NoModifier, map->cellRect(4, 1).center().toPoint());
        QVERIFY(hall.session.selection().locked == std::optional(Cell{4, 1, 2}));
        auto* explained = hall.presentation->findChild<QLabel*>(QStringLiteral("presentationExplained"));
        QVERIFY(!explained->text().isEmpty());
        hall.press(Qt::Key_Escape);
        QVERIFY(hall.session.wantedSelection() == selection);
        QVERIFY(hall.session.draft() == draft);
        QCOMPARE(hall.window.saveState(), layout);
        QCOMPARE(hall.window.focusWidget(), focused);
    }

    void withALessonTheStepOfTheLastSlideIsShown() {
        Hall hall;
        hall.start(0, 2);
        const Selection third = hall.session.wantedSelection();
        hall.present(QSize(1280, 720));
        hall.press(Qt::Key_Space);
        QCOMPARE(hall.run->index(), 3);
        hall.press(Qt::Key_Left);
        QCOMPARE(hall.run->index(), 2);
        hall.press(Qt::Key_End);
        hall.press(Qt::Key_Home);
        QCOMPARE(hall.run->index(), 0);
        hall.press(Qt::Key_Right);
        hall.press(Qt::Key_PageDown);
        hall.press(Qt::Key_F5);
        QCOMPARE(hall.run->index(), 2);
        QVERIFY(hall.session.wantedSelection() == third);
    }

    void enterAnswersTheQuestion() {
        Hall hall;
        const auto shows = [&](const char* label) {
            return hall.presentation->findChild<QLabel*>(QLatin1String(label))->text();
        };
        hall.start(2, 3);  // which num_heads is not possible
        hall.present(QSize(1280, 720));
        QVERIFY(shows("presentationText").contains(QStringLiteral("Which num_heads is not possible?\n• 4\n• 12")));
        QVERIFY(shows("presentationExplained").isEmpty());
        hall.press(Qt::Key_Return);
        QVERIFY(shows("presentationExplained").startsWith(QStringLiteral("Answer: 12\n")));
        hall.press(Qt::Key_Left);
        QVERIFY(!shows("presentationExplained").contains(QStringLiteral("Answer")));
        hall.press(Qt::Key_End);  // predict head 7
        QCOMPARE(hall.session.selection().stage, Stage::Mask);
        hall.press(Qt::Key_Return);
        QCOMPARE(hall.session.selection().stage, Stage::Weights);
        QCOMPARE(hall.session.selection().head, std::optional(7));
        QVERIFY(!shows("presentationExplained").isEmpty());
        hall.press(Qt::Key_Escape);
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        hall.start(4, 4);  // paint a causal mask
        hall.present(QSize(1280, 720));
        QCOMPARE(hall.presentation->maps().size(), 1);
        hall.press(Qt::Key_Return);
        QCOMPARE(hall.session.draft().value(Field::Mask), QStringLiteral("causal"));
    }

    void thePenDrawsAndOneKeyClears() {
        Hall hall;
        hall.present(QSize(1280, 720));
        PresentationInk* ink = hall.presentation->ink();
        QVERIFY(ink->testAttribute(Qt::WA_TransparentForMouseEvents));
        const QImage before = hall.presentation->grab().toImage();
        hall.press(Qt::Key_P);
        QTest::mousePress(ink, Qt::LeftButton, Qt::NoModifier, QPoint(300, 300));
        QTest::mouseMove(ink, QPoint(420, 330));
        QMouseEvent move(QEvent::MouseMove, QPointF(420, 330), QPointF(420, 330), Qt::LeftButton, Qt::LeftButton,
                         Qt::NoModifier);
        QCoreApplication::sendEvent(ink, &move);
        QTest::mouseRelease(ink, Qt::LeftButton, Qt::NoModifier, QPoint(420, 330));
        QCOMPARE(ink->strokes(), 1);
        QVERIFY(hall.presentation->grab().toImage() != before);
        hall.press(Qt::Key_C);
        hall.press(Qt::Key_P);
        QCOMPARE(ink->strokes(), 0);
        QVERIFY(hall.presentation->grab().toImage() == before);
        hall.press(Qt::Key_S);
        QVERIFY(ink->spotlight());
        QVERIFY(hall.presentation->grab().toImage() != before);
    }

private:
    QTemporaryDir folder_;
};

QTEST_MAIN(TestPresentation)
#include "tst_presentation.moc"
