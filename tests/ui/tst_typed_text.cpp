// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFontDatabase>
#include <QGlyphRun>
#include <QLabel>
#include <QRawFont>
#include <QTest>
#include <QTextLayout>
#include <QToolTip>

#include "ui/look/elided.h"
#include "ui/look/number_text.h"
#include "ui/look/theme.h"
#include "ui/state/text_boundaries.h"
#include "ui/state/tokenizer.h"

using namespace headscope;

namespace {

QFont typeOf(int weight) {
    QFont font;
    font.setFamilies(fontFamilies());
    font.setPixelSize(20);
    font.setWeight(static_cast<QFont::Weight>(weight));
    return font;
}

/// The glyphs that a text is drawn with, and those of its letters one by one.
struct Glyphs {
    QList<quint32> drawn, alone;
};

Glyphs glyphsOf(const QString& text, const QFont& font) {
    QTextLayout layout(text, font);
    layout.beginLayout();
    layout.createLine();
    layout.endLayout();
    Glyphs glyphs;
    const QRawFont raw = QRawFont::fromFont(font);
    for (const QGlyphRun& run : layout.glyphRuns()) glyphs.drawn += run.glyphIndexes();
    glyphs.alone = raw.glyphIndexesForString(text);
    return glyphs;
}

}  // namespace

class TestTypedText : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { applyTheme(Theme::Light); }

    /// Inter has → for "->" and × for the x of "10x20", DejaVu Sans a ligature for "fi".
    void lettersAreDrawnAsTyped_data() {
        QTest::addColumn<int>("weight");
        QTest::newRow("regular") << int(QFont::Normal);
        QTest::newRow("bold") << int(QFont::Bold);
    }
    void lettersAreDrawnAsTyped() {
        QFETCH(int, weight);
        for (const char* text : {"->", "=>", "<-", "<->", "-->", "10x20", "3 x 4", "fi ffl", "(A) [B] A-B 10:30",
                                 "!=", "...", "|-|", "A@B", "--", "1/2"}) {
            const Glyphs glyphs = glyphsOf(QString::fromLatin1(text), typeOf(weight));
            QVERIFY2(glyphs.drawn == glyphs.alone, text);
        }
    }

    /// Marks are placed and Arabic letters are joined as before.
    void scriptsAreStillShaped() {
        const QFont font = typeOf(QFont::Normal);
        const QFontMetricsF metrics(font);
        QVERIFY(std::abs(metrics.horizontalAdvance(QStringLiteral("e\u0301")) -
                         metrics.horizontalAdvance(QStringLiteral("é"))) < 0.1);
        if (!metrics.inFontUcs4(U'م')) QSKIP("no font has Arabic");
        const double together = metrics.horizontalAdvance(QStringLiteral("ممم"));
        QVERIFY(std::abs(together - 3 * metrics.horizontalAdvance(QStringLiteral("م"))) > 1);
    }

    void elidedBetweenGraphemes() {
        const QFontMetricsF metrics(typeOf(QFont::Normal));
        const QString text = QStringLiteral("ab👩‍👩‍👧‍👦🇮🇳🇩🇪e\u0301स्तेcd");
        QCOMPARE(elided(text, metrics, 10000), text);
        QCOMPARE(elided(text, metrics, 0), QString());
        QCOMPARE(elided({}, metrics, 0), QString());
        QStringList beginnings{QString()};
        for (const QStringView piece : graphemes(text)) beginnings += beginnings.last() + piece.toString();
        qsizetype longest = 0;
        for (double width = 1; width < metrics.horizontalAdvance(text); width += 1) {
            const QString shown = elided(text, metrics, width);
            QVERIFY(metrics.horizontalAdvance(shown) <= width);
            if (shown.isEmpty()) continue;
            QVERIFY(shown.endsWith(u'…'));
            QVERIFY2(beginnings.contains(shown.chopped(1)), qPrintable(shown));
            longest = std::max(longest, shown.size());
        }
        QVERIFY(longest > text.size() - 3);
    }

    void numbersForPeople() {
        for (const auto& [number, shown] :
             std::initializer_list<std::pair<const char*, const char*>>{{"-28", "−28"},
                                                                        {"-1e+09", "−1e9"},
                                                                        {"1e-06", "1e−6"},
                                                                        {"1.25e-07", "1.25e−7"},
                                                                        {"0.5", "0.5"},
                                                                        {"1e+10", "1e10"},
                                                                        {"2e-100", "2e−100"},
                                                                        {"-998244352", "−998244352"},
                                                                        {"nan", "nan"}})
            QCOMPARE(forPeople(QString::fromLatin1(number)), QString::fromUtf8(shown));
    }

    /// Between tokens written from right to left, indexes would change places.
    void tokensOfOtherDirectionAreIsolated() {
        QCOMPARE(tokenInSentence("cat"), QStringLiteral("cat"));
        QCOMPARE(tokenInSentence("猫"), QStringLiteral("猫"));
        for (const char* token : {"שלום", "مرحبا", "١٢", "a->ב"})
            QCOMPARE(tokenInSentence(token), QChar(0x2068) + QString::fromUtf8(token) + QChar(0x2069));
        const auto text = [](const char* a, const char* b) {
            return QStringLiteral("%1 (0), %2 (1)").arg(tokenInSentence(a), tokenInSentence(b));
        };
        const QString sentence = text("שלום", "עולם");
        QVERIFY(!sentence.isRightToLeft());
        QTextLayout layout(sentence, typeOf(QFont::Normal));
        layout.beginLayout();
        QTextLine line = layout.createLine();
        layout.endLayout();
        QVERIFY(line.cursorToX(int(sentence.indexOf(u'0'))) < line.cursorToX(int(sentence.indexOf(u'1'))));
    }

    /// One of plain text, as Qt shows it, would be as wide as its text.
    void longToolTipsWrap() {
        QWidget window;
        window.resize(300, 200);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        QToolTip::showText(window.mapToGlobal(QPoint(10, 10)), QStringLiteral("a tooltip that says much ").repeated(20),
                           &window);
        const QWidget* tip = nullptr;
        const auto all = QApplication::topLevelWidgets();
        for (const QWidget* widget : all)
            if (widget->inherits("QTipLabel")) tip = widget;
        QVERIFY(tip);
        QVERIFY2(tip->width() < 640, qPrintable(QString::number(tip->width())));
        QVERIFY(tip->height() > 4 * tip->fontMetrics().height());
        QToolTip::hideText();
    }
};

QTEST_MAIN(TestTypedText)
#include "tst_typed_text.moc"
