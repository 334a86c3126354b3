// SPDX-License-Identifier: GPL-3.0-or-later
// Session files: what is saved, opened and saved again is the same bytes, a version-1 file of old opens, bad input is
// one sentence, and what a killed program left is offered once.
#include "ui/state/session_file.h"

#include <QAction>
#include <QDockWidget>
#include <QDropEvent>
#include <QFile>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>
#include <QUndoStack>
#include <nlohmann/json.hpp>
#include <random>

#include "support.h"
#include "ui/pages/compare/compare_view.h"
#include "ui/state/lesson_run.h"
#include "ui/state/settings.h"
#include "ui/window/autosave.h"
#include "ui/window/main_window.h"
#include "window_support.h"

using namespace headscope;
using nlohmann::json;

namespace {

struct Desk {
    Session session;
    MainWindow window{session};

    Desk() {
        window.resize(1440, 900);
        window.show();
        (void)QTest::qWaitForWindowExposed(&window);
        (void)waitForTrace(session);
    }
    QByteArray bytes() const { return sessionJson(window.savedSession()); }
    CompareView* compare() { return window.findChild<CompareView*>(); }
    QString error() {
        auto* box = window.findChild<QMessageBox*>(QStringLiteral("fileError"));
        const QString text = box ? box->text() : QString();
        delete box;
        return text;
    }
};

QByteArray contents(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

bool writeBytes(const QString& path, const QByteArray& bytes) {
    QFile file(path);
    return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size();
}

json small() {
    return json::parse(R"({"format": "headscope-session", "version": 1, "panels": ["tokens"], "shapes_folded": false,
        "state": {"page": "heads", "stage": "weights", "cell": {"query": 1, "key": 0},
                  "draft": {"mask": "causal"}, "b": {"mask": "none"}}})");
}

std::string errorWith(const char* place, const json& value) {
    json changed = small();
    changed[json::json_pointer(place)] = value;
    const auto read = parseSession(QByteArray::fromStdString(changed.dump()), QStringLiteral("a.headscope"));
    return read ? std::string() : read.error().message();
}

/// Something that nobody would type, and much that people do.
QString oddText(std::mt19937& random) {
    static const QStringList parts{
        QStringLiteral("the cat"),  QStringLiteral("\n"),     QStringLiteral("\""),
        QStringLiteral("\\u0041"),  QStringLiteral("猫"),     QStringLiteral("😀👩‍👩‍👧"),
        QStringLiteral("\t\r\x01"), QStringLiteral("{text}"), QStringLiteral("<b>&amp;"),
        QStringLiteral("-7"),       QStringLiteral("1e400"),  QChar(0x202E)};
    QString text;
    for (auto n = random() % 4; n > 0; --n) text += parts[static_cast<qsizetype>(random() % parts.size())];
    return text;
}

SavedSession oddSession(std::mt19937& random) {
    const auto index = [&random] { return static_cast<int>(random() % 7); };
    const auto draft = [&random] {
        Draft odd;
        for (int field = 0; field < static_cast<int>(Field::Count); ++field)
            if (random() % 2) odd.set(static_cast<Field>(field), oddText(random));
        return odd;
    };
    Selection look;
    look.page = static_cast<PageName>(random() % 5);
    look.steps_part = static_cast<StepsPart>(random() % 3);
    look.sequence = index();
    look.stage = look.locked_stage = static_cast<Stage>(random() % 13);
    if (random() % 2) look.head = index();
    if (random() % 2) look.range = static_cast<Range>(random() % 4);
    if (random() % 2) look.palette = static_cast<Palette>(random() % 5);
    if (random() % 2) {
        look.locked = Cell{index(), index(), look.head.value_or(index())};  // of the enlarged head
        look.locked_stage = static_cast<Stage>(random() % 13);
    }
    SavedSession session;
    session.state = savedState(draft(), look, random() % 2 ? std::optional(draft()) : std::nullopt);
    session.panels.removeAt(index() % 3);
    session.shapes_folded = random() % 2;
    return session;
}

}  // namespace

