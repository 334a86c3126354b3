// SPDX-License-Identifier: GPL-3.0-or-later
// Lesson files: what is written is read again, and bad input is one sentence with the file, the place and what would be
// right. And a lesson that is made with the window alone.
#include <QAction>
#include <QDialogButtonBox>
#include <QDropEvent>
#include <QFile>
#include <QFileDialog>
#include <QLabel>
#include <QListWidget>
#include <QMessageBox>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <nlohmann/json.hpp>

#include "panel_support.h"
#include "ui/panels/lesson/lesson_panel.h"
#include "ui/state/lesson.h"
#include "ui/state/lesson_run.h"
#include "ui/state/placeholder.h"
#include "ui/window/main_window.h"
#include "window_support.h"

using namespace headscope;
using nlohmann::json;

namespace {

/// A small right lesson.
json lesson() {
    return json::parse(R"({"format": "headscope-lesson", "version": 1, "name": "N", "steps": [
        {"title": {"en": "One", "zh_CN": "一"}, "text": "weight {weight:head=6,query=3,key=2}", "show": ["tokens"],
         "state": {"page": "heads", "stage": "weights", "head": 6, "cell": {"query": -1, "key": -2},
                   "draft": {"mask": "causal"}}}]})");
}

std::string errorOf(const json& document) {
    const auto read = parseLesson(QByteArray::fromStdString(document.dump()), QStringLiteral("a.json"));
    return read ? std::string() : read.error().message();
}

/// The error of the lesson with one value changed.
std::string errorWith(const char* place, const json& value) {
    json changed = lesson();
    changed[json::json_pointer(place)] = value;
    return errorOf(changed);
}

bool contains(const std::string& text, std::initializer_list<const char*> parts) {
    for (const char* part : parts)
        if (text.find(part) == std::string::npos) {
            qWarning("'%s' is not in '%s'", part, text.c_str());
            return false;
        }
    return true;
}

/// Drops a file on a window.
void drop(QWidget& window, const QString& path) {
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(path)});
    QDragEnterEvent enter({100, 100}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&window, &enter);
    QDropEvent event(QPointF(100, 100), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&window, &event);
}

}  // namespace

