// SPDX-License-Identifier: GPL-3.0-or-later
// Several files from one command: lists of heads and sequences, with %h and %s in the name; and the switches of
// figures.
#include <QDir>
#include <QFile>
#include <QPointF>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <QtEndian>

#include "program.h"

using namespace headscope;

class TestExportFiles : public QObject {
    Q_OBJECT

    /// The names that a command wrote, without those that were there.
    static QStringList namesIn(const QTemporaryDir& folder) {
        return QDir(folder.path()).entryList(QDir::Files, QDir::Name);
    }
    static Outcome run(const QTemporaryDir& folder, QList<QByteArray> arguments) {
        arguments.prepend("export");
        return runProgram(folder.path(), arguments);
    }

private Q_SLOTS:
    void everyHeadAndSequenceHasItsFile_data() {
        QTest::addColumn<QList<QByteArray>>("arguments");
        QTest::addColumn<QStringList>("names");
        const auto names = [](const char* list) { return QString::fromLatin1(list).split(u' '); };
        QTest::newRow("a list") << QList<QByteArray>{"h%h.csv", "--head", "5,0"} << names("h0.csv h5.csv");
        QTest::newRow("one") << QList<QByteArray>{"h%h.csv", "--head", "3"} << names("h3.csv");
        QTest::newRow("all") << QList<QByteArray>{"h%h.csv", "--num-heads", "2"} << names("h0.csv h1.csv");
        QTest::newRow("all, said") << QList<QByteArray>{"%h%h.svg", "--num-heads", "2", "--head", "all"}
                                   << names("00.svg 11.svg");
        QTest::newRow("sequences") << QList<QByteArray>{"s%s.png", "--sequence", "0,1"} << names("s0.png s1.png");
        QTest::newRow("every sequence") << QList<QByteArray>{"s%s.csv", "--sequence", "all"} << names("s0.csv s1.csv");
        QTest::newRow("the first sequence") << QList<QByteArray>{"s%s.csv"} << names("s0.csv");
        QTest::newRow("both") << QList<QByteArray>{"%s-%h.pdf", "--sequence", "all", "--head", "1,2"}
                              << names("0-1.pdf 0-2.pdf 1-1.pdf 1-2.pdf");
        QTest::newRow("no sign") << QList<QByteArray>{"100%.csv"} << names("100%.csv");
    }
    void everyHeadAndSequenceHasItsFile() {
        QFETCH(QList<QByteArray>, arguments);
        QFETCH(QStringList, names);
        const QTemporaryDir folder;
        const Outcome done = run(folder, arguments);
        QVERIFY2(done.isQuietSuccess(), done.said());
        QCOMPARE(namesIn(folder), names);
    }

    /// Each is what a command for that head and sequence alone writes.
    void eachFileIsThatOfItsHead() {
        for (const QByteArray ending : {".png", ".csv", ".json"}) {
            const QTemporaryDir folder;
            const auto content = [&](const QByteArray& name) {
                return contents(folder.filePath(QString::fromLatin1(name + ending)));
            };
            QCOMPARE(run(folder, {"h%h-s%s" + ending, "--head", "2,6", "--sequence", "all"}).status, 0);
            QCOMPARE(run(folder, {"one" + ending, "--head", "6", "--sequence", "1"}).status, 0);
            QVERIFY(!content("one").isEmpty());
            QCOMPARE(content("h6-s1"), content("one"));
            QVERIFY(content("h2-s1") != content("one"));
        }
    }

