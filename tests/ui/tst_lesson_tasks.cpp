// SPDX-License-Identifier: GPL-3.0-or-later
// Questions of lessons in the panel: painted, predicted and chosen answers, and what is said about them.
#include <QLabel>
#include <QPushButton>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>

#include "panel_support.h"
#include "ui/panels/lesson/answer_map.h"
#include "ui/panels/lesson/prediction_bars.h"
#include "ui/panels/lesson/task_view.h"
#include "ui/state/lesson.h"

using namespace headscope;

namespace {

LessonText both(const char* text) {
    return {utf8(text), utf8(text)};
}

struct Question {
    Session session;
    TaskView view{session};

    explicit Question(const LessonTask& task, const QString& mask = QStringLiteral("none")) {
        Draft draft;
        draft.set(Field::Text, QStringLiteral("a b c d"));
        draft.set(Field::Mask, mask);
        session.replace(draft, Selection());
        (void)waitForTrace(session);
        view.setTask(task);
        view.resize(260, 500);
        view.show();
    }
    void click(const char* name) {
        QTest::mouseClick(control<QPushButton>(view, name), Qt::LeftButton);
        QVERIFY(waitForTrace(session));
    }
};

LessonTask paint(const char* mask) {
    return {LessonTask::Kind::Paint, both("Paint"), utf8(mask)};
}

}  // namespace

class TestLessonTasks : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void paintedAnswers_data() {
        QTest::addColumn<QString>("mask");
        QTest::addColumn<QString>("says");
        QTest::addColumn<bool>("marked");
        QTest::newRow("right") << QStringLiteral("causal") << QStringLiteral("Right: 100%") << false;
        QTest::newRow("none") << QStringLiteral("none") << QStringLiteral("62%: 6 of 16 cells are wrong.") << true;
        QTest::newRow("transposed") << QStringLiteral("local:0:3") << QStringLiteral("transposed") << true;
        // painted:4 with the rows 0111 0011 0001 0000
        QTest::newRow("inverted") << QStringLiteral("painted:4:cxA")
                                  << QStringLiteral("0%: 16 of 16 cells are wrong. Your mask: inverted") << true;
        // the rows 0000 1000 1100 1110
        QTest::newRow("shifted") << QStringLiteral("painted:4:CM4") << QStringLiteral("shifted by one key to the left")
                                 << true;
    }
    void paintedAnswers() {
        QFETCH(QString, mask);
        QFETCH(QString, says);
        QFETCH(bool, marked);
        Question question(paint("causal"), mask);
        QVERIFY(question.view.verdict().isEmpty());
        question.click("taskCheck");
        QVERIFY2(question.view.verdict().contains(says), qPrintable(question.view.verdict()));
        QCOMPARE(control<AnswerMap>(question.view, "answerMap")->isVisible(), marked);
        question.click("taskAnswer");
        QCOMPARE(question.session.draft().value(Field::Mask), QStringLiteral("causal"));
        question.click("taskCheck");
        QVERIFY(question.view.verdict().startsWith(QStringLiteral("Right: 100%")));
    }

    void predictedWeights() {
        LessonTask task{LessonTask::Kind::Weights, both("Predict")};
        task.head = 7;  // everything: a quarter each
        task.query = -1;
        Question question(task);
        auto* bars = control<PredictionBars>(question.view, "predictionBars");
        QTest::mouseClick(bars, Qt::LeftButton, Qt::NoModifier, bars->barRect(1).center());
        QCOMPARE(bars->prediction(), (std::vector<double>{0, 1, 0, 0}));
        question.click("taskCheck");
        QVERIFY2(question.view.verdict().startsWith(QStringLiteral("75% of the weight")),
                 qPrintable(question.view.verdict()));
        QCOMPARE(question.session.selection().stage, Stage::Weights);
        QCOMPARE(question.session.selection().head, std::optional(7));
        QCOMPARE(question.session.selection().locked->query, 3);
        bars->setBar(0, 1);  // after the reveal nothing moves
        QCOMPARE(bars->prediction(), (std::vector<double>{0, 1, 0, 0}));
    }

    /// No bar dragged means all equal, which is right here.
    void barsByTheKeyboard() {
        LessonTask task{LessonTask::Kind::Weights, both("Predict")};
        task.head = 7;
        Question question(task);
        auto* bars = control<PredictionBars>(question.view, "predictionBars");
        question.click("taskCheck");
        QVERIFY(question.view.verdict().startsWith(QStringLiteral("0% of the weight")));
        question.view.setTask({});
        question.view.setTask(task);
        QTest::keyClick(bars, Qt::Key_Down);
        for (int n = 0; n < 3; ++n) QTest::keyClick(bars, Qt::Key_Right);
        QTest::keyClick(bars, Qt::Key_Down);
        QTest::keyClick(bars, Qt::Key_Right);
        QVERIFY(std::abs(bars->prediction()[1] - 0.75) < 1e-9 && std::abs(bars->prediction()[2] - 0.25) < 1e-9);
        QVERIFY(bars->accessibleDescription().contains(QStringLiteral("c: 5%")));
    }

    void chosenAnswers() {
        LessonTask task{LessonTask::Kind::Choose, both("Which?")};
        task.choices = {both("one"), both("two"), both("three")};
        task.right = 1;
        task.why = both("Because.");
        Question question(task);
        question.click("taskChoice0");
        QVERIFY(question.view.verdict().contains(QStringLiteral("two")));
        QVERIFY(question.view.verdict().endsWith(QStringLiteral("Because.")));
        question.click("taskChoice1");
        QVERIFY(question.view.verdict().startsWith(QStringLiteral("Right.")));
        question.view.setTask({});
        QVERIFY(!question.view.isVisible());
    }
};

QTEST_MAIN(TestLessonTasks)
#include "tst_lesson_tasks.moc"
