// SPDX-License-Identifier: GPL-3.0-or-later
// Every step of every lesson in the window, in both languages: forwards, backwards and by jumps, on several sentences.
// The numbers in the sentences are computed here once more from the trace, by the lesson's JSON.
#include <QDockWidget>
#include <QFile>
#include <QLabel>
#include <QListWidget>
#include <QRegularExpression>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>
#include <QTranslator>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/base/memory.h"
#include "panel_support.h"
#include "ui/maps/cell_explanation.h"
#include "ui/pages/compare/compare_view.h"
#include "ui/panels/lesson/lesson_panel.h"
#include "ui/state/lesson.h"
#include "ui/state/lesson_run.h"
#include "ui/window/main_window.h"
#include "window_support.h"

using namespace headscope;
using nlohmann::json;

static void initialiseTranslations() {
    Q_INIT_RESOURCE(translations);
}

namespace {

const char* const kLessons[] = {"layer", "qkv", "heads", "padding", "causal", "fill", "chunks", "precision"};

json lessonFile(const char* key) {
    QFile file(QStringLiteral(":/lessons/%1.json").arg(QLatin1String(key)));
    if (!file.open(QIODevice::ReadOnly)) qFatal("no lesson");
    return json::parse(file.readAll().toStdString());
}

std::int64_t index(const json& value, std::int64_t count) {
    const auto n = value.get<std::int64_t>();
    return std::clamp<std::int64_t>(n < 0 ? n + count : n, 0, count - 1);
}

/// A second reading of one placeholder, from the tensors.
QString valueOf(const QString& name, const json& arguments, const json& state, const Trace& trace) {
    const Dims dims = trace.dims();
    const std::int64_t size = dims.sequence_length;
    const json cell = state.value("cell", json::object());
    const auto place = [&](const char* axis, std::int64_t count) {
        json fallback = cell.value(axis, json(0));
        if (axis == std::string("head") && state.contains("head")) fallback = state["head"];
        return index(arguments.value(axis, fallback), count);
    };
    const std::int64_t b = index(state.value("sequence", json(0)), dims.batch), h = place("head", dims.num_heads),
                       i = place("query", size), j = place("key", size), d = place("dim", dims.head_dim());
    const auto at = [&](const TensorPtr& tensor, std::int64_t row, std::int64_t column) {
        const std::int64_t columns = tensor->shape().back();
        return tensor->value(((b * dims.num_heads + h) * size + row) * columns + column);
    };
    const auto token = [&](std::int64_t n) {
        return QStringLiteral("“%1”").arg(
            QString::fromStdString(trace.batch().tokens[static_cast<std::size_t>(b)][static_cast<std::size_t>(n)]));
    };
    const auto number = [](std::int64_t n) { return QString::number(n); };
    double row_sum = 0, entropy = 0, dot = 0;
    std::int64_t allowed = 0, masked = 0, full = 0, padding = 0;
    for (std::int64_t key = 0; key < size; ++key) {
        const double weight = at(trace.weights, i, key);
        row_sum += weight;
        if (weight > 0) entropy -= weight * std::log2(weight);
        allowed += trace.mask.of(0).allowed(b, i, key);
        padding += trace.batch().tokens[static_cast<std::size_t>(b)][static_cast<std::size_t>(key)] == "[PAD]";
    }
    for (std::int64_t query = 0; query < size; ++query) {
        std::int64_t open = 0;
        for (std::int64_t key = 0; key < size; ++key) open += trace.mask.of(0).allowed(b, query, key);
        masked += size - open;
        full += open == 0;
    }
    for (std::int64_t n = 0; n < dims.head_dim(); ++n) dot += at(trace.q, i, n) * at(trace.k, j, n);
    const std::map<QString, QString> values{
        {QStringLiteral("weight"), numberText(at(trace.weights, i, j))},
        {QStringLiteral("score"), numberText(at(trace.scores, i, j))},
        {QStringLiteral("dot"), numberText(dot)},
        {QStringLiteral("q"), numberText(at(trace.q, i, d))},
        {QStringLiteral("k"), numberText(at(trace.k, j, d))},
        {QStringLiteral("v"), numberText(at(trace.v, j, d))},
        {QStringLiteral("context"), numberText(at(trace.head_context, i, d))},
        {QStringLiteral("row_sum"), numberText(row_sum)},
        {QStringLiteral("entropy"), numberText(std::isnan(row_sum) ? row_sum : entropy)},
        {QStringLiteral("allowed"), number(allowed)},
        {QStringLiteral("token"), token(arguments.contains("key") ? j : i)},
        {QStringLiteral("key_token"), token(j)},
        {QStringLiteral("tokens"), number(size)},
        {QStringLiteral("sequences"), number(dims.batch)},
        {QStringLiteral("heads"), number(dims.num_heads)},
        {QStringLiteral("embed_dim"), number(dims.embed_dim)},
        {QStringLiteral("head_dim"), number(dims.embed_dim / dims.num_heads)},
        {QStringLiteral("root"), numberText(std::sqrt(static_cast<double>(dims.embed_dim / dims.num_heads)))},
        {QStringLiteral("cells"), number(size * size)},
        {QStringLiteral("masked_cells"), number(masked)},
        {QStringLiteral("fully_masked"), number(full)},
        {QStringLiteral("padding"), number(padding)},
        {QStringLiteral("parameters"), number(3 * dims.embed_dim * dims.embed_dim + 3 * dims.embed_dim +
                                              dims.embed_dim * dims.embed_dim + dims.embed_dim)},
        {QStringLiteral("chunk_size"), number(std::min<std::int64_t>(4, size))},
        {QStringLiteral("memory_whole"), QString::fromStdString(format_bytes(trace.bytes_whole))},
        {QStringLiteral("memory_chunked"), QString::fromStdString(format_bytes(trace.bytes_chunked))},
        {QStringLiteral("chunk_difference"), numberText(trace.chunk_difference, 2)},
    };
    if (name == u"fill") {
        const auto fill = trace.request.fill;
        const bool half = trace.request.precision == Precision::Float16;
        return QString::fromUtf8(fill == Fill::MinusBillion && !half ? "−1e9" : "−∞");
    }
    if (name == u"shape") {
        const std::string stage = arguments["stage"];
        const std::int64_t B = dims.batch, S = size, E = dims.embed_dim, H = dims.num_heads;
        if (stage == "q") return QStringLiteral("(%1, %2, %3, %4)").arg(B).arg(H).arg(S).arg(E / H);
        return QStringLiteral("(%1, %2, %3)").arg(B).arg(S).arg(stage == "qkv" ? 3 * E : E);
    }
    const auto found = values.find(name);
    return found == values.end() ? QStringLiteral("unknown ") + name : found->second;
}

QString expected(const QString& text, const json& step, const Trace& trace) {
    static const QRegularExpression braces(QStringLiteral("\\{(\\w+)(?::([^}]*))?\\}"));
    const json state = step.value("state", json::object());
    QString filled;
    qsizetype from = 0;
    for (auto match = braces.globalMatch(text); match.hasNext();) {
        const auto found = match.next();
        json arguments = json::object();
        for (const QString& argument : found.captured(2).split(u',', Qt::SkipEmptyParts)) {
            const QString value = argument.section(u'=', 1);
            bool whole = false;
            const int n = value.toInt(&whole);
            arguments[argument.section(u'=', 0, 0).toStdString()] = whole ? json(n) : json(value.toStdString());
        }
        filled += text.mid(from, found.capturedStart() - from) + valueOf(found.captured(1), arguments, state, trace);
        from = found.capturedEnd();
    }
    return filled + text.mid(from);
}

QString sentenceOf(int tokens) {
    QStringList words;
    for (int n = 0; n < tokens; ++n) words << QStringLiteral("w%1").arg(n * 7 % 11);
    return words.join(u' ');
}

struct State {
    Draft draft;
    Selection selection;
    bool operator==(const State&) const = default;
};

/// A window in which a lesson is taken.
struct Room {
    Session session;
    MainWindow window{session};
    LessonPanel* panel = window.findChild<LessonPanel*>();
    LessonRun* run = window.findChild<LessonRun*>();