    void wrongListsAreOneLineAndWriteNothing_data() {
        QTest::addColumn<QList<QByteArray>>("arguments");
        QTest::addColumn<QByteArray>("said");
        QTest::newRow("no sign") << QList<QByteArray>{"a.png", "--head", "1,2"} << QByteArray("write %h into a.png");
        QTest::newRow("wrong sign") << QList<QByteArray>{"%h.png", "--sequence", "0,1"} << QByteArray("write %s into");
        QTest::newRow("dump") << QList<QByteArray>{"a%h.npz"} << QByteArray("are for pictures and tables");
        QTest::newRow("script") << QList<QByteArray>{"a%s.py"} << QByteArray("are for pictures and tables");
        QTest::newRow("outside") << QList<QByteArray>{"a%h.png", "--head", "1,8"} << QByteArray("0 to 7");
        QTest::newRow("twice") << QList<QByteArray>{"a%h.png", "--head", "1,1"} << QByteArray("different");
        QTest::newRow("gap") << QList<QByteArray>{"a%h.png", "--head", "1,,2"} << QByteArray("--head is '1,,2'");
        QTest::newRow("negative") << QList<QByteArray>{"a%h.png", "--head", "1,-2"} << QByteArray("--head is '1,-2'");
        QTest::newRow("huge") << QList<QByteArray>{"a%h.png", "--head", "1,99999999999"} << QByteArray("--head is");
        QTest::newRow("folder") << QList<QByteArray>{"no/%h.png"} << QByteArray("no folder");
    }
    void wrongListsAreOneLineAndWriteNothing() {
        QFETCH(QList<QByteArray>, arguments);
        QFETCH(QByteArray, said);
        const QTemporaryDir folder;
        const Outcome refused = run(folder, arguments);
        QVERIFY2(refused.isOneErrorLine() && refused.error.contains(said), refused.said(said));
        QCOMPARE(namesIn(folder), QStringList());
    }

    /// What the file itself says of its size: 85 mm within a tenth, and its resolution.
    void sizeInMillimetres() {
        const QTemporaryDir folder;
        const auto content = [&](const QByteArray& name) {
            return contents(folder.filePath(QString::fromLatin1(name)));
        };
        for (const QByteArray name : {"a.png", "a.svg", "a.pdf"})
            QCOMPARE(run(folder, {name, "--size", "85x60.5mm", "--dpi", "300"}).status, 0);
        const auto numbers = [](const QByteArray& text, const char* form) {
            const auto match = QRegularExpression(QLatin1StringView(form)).match(QString::fromLatin1(text));
            return QPointF(match.captured(1).toDouble(), match.captured(2).toDouble());
        };
        QCOMPARE(numbers(content("a.svg"), "width=\"([0-9.]+)mm\" height=\"([0-9.]+)mm\""), QPointF(85, 60.5));
        const QPointF points = numbers(content("a.pdf"), "/MediaBox \\[0 0 ([0-9.]+) ([0-9.]+)\\]") * 25.4 / 72;
        QVERIFY2(qAbs(points.x() - 85) < 0.2 && qAbs(points.y() - 60.5) < 0.2, QByteArray::number(points.x()));
        const QByteArray png = content("a.png");
        QCOMPARE(qFromBigEndian<quint32>(png.constData() + 16), 1004U);  // 85 / 25.4 * 300 pixels
        const qsizetype physical = png.indexOf("pHYs");
        QVERIFY(physical > 0);
        QCOMPARE(qFromBigEndian<quint32>(png.constData() + physical + 4), 11811U);  // a metre
        for (const QByteArray name : {"a.png", "a.svg", "a.pdf"}) {
            QCOMPARE(run(folder, {"b" + name, "--session", name}).status, 0);
            QVERIFY2(content("b" + name) == content(name), name);
        }
        for (const QByteArray size : {"85mmx60mm", "85x60cm", "85.5x60", "1x1mm", "9999x9999mm", "85x"}) {
            const Outcome refused = run(folder, {"c.png", "--size", size});
            QVERIFY2(refused.isOneErrorLine() && refused.error.contains("85x60mm"), refused.said(size));
        }
    }

    /// Each switch changes the picture, and the session that the picture carries brings it back.
    void switchesOfFigures() {
        const QTemporaryDir folder;
        const auto content = [&](const QByteArray& name) {
            return contents(folder.filePath(QString::fromLatin1(name)));
        };
        QCOMPARE(run(folder, {"plain.svg", "--head", "1"}).status, 0);
        QVERIFY(content("plain.svg").contains("fill safe"));
        for (const QByteArray change : {"--numbers", "--no-caption", "--trim"}) {
            QCOMPARE(run(folder, {"changed.svg", "--head", "1", change}).status, 0);
            QVERIFY2(content("changed.svg") != content("plain.svg"), change);
            QCOMPARE(content("changed.svg").contains("fill safe"), change != "--no-caption");
            QCOMPARE(run(folder, {"again.svg", "--session", "changed.svg"}).status, 0);
            QVERIFY2(content("again.svg") == content("changed.svg"), change);
        }
    }
};

QTEST_APPLESS_MAIN(TestExportFiles)
#include "tst_export_files.moc"
