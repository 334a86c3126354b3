// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/command_line.h"

#include <QDir>
#include <QImage>
#include <QTemporaryDir>
#include <QTest>

#include "app/arguments.h"
#include "app/export_options.h"
#include "program.h"

using namespace headscope;

namespace {

const QList<OptionSpec> kSpecs{{QStringLiteral("--mask"), QStringLiteral("EXPRESSION"), {}},
                               {QStringLiteral("--seed"), QStringLiteral("N"), {}},
                               {QStringLiteral("--scale"), QStringLiteral("N"), {}},
                               {QStringLiteral("--title"), QStringLiteral("TEXT"), {}, true},
                               {QStringLiteral("--help"), {}, {}}};

}  // namespace

class TestCommandLine : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY(folder_.isValid()); }

    void splitsOptionsAndOperands();
    void refusesWhatIsNoOption_data();
    void refusesWhatIsNoOption();
    void suggestsTheNearest();
    void everyOptionIsInTheHelp();
    void helpAndVersion();
    void lessons();
    void theSameCommandGivesTheSameFile();
    void theLastOfRepeatedOptionsCounts();
    void tokensFromFilesAndStandardInput();
    void noDisplay_data();
    void noDisplay();
    void windowNeedsAFileThatIsThere();

private:
    Outcome run(const QList<QByteArray>& arguments, const QByteArray& input = {}, const QByteArray& before = {}) const {
        return runProgram(folder_.path(), arguments, input, before);
    }
    QString path(const char* name) const { return folder_.filePath(QString::fromLatin1(name)); }
    QTemporaryDir folder_;
};

void TestCommandLine::splitsOptionsAndOperands() {
    const auto read = readArguments({QStringLiteral("a.png"), QStringLiteral("--mask"), QStringLiteral("causal"),
                                     QStringLiteral("--scale"), QStringLiteral("-0.5"), QStringLiteral("--title="),
                                     QStringLiteral("--seed=1=2"), QStringLiteral("--mask=none"), QStringLiteral("-"),
                                     QStringLiteral("--help"), QStringLiteral("--"), QStringLiteral("--mask")},
                                    kSpecs);
    QVERIFY(read);
    QCOMPARE(read->operands, (QStringList{QStringLiteral("a.png"), QStringLiteral("-"), QStringLiteral("--mask")}));
    QCOMPARE(read->value(QStringLiteral("--mask")), QStringLiteral("none"));
    QCOMPARE(read->value(QStringLiteral("--scale")), QStringLiteral("-0.5"));
    QCOMPARE(read->value(QStringLiteral("--seed")), QStringLiteral("1=2"));
    QCOMPARE(read->value(QStringLiteral("--title")), QString());
    QVERIFY(read->has(QStringLiteral("--help")));
    QVERIFY(!read->has(QStringLiteral("--precision")));
}

void TestCommandLine::refusesWhatIsNoOption_data() {
    QTest::addColumn<QStringList>("typed");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* name, const QStringList& typed, const char* says) {
        QTest::newRow(name) << typed << QString::fromLatin1(says);
    };
    row("option in a value's place", {QStringLiteral("--mask"), QStringLiteral("--seed"), QStringLiteral("3")},
        "--mask: the value is missing");
    row("nothing in a value's place", {QStringLiteral("--seed")}, "--seed: the value is missing");
    row("empty value", {QStringLiteral("--seed=")}, "--seed: the value is missing");
    row("empty word", {QStringLiteral("--seed"), QString()}, "--seed: the value is missing");
    row("end of options as a value", {QStringLiteral("--mask"), QStringLiteral("--")}, "--mask: the value is missing");
    row("misspelt", {QStringLiteral("--maks"), QStringLiteral("causal")}, "did you mean --mask?");
    row("nothing like it", {QStringLiteral("--frobnicate")}, "--frobnicate: there is no such option");
    row("one dash", {QStringLiteral("-mask")}, "-mask: there is no such option; did you mean --mask?");
    row("value where there is none", {QStringLiteral("--help=yes")}, "--help takes no value");
    row("spaces", {QStringLiteral("--mask ")}, "did you mean --mask?");
}

