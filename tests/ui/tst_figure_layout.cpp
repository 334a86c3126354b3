// SPDX-License-Identifier: GPL-3.0-or-later
#include <QImage>
#include <QPainter>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>

#include "core/base/memory.h"
#include "core/masks/mask_edit.h"
#include "figure_support.h"
#include "ui/export/figure_layout.h"
#include "ui/export/figure_text.h"
#include "ui/look/color_scale.h"

using namespace headscope;

Q_DECLARE_METATYPE(headscope::Stage)

namespace {

QString text(const QRectF& rect) {
    return QStringLiteral("%1 %2 to %3 %4").arg(rect.left()).arg(rect.top()).arg(rect.right()).arg(rect.bottom());
}

}  // namespace

class TestFigureLayout : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY(folder_.isValid()); }

    void padIsGreyedAndLabelsSayWhenThinned();
    void colourBarNamesItsRange_data();
    void colourBarNamesItsRange();
    void captionHoldsTheConfiguration();
    void nothingOverlapsAtAnySize_data();
    void nothingOverlapsAtAnySize();
    void largeMapsAreReduced();
    void allSequencesInOneFigure();
    void whatCannotBeDrawnIsRefused();

private:
    QString path(const char* name) const { return folder_.filePath(QString::fromLatin1(name)); }
    QTemporaryDir folder_;
};

void TestFigureLayout::padIsGreyedAndLabelsSayWhenThinned() {
    const TracePtr trace = traceOf(kTwoLines);
    Selection selection;
    selection.sequence = 1;
    selection.head = 0;
    QVERIFY(writeFigure(path("pad.svg"), *trace, selection, {}));
    const QString svg = QString::fromUtf8(contents(path("pad.svg")));
    const QString grey = color(Role::Muted, Theme::Light).name();
    const QRegularExpression pad(QStringLiteral("<text fill=\"(#[0-9a-f]{6})\"[^>]*>\\[PAD\\]</text>"));
    auto found = pad.globalMatch(svg);
    QVERIFY(found.hasNext());
    while (found.hasNext()) QCOMPARE(found.next().captured(1), grey);
    QVERIFY(!svg.contains(u"labels: 1 in"));

    const QString crowd = svgOf(*traceOf(words(64))).texts.join(u' ');
    const QRegularExpression thinned(QStringLiteral("labels: 1 in (\\d+)"));
    const int every = thinned.match(crowd).captured(1).toInt();
    QVERIFY2(every > 1, qPrintable(crowd));
    QVERIFY(crowd.contains(QStringLiteral("w%1 ").arg(every)));
    QVERIFY(!crowd.contains(QStringLiteral("w%1 ").arg(every + 1)));
}

void TestFigureLayout::colourBarNamesItsRange_data() {
    QTest::addColumn<QString>("range");
    QTest::addColumn<QString>("palette");
    QTest::addColumn<Stage>("stage");
    QTest::addColumn<QStringList>("texts");
    QTest::newRow("unit") << QStringLiteral("unit") << QString() << Stage::Weights
                          << QStringList{QStringLiteral("0 to 1 · viridis"), QStringLiteral("0"), QStringLiteral("1")};
    QTest::newRow("log") << QStringLiteral("log") << QStringLiteral("magma") << Stage::Weights
                         << QStringList{QStringLiteral("logarithmic · magma"), QStringLiteral("1e−6")};
    QTest::newRow("head") << QStringLiteral("head") << QStringLiteral("greys") << Stage::Weights
                          << QStringList{QStringLiteral("per head · greys"), QStringLiteral("min"),
                                         QStringLiteral("max")};
    QTest::newRow("shared") << QString() << QString() << Stage::Scores
                            << QStringList{QStringLiteral("shared · diverging")};
}

void TestFigureLayout::colourBarNamesItsRange() {
    QFETCH(QString, range);
    QFETCH(QString, palette);
    QFETCH(Stage, stage);
    QFETCH(QStringList, texts);
    Selection selection;
    selection.range = parseRange(range);
    selection.palette = parsePalette(palette);
    selection.stage = stage;
    const TracePtr trace = traceOf(kTwoLines);
    const SvgContents svg = svgOf(*trace, selection);
    for (const QString& text : texts) QVERIFY2(svg.texts.contains(text), qPrintable(text));
    QVERIFY(svg.elements.at(QStringLiteral("linearGradient")) == 1);
    if (selection.range == Range::Head) {
        const ColorScale last = colorScale(*trace, selection, 7);
        QVERIFY(svg.texts.join(u' ').contains(scaleLabel(last.low) + QStringLiteral(" – ") + scaleLabel(last.high)));
    }
    if (stage == Stage::Scores) QVERIFY(svg.texts.contains(scaleLabel(colorScale(*trace, selection, 0).high)));
}

