// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/utf8.h"

#include <QString>
#include <QTest>

#include "core/base/result.h"

using namespace headscope;

class TestUtf8 : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void the_first_invalid_byte_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<int>("offset");  // -1: all of it is text
        QTest::newRow("nothing") << QByteArray() << -1;
        QTest::newRow("plain") << QByteArray("abc") << -1;
        QTest::newRow("zero") << QByteArray("a\0b", 3) << -1;
        QTest::newRow("two, three, four bytes") << QByteArray("é猫😀\xF4\x8F\xBF\xBF") << -1;
        QTest::newRow("lone continuation") << QByteArray("ab\x80") << 2;
        QTest::newRow("cut short") << QByteArray("ab\xE7\x8C") << 2;
        QTest::newRow("cut by a letter") << QByteArray("\xE7\x8Cx") << 0;
        QTest::newRow("overlong") << QByteArray("x\xC0\xAF") << 1;
        QTest::newRow("overlong, three") << QByteArray("x\xE0\x9F\xBF") << 1;
        QTest::newRow("overlong, four") << QByteArray("\xF0\x8F\xBF\xBF") << 0;
        QTest::newRow("surrogate") << QByteArray("\xED\xA0\x80") << 0;
        QTest::newRow("beyond Unicode") << QByteArray("\xF4\x90\x80\x80") << 0;
        QTest::newRow("no such lead") << QByteArray("\xF8\x88\x80\x80\x80") << 0;
        QTest::newRow("Latin-1") << QByteArray("na\xEFve") << 2;
        QTest::newRow("UTF-16") << QByteArray("\xFF\xFEh\0", 4) << 0;
    }
    void the_first_invalid_byte() {
        QFETCH(QByteArray, bytes);
        QFETCH(int, offset);
        const auto found = invalid_utf8({bytes.data(), std::size_t(bytes.size())});
        QCOMPARE(found ? int(*found) : -1, offset);
    }

    void a_byte_order_mark_is_passed_over() {
        QCOMPARE(without_byte_order_mark("\xEF\xBB\xBF"
                                         "a"),
                 std::string_view("a"));
        QCOMPARE(without_byte_order_mark("a\xEF\xBB\xBF"), std::string_view("a\xEF\xBB\xBF"));
    }

    /// Checked against Qt's categories for every character, beside the bidirectional controls.
    void no_character_breaks_a_line() {
        for (char32_t point = 0; point <= 0x10FFFF; ++point) {
            if (QChar::isSurrogate(point)) continue;
            const QString text = QString::fromUcs4(&point, 1);
            const QString line = QString::fromStdString(one_line(text.toStdString()));
            const auto category = QChar::category(point);
            const bool breaks = category == QChar::Other_Control || category == QChar::Separator_Line ||
                                category == QChar::Separator_Paragraph;
            const auto direction = QChar::direction(point);
            const bool reorders = direction == QChar::DirLRE || direction == QChar::DirRLE ||
                                  direction == QChar::DirLRO || direction == QChar::DirRLO ||
                                  direction == QChar::DirPDF || direction == QChar::DirLRI ||
                                  direction == QChar::DirRLI || direction == QChar::DirFSI ||
                                  direction == QChar::DirPDI || point == 0x200E || point == 0x200F || point == 0x61C;
            const QString name = QStringLiteral("U+%1").arg(uint(point), 4, 16, QChar(u'0')).toUpper();
            QCOMPARE(line, breaks || reorders ? name : text);
        }
    }

    void bytes_that_are_no_text_are_shown() {
        QCOMPARE(one_line("a\xFF\xE2\x80\n"), std::string("a\\xFF\\xE2\\x80U+000A"));
    }

    void an_error_is_one_line() {
        const auto error = fail(ErrorCode::FileMissing, "{}: there is no such file", "a\nb\xE2\x80\xA8\xC2\x9B.csv");
        QCOMPARE(error.value().message(), std::string("aU+000AbU+2028U+009B.csv: there is no such file"));
    }
};

QTEST_APPLESS_MAIN(TestUtf8)
#include "tst_utf8.moc"
