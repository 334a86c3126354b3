// SPDX-License-Identifier: GPL-3.0-or-later
// The strip: where a click, a key and a button lead, and what it shows.
#include "token_strip_support.h"

#include <QDialog>
#include <QMenu>
#include <QPlainTextEdit>
#include <QTemporaryDir>
#include <QToolButton>

using namespace headscope;

class TestTokenStrip : public StripTest {
    Q_OBJECT

private Q_SLOTS:
    void init() { open(); }
    void cleanup() { close(); }

    void aClickEditsTheLineInPlace() {
        QVERIFY(line()->isHidden());
        clickChip(1, 1);
        QCOMPARE(caretLine(), 1);
        QVERIFY(line()->isVisible() && line()->hasFocus());
        QCOMPARE(line()->text(), QStringLiteral("a dog ran"));
        QVERIFY(line()->cursorPosition() >= 2 && line()->cursorPosition() <= 5);
        QCOMPARE(session_->selection().sequence, 1);
        QVERIFY(chips()->rowRect(1).contains(line()->geometry()));
        QVERIFY(shownTokens(0).startsWith(QStringLiteral("the|cat")));  // the other line is still chips
        key(Qt::Key_Escape);
        QVERIFY(line()->isHidden());
        QVERIFY(chips()->hasFocus());
        QCOMPARE(draftText(), Draft().value(Field::Text));
    }

