// SPDX-License-Identifier: GPL-3.0-or-later
// `headscope bench`: what it takes, what it prints and what it refuses. How fast anything is, no test asks.
#include <QSet>
#include <QTemporaryDir>
#include <QTest>
#include <nlohmann/json.hpp>

#include "app/bench_interface.h"
#include "program.h"

using namespace headscope;

namespace {

QList<QByteArray> words(const char* line) {
    return QByteArray(line).split(' ');
}

/// One JSON object a line, or nothing where a line is something else.
std::vector<nlohmann::json> objects(const QByteArray& out) {
    std::vector<nlohmann::json> read;
    for (const QByteArray& line : out.trimmed().split('\n')) {
        auto json = nlohmann::json::parse(line.toStdString(), nullptr, false);
        if (!json.is_object()) return {};
        read.push_back(std::move(json));
    }
    return read;
}

QSet<QString> keysOf(const nlohmann::json& json) {
    QSet<QString> keys;
    for (const auto& item : json.items()) keys.insert(QString::fromStdString(item.key()));
    return keys;
}

QSet<QString> names(const QString& list) {
    const QStringList parts = list.split(u',');
    return {parts.begin(), parts.end()};
}

}  // namespace

class TestBenchCommand : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY(folder_.isValid()); }
    void interfaceSizes();
    void faultyInterfaceSizes_data();
    void faultyInterfaceSizes();
    void engineLines();
    void articleLines();
    void interfaceLines();
    void readsAndWritesNoSettings();
    void refuses_data();
    void refuses();

private:
    Outcome run(const QList<QByteArray>& arguments, const QByteArray& before = {}) const {
        return runProgram(folder_.path(), QList<QByteArray>{"bench"} + arguments, {}, before);
    }
    QTemporaryDir folder_;
};

void TestBenchCommand::interfaceSizes() {
    const auto sizes = parseInterfaceSizes("64,32x96,2x1", 8);
    QVERIFY(sizes);
    QCOMPARE(sizes->size(), std::size_t{3});
    const std::int64_t expected[][2] = {{64, 8}, {32, 96}, {2, 1}};
    for (std::size_t i = 0; i < 3; ++i) {
        QCOMPARE((*sizes)[i].sequence_length, expected[i][0]);
        QCOMPARE((*sizes)[i].num_heads, expected[i][1]);
    }
}

void TestBenchCommand::faultyInterfaceSizes_data() {
    QTest::addColumn<QByteArray>("text");
    for (const char* text :
         {"", "x", "64x", "x8", "0x8", "64x0", "64x8,", ",64", "64x8x2", "64 x8", "-1x8", "64X8", "1x8"})
        QTest::newRow(*text ? text : "nothing") << QByteArray(text);
}

void TestBenchCommand::faultyInterfaceSizes() {
    QFETCH(QByteArray, text);
    const auto sizes = parseInterfaceSizes(text.constData(), 8);
    QVERIFY(!sizes);
    QCOMPARE(sizes.error().code, ErrorCode::InvalidValue);
    QVERIFY(sizes.error().message().find("--sizes") != std::string::npos);
}

void TestBenchCommand::engineLines() {
    const Outcome outcome =
        run(words("--sizes 8,16 --threads 1,2 --cases full,causal --embed-dim 16 --num-heads 2 "
                  "--repeat 1"));
    QVERIFY2(outcome.status == 0 && outcome.error.isEmpty(), outcome.said());
    const auto lines = objects(outcome.out);
    QCOMPARE(lines.size(), std::size_t{8});
    for (const auto& line : lines) {
        QCOMPARE(keysOf(line), names(QStringLiteral("case,sequence_length,threads,precision,median_ms,min_ms,"
                                                    "peak_bytes")));
    }
}

void TestBenchCommand::articleLines() {
    const Outcome outcome = run(words("--article --sizes 8,16 --threads 1 --embed-dim 16 --num-heads 2 --repeat 1"));
    QVERIFY2(outcome.status == 0 && outcome.error.isEmpty(), outcome.said());
    const auto lines = objects(outcome.out);
    QCOMPARE(lines.size(), std::size_t{6});
    for (const auto& line : lines) {
        QCOMPARE(keysOf(line), names(QStringLiteral("case,measured,sequence_length,threads,claimed_speed,speed,"
                                                    "claimed_memory,memory,plain_ms,median_ms,plain_bytes,peak_bytes,"
                                                    "why")));
    }
}

