// SPDX-License-Identifier: GPL-3.0-or-later
// The hand that paints a mask: strokes, whole edits, layers and files, as intents to the session.
#include <QTemporaryDir>
#include <QTest>

#include "support.h"
#include "ui/export/save_file.h"
#include "ui/pages/mask/layer_words.h"
#include "ui/pages/mask/mask_painter.h"
#include "ui/pages/mask/mask_picture.h"

using namespace headscope;

namespace {

/// Four tokens, "a b c d", and a second sequence that is shorter.
struct Desk {
    Session session;
    MaskPainter painter{session};

    explicit Desk(const char* mask = "none", const char* text = "a b c d\ne f") {
        Draft draft;
        draft.set(Field::Text, utf8(text));
        draft.set(Field::Mask, utf8(mask));
        session.edit(draft, utf8("desk"));
        session.undoStack()->clear();
        (void)waitForTrace(session);
    }
    QString mask() const { return session.draft().value(Field::Mask); }
    int steps() { return session.undoStack()->count(); }
    /// The rows of the whole mask of the shown sequence: "1110 1111 ...".
    QString rows() const {
        const auto picture = maskPicture(session);
        QStringList rows;
        for (std::int64_t i = 0; i < picture->size; ++i) {
            rows << QString();
            for (std::int64_t j = 0; j < picture->size; ++j) rows.last() += picture->allowed(i, j) ? u'1' : u'0';
        }
        return rows.join(u' ');
    }
    /// What became of a file; nothing if there was no answer.
    std::optional<Result<void>> load(const QString& path) {
        std::optional<Result<void>> answer;
        const auto connection =
            QObject::connect(&painter, &MaskPainter::loaded, [&](const std::optional<Error>& error) {
                answer = error ? Result<void>(tl::unexpected(*error)) : Result<void>();
            });
        painter.load(path);
        (void)QTest::qWaitFor([&] { return answer.has_value(); }, 30000);
        QObject::disconnect(connection);
        return answer;
    }
    void stroke(PaintTool tool, std::initializer_list<paint::Cell> path) {
        painter.press(*path.begin(), tool);
        for (const auto& cell : path) painter.drag(cell);
        painter.release();
    }
};

}  // namespace