    /// The caret is at the edge of a chip or at the letter that was clicked, whatever the split.
    void theCaretComesWhereOneClicked_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("tokenizer");
        QTest::addColumn<int>("index");
        QTest::addColumn<int>("begin");
        QTest::addColumn<int>("size");
        QTest::newRow("words") << QStringLiteral("  on the  mat on") << "space" << 3 << 14 << 2;
        QTest::newRow("a part of the one before") << QStringLiteral("there the he") << "space" << 2 << 10 << 2;
        QTest::newRow("punctuation") << QStringLiteral("no, no.") << "words" << 1 << 2 << 1;
        QTest::newRow("characters") << QStringLiteral("a  b") << "characters" << 2 << 2 << 1;
        QTest::newRow("Hebrew") << QStringLiteral("שלום עולם abc") << "space" << 1 << 5 << 4;
        QTest::newRow("emoji") << QStringLiteral("x \U0001F469\u200D\U0001F680 y") << "space" << 1 << 2 << 5;
        QTest::newRow("typed padding") << QStringLiteral("a [PAD] b") << "space" << 1 << 2 << 5;
    }
    void theCaretComesWhereOneClicked() {
        QFETCH(QString, text);
        QFETCH(QString, tokenizer);
        QFETCH(int, index);
        QFETCH(int, begin);
        QFETCH(int, size);
        session_->edit(Field::Tokenizer, tokenizer);
        session_->edit(Field::Text, text);
        const QRect box = chips()->chipRect(0, index);
        const auto caretAt = [&](int x) {
            strip_->leaveLine();
            QTest::mouseClick(chips()->viewport(), Qt::LeftButton, {}, QPoint(x, box.center().y()));
            return line()->cursorPosition();
        };
        const int left = caretAt(box.left() + 1), right = caretAt(box.right() - 1);
        QVERIFY2((left == begin && right == begin + size) || (left == begin + size && right == begin),
                 qPrintable(QStringLiteral("%1 to %2").arg(left).arg(right)));  // the second: right to left
        QCOMPARE(caretAt(chips()->viewport()->width() - 2), int(text.size()));
    }

    void aDoubleClickSelectsTheToken() {
        const QPoint at = chips()->chipRect(0, 6).center();
        QTest::mouseClick(chips()->viewport(), Qt::LeftButton, {}, at);
        QTest::mouseDClick(line(), Qt::LeftButton, {}, line()->mapFrom(chips()->viewport(), at));
        QCOMPARE(line()->selectedText(), QStringLiteral("because"));
    }

    void aClickOnPaddingComesBehindTheText() {
        clickChip(1, 8);
        QCOMPARE(line()->cursorPosition(), 9);
    }

    void everyKeyIsApplied() {
        clickChip(1, 9);
        keys(" far");
        QCOMPARE(draftText(), QStringLiteral("the cat sat on the mat because it was tired\na dog ran far"));
        QTRY_COMPARE(session_->trace()->batch().tokens[1][3], "far");
        key(Qt::Key_Home);
        keys("then ");
        QTRY_COMPARE(session_->trace()->batch().tokens[1][0], "then");
        key(Qt::Key_Escape);
        QCOMPARE(shownTokens(1).section(u'|', 0, 4), QStringLiteral("then|a|dog|ran|far"));
    }

    void enterAddsASequenceBelow() {
        clickChip(1, 9);
        key(Qt::Key_Return);
        QCOMPARE(caretLine(), 2);
        QCOMPARE(line()->text(), QString());
        QCOMPARE(line()->placeholderText(), QStringLiteral("type a sentence here"));
        QTRY_COMPARE(session_->trace()->batch().size(), 2);  // an empty last line is none yet
        keys("so it is");
        QTRY_COMPARE(session_->trace()->batch().size(), 3);
        QCOMPARE(session_->selection().sequence, 2);
        QTest::keyClick(line(), Qt::Key_Return, Qt::ShiftModifier);
        QCOMPARE(caretLine(), 3);
        QVERIFY(chips()->viewport()->rect().contains(line()->geometry()));
        key(Qt::Key_Escape);
        QCOMPARE(chips()->rowCount(), 3);
        // In the middle it divides, and takes the place of what is selected.
        strip_->editLine(0, 8);
        line()->setSelection(3, 5);  // " cat "
        key(Qt::Key_Return);
        QVERIFY(draftText().startsWith(QStringLiteral("the\nsat on")));
        QCOMPARE(caretLine(), 1);
        QCOMPARE(line()->cursorPosition(), 0);
    }

    void backspaceRemovesAnEmptyLine() {
        setText("one\n\ntwo");
        strip_->editLine(1, 0);
        key(Qt::Key_Backspace);
        QCOMPARE(draftText(), QStringLiteral("one\ntwo"));
        QCOMPARE(caretLine(), 0);
        QCOMPARE(line()->cursorPosition(), 3);
        key(Qt::Key_Delete);  // at the end of a line
        QCOMPARE(draftText(), QStringLiteral("onetwo"));
        QCOMPARE(line()->cursorPosition(), 3);
        key(Qt::Key_Home);
        key(Qt::Key_Backspace);
        QCOMPARE(draftText(), QStringLiteral("onetwo"));
        setText("\nb");
        strip_->editLine(0, 0);
        key(Qt::Key_Backspace);
        QCOMPARE(draftText(), QStringLiteral("b"));
        QCOMPARE(caretLine(), 0);
    }

    void upAndDownMoveBetweenLines() {
        setText("first line\nsecond\nthird");
        strip_->editLine(0, 9);
        key(Qt::Key_Up);
        QCOMPARE(caretLine(), 0);
        key(Qt::Key_Down);
        QCOMPARE(line()->text(), QStringLiteral("second"));
        QCOMPARE(line()->cursorPosition(), 6);
        QCOMPARE(session_->selection().sequence, 1);
        key(Qt::Key_Down);
        key(Qt::Key_Down);
        QCOMPARE(line()->text(), QStringLiteral("third"));
        QVERIFY(chips()->viewport()->rect().contains(line()->geometry()));
        keys("!");
        QCOMPARE(draftText(), QStringLiteral("first line\nsecond\nthird!"));
    }

    void theDotChoosesTheSequence() {
        clickDot(1);
        QCOMPARE(session_->selection().sequence, 1);
        QVERIFY(line()->isHidden());
        clickDot(0);
        QCOMPARE(session_->selection().sequence, 0);
        chips()->setFocus();
        QTest::keyClick(chips(), Qt::Key_Down);
        QCOMPARE(session_->selection().sequence, 1);
        QTest::keyClick(chips(), Qt::Key_Return);
        QCOMPARE(caretLine(), 1);
        QCOMPARE(line()->cursorPosition(), 9);
        QCOMPARE(draftText(), Draft().value(Field::Text));
    }

    void typingOnTheChipsEditsTheShownLine() {
        chips()->setFocus();
        QTest::keyClick(chips(), Qt::Key_X);
        QCOMPARE(line()->text(), QStringLiteral("the cat sat on the mat because it was tiredx"));
        QVERIFY(line()->hasFocus());
        key(Qt::Key_Escape);
        QGuiApplication::clipboard()->setText(QStringLiteral(" y\nz"));
        QTest::keyClick(chips(), Qt::Key_V, Qt::ControlModifier);
        QCOMPARE(draftText(), QStringLiteral("the cat sat on the mat because it was tiredx y\nz\na dog ran"));
    }

    void tabLeavesTheLine() {
        clickChip(0, 0);
        key(Qt::Key_Tab);
        QVERIFY(line()->isHidden());
        QVERIFY(control(*strip_, "tokenizer")->hasFocus());
        QTest::keyClick(control(*strip_, "tokenizer"), Qt::Key_Tab);
        QVERIFY(control(*strip_, "editAsText")->hasFocus());
        QTest::keyClick(control(*strip_, "editAsText"), Qt::Key_Tab);
        QVERIFY(control(*strip_, "addSequence")->hasFocus());
    }

    void theTokenizerIsChosen() {
        setText("it's on.");
        const auto choose = [&](int entry) {
            control<QToolButton>(*strip_, "tokenizer")->menu()->actions()[entry]->trigger();
        };
        QCOMPARE(shownTokens(0), QStringLiteral("it's|on."));
        choose(1);
        QCOMPARE(shownTokens(0), QStringLiteral("it's|on|."));
        QCOMPARE(control<QToolButton>(*strip_, "tokenizer")->text(), QStringLiteral("split into words ▾"));
        choose(2);
        QCOMPARE(shownTokens(0), QStringLiteral("i|t|'|s|␣|o|n|."));
        session_->undoStack()->undo();
        QVERIFY(control<QToolButton>(*strip_, "tokenizer")->text() != QStringLiteral("split into characters ▾"));
    }

    void aSequenceIsAdded() {
        click(*strip_, "addSequence");
        QCOMPARE(caretLine(), 2);
        QVERIFY(line()->hasFocus());
        keys("more");
        QTRY_COMPARE(session_->trace()->batch().size(), 3);
        click(*strip_, "addSequence");
        click(*strip_, "addSequence");  // the one that is empty
        QCOMPARE(caretLine(), 3);
        key(Qt::Key_Backspace);
        QVERIFY(draftText().endsWith(QStringLiteral("a dog ran\nmore")));
    }

    void allLinesAreEditedAsText() {
        click(*strip_, "editAsText");
        auto* dialog = strip_->findChild<QDialog*>();
        QVERIFY(dialog && dialog->isVisible());
        auto* text = dialog->findChild<QPlainTextEdit*>();
        QCOMPARE(text->toPlainText(), draftText());
        text->selectAll();
        text->insertPlainText(QStringLiteral("x y\nz"));
        QCOMPARE(chips()->rowCount(), 2);
        QCOMPARE(shownTokens(1), QStringLiteral("z|[PAD]"));
        click(*strip_, "editAsText");
        QCOMPARE(strip_->findChildren<QDialog*>().size(), 1);
        dialog->close();
    }

    void nothingTypedIsAnswered() {
        const TracePtr before = session_->trace();
        setText("a");
        strip_->editLine(0, 1);
        key(Qt::Key_Backspace);
        QCOMPARE(draftText(), QString());
        const auto* note = control<QLabel>(*strip_, "tokenNote");
        QVERIFY(note->isVisible());
        QCOMPARE(note->text(), line()->accessibleDescription());
        QVERIFY(!note->text().isEmpty());
        key(Qt::Key_Escape);
        QCOMPARE(chips()->chipCount(), 0);
        const QImage picture = chips()->viewport()->grab(chips()->editRect(0)).toImage();
        bool ink = false;
        for (int x = 0; x < 100; ++x)
            for (int y = 0; y < picture.height(); ++y) ink = ink || picture.pixel(x, y) != picture.pixel(0, 0);
        QVERIFY(ink);  // "type a sentence here"
        clickDot(0);
        QTest::mouseClick(chips()->viewport(), Qt::LeftButton, {}, chips()->editRect(0).center());
        keys("b");
        QVERIFY(note->isHidden());
        QTRY_COMPARE(session_->trace()->batch().tokens[0][0], "b");
    }

    /// Another control's problem must not hide what is typed here.
    void linesAreShownWhileAnotherFieldIsIllegal() {
        session_->edit(Field::NumHeads, QStringLiteral("7"));
        QVERIFY(!session_->reading().request);
        setText("some new words\nhere");
        QCOMPARE(shownTokens(1), QStringLiteral("here|[PAD]|[PAD]"));
        QVERIFY(control<QLabel>(*strip_, "tokenNote")->isHidden());
    }

    void theHeightIsThatOfTwoLines() {
        const int height = strip_->height();
        QVERIFY2(height < 4 * strip_->fontMetrics().height() + 16, qPrintable(QString::number(height)));
        for (const char* text : {"one", "a\nb\nc\nd\ne", "", "a\n\n"}) {
            setText(text);
            QCoreApplication::processEvents();
            QCOMPARE(strip_->height(), height);
            strip_->editLine(0, 0);
            QCoreApplication::processEvents();
            QCOMPARE(strip_->height(), height);
        }
    }

    void aFileWithXIsReadOnly() {
        QTemporaryDir folder;
        TensorFile file = layerFile(false);
        Tensor x = Tensor::of<float>({2, 3, 8});
        std::fill_n(x.data<float>(), x.size(), 0.5f);
        file.tensors.emplace_back("x", FileTensor::from(x));
        file.tensors.emplace_back("lengths", FileTensor::from_i64({2}, {3, 2}));
        file.metadata = {{"num_heads", "2"}, {"tokens", R"([["one","two","three"],["four","five","[PAD]"]])"}};
        const QString path = folder.filePath(QStringLiteral("recorded.safetensors"));
        writeFile(path, encode_safetensors(file));
        const QString typed = draftText();
        clickChip(0, 0);
        session_->edit(withWeights(session_->draft(), path), QStringLiteral("weights"));
        QVERIFY(waitForTrace(*session_));
        QTRY_VERIFY(line()->isHidden());
        const auto* note = control<QLabel>(*strip_, "tokenNote");
        QVERIFY(note->isVisible() && note->text().contains(QStringLiteral("recorded.safetensors")));
        QCOMPARE(shownTokens(1), QStringLiteral("four|five|[PAD]"));
        QVERIFY(chips()->isPadding(1, 2));
        clickChip(1, 0);
        QVERIFY(line()->isHidden());
        QCOMPARE(session_->selection().sequence, 1);
        chips()->setFocus();
        QTest::keyClick(chips(), Qt::Key_X);
        QCOMPARE(draftText(), typed);
        QVERIFY(!control(*strip_, "addSequence")->isVisible());

        session_->edit(withWeights(session_->draft(), QStringLiteral("textbook")), QStringLiteral("weights"));
        clickChip(1, 2);
        QCOMPARE(line()->text(), QStringLiteral("a dog ran"));
        QVERIFY(note->isHidden());
    }
};

QTEST_MAIN(TestTokenStrip)
#include "tst_token_strip.moc"
