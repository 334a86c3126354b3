// SPDX-License-Identifier: GPL-3.0-or-later
// The translation as the program carries it. That it is complete, scripts/translations.py checks.
#include "app/language.h"

#include <QFile>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>

#include "core/attention/chunks.h"
#include "core/explain/row_account.h"
#include "core/files/mask_file.h"
#include "ui/maps/head_card.h"
#include "ui/panels/parameters/mask_section.h"
#include "ui/state/draft.h"
#include "ui/state/phrase.h"
#include "ui/window/main_window.h"

using namespace headscope;

namespace {

struct Text {
    QString context, source, translation;
    bool counts;
};

QList<Text> texts() {
    QFile file(QStringLiteral(REFERENCE_DIR "/../../resources/translations/headscope_zh_CN.ts"));
    if (!file.open(QIODevice::ReadOnly)) qFatal("no translation to compare with");
    QXmlStreamReader xml(&file);
    QList<Text> found;
    QString context;
    bool counts = false;
    while (!xml.atEnd()) {
        if (!xml.readNextStartElement()) continue;
        if (xml.name() == u"name") context = xml.readElementText();
        if (xml.name() == u"message") counts = xml.attributes().hasAttribute(QStringLiteral("numerus"));
        if (xml.name() == u"source") found.append({context, xml.readElementText(), {}, counts});
        if (xml.name() == u"translation")
            found.last().translation = xml.readElementText(QXmlStreamReader::IncludeChildElements);
    }
    return found;
}

/// How many arguments a template of fmt takes.
std::size_t arguments(const QString& text) {
    static const QRegularExpression place(QStringLiteral("(?<!\\{)\\{(\\d*)\\}"));
    std::size_t count = 0;
    for (auto match = place.globalMatch(text); match.hasNext();) {
        const QString number = match.next().captured(1);
        count = number.isEmpty() ? count + 1 : std::max<std::size_t>(count, number.toUInt() + 1);
    }
    return count;
}

}  // namespace