void TestFigureLayout::captionHoldsTheConfiguration() {
    const TracePtr trace = traceOf(kTwoLines, QStringLiteral("causal,padding"), QStringLiteral("1e9"),
                                   QStringLiteral("48"), QStringLiteral("6"), QStringLiteral("bfloat16"));
    const QString all = svgOf(*trace).texts.join(QString());
    for (const char* piece : {"embed_dim 48", "num_heads 6", "head_dim 8", "mask causal,padding", "fill −1e9",
                              "−998244352", "bfloat16", "chunks 256 × whole", "textbook heads, seed 0",
                              "sequence 0 of 2", "weights (2, 6, 6, 6)", "Head 5", "two back"})
        QVERIFY2(all.contains(QString::fromUtf8(piece)), piece);

    // Painted cells in so many words, not in the text that they are kept as.
    const MaskExpression painted = paint::with_painted_layer({}, paint::uniform(6, false));
    const TracePtr empty = traceOf(kTwoLines, QString::fromStdString(to_string(painted)));
    QVERIFY(empty);
    QVERIFY(configurationTexts(empty->request).contains(QStringLiteral("mask painted:6 (0/36)")));
}

void TestFigureLayout::nothingOverlapsAtAnySize_data() {
    QTest::addColumn<QSizeF>("size");
    QTest::addColumn<int>("tokens");
    QTest::addColumn<QString>("heads");
    for (const QSizeF& size : {QSizeF(64, 64), QSizeF(200, 120), QSizeF(960, 640), QSizeF(64, 3000), QSizeF(4000, 64)})
        for (const int tokens : {1, 2, 17, 300})
            for (const char* heads : {"1", "7", "96"})
                QTest::addRow("%gx%g, %d tokens, %s heads", size.width(), size.height(), tokens, heads)
                    << size << tokens << QString::fromLatin1(heads);
}

void TestFigureLayout::nothingOverlapsAtAnySize() {
    QFETCH(QSizeF, size);
    QFETCH(int, tokens);
    QFETCH(QString, heads);
    const TracePtr trace = traceOf(words(tokens) + QStringLiteral("\nshort"), QStringLiteral("causal,padding"),
                                   QStringLiteral("inf"), heads, heads);
    QVERIFY(trace);
    FigureStyle style;
    style.size = size;
    style.title = QStringLiteral("A title that is much too long for a picture of this size, whatever it may be");
    for (const bool all : {false, true}) {
        style.all_sequences = all;
        for (const Surface surface : {Surface{true, 1}, Surface{false, 1}, Surface{false, 0.75}}) {
            const FigureLayout layout = layOut(*trace, {}, style, surface);
            const QRectF page = QRectF(QPointF(0, 0), size).adjusted(0, 0, 0.01, 0.01);
            QList<QRectF> boxes;
            for (const FigureSection& section : layout.sections) {
                if (!section.heading.isEmpty()) boxes += section.heading;
                for (const Panel& panel : section.panels) {
                    boxes += panel.map;
                    QVERIFY(panel.title.isEmpty() || panel.title.bottom() <= panel.map.top() + 0.01);
                }
            }
            if (layout.caption_lines) boxes += layout.caption;
            if (!layout.title.isEmpty()) boxes += layout.title;
            for (qsizetype i = 0; i < boxes.size(); ++i) {
                QVERIFY2(page.contains(boxes[i]), qPrintable(text(boxes[i])));
                for (qsizetype j = 0; j < i; ++j) {
                    const QRectF common = boxes[i] & boxes[j];
                    QVERIFY2(common.width() < 0.01 || common.height() < 0.01,
                             qPrintable(text(boxes[i]) + QStringLiteral(" and ") + text(boxes[j])));
                }
            }
        }
        QVERIFY(figureImage(*trace, {}, style));
        if (tokens < 100) QVERIFY(writeFigure(path("any.pdf"), *trace, {}, style));
    }
}

