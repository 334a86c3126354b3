// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/tokens/token_editor.h"

#include <QClipboard>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QTemporaryDir>

#include "panel_support.h"
#include "ui/controls/text_difference.h"

using namespace headscope;

class TestTokenEditor : public QObject {
    Q_OBJECT

    std::unique_ptr<Session> session_;
    std::unique_ptr<TokenEditor> editor_;

    QPlainTextEdit* edit() const { return editor_->textEdit(); }
    const QString& draftText() const { return session_->draft().value(Field::Text); }
    void replaceBy(const QString& text) {
        edit()->setFocus();
        QTest::keyClick(edit(), Qt::Key_A, Qt::ControlModifier);
        QTest::keyClicks(edit(), text);
    }

private Q_SLOTS:
    void init() {
        session_ = std::make_unique<Session>();
        editor_ = std::make_unique<TokenEditor>(*session_);
        editor_->resize(1000, 110);
        editor_->show();
        QVERIFY(QTest::qWaitForWindowActive(editor_.get()));
        QVERIFY(waitForTrace(*session_));
    }
    void cleanup() {
        editor_.reset();
        session_.reset();
    }

    void everyKeyIsApplied() {
        QCOMPARE(edit()->toPlainText(), draftText());
        replaceBy(QStringLiteral("a"));
        QCOMPARE(draftText(), QStringLiteral("a"));
        QTest::keyClicks(edit(), QStringLiteral(" dog"));
        QTest::keyClick(edit(), Qt::Key_Return);
        QTest::keyClicks(edit(), QStringLiteral("it"));
        QCOMPARE(draftText(), QStringLiteral("a dog\nit"));
        QTRY_COMPARE(session_->trace()->batch().size(), 2);
    }

    void shiftEnterBeginsASequenceToo() {
        replaceBy(QStringLiteral("a"));
        QTest::keyClick(edit(), Qt::Key_Return, Qt::ShiftModifier);
        QTest::keyClicks(edit(), QStringLiteral("b"));
        QCOMPARE(draftText(), QStringLiteral("a\nb"));
    }

    void tabLeaves() {
        QLineEdit next(editor_.get());
        next.show();
        edit()->setFocus();
        const QString before = draftText();
        QTest::keyClick(edit(), Qt::Key_Tab);
        QVERIFY(next.hasFocus());
        QCOMPARE(draftText(), before);
    }

    void pastesPlainText() {
        auto* data = new QMimeData;
        data->setHtml(QStringLiteral("<b>bold</b>"));
        data->setText(QStringLiteral("<i>one</i>\r\ntwo\rthree"));
        QGuiApplication::clipboard()->setMimeData(data);
        edit()->selectAll();
        edit()->paste();
        QCOMPARE(draftText(), QStringLiteral("<i>one</i>\ntwo\nthree"));
        QTRY_COMPARE(session_->trace()->batch().size(), 3);
    }