void TestBenchCommand::interfaceLines() {
    const Outcome outcome = run(words("--interface --sizes 3x4,4 --num-heads 2 --embed-dim 8 --repeat 1"));
    QVERIFY2(outcome.status == 0 && outcome.error.isEmpty(), outcome.said());
    const auto lines = objects(outcome.out);
    const QStringList gestures{QStringLiteral("open"),         QStringLiteral("mask toggle"),
                               QStringLiteral("type a token"), QStringLiteral("num_heads"),
                               QStringLiteral("stage"),        QStringLiteral("hover"),
                               QStringLiteral("zoom"),         QStringLiteral("pan")};
    QCOMPARE(lines.size(), static_cast<std::size_t>(2 * gestures.size()));
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const auto& line = lines[i];
        QCOMPARE(keysOf(line), names(QStringLiteral("gesture,sequence_length,num_heads,median_ms,min_ms,picture_ms,"
                                                    "complete_ms,resident_mb")));
        QCOMPARE(QString::fromStdString(line["gesture"].get<std::string>()),
                 gestures[static_cast<qsizetype>(i) % gestures.size()]);
        const bool first = i < static_cast<std::size_t>(gestures.size());
        QCOMPARE(line["sequence_length"].get<int>(), first ? 3 : 4);
        QCOMPARE(line["num_heads"].get<int>(), first ? 4 : 2);
        QVERIFY(line["min_ms"].get<double>() > 0);
        QVERIFY(line["median_ms"].get<double>() >= line["min_ms"].get<double>());
        QVERIFY(line["picture_ms"].get<double>() > 0);
        QVERIFY(line["complete_ms"].get<double>() >= line["median_ms"].get<double>());
        QVERIFY(line["resident_mb"].get<double>() > 1);
    }
}

/// The window of a measurement is nobody's window: another run finds the same, and nothing is left behind.
void TestBenchCommand::readsAndWritesNoSettings() {
    const QByteArray home = folder_.filePath(QStringLiteral("home")).toUtf8();
    const Outcome outcome = run(words("--interface --sizes 2x1 --embed-dim 4 --repeat 1"),
                                "mkdir -p '" + home + "'; HOME='" + home + "'; export HOME\n");
    QVERIFY2(outcome.status == 0, outcome.said());
    QVERIFY(!QFile::exists(QString::fromUtf8(home) + QStringLiteral("/.config/headscope")));
}

void TestBenchCommand::refuses_data() {
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<QByteArray>("says");
    const auto row = [](const char* line, const char* says) {
        QTest::newRow(line) << QByteArray(line) << QByteArray(says);
    };
    row("512", "512");
    row("--sizes 0", "--sizes");
    row("--threads none", "--threads");
    row("--cases fast", "fast");
    row("--repeat 0", "--repeat");
    row("--repeat 1,2", "--repeat");
    row("--num-heads 7", "512");
    row("--interface --threads 2", "--threads");
    row("--interface --cases full", "--cases");
    row("--article --interface", "--interface");
    row("--article --cases full", "--cases");
    row("--interface --sizes 64x", "--sizes");
    row("--interface --sizes 4x3 --embed-dim 8", "8");
    row("--interface --sizes 4x1 --embed-dim 5", "odd");
    row("--interface=yes", "--interface");
}

void TestBenchCommand::refuses() {
    QFETCH(QByteArray, line);
    QFETCH(QByteArray, says);
    const Outcome outcome = run(line.split(' '));
    QCOMPARE(outcome.status, 2);
    QVERIFY2(outcome.isOneErrorLine(), outcome.said());
    QVERIFY2(outcome.error.contains(says), outcome.said(says));
}

QTEST_GUILESS_MAIN(TestBenchCommand)
#include "tst_bench_command.moc"
