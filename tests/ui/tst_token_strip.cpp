// SPDX-License-Identifier: GPL-3.0-or-later
// The strip as an editor: what is typed, pasted, composed, undone and deleted in its lines.
#include "ui/panels/tokens/token_strip.h"

#include <QClipboard>
#include <QDialog>
#include <QInputMethodEvent>
#include <QMenu>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QTemporaryDir>
#include <QToolButton>

#include "panel_support.h"
#include "ui/panels/tokens/token_chips.h"

using namespace headscope;

class TestTokenStrip : public QObject {
    Q_OBJECT

    std::unique_ptr<Session> session_;
    std::unique_ptr<QWidget> window_;
    TokenStrip* strip_ = nullptr;

    QLineEdit* line() const { return strip_->lineEdit(); }
    TokenChips* chips() const { return strip_->chips(); }
    const QString& draftText() const { return session_->draft().value(Field::Text); }
    void setText(const char* text) { session_->edit(Field::Text, QString::fromUtf8(text)); }
    void clickChip(int row, int index) {
        QTest::mouseClick(chips()->viewport(), Qt::LeftButton, {}, chips()->chipRect(row, index).center());
    }
    void clickDot(int row) {
        QTest::mouseClick(chips()->viewport(), Qt::LeftButton, {}, QPoint(5, chips()->rowRect(row).center().y()));
    }
    void key(Qt::Key code, Qt::KeyboardModifiers modifiers = {}) { QTest::keyClick(line(), code, modifiers); }
    void keys(const char* text) { QTest::keyClicks(line(), QString::fromUtf8(text)); }
    void paste(const QString& text) {
        QGuiApplication::clipboard()->setText(text);
        key(Qt::Key_V, Qt::ControlModifier);
    }
    void compose(const QString& preedit, const QString& commit = {}) {
        QInputMethodEvent event(preedit, {});
        event.setCommitString(commit);
        QCoreApplication::sendEvent(line(), &event);
    }
    QString shownTokens(int row) const {
        QStringList all;
        for (int i = 0; i < chips()->chipCount(); ++i) all << chips()->chipText(row, i);
        return all.join(u'|');
    }
    int caretLine() const { return strip_->editedLine().value_or(-1); }

private Q_SLOTS:
    void init() {
        session_ = std::make_unique<Session>();
        Draft small = session_->draft();
        small.set(Field::EmbedDim, QStringLiteral("8"));
        session_->replace(small, {});
        window_ = std::make_unique<QWidget>();
        strip_ = new TokenStrip(*session_, window_.get());
        auto* layout = new QVBoxLayout(window_.get());
        layout->addWidget(strip_);
        layout->addStretch();
        window_->resize(1000, 200);
        window_->show();
        QVERIFY(QTest::qWaitForWindowActive(window_.get()));
        QVERIFY(waitForTrace(*session_));
    }
    void cleanup() {
        window_.reset();
        session_.reset();
    }

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