void TestCommandLine::refusesWhatIsNoOption() {
    QFETCH(QStringList, typed);
    QFETCH(QString, says);
    const auto read = readArguments(typed, kSpecs);
    QVERIFY(!read);
    QCOMPARE(read.error().code, ErrorCode::InvalidValue);
    const QString message = QString::fromStdString(read.error().message());
    QVERIFY2(message.contains(says), qPrintable(message));
}

void TestCommandLine::suggestsTheNearest() {
    const QStringList names{QStringLiteral("--embed-dim"), QStringLiteral("--num-heads"), QStringLiteral("--head")};
    QCOMPARE(suggestion(QStringLiteral("--heads"), names), std::string("; did you mean --head?"));
    QCOMPARE(suggestion(QStringLiteral("--num_heads"), names), std::string("; did you mean --num-heads?"));
    QCOMPARE(suggestion(QStringLiteral("--embed"), names), std::string("; did you mean --embed-dim?"));
    QCOMPARE(suggestion(QStringLiteral("quite different"), names), std::string());
    QCOMPARE(suggestion(QString(100000, u'x'), names), std::string());
}

/// The help of export lists every option.
void TestCommandLine::everyOptionIsInTheHelp() {
    const QStringList table =
        QStringLiteral(
            "--tokens --tokens-file --tokenizer --embed-dim --num-heads --weights --layer --layout --seed --mask "
            "--fill --scale --precision --chunk-size --key-chunk-size --sequence --head --stage --range "
            "--palette --size --dpi --theme --title --language")
            .split(u' ');
    const Outcome help = run({"export", "--help"});
    QCOMPARE(help.status, 0);
    for (const QString& name : table)
        QVERIFY2(help.out.contains(QByteArray("  " + name.toUtf8() + ' ')), qPrintable(name));
}

void TestCommandLine::helpAndVersion() {
    for (const QList<QByteArray>& arguments :
         {QList<QByteArray>{"--help"}, {"export", "--help"}, {"export", "a.png", "--dpi", "7", "--help"}}) {
        const Outcome outcome = run(arguments);
        QCOMPARE(outcome.status, 0);
        QVERIFY(outcome.error.isEmpty());
        QVERIFY(outcome.out.contains("--embed-dim"));
        for (const QByteArray& line : outcome.out.split('\n')) QVERIFY2(line.size() <= 120, line.constData());
    }
    const Outcome version = run({"--version"});
    QCOMPARE(version.status, 0);
    QVERIFY(version.out.startsWith("headscope ") && version.out.count('\n') == 1);
}

/// A lesson is read before there is a window; without a display a right one says that there is none.
void TestCommandLine::lessons() {
    const Outcome unknown = run({"--lesson", "casual"});
    QCOMPARE(unknown.status, 2);
    QVERIFY2(unknown.isOneErrorLine() && unknown.error.contains("layer, qkv, heads"), unknown.said());
    QFile file(path("old.json"));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write("{\"format\": \"headscope-lesson\", \"version\": 0}") > 0);
    file.close();
    for (const QList<QByteArray>& arguments : {QList<QByteArray>{"--lesson", "old.json"}, {"old.json"}}) {
        const Outcome old = run(arguments);
        QCOMPARE(old.status, 1);
        QVERIFY2(old.isOneErrorLine() && old.error.contains("old.json: version 0"), old.said());
    }
    QVERIFY(run({"--lesson", "causal"}).error.contains("display"));
    const Outcome two = run({"old.json", "--lesson", "causal"});
    QCOMPARE(two.status, 2);
    QVERIFY2(two.isOneErrorLine() && two.error.contains("old.json is a lesson"), two.said());
}

/// Whatever settings, display or locale there is.
void TestCommandLine::theSameCommandGivesTheSameFile() {
    QVERIFY(run({"export", "one.png", "--mask", "causal", "--title", "Title"}).isQuietSuccess());
    QDir(folder_.path()).mkpath(QStringLiteral("config/headscope"));
    QFile settings(path("config/headscope/headscope.ini"));
    QVERIFY(settings.open(QIODevice::WriteOnly));
    settings.write("[window]\ntheme=dark\n[draft]\ntext=other words\nmask=none\n[export]\nwidth=100\n");
    settings.close();
    QVERIFY(run({"export", "two.png", "--mask", "causal", "--title", "Title"}, {},
                "export XDG_CONFIG_HOME=\"$PWD/config\" LC_ALL=de_DE.UTF-8 QT_QPA_PLATFORM=xcb DISPLAY=:9 "
                "QT_SCALE_FACTOR=2 QT_FONT_DPI=200\n")
                .isQuietSuccess());
    QCOMPARE(contents(path("two.png")), contents(path("one.png")));
    QVERIFY(!contents(path("one.png")).isEmpty());
}