class TestLessonFile : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY(testing::beginAsAtFirstStart(folder_)); }
    void init() { QSettings().clear(); }

    void filesThatAreLessonsByName() {
        QVERIFY(isLessonName(QStringLiteral("/a/lesson.JSON")));
        QVERIFY(!isLessonName(QStringLiteral("/a/model.safetensors.index.json")));
        QVERIFY(!isLessonName(QStringLiteral("/a/json")));
    }

    void aRightLessonIsRead() { QCOMPARE(errorOf(lesson()), std::string()); }

    void theShippedLessonsAreWrittenAndReadAgain() {
        for (const ShippedLesson& shipped : shippedLessons()) {
            const auto again = parseLesson(lessonJson(*shipped.lesson), QStringLiteral("again"));
            QVERIFY2(again, again ? "" : again.error().message().c_str());
            QVERIFY2(**again == *shipped.lesson, qPrintable(shipped.key));
        }
    }

    void whatIsWrongIsSaidWithItsPlace() {
        QVERIFY(contains(errorOf(json::array()), {"a.json", "headscope-lesson"}));
        QVERIFY(contains(errorWith("/format", "other"), {"a.json", "headscope-lesson"}));
        QVERIFY(contains(errorWith("/version", 2), {"a.json", "version 2", "version 1"}));
        QVERIFY(contains(errorWith("/extra", 1), {"lesson", "\"extra\"", "unknown", "steps"}));
        QVERIFY(contains(errorWith("/steps/0/colour", "red"), {"steps[0]", "\"colour\"", "title"}));
        QVERIFY(contains(errorWith("/steps/0/title/fr", "Un"), {"steps[0].title", "\"fr\"", "zh_CN"}));
        QVERIFY(contains(errorWith("/steps/0/text", 5), {"steps[0].text", "en, zh_CN"}));
        QVERIFY(contains(errorWith("/steps/0/text", std::string(2001, 'a')), {"steps[0].text", "2000 characters"}));
        QVERIFY(contains(errorWith("/steps", json::array()), {"steps", "1 to 200"}));
        QVERIFY(contains(errorWith("/steps/0/state/page", "first"), {"steps[0].state.page", "'first'", "heads"}));
        QVERIFY(contains(errorWith("/steps/0/state/stage", "soft"), {"steps[0].state.stage", "weights"}));
        QVERIFY(contains(errorWith("/steps/0/state/head", 8), {"steps[0].state", "head 8", "8 heads"}));
        QVERIFY(contains(errorWith("/steps/0/state/cell/head", 5), {"steps[0].state.cell", "head 5", "head 6"}));
        QVERIFY(contains(errorWith("/steps/0/state/draft/mask", "casual"), {"steps[0].state.draft", "casual"}));
        QVERIFY(contains(errorWith("/steps/0/state/draft/num-heads", "7"), {"steps[0].state.draft", "512", "7"}));
        QVERIFY(contains(errorWith("/steps/0/state/draft/heads", "7"), {"state.draft", "\"heads\"", "num-heads"}));
        QVERIFY(contains(errorWith("/steps/0/show", json::array({"menu"})), {"steps[0].show", "'menu'", "tokens"}));
        QVERIFY(contains(errorWith("/steps/0/text", "{weight:head=9}"), {"steps[0].text", "head 9", "0 to 7"}));
        QVERIFY(contains(errorWith("/steps/0/text", "{weigth}"), {"steps[0].text", "'weigth'", "weight"}));
        QVERIFY(contains(errorWith("/steps/0/text", "{weight:dim=1}"), {"steps[0].text", "'dim=1'", "head"}));
        QVERIFY(contains(errorWith("/steps/0/text", "{weight:head=a}"), {"steps[0].text", "'a'", "whole number"}));
        QVERIFY(contains(errorWith("/steps/0/text", "{weight"), {"steps[0].text", "closing brace"}));
        QVERIFY(contains(errorWith("/steps/0/text", "{shape:stage=z}"), {"steps[0].text", "'z'", "stage"}));
        const json choose{{"kind", "choose"}, {"question", "?"}, {"choices", {"a", "b"}}, {"right", 2}};
        QVERIFY(contains(errorWith("/steps/0/task", choose), {"steps[0].task.right", "0 to 1"}));
        QVERIFY(contains(errorWith("/steps/0/task", {{"kind", "paint"}, {"question", "?"}}), {"task", "\"mask\""}));
        QVERIFY(contains(errorWith("/steps/0/task", {{"kind", "guess"}, {"question", "?"}}), {"'guess'", "paint"}));
    }

    void whatIsNoLessonIsRefused() {
        const auto error = [](const QByteArray& text) {
            const auto read = parseLesson(text, QStringLiteral("a.json"));
            return read ? std::string() : read.error().message();
        };
        QVERIFY(contains(error("{\"format\": "), {"a.json", "byte 11"}));
        QVERIFY(contains(error("{\"a\": 1, \"a\": 2}"), {"a.json", "twice"}));
        QVERIFY(contains(error("\xff\xfe"), {"a.json", "UTF-8"}));
        QVERIFY(contains(error(QByteArray(10'000'000, ' ')), {"a.json", "10000000 bytes", "1000000"}));
        json deep = lesson();
        for (const char* key : {"name", "summary", "steps"}) {
            deep[key] = json::array({json::array({1})});
            QVERIFY(!errorOf(deep).empty());
            deep = lesson();
        }
        QVERIFY(contains(readLesson(QStringLiteral("/nowhere.json")).error().message(), {"/nowhere.json"}));
    }

    /// Any value in any place: an error or a lesson, and never a crash.
    void everyPlaceTakesAnyValue() {
        const json values[] = {nullptr,       true,           -1,        1e300, "", "{", "{weight}",
                               json::array(), json::object(), {{"a", 1}}};
        const json flat = lesson().flatten();
        for (const auto& [place, ignored] : flat.items())
            for (const json& value : values) {
                json changed = lesson();
                changed[json::json_pointer(place)] = value;
                (void)errorOf(changed);
            }
        for (const auto& [place, ignored] : flat.items()) {  // and each node above the leaves
            auto parent = json::json_pointer(place).parent_pointer();
            for (const json& value : values) {
                if (parent.empty()) continue;
                json changed = lesson();
                changed[parent] = value;
                (void)errorOf(changed);
            }
        }
    }

    void aBadFileLeavesTheWindowAsItWas() {
        Session session;
        MainWindow window(session);
        window.show();
        QVERIFY(waitForTrace(session));
        const Draft draft = session.draft();
        const QString path = folder_.filePath(QStringLiteral("bad.json"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("{}") == 2);
        file.close();
        drop(window, path);
        auto* box = window.findChild<QMessageBox*>(QStringLiteral("fileError"));
        QVERIFY(box && box->isVisible());
        QVERIFY(box->text().contains(path) && !box->text().contains(u'\n'));
        box->accept();
        QVERIFY(!window.findChild<LessonRun*>()->lesson());
        QVERIFY(session.draft() == draft);
    }

    /// By the menu and the dialogs alone, as a teacher does.
    void aLessonMadeInTheWindowIsTheSameOnAFreshProfile() {
        const QString path = folder_.filePath(QStringLiteral("mine.json"));
        LessonPtr made;
        QList<std::pair<Draft, Selection>> states;
        {
            Session session;
            MainWindow window(session);
            window.resize(1280, 720);
            window.show();
            QVERIFY(waitForTrace(session));
            session.edit(Field::Text, QStringLiteral("we made this lesson\nby hand"));
            addStep(window, "All heads", "S is {tokens}.");
            session.edit(Field::Mask, QStringLiteral("causal,local:2:0"));
            session.setHead(6);
            session.setLocked(Cell{2, 1, 6});
            addStep(window, "One head", "{token} puts {weight} on {key_token}.");
            session.edit(Field::Fill, QStringLiteral("1e9"));
            session.setPage(PageName::Compare);
            QVERIFY(waitForTrace(session));
            addStep(window, "Two sides", "B has another mask.");
            auto* run = window.findChild<LessonRun*>();
            QCOMPARE(run->lesson()->steps.size(), 3);
            QCOMPARE(run->index(), 2);
            save(window, path);
            made = run->lesson();
            states = statesOf(session, *run);
            window.close();
        }
        QSettings().clear();
        Session session;
        MainWindow window(session);
        window.show();
        QVERIFY(waitForTrace(session));
        drop(window, path);
        auto* run = window.findChild<LessonRun*>();
        QVERIFY(run->lesson());
        QVERIFY(*run->lesson() == *made);
        QVERIFY(statesOf(session, *run) == states);
        run->go(1);
        QVERIFY(waitForTrace(session));
        const double weight = session.trace()->matrix(Stage::Weights, 0, 6).at(2, 1);
        const auto* panel = window.findChild<LessonPanel*>();
        QVERIFY(panel->sentences().startsWith(QString::fromUtf8("“this” puts 0.")));
        QVERIFY(panel->sentences().contains(QString::number(weight, 'g', 4)));
    }

private:
    static void addStep(MainWindow& window, const char* title, const char* text) {
        window.findChild<QAction*>(QStringLiteral("addStep"))->trigger();
        auto* dialog = window.findChild<QDialog*>(QStringLiteral("stepDialog"));
        QVERIFY(dialog);
        auto* ok = dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok);
        QVERIFY(!ok->isEnabled());
        QTest::keyClicks(dialog->findChild<QLineEdit*>(QStringLiteral("stepTitle")), QLatin1String(title));
        QTest::keyClicks(dialog->findChild<QPlainTextEdit*>(QStringLiteral("stepText")), QLatin1String(text));
        ok->click();
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    }
    static void save(MainWindow& window, const QString& path) {
        QTimer::singleShot(0, &window, [&] {
            auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
            QVERIFY(dialog);
            dialog->selectFile(path);
            dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"))->setText(path);
            QMetaObject::invokeMethod(dialog, "accept", Qt::QueuedConnection);
        });
        window.findChild<QAction*>(QStringLiteral("saveLesson"))->trigger();
        QVERIFY(QFile::exists(path));
    }
    static QList<std::pair<Draft, Selection>> statesOf(Session& session, LessonRun& run) {
        QList<std::pair<Draft, Selection>> states;
        for (int step = 0; step < run.lesson()->steps.size(); ++step) {
            run.go(step);
            states << std::pair(session.draft(), session.wantedSelection());
        }
        return states;
    }

    QTemporaryDir folder_;
};

QTEST_MAIN(TestLessonFile)
#include "tst_lesson_file.moc"
