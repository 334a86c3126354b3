// SPDX-License-Identifier: GPL-3.0-or-later
// The strip as an editor: what is typed, pasted, composed, undone and deleted in its lines.
#include "token_strip_support.h"

#include <QMimeData>

using namespace headscope;

class TestTokenStripText : public StripTest {
    Q_OBJECT

private Q_SLOTS:
    void init() { open(); }
    void cleanup() { close(); }

    void severalLinesArePasted() {
        strip_->editLine(1, 2);
        line()->setSelection(2, 3);  // "dog"
        paste(QStringLiteral("cat\r\nmiddle line\rlast"));
        QCOMPARE(draftText(),
                 QStringLiteral("the cat sat on the mat because it was tired\na cat\nmiddle line\nlast ran"));
        QCOMPARE(caretLine(), 3);
        QCOMPARE(line()->cursorPosition(), 4);
        QTRY_COMPARE(session_->trace()->batch().size(), 4);
        QCOMPARE(session_->selection().sequence, 3);
        do key(Qt::Key_Z, Qt::ControlModifier);
        while (session_->undoStack()->canUndo());
        QCOMPARE(draftText(), Draft().value(Field::Text));
        QCOMPARE(caretLine(), 1);
        QCOMPARE(line()->text(), QStringLiteral("a dog ran"));
        do key(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        while (session_->undoStack()->canRedo());
        QCOMPARE(line()->text(), QStringLiteral("last ran"));
    }

    void textIsPlainAndWhole() {
        setText("x");
        strip_->editLine(0, 1);
        auto* data = new QMimeData;
        data->setHtml(QStringLiteral("<b>bold</b>"));
        data->setText(QStringLiteral("<i>one</i>"));
        QGuiApplication::clipboard()->setMimeData(data);
        key(Qt::Key_V, Qt::ControlModifier);
        QCOMPARE(draftText(), QStringLiteral("x<i>one</i>"));
        const QString rare =
            QStringLiteral("a\u00a0b \u200b \u05e9\u05dc\u05d5\u05dd <b>&amp; e\u0301 \U0001F469\u200D\U0001F680");
        session_->edit(Field::Text, rare);
        key(Qt::Key_End);
        keys("!");
        QCOMPARE(draftText(), rare + u'!');
    }

    void lineEndsOfEveryKindAreShown() {
        setText("a b\r\nc\r\n");
        QCOMPARE(chips()->rowCount(), 2);
        QCOMPARE(draftText(), QStringLiteral("a b\r\nc\r\n"));  // showing a text doesn't edit it
        strip_->editLine(1, 1);
        keys("d");
        QCOMPARE(draftText(), QStringLiteral("a b\ncd\n"));
    }

    void anInputMethodComposes() {
        strip_->editLine(1, 2);
        const QString before = draftText();
        compose(QStringLiteral("ni"));
        compose(QStringLiteral("ni hao"));
        QCOMPARE(draftText(), before);  // until it is committed
        session_->edit(Field::Mask, QStringLiteral("causal"));
        QVERIFY(waitForTrace(*session_));
        compose({}, QStringLiteral("你好 "));
        QCOMPARE(line()->text(), QStringLiteral("a 你好 dog ran"));
        QCOMPARE(line()->cursorPosition(), 5);
        QTRY_COMPARE(session_->trace()->batch().tokens[1][1], "你好");
        // The editor says where the caret is, so that the list of candidates opens there.
        const QRect caret = line()->inputMethodQuery(Qt::ImCursorRectangle).toRect();
        QVERIFY(line()->rect().contains(caret.center()));
        key(Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(line()->text(), QStringLiteral("a dog ran"));
        QCOMPARE(line()->cursorPosition(), 2);
    }

    /// What the session echoes must leave a composition alone.
    void aCompositionOutlivesOtherEdits() {
        setText("one\ntwo");
        strip_->editLine(1, 3);
        compose(QStringLiteral("zh"));
        setText("one and more\ntwo");
        compose(QStringLiteral("zhong"));
        compose({}, QStringLiteral("中"));
        QCOMPARE(draftText(), QStringLiteral("one and more\ntwo中"));
        compose({}, QStringLiteral("文\n字"));  // some input methods commit several lines
        QCOMPARE(draftText(), QStringLiteral("one and more\ntwo中文\n字"));
        QCOMPARE(caretLine(), 2);
        QCOMPARE(line()->cursorPosition(), 1);
    }

    void undoIsTheSessions() {
        clickChip(1, 9);
        keys("!");
        session_->edit(Field::Mask, QStringLiteral("causal"));
        key(Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(session_->draft().value(Field::Mask), QString());
        QVERIFY(draftText().endsWith(u'!'));
        while (session_->undoStack()->canUndo()) key(Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(draftText(), Draft().value(Field::Text));
        QCOMPARE(line()->text(), QStringLiteral("a dog ran"));
        QKeyEvent claim(QEvent::ShortcutOverride, Qt::Key_Z, Qt::ControlModifier);
        claim.ignore();
        QCoreApplication::sendEvent(line(), &claim);
        QVERIFY(!claim.isAccepted());
    }

    void theCaretStaysInItsWord() {
        setText("one two three");
        strip_->editLine(0, 9);  // in "three"
        setText("one twenty three");
        QCOMPARE(line()->cursorPosition(), 12);
        setText("zero\none twenty three");
        QCOMPARE(caretLine(), 1);
        QCOMPARE(line()->cursorPosition(), 12);
        QCOMPARE(line()->text(), QStringLiteral("one twenty three"));
        setText("short");
        QCOMPARE(caretLine(), 0);
        QCOMPARE(line()->text(), QStringLiteral("short"));
    }

    void oneTo64SequencesOf1To512Tokens_data() {
        QTest::addColumn<int>("sequences");
        QTest::addColumn<int>("tokens");
        QTest::newRow("1 x 1") << 1 << 1;
        QTest::newRow("1 x 512") << 1 << 512;
        QTest::newRow("64 x 1") << 64 << 1;
        QTest::newRow("64 x 32") << 64 << 32;
    }
    /// Type, paste, compose, delete and undo in the last line.
    void oneTo64SequencesOf1To512Tokens() {
        QFETCH(int, sequences);
        QFETCH(int, tokens);
        session_->edit(Field::NumHeads, QStringLiteral("1"));
        QStringList words, lines;
        for (int i = 0; i < tokens; ++i) words << QStringLiteral("w%1").arg(i);
        for (int i = 0; i < sequences; ++i) lines << words.join(u' ');
        strip_->editLine(0, 0);
        line()->selectAll();
        paste(lines.join(u'\n'));
        line()->selectAll();  // the last line, with what stood behind what was pasted
        const QString all = draftText().section(u'\n', 0, sequences - 1);
        QCOMPARE(all, lines.join(u'\n'));
        session_->edit(Field::Text, all);
        QVERIFY(waitForTrace(*session_));
        QCOMPARE(session_->trace()->batch().size(), sequences);
        QCOMPARE(session_->trace()->batch().sequence_length(), tokens);

        QCOMPARE(caretLine(), sequences - 1);
        QVERIFY(chips()->viewport()->rect().contains(line()->geometry()));
        key(Qt::Key_End);
        keys(" end");
        compose({}, QStringLiteral(" 字"));
        QVERIFY(waitForTrace(*session_));
        QCOMPARE(session_->trace()->batch().sequence_length(), tokens + 2);
        QCOMPARE(session_->trace()->batch().tokens.back().back(), "字");
        for (int i = 0; i < 6; ++i) key(Qt::Key_Backspace);
        QCOMPARE(draftText(), all);
        key(Qt::Key_Escape);
        QCOMPARE(chips()->chipText(sequences - 1, tokens - 1), words.last());
        while (session_->undoStack()->canUndo()) QTest::keyClick(line(), Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(draftText(), Draft().value(Field::Text));
    }

    void aVeryLongTokenIsKeptWhole() {
        setText("x");
        strip_->editLine(0, 1);
        paste(QString(100000, u'w'));
        QCOMPARE(draftText().size(), 100001);
        key(Qt::Key_Escape);
        QVERIFY(chips()->chipText(0, 0).size() < 40);
    }
};

QTEST_MAIN(TestTokenStripText)
#include "tst_token_strip_text.moc"
