// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "ui/state/tokenizer.h"

using namespace headscope;

namespace {

QList<QStringList> tokens(const QString& text, Tokenizer tokenizer) {
    QList<QStringList> lines;
    for (const auto& line : tokenize(text, tokenizer)) {
        auto& row = lines.emplaceBack();
        for (const auto& token : line) row.append(QString::fromStdString(token));
    }
    return lines;
}

QStringList lineOf(const QString& text, Tokenizer tokenizer) {
    const auto lines = tokens(text, tokenizer);
    return lines.size() == 1 ? lines.first() : QStringList{QStringLiteral("%1 lines").arg(lines.size())};
}

QStringList list(std::initializer_list<const char*> words) {
    QStringList result;
    for (const char* word : words) result.append(QString::fromUtf8(word));
    return result;
}

QString shown(const QString& token, int graphemes = 12) {
    return displayToken(token.toStdString(), graphemes);
}

}  // namespace

class TestTokenizer : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void names() {
        QCOMPARE(parseTokenizer(QStringLiteral("space")), Tokenizer::Space);
        QCOMPARE(parseTokenizer(QStringLiteral("words")), Tokenizer::Words);
        QCOMPARE(parseTokenizer(QStringLiteral("characters")), Tokenizer::Characters);
        for (const char* word : {"", "Space", "word", " space", "bpe"})
            QVERIFY(!parseTokenizer(QString::fromLatin1(word)));
    }

    void lines_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QList<QStringList>>("expected");
        const QStringList a = list({"a"}), b = list({"b"}), none;
        const auto row = [](const char* name, const QString& text, const QList<QStringList>& expected) {
            QTest::newRow(name) << text << expected;
        };
        row("nothing", QString(), {});
        row("no line end", QStringLiteral("a\nb"), {a, b});
        row("a final line end ends a line", QStringLiteral("a\nb\n"), {a, b});
        row("two final line ends: padding alone", QStringLiteral("a\n\n"), {a, none});
        row("empty line between", QStringLiteral("a\n\nb"), {a, none, b});
        row("empty line first", QStringLiteral("\na"), {none, a});
        row("one line end", QStringLiteral("\n"), {none});
        row("blank line", QStringLiteral("a\n \t\nb"), {a, none, b});
        row("CRLF", QStringLiteral("a\r\nb\r\n"), {a, b});
        row("CRLF, empty line", QStringLiteral("a\r\n\r\nb"), {a, none, b});
        row("a lone CR is white space", QStringLiteral("a\rb\r"), {list({"a", "b"})});
        row("separators are white space", QStringLiteral("a\u2028b\u2029c\u0085d\fe\vf"),
            {list({"a", "b", "c", "d", "e", "f"})});
    }
    void lines() {
        QFETCH(QString, text);
        QFETCH(QList<QStringList>, expected);
        QCOMPARE(tokens(text, Tokenizer::Space), expected);
    }

    void charactersKeepTheLineEndsOut() {
        QCOMPARE(tokens(QStringLiteral("a \r\n\r\nb\r"), Tokenizer::Characters),
                 QList<QStringList>({list({"a", " "}), {}, list({"b", "\r"})}));
    }

    /// Every code point of the basic plane, against the list that Python's str.isspace() gives.
    void spaceIsPythons() {
        QList<uint> splitting;
        for (uint c = 0; c <= 0xFFFF; ++c) {
            if (QChar::isSurrogate(c) || c == '\n') continue;
            const QString text = QStringLiteral("a") + QChar(static_cast<char16_t>(c)) + QStringLiteral("b");
            if (tokenize(text, Tokenizer::Space).front().size() == 2) splitting.append(c);
        }
        QCOMPARE(splitting, QList<uint>({0x09,   0x0B,   0x0C,   0x0D,   0x1C,   0x1D,   0x1E,   0x1F,   0x20,   0x85,
                                         0xA0,   0x1680, 0x2000, 0x2001, 0x2002, 0x2003, 0x2004, 0x2005, 0x2006, 0x2007,
                                         0x2008, 0x2009, 0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000}));
    }

    void space() {
        QCOMPARE(lineOf(QStringLiteral("  the  cat, sat.\t[PAD]  x[PAD] "), Tokenizer::Space),
                 list({"the", "cat,", "sat.", "[PAD]", "x[PAD]"}));
        QCOMPARE(lineOf(QStringLiteral("猫\u3000犬 a\u200Bb"), Tokenizer::Space), list({"猫", "犬", "a\u200Bb"}));
    }

    void words_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QStringList>("expected");
        const auto row = [](const char* name, const char* text, std::initializer_list<const char*> expected) {
            QTest::newRow(name) << QString::fromUtf8(text) << list(expected);
        };
        row("punctuation apart", "Hello, world!  (yes)", {"Hello", ",", "world", "!", "(", "yes", ")"});
        row("apostrophes inside a word", "don't can’t 'quoted'", {"don't", "can’t", "'", "quoted", "'"});
        row("numbers", "3.14 1,000 2024-05-01 v2 50%",
            {"3.14", "1,000", "2024", "-", "05", "-", "01", "v2", "50", "%"});
        row("underscore joins", "num_heads=8", {"num_heads", "=", "8"});
        row("dots", "e.g. example.com.", {"e.g", ".", "example.com", "."});
        row("padding splits", "a [PAD]", {"a", "[", "PAD", "]"});
        row("a colon joins letters", "a:b 10:30", {"a:b", "10", ":", "30"});
        row("Chinese", "猫坐在垫子上。我喜欢吃苹果", {"猫", "坐在", "垫子", "上", "。", "我", "喜欢", "吃", "苹果"});
        row("Japanese", "カタカナ漢字 東京に行きます", {"カタカナ", "漢字", "東京", "に", "行き", "ます"});
        row("Thai", "สวัสดีชาวโลก ทดสอบ ภาษา ไทย", {"สวัสดี", "ชาว", "โลก", "ทดสอบ", "ภาษา", "ไทย"});
        row("Burmese, Khmer", "မင်္ဂလာပါ ကမ္ဘာ ភាសាខ្មែរ", {"မင်္ဂလာ", "ပါ", "ကမ္ဘာ", "ភាសាខ្មែរ"});
        row("Devanagari", "नमस्ते दुनिया।", {"नमस्ते", "दुनिया", "।"});
        row("Korean", "한국어 말", {"한국어", "말"});
        row("Hebrew, Arabic", "שלום עולם، مرحبا", {"שלום", "עולם", "،", "مرحبا"});
        row("combining marks stay", "cafe\u0301 nai\u0308ve", {"cafe\u0301", "nai\u0308ve"});
        row("emoji", "👍🏽👩‍👩‍👧‍👦 ❤️", {"👍🏽", "👩‍👩‍👧‍👦", "❤️"});
        row("flags two by two", "🇩🇪🇫🇷", {"🇩🇪", "🇫🇷"});
        row("white space alone", " \t\u3000\u2028 ", {});
    }
    void words() {
        QFETCH(QString, text);
        QFETCH(QStringList, expected);
        QCOMPARE(lineOf(text, Tokenizer::Words), expected);
    }

    void characters_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QStringList>("expected");
        const auto row = [](const char* name, const char* text, std::initializer_list<const char*> expected) {
            QTest::newRow(name) << QString::fromUtf8(text) << list(expected);
        };
        row("spaces too", "a  b\t", {"a", " ", " ", "b", "\t"});
        row("padding is five of them", "[PAD]", {"[", "P", "A", "D", "]"});
        row("combining marks", "e\u0301\u0323x", {"e\u0301\u0323", "x"});
        row("emoji", "👩‍👩‍👧‍👦👍🏽❤️🇩🇪🇫🇷",
            {"👩‍👩‍👧‍👦", "👍🏽", "❤️", "🇩🇪", "🇫🇷"});
        row("Hangul jamo", "\u1112\u1161\u11AB\uAE00", {"\u1112\u1161\u11AB", "\uAE00"});
        row("Devanagari vowel signs", "कि", {"कि"});
        row("Devanagari, emoji, a flag", "नमस्ते 👋🇮🇳", {"न", "म", "स्ते", " ", "👋", "🇮🇳"});
        row("Thai", "ไทย กำ", {"ไ", "ท", "ย", " ", "กำ"});
        row("outside the basic plane", "𝒳𝒴", {"𝒳", "𝒴"});
        row("a mark alone", "\u0301", {"\u0301"});
    }
    void characters() {
        QFETCH(QString, text);
        QFETCH(QStringList, expected);
        QCOMPARE(lineOf(text, Tokenizer::Characters), expected);
    }

    /// Nothing of a text gets lost: characters put together are the line, words are the line without white space.
    void nothingIsLost() {
        const QString line = QStringLiteral("Ça va? 猫が 👩‍👩‍👧‍👦 don't\u00A0e\u0301 ") +
                             QString(QChar(0xD800)) + QStringLiteral("x\u200B\u202E");
        const QString valid = QString::fromUtf8(line.toUtf8());  // a lone surrogate can't be said in UTF-8
        QCOMPARE(lineOf(line, Tokenizer::Characters).join(QString()), valid);
        QString without = valid;
        without.removeIf([](QChar c) { return c.isSpace(); });
        QCOMPARE(lineOf(line, Tokenizer::Words).join(QString()), without);
        QCOMPARE(lineOf(line, Tokenizer::Space).join(QString()), without);
    }

    void longTexts() {
        for (const Tokenizer tokenizer : {Tokenizer::Space, Tokenizer::Words}) {
            QCOMPARE(tokenize(QString(100000, u'x'), tokenizer).front().size(), 1U);
            QCOMPARE(tokenize(QStringLiteral("ab ").repeated(10000), tokenizer).front().size(), 10000U);
        }
        QCOMPARE(tokenize(QString(100000, u'x'), Tokenizer::Characters).front().size(), 100000U);
        QCOMPARE(tokenize(QString(10000, u'\n'), Tokenizer::Space).size(), 10000U);
    }

    void display_data() {
        QTest::addColumn<QString>("token");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* name, const char* token, const char* expected) {
            QTest::newRow(name) << QString::fromUtf8(token) << QString::fromUtf8(expected);
        };
        row("plain", "because", "because");
        row("markup is text", "<b>&amp;", "<b>&amp;");
        row("empty", "", "∅");
        row("space", " ", "␣");
        row("inner white space", "a b\tc\nd", "a␣b⇥c↵d");
        row("zero width space", "\u200B", "U+200B");
        row("no-break space", "a\u00A0b", "aU+00A0b");
        row("wide space", "\u3000", "U+3000");
        row("control", "\x1b", "U+001B");
        row("CRLF", "\r\n", "U+000D↵");
        row("right-to-left override", "\u202Eabc", "U+202Eabc");
        row("soft hyphen", "\u00AD", "U+00AD");
        row("tag outside the basic plane, alone", "\U000E0001", "U+E0001");
        row("noncharacter", "\ufffe", "U+FFFE");
        row("noncharacter outside the basic plane", "\U0001fffe", "U+1FFFE");
        row("joiner of an emoji", "👩‍👩‍👧‍👦", "👩‍👩‍👧‍👦");
        row("joiner of a script", "می‌خواهم", "می‌خواهم");
        row("joiner alone", "\u200D", "U+200D");
        row("mark alone", "\u0301", "◌\u0301");
        row("vowel signs of Burmese", "မင်္ဂလာပါ", "မင်္ဂလာပါ");
        row("mark on a space", " \u0301", "␣\u0301");
        row("twelve", "123456789012", "123456789012");
        row("thirteen", "1234567890123", "12345678901…");
        row("twelve clusters of many",
            "e\u0301👍🏽👍🏽👍🏽👍🏽👍🏽👍🏽👍🏽👍🏽👍🏽👍🏽👍🏽",
            "e\u0301👍🏽👍🏽👍🏽👍🏽👍🏽👍🏽👍🏽👍🏽👍🏽👍🏽👍🏽");
        row("names count as long as they are", "abcdefg\u200Bxy", "abcdefg…");
    }
    void display() {
        QFETCH(QString, token);
        QFETCH(QString, expected);
        QCOMPARE(shown(token), expected);
    }

    void displayTakesTheWidthItIsGiven() {
        QCOMPARE(shown(QStringLiteral("because"), 7), QStringLiteral("because"));
        QCOMPARE(shown(QStringLiteral("because"), 4), QStringLiteral("bec…"));
        QCOMPARE(shown(QStringLiteral("because"), 1), QStringLiteral("…"));
        QCOMPARE(shown(QStringLiteral("a"), 1), QStringLiteral("a"));
        QCOMPARE(shown(QString(100000, u'x'), 5), QStringLiteral("xxxx…"));
    }

    /// A cluster of a hundred thousand marks is one cluster: shown whole, or not at all.
    void aLongClusterIsNeverCut() {
        const QString cluster = QStringLiteral("a") + QString(100000, QChar(0x0301));
        QCOMPARE(shown(cluster, 2), cluster);
        QCOMPARE(shown(cluster + QStringLiteral("bcd"), 3), cluster + QStringLiteral("b…"));
        QCOMPARE(shown(QStringLiteral("bcd") + cluster, 3), QStringLiteral("bc…"));
        const QString family = QStringLiteral("👩‍👩‍👧‍👦");
        for (int n = 1; n < 40; ++n) QCOMPARE(shown(family.repeated(n), n), family.repeated(n));
        for (int n = 2; n < 40; ++n)
            QCOMPARE(shown(family.repeated(n + 1), n), family.repeated(n - 1) + QStringLiteral("…"));
    }
};

QTEST_APPLESS_MAIN(TestTokenizer)
#include "tst_tokenizer.moc"
