// SPDX-License-Identifier: GPL-3.0-or-later
// The program itself is killed while its window is open, and the next window offers the state that it had.
#include <QDir>
#include <QMessageBox>
#include <QProcess>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>

#include "program.h"
#include "ui/state/session.h"
#include "ui/state/session_file.h"
#include "ui/window/main_window.h"
#include "ui/window_support.h"

using namespace headscope;

class TestRecovery : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;

    QString saved() const {
        const QDir place(folder_.filePath(QStringLiteral("HeadScope/HeadScope/autosave")));
        const QStringList files = place.entryList({QStringLiteral("*.headscope")}, QDir::Files);
        return files.size() == 1 ? place.filePath(files.first()) : QString();
    }

private Q_SLOTS:
    void initTestCase() { QVERIFY(testing::beginAsAtFirstStart(folder_)); }

    void aKilledProgramOffersItsLastState() {
        Draft draft;
        draft.set(Field::Text, QStringLiteral("a line\nand 猫"));
        draft.set(Field::Mask, QStringLiteral("causal,local:3:0"));
        Selection look;
        look.page = PageName::Steps;
        look.locked = Cell{1, 0, 2};
        const QByteArray bytes = sessionJson({savedState(draft, look, {})});
        const QString path = folder_.filePath(QStringLiteral("work.headscope"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
        file.close();

        auto environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
        for (const char* place : {"HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR"})
            environment.insert(QLatin1String(place), folder_.path());
        QProcess program;
        program.setProcessEnvironment(environment);
        program.start(QStringLiteral(HEADSCOPE_PROGRAM), {path});
        QVERIFY(QTest::qWaitFor([&] { return !saved().isEmpty(); }, 60000));
        program.kill();
        QVERIFY(program.waitForFinished(60000));
        QCOMPARE(program.exitStatus(), QProcess::CrashExit);
        QCOMPARE(contents(saved()), bytes);

        Session session;
        MainWindow window(session);
        window.show();
        window.keepAutosave(QFileInfo(saved()).path());
        window.offerLastState();
        auto* box = window.findChild<QMessageBox*>(QStringLiteral("recovery"));
        QVERIFY(box);
        for (auto* button : box->buttons())
            if (box->buttonRole(button) == QMessageBox::AcceptRole) button->click();
        QVERIFY(session.draft() == draft);
        QCOMPARE(sessionJson(window.savedSession()), bytes);
    }

    void aBadSessionOnTheCommandLineIsOneLine() {
        const QString path = folder_.filePath(QStringLiteral("bad.headscope"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly) &&
                file.write("{\"format\": \"headscope-session\", \"version\": 9}") > 0);
        file.close();
        const Outcome bad = runProgram(folder_.path(), {"bad.headscope"});
        QVERIFY2(bad.isOneErrorLine() && bad.error.contains("version 9"), bad.said());
        QCOMPARE(bad.status, 1);
        const Outcome layer = runProgram(folder_.path(), {"bad.headscope", "--layer", "1"});
        QVERIFY2(layer.isOneErrorLine() && layer.error.contains("--layer"), layer.said());
    }
};

QTEST_MAIN(TestRecovery)
#include "tst_recovery.moc"