class TestLanguage : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { qunsetenv("LANGUAGE"); }  // goes before LC_ALL

    void everyTextIsInTheProgram() {
        const auto translators = installLanguage(QStringLiteral("zh_CN"));
        QVERIFY(!translators.empty());
        const QList<Text> all = texts();
        QVERIFY(all.size() > 500);
        for (const Text& text : all) {
            if (text.counts) continue;
            QCOMPARE(QCoreApplication::translate(text.context.toUtf8(), text.source.toUtf8()), text.translation);
        }
    }

    // sentence() falls back to English where a translation can't be formatted, so that only its words tell.
    void everySentenceTakesItsArguments() {
        const auto translators = installLanguage(QStringLiteral("zh_CN"));
        for (const Text& text : texts()) {
            if (text.context != u"Error") continue;
            Error error{ErrorCode::InvalidValue, text.source.toStdString(), {}};
            for (std::size_t i = 0; i < arguments(text.source); ++i) error.args.push_back(fmt::format("<{}>", i));
            const QString said = sentence(error);
            for (const std::string& arg : error.args)
                QVERIFY2(said.contains(QString::fromStdString(arg)), qPrintable(said));
            if (text.source != text.translation)
                QVERIFY2(said != QString::fromStdString(error.message()), qPrintable(said));
        }
    }

    // A class, a free function of the namespace, the engine: each has a context of its own, and lupdate another view of
    // it.
    void windowAndEngineSpeakIt() {
        const auto translators = installLanguage(QStringLiteral("zh_CN"));
        QCOMPARE(MainWindow::tr("&File"), QStringLiteral("文件(&F)"));
        QCOMPARE(stageTitle(Stage::Scores), QStringLiteral("分数"));
        QCOMPARE(roleName(TextbookRole::Previous), QStringLiteral("前一个词元"));
        QCOMPARE(sentence(Error{ErrorCode::FileMissing, "{}: there is no such file", {"a.npy"}}),
                 QStringLiteral("a.npy：没有这个文件"));
        QVERIFY(sentence(fully_masked_row_sentence(Fill::Safe, Precision::Float32, 3))
                    .startsWith(QStringLiteral("全掩码行")));
        Draft draft;
        draft.set(Field::NumHeads, QStringLiteral("7"));
        const Reading reading = readDraft(draft);
        QVERIFY(reading.problem(Field::NumHeads));
        QVERIFY(sentence(reading.problem(Field::NumHeads)->error).contains(QStringLiteral("不能被 num_heads 7 整除")));
    }

    void holdsAsLongAsItsTranslators() {
        { const auto translators = installLanguage(QStringLiteral("zh_CN")); }
        QCOMPARE(MainWindow::tr("&File"), QStringLiteral("&File"));
        const auto english = installLanguage(QStringLiteral("en"));
        QCOMPARE(MainWindow::tr("&File"), QStringLiteral("&File"));
    }

    /// Of a class, of a struct with a context of its own, and of free functions.
    void englishCounts() {
        const auto translators = installLanguage(QStringLiteral("en"));
        const auto rows = [](int n) { return MaskSection::tr("%n queries have no key to attend to", nullptr, n); };
        QCOMPARE(rows(1), QStringLiteral("1 query has no key to attend to"));
        QCOMPARE(rows(2), QStringLiteral("2 queries have no key to attend to"));
        const auto seen = [](const char* context, const char* text, int n) {
            return QCoreApplication::translate(context, text, nullptr, n);
        };
        QCOMPARE(seen("CompareWords", "attends to %1 of %2 keys", 1), QStringLiteral("attends to %1 of %2 key"));
        QCOMPARE(seen("headscope", "'%1' (query %2) can attend to %3 of %4 keys", 1),
                 QStringLiteral("'%1' (query %2) can attend to %3 of %4 key"));
    }

    /// What stands in a sentence of the engine as an argument is no English either.
    void phrasesAreTranslated() {
        const auto translators = installLanguage(QStringLiteral("zh_CN"));
        QTemporaryDir folder;
        QFile file(folder.filePath(QStringLiteral("m.csv")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("1,0\n1\n");
        file.close();
        const QString said = sentence(read_mask_file(file.fileName().toStdString()).error());
        QVERIFY2(!said.contains(QStringLiteral("mask is")), qPrintable(said));
        QCOMPARE(sentence(check_chunks(0, {}).error()).left(4), QStringLiteral("分块大小"));
        // An argument that a person wrote stays as it is.
        QCOMPARE(sentence(Error{ErrorCode::FileMissing, "{}: there is no such file", {"{}"}}),
                 QStringLiteral("{}：没有这个文件"));
    }

    void systemLanguage_data() {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<bool>("chinese");
        QTest::newRow("Simplified") << QByteArray("zh_CN.UTF-8") << true;
        QTest::newRow("Singapore") << QByteArray("zh_SG.UTF-8") << true;
        QTest::newRow("Traditional") << QByteArray("zh_TW.UTF-8") << false;
        QTest::newRow("English") << QByteArray("en_GB.UTF-8") << false;
        QTest::newRow("German") << QByteArray("de_DE.UTF-8") << false;
        QTest::newRow("none") << QByteArray("C") << false;
        QTest::newRow("one that isn't") << QByteArray("no such locale") << false;
    }

    void systemLanguage() {
        QFETCH(QByteArray, name);
        QFETCH(bool, chinese);
        const QByteArray before = qgetenv("LC_ALL");
        qputenv("LC_ALL", name);
        const auto translators = installLanguage({});
        const QString said = MainWindow::tr("&File");
        qputenv("LC_ALL", before);
        QCOMPARE(said, chinese ? QStringLiteral("文件(&F)") : QStringLiteral("&File"));
    }
};

QTEST_MAIN(TestLanguage)
#include "tst_language.moc"