void TestCommandLine::theLastOfRepeatedOptionsCounts() {
    QVERIFY(run({"export", "a.png", "--size", "100x100", "--size=300x200", "--mask", "no such mask", "--mask", "none",
                 "--dpi", "nonsense", "--dpi", "192"})
                .isQuietSuccess());
    QCOMPARE(QImage(path("a.png")).size(), QSize(600, 400));
}

void TestCommandLine::tokensFromFilesAndStandardInput() {
    const auto tokens = [this](const QList<QByteArray>& options, const QByteArray& input = {}) {
        const QList<QByteArray> command{"export", "t.json", "--sequence", "all", "--head", "0", "--embed-dim", "16"};
        const Outcome outcome = run(command + options, input);
        if (!outcome.isQuietSuccess()) return outcome.error;
        const QByteArray json = contents(path("t.json"));
        const qsizetype start = json.indexOf("\"tokens\":") + 9;
        return json.mid(start, json.indexOf(",\n\"stage\"") - start);
    };
    QCOMPARE(tokens({"--tokens", "a b\nc"}), QByteArray(R"([["a","b"],["c","[PAD]"]])"));
    QCOMPARE(tokens({"--tokens-file", "-"}, "a b\nc\n"), QByteArray(R"([["a","b"],["c","[PAD]"]])"));
    QCOMPARE(tokens({"--tokens-file=-"},
                    "\xEF\xBB\xBF"
                    "a\r\n\r\nb\r\n"),
             QByteArray(R"([["a"],["[PAD]"],["b"]])"));
    QFile file(path("text"));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write("naïve 😀\n") > 0);
    file.close();
    QCOMPARE(tokens({"--tokens-file", "text"}), QByteArray("[[\"naïve\",\"😀\"]]"));
    QCOMPARE(tokens({"--tokens", "x", "--tokens-file", "text"}), QByteArray("[[\"naïve\",\"😀\"]]"));
    QCOMPARE(tokens({"--tokens-file", "text", "--tokens", "x"}), QByteArray(R"([["x"]])"));
    QCOMPARE(tokens({"--tokens", "a b", "--tokenizer", "characters"}), QByteArray(R"([["a"," ","b"]])"));
    QCOMPARE(tokens({"--tokens=--mask"}), QByteArray(R"([["--mask"]])"));
}

void TestCommandLine::noDisplay_data() {
    QTest::addColumn<QByteArray>("before");
    QTest::newRow("none named") << QByteArray();
    QTest::newRow("one that isn't there") << QByteArray("export DISPLAY=:97\n");
    QTest::newRow("a platform that isn't there") << QByteArray("export QT_QPA_PLATFORM=nonsense\n");
    QTest::newRow("Wayland that isn't there") << QByteArray("export WAYLAND_DISPLAY=wayland-97\n");
}

void TestCommandLine::noDisplay() {
    QFETCH(QByteArray, before);
    const Outcome outcome = run({}, {}, before);
    QCOMPARE(outcome.status, 1);
    QVERIFY2(outcome.isOneErrorLine(), outcome.error.constData());
    QVERIFY(outcome.error.contains("display") && outcome.error.contains("headscope export"));
}

void TestCommandLine::windowNeedsAFileThatIsThere() {
    const Outcome misspelt = run({"exprot", "a.png"});
    QCOMPARE(misspelt.status, 2);
    QVERIFY(misspelt.isOneErrorLine());
    const Outcome command = run({"exprot"});
    QCOMPARE(command.status, 2);
    QVERIFY(command.isOneErrorLine() && command.error.contains("did you mean export?"));
    const Outcome missing = run({"no/such/file.safetensors"});
    QCOMPARE(missing.status, 1);
    QVERIFY(missing.isOneErrorLine() && missing.error.contains("no/such/file.safetensors"));
    const Outcome option = run({"--mask", "causal"});
    QCOMPARE(option.status, 2);
    QVERIFY(option.isOneErrorLine() && option.error.contains("--mask"));
}

QTEST_GUILESS_MAIN(TestCommandLine)
#include "tst_command_line.moc"