class TestSessionFile : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY(testing::beginAsAtFirstStart(folder_)); }
    void init() { QSettings().clear(); }

    void whatIsWrittenIsReadAgain() {
        std::mt19937 random(12);
        for (int round = 0; round < 500; ++round) {
            const SavedSession session = oddSession(random);
            const QByteArray bytes = sessionJson(session);
            const auto again = parseSession(bytes, QStringLiteral("again"));
            QVERIFY2(again, again ? "" : again.error().message().c_str());
            QVERIFY(*again == session);
            QCOMPARE(sessionJson(*again), bytes);
            if (session.state.b) QVERIFY(savedDraft(*session.state.b) == savedDraft(*again->state.b));
        }
    }

    /// Line by line, so that a version control system shows what changed.
    void oneChangeIsOneLine() {
        Draft draft;
        const QList<QByteArray> before = sessionJson({savedState(draft, {}, {})}).split('\n');
        draft.set(Field::Mask, QStringLiteral("causal"));
        const QList<QByteArray> after = sessionJson({savedState(draft, {}, {})}).split('\n');
        QCOMPARE(before.size(), after.size());
        int changed = 0;
        for (qsizetype line = 0; line < before.size(); ++line) changed += before[line] != after[line];
        QCOMPARE(changed, 1);
    }

    void whatIsMissingHasTheDefault() {
        const auto read = parseSession(R"({"format": "headscope-session", "version": 1, "state": {}})", {});
        QVERIFY(read);
        QVERIFY(*read == SavedSession{});
        QVERIFY(savedDraft(read->state.draft) == Draft());
    }

    void whatIsWrongIsOneSentenceWithItsPlace_data() {
        QTest::addColumn<QString>("error");
        QTest::addColumn<QStringList>("parts");
        const auto row = [](const char* name, const std::string& error, const QStringList& parts) {
            QTest::newRow(name) << QString::fromStdString(error) << parts;
        };
        const auto text = [](const char* bytes) {
            const auto read = parseSession(bytes, QStringLiteral("a.headscope"));
            return read ? std::string() : read.error().message();
        };
        row("nothing", text(""), {QStringLiteral("a.headscope")});
        row("cut off", text(R"({"format": "headscope-session", )"), {QStringLiteral("a.headscope")});
        row("twice", text(R"({"format": "headscope-session", "format": 1})"), {QStringLiteral("format")});
        row("a list", text("[]"), {QStringLiteral("not a session"), QStringLiteral("headscope-session")});
        row("a lesson", errorWith("/format", "headscope-lesson"), {QStringLiteral("not a session")});
        row("older", errorWith("/version", 0), {QStringLiteral("version 0"), QStringLiteral("reads version 1")});
        row("newer", errorWith("/version", 2), {QStringLiteral("version 2"), QStringLiteral("reads version 1")});
        row("no version", errorWith("/version", nullptr), {QStringLiteral("version null")});
        row("key", errorWith("/colour", 1), {QStringLiteral("\"colour\""), QStringLiteral("panels")});
        row("key of the state", errorWith("/state/colour", 1), {QStringLiteral("state"), QStringLiteral("\"colour\"")});
        row("setting", errorWith("/state/draft/heads", "8"),
            {QStringLiteral("\"heads\""), QStringLiteral("num-heads")});
        row("of B", errorWith("/state/b/heads", "8"), {QStringLiteral("state.b"), QStringLiteral("\"heads\"")});
        row("a number", errorWith("/state/draft/seed", 5),
            {QStringLiteral("state.draft.seed"), QStringLiteral("text")});
        row("page", errorWith("/state/page", "first"), {QStringLiteral("'first'"), QStringLiteral("atlas")});
        row("stage", errorWith("/state/stage", "soft"), {QStringLiteral("'soft'"), QStringLiteral("weights")});
        row("stage of the cell", errorWith("/state/cell/stage", "soft"), {QStringLiteral("state.cell.stage")});
        row("cell", errorWith("/state/cell", json{{"query", 1}}),
            {QStringLiteral("state.cell"), QStringLiteral("\"key\"")});
        row("fraction", errorWith("/state/head", 1.5), {QStringLiteral("state.head"), QStringLiteral("whole number")});
        row("huge", errorWith("/state/sequence", 1e30), {QStringLiteral("state.sequence")});
        row("panel", errorWith("/panels", json{"foot"}), {QStringLiteral("'foot'"), QStringLiteral("parameters")});
        row("panels", errorWith("/panels", true), {QStringLiteral("panels"), QStringLiteral("list")});
        row("folded", errorWith("/shapes_folded", "no"),
            {QStringLiteral("shapes_folded"), QStringLiteral("true or false")});
        row("figure", errorWith("/figure", json{{"size", 1}}), {QStringLiteral("figure"), QStringLiteral("\"size\"")});
        row("side", errorWith("/figure", json{{"width", "wide"}}), {QStringLiteral("figure.width")});
        row("language", errorWith("/figure", json{{"language", "fr"}}),
            {QStringLiteral("'fr'"), QStringLiteral("zh_CN")});
        row("too large", text(QByteArray(kLargestSession + 1, ' ').constData()), {QStringLiteral("at most")});
    }
    void whatIsWrongIsOneSentenceWithItsPlace() {
        QFETCH(QString, error);
        QFETCH(QStringList, parts);
        for (const QString& part : parts) QVERIFY2(error.contains(part), qPrintable(error));
        QVERIFY(!error.contains(u'\n'));
    }

    /// docs/session.schema.json lists the keys that are written, and no others.
    void schemaHasEveryKey() {
        const json schema =
            json::parse(contents(QStringLiteral(REFERENCE_DIR "/../../docs/session.schema.json")).toStdString());
        json written = json::parse(contents(QStringLiteral(REFERENCE_DIR "/session_1.headscope")).toStdString());
        SavedSession session;
        session.figure.emplace();
        written["figure"] = json::parse(sessionJson(session).toStdString())["figure"];
        const auto same = [](const json& properties, const json& object) {
            for (const auto& [key, value] : object.items())
                if (!properties.contains(key)) return QString::fromStdString(key);
            for (const auto& [key, value] : properties.items())
                if (!object.contains(key) && key != "$schema") return QString::fromStdString(key);
            return QString();
        };
        const json& state = schema["$defs"]["state"]["properties"];
        QCOMPARE(same(schema["properties"], written), QString());
        QCOMPARE(same(schema["properties"]["figure"]["properties"], written["figure"]), QString());
        QCOMPARE(same(state, written["state"]), QString());
        QCOMPARE(same(state["cell"]["properties"], written["state"]["cell"]), QString());
        QCOMPARE(same(schema["$defs"]["fields"]["properties"], written["state"]["draft"]), QString());
        QCOMPARE(same(schema["$defs"]["fields"]["properties"], written["state"]["b"]), QString());
    }

    /// A file of version 1, as the first program with sessions wrote it: a later one must open it.
    void aFileOfVersion1Opens() {
        Desk desk;
        desk.window.openPath(QStringLiteral(REFERENCE_DIR "/session_1.headscope"));
        QCOMPARE(desk.error(), QString());
        QCOMPARE(desk.session.draft().value(Field::Text), QStringLiteral("the cat \"sat\"\n猫 \\ <b>"));
        QCOMPARE(desk.session.draft().value(Field::Precision), QStringLiteral("bfloat16"));
        QCOMPARE(desk.session.wantedSelection().page, PageName::Compare);
        QCOMPARE(desk.session.wantedSelection().locked_stage, Stage::Weights);
        QCOMPARE(desk.compare()->b()->draft().value(Field::Mask), QStringLiteral("local:1:0"));
        QVERIFY(desk.window.findChild<QDockWidget*>(QStringLiteral("parameterDock"))->isHidden());
        QVERIFY(!desk.window.findChild<QDockWidget*>(QStringLiteral("shapeDock"))->isHidden());
        QVERIFY(settings::shapesFolded.get());
        QCOMPARE(desk.bytes(), contents(QStringLiteral(REFERENCE_DIR "/session_1.headscope")));
        desk.session.undoStack()->undo();
        QVERIFY(desk.session.draft() == Draft());
        QCOMPARE(desk.session.selection().page, PageName::Heads);
    }

    /// Whatever is opened in a window of whatever state, it is saved as the same bytes.
    void savedOpenedAndSavedIsTheSame() {
        Desk desk;
        std::mt19937 random(7);
        const QString path = folder_.filePath(QStringLiteral("a.headscope"));
        for (int round = 0; round < 12; ++round) {
            SavedSession odd = oddSession(random);
            for (const Field field : {Field::Text, Field::Tokenizer})  // B has A's
                if (odd.state.b) (*odd.state.b)[field] = odd.state.draft[field];
            odd.state.draft[Field::Weights] = QStringLiteral("seed");
            const QByteArray bytes = sessionJson(odd);
            QVERIFY(writeBytes(path, bytes));
            desk.window.openPath(path);
            QCOMPARE(desk.error(), QString());
            QCOMPARE(desk.bytes(), bytes);
            handleEvents();
            QCOMPARE(desk.bytes(), bytes);
            (void)waitForTrace(desk.session);
            desk.window.findChild<QAction*>(QStringLiteral("saveSession"))->trigger();
            QCOMPARE(contents(path), bytes);
        }
    }

    void bIsSavedWhereItWasChanged() {
        Desk desk;
        QVERIFY(!desk.window.savedSession().state.b);
        desk.session.setPage(PageName::Compare);
        handleEvents();
        QVERIFY(desk.compare()->b());
        QVERIFY(!desk.window.savedSession().state.b);  // as it begins
        desk.compare()->b()->edit(Field::Mask, QStringLiteral("local:3:0"));
        QVERIFY(desk.window.savedSession().state.b);
        const QString path = folder_.filePath(QStringLiteral("b.headscope"));
        QVERIFY(writeBytes(path, desk.bytes()));
        Desk other;
        other.window.openPath(path);
        QCOMPARE(other.compare()->b()->draft().value(Field::Mask), QStringLiteral("local:3:0"));
        QVERIFY(writeBytes(path, sessionJson({savedState({}, {}, {})})));
        other.window.openPath(path);
        QVERIFY(!other.window.savedSession().state.b);
    }

    void aBadFileChangesNothing() {
        Desk desk;
        desk.session.edit(Field::Mask, QStringLiteral("causal"));
        const QByteArray before = desk.bytes();
        const int steps = desk.session.undoStack()->count();
        const QString path = folder_.filePath(QStringLiteral("bad.headscope"));
        for (const QByteArray& bytes :
             {QByteArray(), QByteArray("PK\3\4"), QByteArray("{}"), QByteArray(R"({"a": )")}) {
            QVERIFY(writeBytes(path, bytes));
            desk.window.openPath(path);
            QVERIFY(desk.error().contains(path));
            QCOMPARE(desk.bytes(), before);
            QCOMPARE(desk.session.undoStack()->count(), steps);
        }
        desk.window.openPath(folder_.filePath(QStringLiteral("missing.headscope")));
        QVERIFY(desk.error().contains(QStringLiteral("missing.headscope")));
    }

    void aSessionIsDroppedAndRemembered() {
        Desk desk;
        const QString path = folder_.filePath(QStringLiteral("dropped.headscope"));
        Draft draft;
        draft.set(Field::NumHeads, QStringLiteral("4"));
        QVERIFY(writeBytes(path, sessionJson({savedState(draft, {}, {})})));
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(path)});
        QDragEnterEvent enter({100, 100}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(&desk.window, &enter);
        QDropEvent drop(QPointF(100, 100), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(&desk.window, &drop);
        QCOMPARE(desk.session.draft().value(Field::NumHeads), QStringLiteral("4"));
        QVERIFY(settings::recentFiles.get().contains(path));
        QVERIFY(desk.window.windowTitle().startsWith(QStringLiteral("dropped.headscope")));
    }

    // --- after a crash

    void aWindowThatIsClosedLeavesNothing() {
        const QTemporaryDir folder;
        {
            Autosave autosave(
                folder.path(), [] { return SavedSession{}; }, nullptr);
            QVERIFY(autosave.save());
            QCOMPARE(QDir(folder.path()).entryList({QStringLiteral("*.headscope")}, QDir::Files).size(), 1);
        }
        QVERIFY(QDir(folder.path()).isEmpty());
    }

    void windowsThatAreOpenAreNotOffered() {
        const QTemporaryDir folder;
        Autosave one(
            folder.path(), [] { return SavedSession{}; }, nullptr);
        QVERIFY(one.save());
        Autosave other(
            folder.path(), [] { return SavedSession{}; }, nullptr);
        QVERIFY(!other.left());
        QVERIFY(!one.left());
    }

    void aChangeIsSavedSoon() {
        const QTemporaryDir folder;
        Desk desk;
        desk.window.keepAutosave(folder.path());
        desk.session.edit(Field::Mask, QStringLiteral("causal"));
        const auto files = [&] { return QDir(folder.path()).entryList({QStringLiteral("*.headscope")}, QDir::Files); };
        QVERIFY(files().isEmpty());
        QVERIFY(QTest::qWaitFor([&] { return !files().isEmpty(); }, 30000));
        QCOMPARE(contents(folder.filePath(files().first())), desk.bytes());
    }

    /// The lock of a killed program names a process that is not there.
    void whatAKilledProgramLeftIsOfferedOnce() {
        const QTemporaryDir folder;
        Draft draft;
        draft.set(Field::Mask, QStringLiteral("local:2:2"));
        const QByteArray bytes = sessionJson({savedState(draft, {}, {})});
        const auto leave = [&](const char* name, const QByteArray& content) {
            const QString path = folder.filePath(QLatin1String(name) + QStringLiteral(".headscope"));
            return writeBytes(path, content) &&
                   writeBytes(path + QStringLiteral(".lock"), "2000000000\nheadscope\n\n\n\n");
        };
        QVERIFY(leave("window-1-1", bytes));
        QVERIFY(leave("window-2-1", "{ not a session"));
        Desk desk;
        desk.window.keepAutosave(folder.path());
        desk.window.offerLastState();
        auto* box = desk.window.findChild<QMessageBox*>(QStringLiteral("recovery"));
        QVERIFY(box);
        {
            Desk other;  // is offered nothing meanwhile
            other.window.keepAutosave(folder.path());
            other.window.offerLastState();
            QVERIFY(!other.window.findChild<QMessageBox*>(QStringLiteral("recovery")));
        }
        for (auto* button : box->buttons())
            if (box->buttonRole(button) == QMessageBox::AcceptRole) button->click();
        QCOMPARE(desk.session.draft().value(Field::Mask), QStringLiteral("local:2:2"));
        QCOMPARE(desk.bytes(), bytes);
        handleEvents();
        Autosave next(
            folder.path(), [] { return SavedSession{}; }, nullptr);
        QVERIFY(!next.left());
        QCOMPARE(QDir(folder.path()).entryList({QStringLiteral("window-?-1.headscope*")}, QDir::Files), QStringList());
    }

    void whatIsDiscardedIsGone() {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("window-1-1.headscope"));
        QVERIFY(writeBytes(path, sessionJson({savedState({}, {}, {})})));
        QVERIFY(writeBytes(path + QStringLiteral(".lock"), "2000000000\nheadscope\n\n\n\n"));
        Desk desk;
        const QByteArray before = desk.bytes();
        desk.window.keepAutosave(folder.path());
        desk.window.offerLastState();
        auto* box = desk.window.findChild<QMessageBox*>(QStringLiteral("recovery"));
        QVERIFY(box);
        QTest::keyClick(box, Qt::Key_Escape);  // decides nothing
        QVERIFY(QFile::exists(path));
        for (auto* button : box->buttons())
            if (box->buttonRole(button) != QMessageBox::AcceptRole) button->click();
        QVERIFY(!QFile::exists(path));
        QCOMPARE(desk.bytes(), before);
    }

    void aFolderThatCannotBeWrittenIsNoFault() {
        for (const QString& folder : {QString(), QStringLiteral("/proc/none/autosave")}) {
            Autosave autosave(
                folder, [] { return SavedSession{}; }, nullptr);
            autosave.touch();
            QVERIFY(!autosave.save());
            QVERIFY(!autosave.left());
        }
    }

private:
    QTemporaryDir folder_;
};

QTEST_MAIN(TestSessionFile)
#include "tst_session_file.moc"