class TestMaskPainter : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aStrokeMasksWhatWasAllowed() {
        Desk desk;
        desk.stroke(PaintTool::Cells, {{1, 0}, {1, 3}});  // the cells between are met too
        QCOMPARE(desk.rows(), utf8("1111 0000 1111 1111"));
        QCOMPARE(desk.steps(), 1);
        desk.stroke(PaintTool::Cells, {{1, 1}, {1, 2}});  // begun on a masked cell it allows
        QCOMPARE(desk.rows(), utf8("1111 0110 1111 1111"));
        QCOMPARE(desk.steps(), 2);
        desk.session.undoStack()->undo();
        QCOMPARE(desk.rows(), utf8("1111 0000 1111 1111"));
        desk.session.undoStack()->undo();
        QCOMPARE(desk.mask(), utf8("none"));
        desk.session.undoStack()->redo();
        QCOMPARE(desk.rows(), utf8("1111 0000 1111 1111"));
    }

    void everyStepOfAStrokeIsSeenAtOnce() {
        Desk desk;
        desk.painter.press({0, 0}, PaintTool::Cells);
        QCOMPARE(desk.rows(), utf8("0111 1111 1111 1111"));
        desk.painter.drag({2, 2});
        QCOMPARE(desk.rows(), utf8("0111 1011 1101 1111"));
        desk.painter.release();
        QVERIFY(waitForTrace(desk.session));
        for (int i = 0; i < 4; ++i) QCOMPARE(desk.session.trace()->mask.of(0).allowed(0, i, i), i == 3);
    }

    void toolsCoverWhatTheySay() {
        Desk desk;
        desk.stroke(PaintTool::Rows, {{1, 2}, {2, 0}});
        QCOMPARE(desk.rows(), utf8("1111 0000 0000 1111"));
        desk.stroke(PaintTool::Columns, {{0, 3}, {0, 3}});
        QCOMPARE(desk.rows(), utf8("1110 0000 0000 1110"));
        desk.painter.fill(true);
        desk.stroke(PaintTool::Rectangle, {{3, 3}, {0, 0}, {2, 1}});  // only the last corner counts
        QCOMPARE(desk.rows(), utf8("1111 1111 1000 1000"));
    }

    void inkDecidesWhereItIsChosen() {
        Desk desk;
        desk.painter.setInk(Ink::Allow);
        desk.stroke(PaintTool::Cells, {{0, 0}, {0, 3}});
        QCOMPARE(desk.mask(), utf8("none"));  // nothing to allow: no layer, no step
        QCOMPARE(desk.steps(), 0);
        desk.painter.setInk(Ink::Mask);
        desk.stroke(PaintTool::Cells, {{0, 0}, {0, 1}});
        desk.stroke(PaintTool::Cells, {{0, 1}, {0, 2}});  // also begun on a masked cell
        QCOMPARE(desk.rows(), utf8("0001 1111 1111 1111"));
    }

    void theHandMayLeaveTheGrid() {
        Desk desk;
        desk.stroke(PaintTool::Cells, {{0, 3}, {0, 9}, {-5, 9}, {3, 9}, {3, 3}});
        QCOMPARE(desk.rows(), utf8("1110 1111 1111 1110"));
        desk.stroke(PaintTool::Rectangle, {{2, 2}, {99, -99}});
        QCOMPARE(desk.rows(), utf8("1110 1111 0001 0000"));
    }

    void anotherLayerKeepsItsCellsMasked() {
        Desk desk("causal");
        desk.stroke(PaintTool::Cells, {{0, 2}});  // masked by causal: allowing changes nothing
        QCOMPARE(desk.mask(), utf8("causal"));
        const auto picture = maskPicture(desk.session);
        QCOMPARE(cellWords(*picture, 0, 2),
                 utf8("'a' (query 0) can't attend to 'c' (key 2): masked by the causal layer"));
        QCOMPARE(cellWords(*picture, 2, 0), utf8("'c' (query 2) can attend to 'a' (key 0): no layer masks it"));
        QCOMPARE(cellWords(*picture, 4, 0), QString());
    }

    void aCellNamesEveryLayerThatMasksIt() {
        Desk desk("padding,causal", "a b c d\ne f");
        desk.painter.setInk(Ink::Mask);
        desk.stroke(PaintTool::Rectangle, {{0, 2}, {0, 3}});
        desk.session.setSequence(1);
        QVERIFY(waitForTrace(desk.session));
        const auto picture = maskPicture(desk.session);
        QCOMPARE(cellWords(*picture, 0, 3),
                 utf8("'e' (query 0) can't attend to '[PAD]' (key 3): masked by the padding layer, the causal layer "
                      "and the painted layer"));
        QCOMPARE(layerWords(*picture, picture->maskedBy(2, 2)), QStringList{utf8("the padding layer")});
        QCOMPARE(rowWords(*picture, 0), utf8("'e' (query 0) can attend to 1 of 4 keys"));
        QCOMPARE(columnWords(*picture, 3), utf8("0 of 4 queries can attend to '[PAD]' (key 3)"));
    }

    void tokensArePlainTextInSentences() {
        Desk desk("causal", "%5 <b>%1</b> x");
        QCOMPARE(cellWords(*maskPicture(desk.session), 0, 1),
                 utf8("'%5' (query 0) can't attend to '<b>%1</b>' (key 1): masked by the causal layer"));
    }

    void wholeEditsAreAStepEach() {
        Desk desk;
        desk.stroke(PaintTool::Rectangle, {{0, 1}, {0, 3}});
        desk.painter.transpose();
        QCOMPARE(desk.rows(), utf8("1111 0111 0111 0111"));
        desk.painter.invert();
        QCOMPARE(desk.rows(), utf8("0000 1000 1000 1000"));
        desk.painter.fillDiagonal(true);
        QCOMPARE(desk.rows(), utf8("1000 1100 1010 1001"));
        desk.painter.fillDiagonal(false);
        desk.painter.invert();
        desk.painter.invert();  // within a second, and a step all the same
        QCOMPARE(desk.steps(), 7);
        desk.painter.fill(false);
        QCOMPARE(desk.rows(), utf8("0000 0000 0000 0000"));
        QCOMPARE(fullyMaskedRowWords(*maskPicture(desk.session)),
                 utf8("4 queries have no key to attend to: 'a' (0), 'b' (1), 'c' (2), 'd' (3)"));
        while (desk.session.undoStack()->canUndo()) desk.session.undoStack()->undo();
        QCOMPARE(desk.mask(), utf8("none"));
    }

    void paintingStartsFromThePresentMask() {
        Desk desk("padding,causal,local:1:0");
        desk.session.setSequence(1);
        desk.painter.startFromPresent();
        // Padding differs between the sequences: it stays, and isn't painted into the other sequence.
        QVERIFY2(desk.mask().startsWith(utf8("padding,off:causal,off:local:1:0,painted:4:")), qPrintable(desk.mask()));
        QCOMPARE(desk.rows(), utf8("1000 1100 0100 0000"));
        desk.session.setSequence(0);
        QCOMPARE(desk.rows(), utf8("1000 1100 0110 0011"));
        desk.stroke(PaintTool::Cells, {{0, 3}});  // what causal masked can be allowed now
        QCOMPARE(desk.rows(), utf8("1001 1100 0110 0011"));
        desk.painter.switchLayer(1, true);
        QCOMPARE(desk.rows(), utf8("1000 1100 0110 0011"));
    }

    void aTypedPaddingIsPaintedWhereAllSequencesAgree() {
        Desk desk("padding,causal", "a [PAD] c");
        desk.painter.startFromPresent();
        QVERIFY2(desk.mask().startsWith(utf8("off:padding,off:causal,painted:3:")), qPrintable(desk.mask()));
        QCOMPARE(desk.rows(), utf8("100 100 101"));
    }

    void paintingStartsFromAPreset() {
        Desk desk("causal");
        desk.painter.startFrom(utf8("block:2"), utf8("blocks"));
        QVERIFY(desk.mask().startsWith(utf8("causal,painted:4:")));
        QCOMPARE(desk.rows(), utf8("1000 1100 0010 0011"));
        desk.painter.switchLayer(0, false);
        QCOMPARE(desk.rows(), utf8("1100 1100 0011 0011"));
        QCOMPARE(desk.steps(), 2);
    }

    void aPaintedLayerThatIsOffIsSwitchedOnByPainting() {
        Desk desk;
        desk.stroke(PaintTool::Cells, {{0, 0}});
        desk.painter.switchLayer(0, false);
        QCOMPARE(desk.rows(), utf8("1111 1111 1111 1111"));
        QCOMPARE(maskPicture(desk.session)->layers.size(), std::size_t(1));
        desk.stroke(PaintTool::Cells, {{3, 3}});
        QCOMPARE(desk.rows(), utf8("0111 1111 1111 1110"));
        QCOMPARE(maskPicture(desk.session)->layers.size(), std::size_t(1));
    }

    void escapeIsAsIfTheStrokeHadNeverBeen() {
        Desk desk("causal");
        desk.painter.press({3, 0}, PaintTool::Cells);
        desk.painter.drag({3, 2});
        desk.painter.cancel();
        QCOMPARE(desk.mask(), utf8("causal"));
        QCOMPARE(desk.steps(), 0);
        QVERIFY(!desk.painter.isPainting());
    }

    void undoInTheMiddleEndsTheStroke() {
        Desk desk;
        desk.painter.press({0, 0}, PaintTool::Cells);
        desk.session.undoStack()->undo();
        QVERIFY(!desk.painter.isPainting());
        desk.painter.drag({3, 3});
        QCOMPARE(desk.mask(), utf8("none"));
    }

    void aPaintingIsKeptWhenTheTextShrinksAndGrows() {
        Desk desk;
        desk.stroke(PaintTool::Rectangle, {{2, 2}, {3, 3}});
        desk.session.edit(Field::Text, utf8("a b c"));
        QCOMPARE(desk.rows(), utf8("111 111 110"));
        desk.stroke(PaintTool::Cells, {{0, 0}});
        desk.painter.invert();  // of what is seen
        desk.session.edit(Field::Text, utf8("a b c d e"));
        QCOMPARE(desk.rows(), utf8("10011 00011 00101 11001 11111"));
        const auto note = painted_size_note(maskPicture(desk.session)->expression, 5);
        QVERIFY(note && sentence(*note).contains(utf8("4x4")) && sentence(*note).contains(utf8("5x5")));
        desk.stroke(PaintTool::Cells, {{4, 4}});  // extended now
        QCOMPARE(desk.rows(), utf8("10011 00011 00101 11001 11110"));
    }

    void anIllegalFieldElsewhereLosesNoPainting() {
        Desk desk;
        desk.session.edit(Field::NumHeads, utf8("7"));
        desk.stroke(PaintTool::Cells, {{0, 0}});
        desk.stroke(PaintTool::Cells, {{1, 1}});
        QCOMPARE(desk.rows(), utf8("0111 1011 1111 1111"));
    }

    void anExpressionThatCantBeReadGivesWayToThePicture() {
        Desk desk("causal");
        QVERIFY(waitForTrace(desk.session));
        desk.session.edit(Field::Mask, utf8("caus"));
        QCOMPARE(desk.rows(), utf8("1000 1100 1110 1111"));
        desk.stroke(PaintTool::Cells, {{3, 0}});
        QCOMPARE(desk.rows(), utf8("1000 1100 1110 0111"));
        desk.session.undoStack()->undo();
        QCOMPARE(desk.mask(), utf8("caus"));
    }

    void filesRoundTrip_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"mask.json", "mask.csv", "mask.npy"}) QTest::newRow(name) << utf8(name);
    }
    void filesRoundTrip() {
        QFETCH(QString, name);
        const QString path = folder_.filePath(name);
        Desk desk("causal");
        desk.stroke(PaintTool::Cells, {{3, 0}});
        QVERIFY(desk.painter.save(path));  // all layers together
        Desk other;
        const auto loaded = other.load(path);
        QVERIFY(loaded && *loaded);
        QCOMPARE(other.rows(), utf8("1000 1100 1110 0111"));
        QCOMPARE(other.steps(), 1);
        QCOMPARE(other.session.undoStack()->undoText(), utf8("load a mask"));
    }

    void badFilesAreAnsweredAndNothingIsLost_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QStringList>("said");
        const auto row = [](const char* name, QByteArray bytes, const QStringList& said) {
            QTest::newRow(name) << utf8(name) << bytes << said;
        };
        row("size.csv", "1,0\n1,1\n", {utf8("2x2"), utf8("length 4"), utf8("4x4")});
        row("values.csv", "1,0\n1,2\n", {utf8("line 2, cell 2"), utf8("\"2\""), utf8("0 and 1")});
        row("ragged.csv", "1,0\n1\n", {utf8("in line 2 the number of cells is 1"), utf8("in line 1 it is 2")});
        row("empty.csv", "", {utf8("empty")});
        row("ragged.json", "[[1,0],[1]]", {utf8("in row 1 the number of cells is 1")});
        row("broken.json", "[[1,", {utf8("byte")});
        row("notes.txt", "1", {utf8(".json, .csv or .npy")});
        row("short.npy", "\x93NUMPY", {utf8("short.npy")});
        row("huge.csv", QByteArray(65 << 20, '1'), {utf8("68 MB"), utf8("4x4")});
    }
    void badFilesAreAnsweredAndNothingIsLost() {
        QFETCH(QString, name);
        QFETCH(QByteArray, bytes);
        QFETCH(QStringList, said);
        const QString path = folder_.filePath(name);
        QVERIFY(saveFile(path, bytes));
        Desk desk;
        desk.stroke(PaintTool::Cells, {{0, 0}});
        const auto loaded = desk.load(path);
        QVERIFY(loaded && !*loaded);
        const QString words = sentence(loaded->error());
        for (const QString& part : said) QVERIFY2(words.contains(part), qPrintable(words));
        QVERIFY2(words.contains(path), qPrintable(words));
        QCOMPARE(desk.rows(), utf8("0111 1111 1111 1111"));
        QCOMPARE(desk.steps(), 1);
    }

    /// The read runs on another thread: nothing changes before the event loop delivers it, and the newer file counts.
    void aFileIsReadInTheBackground() {
        const QString first = folder_.filePath(utf8("first.csv")), second = folder_.filePath(utf8("second.csv"));
        QVERIFY(saveFile(first, QByteArray("0,0,0,0\n0,0,0,0\n0,0,0,0\n0,0,0,0\n")));
        QVERIFY(saveFile(second, QByteArray("1,0,0,0\n1,1,0,0\n1,1,1,0\n1,1,1,1\n")));
        Desk desk;
        int answers = 0;
        connect(&desk.painter, &MaskPainter::loaded, &desk.painter, [&] { ++answers; });
        desk.painter.load(first);
        desk.painter.load(second);
        QCOMPARE(desk.steps(), 0);
        QCOMPARE(answers, 0);
        QTRY_COMPARE(answers, 1);
        QCOMPARE(desk.rows(), utf8("1000 1100 1110 1111"));
        QCOMPARE(desk.steps(), 1);
    }

    void aPlaceThatCantBeWrittenIsSaid() {
        Desk desk;
        const auto saved = desk.painter.save(utf8("/nowhere/at/all/mask.csv"));
        QVERIFY(!saved);
        QCOMPARE(saved.error().code, ErrorCode::FileUnwritable);
        QCOMPARE(desk.painter.save(folder_.filePath(utf8("mask.bmp"))).error().code, ErrorCode::Unsupported);
    }

    void tooManyTokensArePaintedByNobody() {
        Desk desk("none", "a");
        desk.session.edit(Field::EmbedDim, utf8("8"));
        desk.session.edit(Field::Text, QStringList(1025, utf8("a")).join(u' '));
        QVERIFY(maskPicture(desk.session)->tooLarge());
        const int steps = desk.steps();
        desk.stroke(PaintTool::Cells, {{0, 0}});
        desk.painter.invert();
        desk.painter.startFromPresent();
        QCOMPARE(desk.steps(), steps);
    }

    void manyLayersShareTheLastBit() {
        Desk desk(QStringList(40, utf8("causal")).join(u',').toUtf8().constData());
        const auto picture = maskPicture(desk.session);
        QCOMPARE(picture->layers.size(), std::size_t(40));
        QCOMPARE(layerWords(*picture, picture->maskedBy(0, 1)).size(), 40);
    }

private:
    QTemporaryDir folder_;
};

QTEST_GUILESS_MAIN(TestMaskPainter)
#include "tst_mask_painter.moc"
