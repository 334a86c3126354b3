// SPDX-License-Identifier: GPL-3.0-or-later
// The same command writes the same bytes wherever it runs, and a picture is written again from the state that it
// carries.
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "program.h"

using namespace headscope;

namespace {

const QList<QByteArray> kEndings{"png", "svg", "pdf", "csv", "json", "npz", "safetensors", "py"};

/// Options that reach fonts, numbers with fractions, and texts that are not ASCII.
const QList<QByteArray> kOptions{"--tokens",    "das Kätzchen 猫 \"1,5\"\n😀 x",
                                 "--weights",   "seed",
                                 "--seed",      "7",
                                 "--mask",      "padding,causal",
                                 "--title",     "Täler ½",
                                 "--scale",     "0.1",
                                 "--embed-dim", "64"};

}  // namespace

class TestSameBytes : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;

    QString path(const QByteArray& name) const { return folder_.filePath(QString::fromLatin1(name)); }
    QByteArray written(const QByteArray& name, const QList<QByteArray>& options, const QByteArray& before = {}) {
        const Outcome done =
            runProgram(folder_.path(), QList<QByteArray>{"export", path(name).toUtf8()} + options, {}, before);
        if (done.status != 0) qWarning("%s", done.error.constData());
        return done.status == 0 ? contents(path(name)) : QByteArray();
    }

private Q_SLOTS:
    void initTestCase() { QVERIFY(folder_.isValid()); }

    /// Without a display, as runProgram() has it: no home folder, a folder that nobody can write to, other locales.
    void environmentsMakeNoDifference_data() {
        QTest::addColumn<QByteArray>("before");
        QTest::newRow("no home") << QByteArray("unset HOME\n");
        QTest::newRow("read-only folder") << QByteArray("cd /proc\n");
        QTest::newRow("C") << QByteArray("export LC_ALL=C LANG=C\n");
        QTest::newRow("de_DE") << QByteArray("export LC_ALL=de_DE.UTF-8 LANG=de_DE.UTF-8 LANGUAGE=de\n");
        QTest::newRow("zh_CN") << QByteArray("export LC_ALL=zh_CN.UTF-8 LANG=zh_CN.UTF-8 LANGUAGE=zh_CN\n");
        QTest::newRow("another day and zone") << QByteArray("export TZ=Asia/Tokyo SOURCE_DATE_EPOCH=1\n");
        QTest::newRow("other umask and hash seed") << QByteArray("umask 077\nexport QT_HASH_SEED=1234\n");
    }
    void environmentsMakeNoDifference() {
        QFETCH(QByteArray, before);
        for (const QByteArray& ending : kEndings) {
            const QByteArray first = written("first." + ending, kOptions);
            QVERIFY2(!first.isEmpty(), ending);
            QVERIFY2(written("second." + ending, kOptions, before) == first, ending);
        }
    }

    void pdfHasNoDate() {
        const QByteArray pdf = written("date.pdf", kOptions);
        QVERIFY(!pdf.isEmpty() && !pdf.contains("/CreationDate") && !pdf.contains("/ModDate"));
    }

    void aPictureIsWrittenAgain_data() {
        QTest::addColumn<QList<QByteArray>>("options");
        QTest::newRow("defaults") << QList<QByteArray>{};
        QTest::newRow("odd texts") << kOptions;
        QTest::newRow("one head, dark") << QList<QByteArray>{"--head", "3", "--theme", "dark", "--size", "500x401"};
        QTest::newRow("all sequences") << QList<QByteArray>{"--sequence", "all", "--dpi", "150"};
        QTest::newRow("second sequence") << QList<QByteArray>{"--sequence", "1", "--stage", "q", "--palette", "greys"};
        QTest::newRow("logarithmic") << QList<QByteArray>{"--range", "log", "--mask", "local:2:0", "--fill", "1e9"};
        QTest::newRow("Chinese") << QList<QByteArray>{"--language", "zh_CN", "--precision", "bfloat16"};
    }
    void aPictureIsWrittenAgain() {
        QFETCH(QList<QByteArray>, options);
        QList<QByteArray> pictures;
        for (const QByteArray ending : {"png", "svg", "pdf"}) {
            pictures << "picture." + ending;
            QVERIFY(!written(pictures.last(), options).isEmpty());
        }
        for (const QByteArray& from : pictures)
            for (const QByteArray& again : pictures)
                QVERIFY2(written("again-" + again, {"--session", from}) == contents(path(again)),
                         QByteArray(from + " " + again).constData());
    }

    void optionsChangeASession() {
        const QByteArray causal = written("causal.csv", {"--mask", "causal", "--head", "1"});
        QVERIFY(!written("none.png", {"--head", "1"}).isEmpty());
        QCOMPARE(written("again.csv", {"--session", "none.png", "--mask", "causal"}), causal);
        QCOMPARE(written("all.csv", {"--session", "none.png", "--head", "all"}), written("all-2.csv", {}));
    }

    void theSwitchLeavesTheStateOut() {
        for (const QByteArray ending : {"png", "svg", "pdf"}) {
            const QByteArray with = written("with." + ending, kOptions);
            const QByteArray without = written("without." + ending, kOptions + QList<QByteArray>{"--no-state"});
            QVERIFY(!without.isEmpty() && without.size() < with.size());
            QVERIFY(!without.contains("headscope-session") && !without.contains("session.headscope"));
            const Outcome opened = runProgram(folder_.path(), {"export", "x.png", "--session", "without." + ending});
            QVERIFY2(opened.isOneErrorLine() && opened.error.contains("carries no state"), opened.said());
        }
    }

    void aSessionThatCannotBeReadIsOneLine() {
        for (const QByteArray name : {"missing.headscope", "missing.png", "first.csv", "/proc"}) {
            const Outcome opened = runProgram(folder_.path(), {"export", "x.png", "--session", name});
            QVERIFY2(opened.isOneErrorLine() && opened.error.contains("--session: "), opened.said());
            QVERIFY(opened.error.contains(name));
        }
    }
};

QTEST_APPLESS_MAIN(TestSameBytes)
#include "tst_same_bytes.moc"