/// 600 tokens in a small picture: a pixel shows the largest weight of its block, or the mean of its scores as on the
/// screen, and the caption says so.
void TestFigureLayout::largeMapsAreReduced() {
    const TracePtr trace =
        traceOf(words(600), QStringLiteral("none"), QStringLiteral("safe"), QStringLiteral("8"), QStringLiteral("1"));
    QVERIFY(trace);
    FigureStyle style;
    style.size = QSizeF(300, 300);
    for (const Stage stage : {Stage::Weights, Stage::Scores}) {
        Selection selection;
        selection.stage = stage;
        const auto image = figureImage(*trace, selection, style);
        QVERIFY(image);
        const FigureLayout layout = layOut(*trace, selection, style, {false, 1});
        const int each = layout.grid.rows_each;
        QVERIFY(each > 1);
        const MatrixView numbers = trace->matrix(stage, 0, 0);
        const ColorScale colors = colorScale(*trace, selection, 0);
        const QRect map = layout.sections.first().panels.first().map.toRect();
        QCOMPARE(map.width(), (600 + each - 1) / each);
        for (int row = 0; row < map.height(); row += 7) {
            for (int column = 0; column < map.width(); column += 7) {
                double largest = 0, sum = 0;
                int cells = 0;
                for (int i = row * each; i < std::min(600, (row + 1) * each); ++i)
                    for (int j = column * each; j < std::min(600, (column + 1) * each); ++j, ++cells) {
                        largest = std::max(largest, numbers.at(i, j));
                        sum += numbers.at(i, j);
                    }
                QCOMPARE(image->pixel(map.left() + column, map.top() + row),
                         colors.color(stage == Stage::Weights ? largest : sum / cells));
            }
        }
        const QString caption = svgOf(*trace, selection, style).texts.join(u' ');
        QVERIFY(caption.contains(u"drawn as a bitmap"));
    }
    FigureNotes notes;
    notes.rows_each = notes.columns_each = 3;
    QVERIFY(noteTexts(notes).contains(QStringLiteral("each cell drawn is the largest of 3×3")));
    notes.reduction = Reduction::Mean;
    QVERIFY(noteTexts(notes).contains(QStringLiteral("each cell drawn is the mean of 3×3")));
}

void TestFigureLayout::allSequencesInOneFigure() {
    const TracePtr trace = traceOf(kTwoLines, QStringLiteral("padding"));
    FigureStyle style;
    style.all_sequences = true;
    const SvgContents svg = svgOf(*trace, {}, style);
    QCOMPARE(svg.elements.at(QStringLiteral("rect")), 8 * (allowedCells(*trace, 0) + allowedCells(*trace, 1)));
    const QString all = svg.texts.join(u' ');
    QVERIFY(all.contains(u"sequence 0 of 2") && all.contains(u"sequence 1 of 2"));
    QVERIFY(all.contains(u"cat") && all.contains(u"dog"));
    // What a trace does not keep is computed: the same cells.
    Trace one = *trace;
    one.weights = std::make_shared<const Tensor>(trace->weights->part(0, 1));
    one.scores = std::make_shared<const Tensor>(trace->scores->part(0, 1));
    const SvgContents again = svgOf(one, {}, style);
    QCOMPARE(again.elements, svg.elements);
    QCOMPARE(again.texts, svg.texts);
}

void TestFigureLayout::whatCannotBeDrawnIsRefused() {
    const TracePtr trace = traceOf(kTwoLines);
    const auto code = [&](const QString& file, const FigureStyle& style) {
        const auto written = writeFigure(file, *trace, {}, style);
        return written ? std::optional<ErrorCode>() : written.error().code;
    };
    FigureStyle style;
    QCOMPARE(code(path("a.gif"), style), ErrorCode::InvalidValue);
    QCOMPARE(code(path("png"), style), ErrorCode::InvalidValue);
    QCOMPARE(code(path("no/such/folder.png"), style), ErrorCode::FileUnwritable);
    QVERIFY(QDir(folder_.path()).mkdir(QStringLiteral("folder.pdf")));
    QCOMPARE(code(path("folder.pdf"), style), ErrorCode::FileUnwritable);
    style.size = QSizeF(0, 640);
    QCOMPARE(code(path("size.png"), style), ErrorCode::InvalidValue);
    style.size = QSizeF(19200, 19200);
    style.dpi = 1200;
    QCOMPARE(code(path("size.png"), style), ErrorCode::InvalidValue);
    style.dpi = 96;
    set_memory_limit_for_tests(1000000);
    QCOMPARE(code(path("size.png"), style), ErrorCode::OutOfMemory);
    set_memory_limit_for_tests(0);
    QVERIFY(!QFile::exists(path("size.png")));
    QFile old(path("old.png"));
    QVERIFY(old.open(QIODevice::WriteOnly) && old.write("old") == 3);
    old.close();
    style.dpi = 5;
    QCOMPARE(code(path("old.png"), style), ErrorCode::InvalidValue);
    QCOMPARE(contents(path("old.png")), QByteArray("old"));
}

QTEST_MAIN(TestFigureLayout)
#include "tst_figure_layout.moc"