    Room() {
        window.resize(1280, 720);
        window.show();
        (void)waitForTrace(session);
    }
    State state() const { return {session.draft(), session.wantedSelection()}; }
    void press(Qt::Key key) {
        QTest::keyClick(panel, key);
        QVERIFY(waitForTrace(session));
    }
    void jump(int step) {
        panel->findChild<QListWidget*>()->setCurrentRow(step);
        QVERIFY(waitForTrace(session));
    }
    /// What the panel says is what the JSON and the trace give.
    void verify(const json& lesson, const char* language) {
        const json& step = lesson["steps"][static_cast<std::size_t>(run->index())];
        const auto text = [&](const char* key) { return QString::fromStdString(step[key][language]); };
        QCOMPARE(panel->sentences(), expected(text("text"), step, *session.trace()));
        QCOMPARE(panel->title(), expected(text("title"), step, *session.trace()));
        QVERIFY(!panel->sentences().contains(u'{') && !panel->sentences().contains(u'…'));
        QVERIFY(session.reading().problems.isEmpty());
    }
};

}  // namespace

class TestLessons : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        QVERIFY(testing::beginAsAtFirstStart(folder_));
        initialiseTranslations();
        QCOMPARE(shippedLessons().size(), 8);
    }
    void init() { QSettings().clear(); }

    void everyStepIsInBothLanguages() {
        int tasks = 0;
        for (const char* key : kLessons) {
            const json lesson = lessonFile(key);
            for (const json& step : lesson["steps"]) {
                for (const char* part : {"title", "text"}) {
                    const std::string english = step[part]["en"], chinese = step[part]["zh_CN"];
                    QVERIFY(!english.empty() && !chinese.empty() && english != chinese);
                    const auto count = [](const std::string& text) {
                        return std::count(text.begin(), text.end(), '{');
                    };
                    QVERIFY2(count(english) == count(chinese), english.c_str());
                }
                tasks += step.contains("task");
            }
        }
        QVERIFY2(tasks >= 10, qPrintable(QString::number(tasks)));
    }

    void everyStepForwardsBackwardsAndByJumps_data() {
        QTest::addColumn<QByteArray>("language");
        QTest::addColumn<QByteArray>("key");
        for (const char* language : {"en", "zh_CN"})
            for (const char* key : kLessons)
                QTest::addRow("%s %s", key, language) << QByteArray(language) << QByteArray(key);
    }

    void everyStepForwardsBackwardsAndByJumps() {
        QFETCH(QByteArray, language);
        QFETCH(QByteArray, key);
        QTranslator translator;
        if (language == "zh_CN") {
            QVERIFY(translator.load(QStringLiteral("headscope_zh_CN"), QStringLiteral(":/translations")));
            QCoreApplication::installTranslator(&translator);
        }
        const json lesson = lessonFile(key);
        const int count = static_cast<int>(lesson["steps"].size());
        Room room;
        const State before = room.state();
        for (const ShippedLesson& shipped : shippedLessons())
            if (shipped.key == QLatin1String(key)) room.window.startLesson(shipped.lesson);
        QVERIFY(waitForTrace(room.session));
        QList<State> states;
        for (int step = 0; step < count; ++step) {  // forwards
            QCOMPARE(room.run->index(), step);
            room.verify(lesson, language);
            states << room.state();
            room.press(step % 2 ? Qt::Key_Space : Qt::Key_Right);
        }
        QCOMPARE(room.run->index(), count - 1);
        for (int step = count - 1; step >= 0; --step) {  // backwards
            QCOMPARE(room.run->index(), step);
            room.verify(lesson, language);
            QVERIFY2(room.state() == states[step], qPrintable(QStringLiteral("step %1 backwards").arg(step)));
            room.press(Qt::Key_Left);
        }
        for (int n = 1; n <= count; ++n) {  // jumps
            const int step = n * 3 % count;
            room.jump(step);
            QCOMPARE(room.run->index(), step);
            room.verify(lesson, language);
            QVERIFY(room.state() == states[step]);
        }
        room.press(Qt::Key_Home);
        QCOMPARE(room.run->index(), 0);
        room.press(Qt::Key_End);
        QCOMPARE(room.run->index(), count - 1);
        for (const int tokens : {3, 12, 40}) {  // the class's own sentence
            room.jump(0);
            room.session.edit(Field::Text, sentenceOf(tokens));
            QVERIFY(waitForTrace(room.session));
            for (int step = 0; step < count; ++step) {
                room.jump(step);
                room.verify(lesson, language);
                QVERIFY(room.session.draft().value(Field::Text).contains(sentenceOf(tokens)));
            }
            room.session.edit(Field::Text, sentenceOf(tokens / 2 + 1));  // within a step
            QVERIFY(waitForTrace(room.session));
            room.verify(lesson, language);
        }
        room.press(Qt::Key_Escape);
        QVERIFY(!room.run->lesson());
        QVERIFY(room.state() == before);
    }

    /// Also the second line, which the second step replaces.
    void theTextOfTheClassIsKeptWhereAStepHasItsOwn() {
        const auto lesson = parseLesson(
            R"({"format": "headscope-lesson", "version": 1, "name": "N", "steps": [{"title": "a", "text": "b"},
                {"title": "c", "text": "d", "state": {"draft": {"tokens": "[PAD] {sentence}\n{half}"}}}]})",
            QStringLiteral("two"));
        QVERIFY(lesson);
        Room room;
        const auto text = [&] { return room.session.draft().value(Field::Text); };
        room.session.edit(Field::Text, QStringLiteral("we eat rice today\nand soup"));
        room.window.startLesson(*lesson);
        room.press(Qt::Key_Right);
        QCOMPARE(text(), QStringLiteral("[PAD] we eat rice today\nwe eat"));
        room.press(Qt::Key_Left);
        QCOMPARE(text(), QStringLiteral("we eat rice today\nand soup"));
    }

    void leavingRestoresB() {
        Room room;
        auto* compare = room.window.findChild<CompareView*>();
        Draft own;
        own.set(Field::Mask, QStringLiteral("local:1:1"));
        compare->setB(own, {});
        room.window.startLesson(shippedLessons()[4].lesson);
        room.press(Qt::Key_Right);
        QCOMPARE(room.session.selection().page, PageName::Compare);
        QVERIFY(compare->b()->draft() != own);
        room.press(Qt::Key_Escape);
        QVERIFY(!room.run->lesson());
        QVERIFY(compare->b()->draft() == own);
    }

    void undoTakesTheLessonBack() {
        Room room;
        const State before = room.state();
        room.window.startLesson(shippedLessons()[4].lesson);
        room.press(Qt::Key_Right);
        const State second = room.state();
        room.press(Qt::Key_Right);
        room.session.undoStack()->undo();
        QCOMPARE(room.run->index(), 1);
        QVERIFY(room.state() == second);
        room.session.undoStack()->undo();
        room.session.undoStack()->undo();
        QVERIFY(!room.run->lesson());
        QVERIFY(room.state() == before);
        QVERIFY(room.window.findChild<QDockWidget*>(QStringLiteral("lessonDock"))->isHidden());
    }

    void aStepHidesWhatItDoesNotShow() {
        Room room;
        auto* parameters = room.window.findChild<QDockWidget*>(QStringLiteral("parameterDock"));
        QVERIFY(parameters->isVisible());
        room.window.startLesson(shippedLessons()[0].lesson);
        QVERIFY(!parameters->isVisible());
        QVERIFY(room.window.findChild<QWidget*>(QStringLiteral("tokenStrip"))->isVisible());
        auto* everything = room.window.findChild<QToolButton*>(QStringLiteral("lessonEverything"));
        QTest::mouseClick(everything, Qt::LeftButton);
        QVERIFY(parameters->isVisible());
        QTest::mouseClick(everything, Qt::LeftButton);
        QVERIFY(!parameters->isVisible());
        room.press(Qt::Key_Escape);
        QVERIFY(parameters->isVisible());
    }

    void whatTheClassChangesCanBeRestored() {
        Room room;
        room.window.startLesson(shippedLessons()[4].lesson);
        QVERIFY(waitForTrace(room.session));
        auto* restore = room.window.findChild<QToolButton*>(QStringLiteral("lessonRestore"));
        QVERIFY(!restore->isVisible());
        const State step = room.state();
        room.session.edit(Field::Mask, QStringLiteral("none"));
        QVERIFY(waitForTrace(room.session));
        QVERIFY(restore->isVisible());
        QTest::mouseClick(restore, Qt::LeftButton);
        QVERIFY(waitForTrace(room.session));
        QVERIFY(room.state() == step);
        QVERIFY(!restore->isVisible());
    }

private:
    QTemporaryDir folder_;
};

QTEST_MAIN(TestLessons)
#include "tst_lessons.moc"