    void undoIsTheSessions() {
        const QString first = draftText();
        replaceBy(QStringLiteral("x y"));
        session_->edit(Field::Mask, QStringLiteral("causal"));
        QTest::keyClick(edit(), Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(draftText(), QStringLiteral("x y"));
        QCOMPARE(session_->draft().value(Field::Mask), QString());
        while (session_->undoStack()->canUndo()) QTest::keyClick(edit(), Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(edit()->toPlainText(), first);
        QTest::keyClick(edit(), Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(edit()->toPlainText() != first);
        QKeyEvent claim(QEvent::ShortcutOverride, Qt::Key_Z, Qt::ControlModifier);
        claim.ignore();
        QCoreApplication::sendEvent(edit(), &claim);
        QVERIFY(!claim.isAccepted());
    }

    void theCursorStaysInItsWord() {
        session_->edit(Field::Text, QStringLiteral("one two three"));
        QTextCursor cursor = edit()->textCursor();
        cursor.setPosition(9);  // in "three"
        edit()->setTextCursor(cursor);
        session_->edit(Field::Text, QStringLiteral("one twenty three"));
        QCOMPARE(edit()->toPlainText(), QStringLiteral("one twenty three"));
        QCOMPARE(edit()->textCursor().position(), 12);
        session_->edit(Field::Text, QStringLiteral("one twenty three four"));
        QCOMPARE(edit()->textCursor().position(), 12);
    }

    void differencesAreWhole_data() {
        QTest::addColumn<QString>("from");
        QTest::addColumn<QString>("to");
        const QStringList texts{QString(),
                                QStringLiteral("a"),
                                QStringLiteral("aa"),
                                QStringLiteral("aaa"),
                                QStringLiteral("aba"),
                                QStringLiteral("the cat"),
                                QStringLiteral("the fat cat"),
                                QStringLiteral("\U0001F600"),
                                QStringLiteral("\U0001F601"),
                                QStringLiteral("x\U0001F600\U0001F601"),
                                QStringLiteral("x\U0001F601\U0001F601"),
                                QStringLiteral("\U0001F600y"),
                                QStringLiteral("\U00010600y")};
        for (const QString& from : texts)
            for (const QString& to : texts) QTest::addRow("%s to %s", qPrintable(from), qPrintable(to)) << from << to;
    }
    void differencesAreWhole() {
        QFETCH(QString, from);
        QFETCH(QString, to);
        const TextDifference change = textDifference(from, to);
        QCOMPARE(from.left(change.start) + change.inserted + from.mid(change.start + change.removed), to);
        const auto splitsPair = [&](const QString& text, qsizetype at) {
            return at > 0 && at < text.size() && text[at - 1].isHighSurrogate() && text[at].isLowSurrogate();
        };
        QVERIFY(!splitsPair(from, change.start));
        QVERIFY(!splitsPair(from, change.start + change.removed));
        session_->edit(Field::Text, from);
        session_->edit(Field::Text, to);
        QCOMPARE(edit()->toPlainText(), to);
    }

    void rareCharactersSurvive() {
        // A no-break space is white space for the split; it must not become another character on its way.
        const QString text =
            QStringLiteral("a\u00a0b \u200b \u05e9\u05dc\u05d5\u05dd <b>&amp; e\u0301 \U0001F469\u200D\U0001F680");
        replaceBy(QStringLiteral("x"));
        session_->edit(Field::Text, text);
        QTest::keyClick(edit(), Qt::Key_End, Qt::ControlModifier);
        QTest::keyClicks(edit(), QStringLiteral("!"));
        QCOMPARE(draftText(), text + u'!');
    }

    void lineEndsOfEveryKindAreShown() {
        session_->edit(Field::Text, QStringLiteral("a\r\nb\rc\nd"));
        QCOMPARE(edit()->toPlainText(), QStringLiteral("a\nb\nc\nd"));
        QCOMPARE(draftText(), QStringLiteral("a\r\nb\rc\nd"));  // showing a text doesn't edit it
    }

    void nothingTypedIsAnswered() {
        const TracePtr before = session_->trace();
        edit()->setFocus();
        QTest::keyClick(edit(), Qt::Key_A, Qt::ControlModifier);
        QTest::keyClick(edit(), Qt::Key_Delete);
        QCOMPARE(draftText(), QString());
        QVERIFY(!problemOf(*editor_, "tokenText").isEmpty());
        QVERIFY(!edit()->placeholderText().isEmpty());
        QCOMPARE(edit()->accessibleDescription(), problemOf(*editor_, "tokenText"));
        QTest::qWait(20);
        QCOMPARE(session_->trace(), before);
        QTest::keyClicks(edit(), QStringLiteral("a"));
        QCOMPARE(problemOf(*editor_, "tokenText"), QString());
    }

    void longLinesAndTokens() {
        session_->edit(Field::EmbedDim, QStringLiteral("8"));
        session_->edit(Field::NumHeads, QStringLiteral("1"));
        const QString line = QStringLiteral("ab ").repeated(700);
        session_->edit(Field::Text, line);
        QCOMPARE(edit()->toPlainText(), line);
        const QString token(100000, u'w');
        session_->edit(Field::Text, token);
        QCOMPARE(edit()->toPlainText(), token);
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
        session_->edit(withWeights(session_->draft(), path), QStringLiteral("weights"));
        QTRY_VERIFY(edit()->isReadOnly());
        QCOMPARE(edit()->toPlainText(), QStringLiteral("one two three\nfour five"));
        QTest::keyClicks(edit(), QStringLiteral("x"));
        QCOMPARE(edit()->toPlainText(), QStringLiteral("one two three\nfour five"));
        QCOMPARE(draftText(), typed);

        session_->edit(withWeights(session_->draft(), QStringLiteral("textbook")), QStringLiteral("weights"));
        QVERIFY(!edit()->isReadOnly());
        QCOMPARE(edit()->toPlainText(), typed);
    }
};

QTEST_MAIN(TestTokenEditor)
#include "tst_token_editor.moc"
