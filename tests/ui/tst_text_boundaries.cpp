// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFile>
#include <QTest>

#include "ui/state/text_boundaries.h"

using namespace headscope;

namespace {

using Split = QList<QStringView> (*)(QStringView);

/// A line of Unicode's test files: "÷ 0061 × 0308 ÷" is a text and the ends of its pieces.
struct Example {
    QString text;
    QList<qsizetype> ends;
};

Example readExample(const QString& line) {
    Example example;
    for (const QString& part : line.split(u' ', Qt::SkipEmptyParts)) {
        if (part == u"÷") {
            if (!example.text.isEmpty()) example.ends << example.text.size();
        } else if (part != u"×") {
            const char32_t c = part.toUInt(nullptr, 16);
            example.text += QString::fromUcs4(&c, 1);
        }
    }
    return example;
}

QStringList strings(const QList<QStringView>& views) {
    QStringList all;
    for (const QStringView view : views) all << view.toString();
    return all;
}

}  // namespace

class TestTextBoundaries : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void unicodesOwnTests_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("of_words");
        QTest::newRow("graphemes") << QStringLiteral("GraphemeBreakTest") << false;
        QTest::newRow("words") << QStringLiteral("WordBreakTest") << true;
    }
    void unicodesOwnTests() {
        QFETCH(QString, name);
        QFETCH(bool, of_words);
        QFile file(QStringLiteral("/usr/share/unicode/auxiliary/%1.txt").arg(name));
        if (!file.open(QIODevice::ReadOnly))
            QSKIP("Unicode's test files are not here; Debian's package unicode-data brings them");
        const QString first = QString::fromUtf8(file.readLine());  // "# GraphemeBreakTest-15.0.0.txt"
        if (!first.contains(u'-' + unicodeVersion()))
            QSKIP(qPrintable(QStringLiteral("the test file is of another version of Unicode than ICU's %1: %2")
                                 .arg(unicodeVersion(), first.trimmed())));
        const Split split = of_words ? words : graphemes;
        int examples = 0;
        while (!file.atEnd()) {
            const QString line = QString::fromUtf8(file.readLine()).section(u'#', 0, 0).trimmed();
            if (line.isEmpty()) continue;
            const Example example = readExample(line);
            QList<qsizetype> ends;
            for (const QStringView piece : split(example.text)) ends << piece.end() - example.text.cbegin();
            QVERIFY2(ends == example.ends, qPrintable(line));
            ++examples;
        }
        QVERIFY2(examples > 500, qPrintable(QString::number(examples)));
    }

    /// The rule GB9c, Unicode's from 15.1 on: ICU has it with 15.0 already. Without it स् and ते would be two. The six
    /// scripts that the rule is about, and two that it isn't.
    void conjunctsStayWhole() {
        QCOMPARE(strings(graphemes(u"नमस्ते 👋🇮🇳")),
                 QStringList({QStringLiteral("न"), QStringLiteral("म"), QStringLiteral("स्ते"), QStringLiteral(" "),
                              QStringLiteral("👋"), QStringLiteral("🇮🇳")}));
        for (const char16_t* one : {u"ক্ষ", u"ક્ષ", u"ക്ഷ", u"କ୍ଷ", u"క్ష"}) QCOMPARE(graphemes(one).size(), 1);
        for (const char16_t* two : {u"ಕ್ಷ", u"க்ஷ"}) QCOMPARE(graphemes(two).size(), 2);
    }

    void firstOnesOnly() {
        const QString family = QStringLiteral("👩‍👩‍👧‍👦"), text = family + QStringLiteral("e\u0301x");
        QCOMPARE(firstGraphemes(text, 0).size(), 0);
        QCOMPARE(firstGraphemes(text, 1).toString(), family);
        QCOMPARE(firstGraphemes(text, 2).toString(), family + QStringLiteral("e\u0301"));
        QCOMPARE(firstGraphemes(text, 9).toString(), text);
        QCOMPARE(firstGraphemes({}, 3).size(), 0);
        QVERIFY(graphemes({}).isEmpty());
        QVERIFY(words({}).isEmpty());
    }
};

QTEST_APPLESS_MAIN(TestTextBoundaries)
#include "tst_text_boundaries.moc"
