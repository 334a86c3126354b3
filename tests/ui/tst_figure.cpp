// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFontDatabase>
#include <QImage>
#include <QPainter>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>

#include "figure_support.h"
#include "ui/export/figure_layout.h"
#include "ui/look/color_scale.h"

using namespace headscope;

Q_DECLARE_METATYPE(headscope::Stage)

class TestFigure : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY(folder_.isValid()); }

    void aVectorCellForEachAttendedCell_data();
    void aVectorCellForEachAttendedCell();
    void vectorsUpToTheLimit();
    void aBitmapBeyondTheLimitSaysSo();
    void everyPixelOfACellHasItsColour_data();
    void everyPixelOfACellHasItsColour();
    void maskedCellsAreHatchedAndNaNIsCrossed();
    void pngHasItsPixelsAndResolution_data();
    void pngHasItsPixelsAndResolution();
    void theThreeFormatsShowOnePicture_data();
    void theThreeFormatsShowOnePicture();
    void textIsTextAndPlain();
    void svgIsWellFormedForEveryText();
    void svgKeepsSignsApart();
    void aPdfsTableFindsItsObjects();
    void aPdfHoldsColourEmoji();
    void twoRunsGiveTheSameFile();

private:
    QString path(const char* name) const { return folder_.filePath(QString::fromLatin1(name)); }
    QTemporaryDir folder_;
};

void TestFigure::aVectorCellForEachAttendedCell_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("mask");
    QTest::addColumn<QString>("fill");
    QTest::addColumn<int>("sequence");
    QTest::addColumn<int>("head");
    QTest::addColumn<Stage>("stage");
    const auto row = [](const char* name, const QString& text, const char* mask, const char* fill, int sequence,
                        int head, Stage stage) {
        QTest::newRow(name) << text << QString::fromLatin1(mask) << QString::fromLatin1(fill) << sequence << head
                            << stage;
    };
    row("no mask", kTwoLines, "none", "safe", 0, -1, Stage::Weights);
    row("causal", kTwoLines, "causal", "safe", 0, -1, Stage::Weights);
    row("empty rows", kTwoLines, "causal,padding", "safe", 1, -1, Stage::Weights);
    row("NaN rows", kTwoLines, "causal,padding", "inf", 1, -1, Stage::Weights);
    row("leaks", kTwoLines, "causal,padding", "1e9", 1, -1, Stage::Weights);
    row("one head", kTwoLines, "local:1:0", "safe", 0, 5, Stage::Weights);
    row("scores", kTwoLines, "causal", "safe", 0, -1, Stage::Scores);
    row("masked", kTwoLines, "causal", "safe", 0, -1, Stage::Masked);
    row("mask", kTwoLines, "strided:3", "safe", 0, -1, Stage::Mask);
    row("q", kTwoLines, "causal", "safe", 0, -1, Stage::Q);
    row("one token", QStringLiteral("a"), "none", "safe", 0, -1, Stage::Weights);
    row("60 tokens", words(60), "causal", "safe", 0, -1, Stage::Weights);
}

/// Rectangles are cells and nothing else is one: so a count of them is a count of cells.
void TestFigure::aVectorCellForEachAttendedCell() {
    QFETCH(QString, text);
    QFETCH(QString, mask);
    QFETCH(QString, fill);
    QFETCH(int, sequence);
    QFETCH(int, head);
    QFETCH(Stage, stage);
    const TracePtr trace = traceOf(text, mask, fill);
    QVERIFY(trace);
    Selection selection;
    selection.sequence = sequence;
    selection.stage = stage;
    if (head >= 0) selection.head = head;
    const std::int64_t maps = head >= 0 || stage == Stage::Mask ? 1 : 8;
    const std::int64_t size = trace->dims().sequence_length;
    const std::int64_t cells = stage == Stage::Q        ? size * trace->dims().head_dim()
                               : stage == Stage::Scores ? size * size
                                                        : allowedCells(*trace, sequence);

    const SvgContents svg = svgOf(*trace, selection);
    QVERIFY(svg.well_formed);
    QCOMPARE(svg.elements.at(QStringLiteral("rect")), maps * cells);
    QVERIFY(!svg.elements.count(QStringLiteral("image")));
    QVERIFY(svg.elements.at(QStringLiteral("text")) > 0);

    QVERIFY(writeFigure(path("cells.pdf"), *trace, selection, {}));
    const QByteArray pdf = contents(path("cells.pdf"));
    QCOMPARE(pdfStreams(pdf).count(" re\n"), maps * cells);
    QVERIFY(!pdf.contains("/Subtype /Image"));
    QVERIFY(pdf.contains("/FontFile2") || pdf.contains("/FontFile3"));
}

void TestFigure::vectorsUpToTheLimit() {
    const TracePtr trace =
        traceOf(words(256), QStringLiteral("none"), QStringLiteral("safe"), QStringLiteral("8"), QStringLiteral("1"));
    QVERIFY(trace);
    const SvgContents svg = svgOf(*trace);
    QCOMPARE(svg.elements.at(QStringLiteral("rect")), 65536);
    QVERIFY(!svg.elements.count(QStringLiteral("image")));
    QVERIFY(!svg.texts.join(u' ').contains(u"bitmap"));
    FigureStyle small;  // cells below a unit stay vectors in a file of vectors
    small.size = QSizeF(120, 100);
    QCOMPARE(svgOf(*trace, {}, small).elements.at(QStringLiteral("rect")), 65536);
}

void TestFigure::aBitmapBeyondTheLimitSaysSo() {
    const TracePtr trace =
        traceOf(words(257), QStringLiteral("none"), QStringLiteral("safe"), QStringLiteral("8"), QStringLiteral("1"));
    QVERIFY(trace);
    const SvgContents svg = svgOf(*trace);
    QVERIFY(!svg.elements.count(QStringLiteral("rect")));
    QCOMPARE(svg.elements.at(QStringLiteral("image")), 1);
    QVERIFY(svg.texts.join(u' ').contains(u"66049 cells, more than 65536: drawn as a bitmap"));
    QVERIFY(writeFigure(path("big.pdf"), *trace, {}, {}));
    QVERIFY(contents(path("big.pdf")).contains("/Subtype /Image"));
    QVERIFY(!contents(path("big.pdf")).contains("/DCTDecode"));  // JPEG blurs edges
    // A mask that leaves fewer open brings the vectors back.
    const TracePtr causal =
        traceOf(words(257), QStringLiteral("causal"), QStringLiteral("safe"), QStringLiteral("8"), QStringLiteral("1"));
    QCOMPARE(svgOf(*causal).elements.at(QStringLiteral("rect")), 257 * 258 / 2);
}

void TestFigure::everyPixelOfACellHasItsColour_data() {
    QTest::addColumn<int>("tokens");
    QTest::addColumn<int>("dpi");
    QTest::addColumn<bool>("dark");
    for (const int tokens : {1, 3, 10, 33, 64})
        for (const int dpi : {96, 150, 192})
            QTest::addRow("%d tokens, %d dpi", tokens, dpi) << tokens << dpi << (tokens == 10);
}

/// Against the numbers: cells from the layout, colours from the scale. No seam, no smoothing, border cells whole.
void TestFigure::everyPixelOfACellHasItsColour() {
    QFETCH(int, tokens);
    QFETCH(int, dpi);
    QFETCH(bool, dark);
    const TracePtr trace = traceOf(words(tokens), QStringLiteral("causal"));
    QVERIFY(trace);
    const Selection selection;
    FigureStyle style;
    style.dpi = dpi;
    style.theme = dark ? Theme::Dark : Theme::Light;
    const auto image = figureImage(*trace, selection, style);
    QVERIFY(image);
    const double scale = dpi / 96.0;
    const FigureLayout layout = layOut(*trace, selection, style, {false, scale});
    const MapGrid& grid = layout.grid;
    QCOMPARE(grid.rows, tokens);
    QCOMPARE(grid.cell_width, std::floor(grid.cell_width));
    QCOMPARE(grid.cell_width, grid.cell_height);
    for (const Panel& panel : layout.sections.first().panels) {
        const ColorScale colors = colorScale(*trace, selection, panel.head);
        const MatrixView weights = trace->matrix(Stage::Weights, 0, panel.head);
        for (int i = 0; i < tokens; ++i) {
            for (int j = 0; j <= i; ++j) {
                // Pixels whose centre lies in the cell belong to it.
                const QRgb expected = colors.color(weights.at(i, j)) | 0xff000000;
                const double left = (panel.map.left() + j * grid.cell_width) * scale;
                const double top = (panel.map.top() + i * grid.cell_height) * scale;
                const auto first = [](double edge) { return static_cast<int>(std::ceil(edge - 0.5 + 1e-6)); };
                const auto last = [](double edge) { return static_cast<int>(std::floor(edge - 0.5 - 1e-6)); };
                for (int y = first(top); y <= last(top + grid.cell_height * scale); ++y)
                    for (int x = first(left); x <= last(left + grid.cell_width * scale); ++x)
                        if (image->pixel(x, y) != expected)
                            QFAIL(qPrintable(QStringLiteral("head %1, cell %2 %3, pixel %4 %5: %6, not %7")
                                                 .arg(panel.head)
                                                 .arg(i)
                                                 .arg(j)
                                                 .arg(x)
                                                 .arg(y)
                                                 .arg(image->pixel(x, y), 8, 16)
                                                 .arg(expected, 8, 16)));
            }
        }
    }
}

void TestFigure::maskedCellsAreHatchedAndNaNIsCrossed() {
    const TracePtr trace = traceOf(kTwoLines, QStringLiteral("causal,padding"), QStringLiteral("inf"));
    QVERIFY(trace);
    Selection selection;
    selection.sequence = 1;
    const auto image = figureImage(*trace, selection, {});
    QVERIFY(image);
    const FigureLayout layout = layOut(*trace, selection, {}, {false, 1});
    const Panel& panel = layout.sections.first().panels.first();
    const auto cell = [&](int row, int column) {
        const MapGrid& grid = layout.grid;
        return QRectF(panel.map.left() + column * grid.cell_width, panel.map.top() + row * grid.cell_height,
                      grid.cell_width, grid.cell_height)
            .toRect();
    };
    const auto holds = [&](const QRect& rect, const QColor& color) {
        for (int y = rect.top(); y <= rect.bottom(); ++y)
            for (int x = rect.left(); x <= rect.right(); ++x)
                if (image->pixelColor(x, y) == color) return true;
        return false;
    };
    // Query 0 of "[PAD] a dog ran" sees its own [PAD] only: empty, NaN, so crossed. Query 1 may not see key 2.
    QVERIFY(holds(cell(0, 2), color(Role::Nan, Theme::Light)));
    QVERIFY(!holds(cell(1, 2), color(Role::Nan, Theme::Light)));
    QVERIFY(holds(cell(1, 2), color(Role::Masked, Theme::Light)));
    const QStringList texts = svgOf(*trace, selection).texts;
    QVERIFY(texts.join(u' ').contains(u"crossed: NaN"));
    QVERIFY(texts.join(u' ').contains(u"hatched: masked"));
    QVERIFY(texts.join(u' ').contains(u"fully masked row"));
    // A masked cell holds nothing but its ground, its lines and mixtures of the two: no colour of the palette.
    const QColor ground = color(Role::Masked, Theme::Light), line = color(Role::Hatch, Theme::Light);
    const QRect masked = cell(1, 2);
    bool hatched = false;
    for (int y = masked.top(); y <= masked.bottom(); ++y) {
        for (int x = masked.left(); x <= masked.right(); ++x) {
            const QColor pixel = image->pixelColor(x, y);
            hatched = hatched || pixel != ground;
            QVERIFY(pixel.red() >= line.red() - 1 && pixel.red() <= ground.red() + 1);
            QVERIFY(pixel.blue() >= line.blue() - 1 && pixel.blue() <= ground.blue() + 1);
        }
    }
    QVERIFY(hatched);
}

void TestFigure::pngHasItsPixelsAndResolution_data() {
    QTest::addColumn<QSizeF>("size");
    QTest::addColumn<int>("dpi");
    QTest::addColumn<QSize>("pixels");
    QTest::newRow("default") << QSizeF(960, 640) << 96 << QSize(960, 640);
    QTest::newRow("print") << QSizeF(960, 640) << 300 << QSize(3000, 2000);
    QTest::newRow("coarse") << QSizeF(960, 640) << 36 << QSize(360, 240);
    QTest::newRow("rounded") << QSizeF(101, 77) << 100 << QSize(105, 80);
    QTest::newRow("small and fine") << QSizeF(64, 64) << 1200 << QSize(800, 800);
}

void TestFigure::pngHasItsPixelsAndResolution() {
    QFETCH(QSizeF, size);
    QFETCH(int, dpi);
    QFETCH(QSize, pixels);
    const TracePtr trace = traceOf(kTwoLines);
    FigureStyle style;
    style.size = size;
    style.dpi = dpi;
    QVERIFY(writeFigure(path("a.png"), *trace, {}, style));
    const QImage image(path("a.png"));
    QCOMPARE(image.size(), pixels);
    QVERIFY(std::abs(image.dotsPerMeterX() * 0.0254 - dpi) < 0.05);
    QVERIFY(std::abs(image.dotsPerMeterY() * 0.0254 - dpi) < 0.05);
}

void TestFigure::theThreeFormatsShowOnePicture_data() {
    QTest::addColumn<bool>("dark");
    QTest::addColumn<int>("dpi");
    QTest::addColumn<int>("tokens");
    QTest::newRow("light") << false << 96 << 10;
    QTest::newRow("dark, fine") << true << 192 << 10;
    QTest::newRow("small cells") << false << 96 << 60;
    QTest::newRow("a bitmap") << false << 192 << 130;
}

/// As programs of others show them. Text is smoothed in as many ways as there are programs: inside the maps nearly
/// every pixel must be the same, outside the mean difference must be small.
void TestFigure::theThreeFormatsShowOnePicture() {
    QFETCH(bool, dark);
    QFETCH(int, dpi);
    QFETCH(int, tokens);
    const TracePtr trace = traceOf(words(tokens), QStringLiteral("causal"));
    FigureStyle style;
    style.dpi = dpi;
    style.theme = dark ? Theme::Dark : Theme::Light;
    style.title = QStringLiteral("Three formats");
    const auto png = figureImage(*trace, {}, style);
    QVERIFY(png);
    QVERIFY(writeFigure(path("three.svg"), *trace, {}, style));
    QVERIFY(writeFigure(path("three.pdf"), *trace, {}, style));
    const QString zoom = QString::number(dpi / 96.0), resolution = QString::number(dpi);
    const auto svg_done = outputOf(QStringLiteral("rsvg-convert"), {QStringLiteral("-z"), zoom, path("three.svg"),
                                                                    QStringLiteral("-o"), path("svg.png")});
    const auto pdf_done =
        outputOf(QStringLiteral("pdftoppm"), {QStringLiteral("-r"), resolution, QStringLiteral("-png"),
                                              QStringLiteral("-singlefile"), path("three.pdf"), path("pdf")});
    if (!svg_done || !pdf_done) QSKIP("rsvg-convert and pdftoppm aren't installed");
    const FigureLayout layout = layOut(*trace, {}, style, {true, 1});
    for (const char* name : {"svg.png", "pdf.png"}) {
        const QImage other = QImage(path(name)).convertToFormat(QImage::Format_RGB32);
        QCOMPARE(other.size(), png->size());
        const auto difference = [&](int x, int y) {
            const QColor a = png->pixelColor(x, y), b = other.pixelColor(x, y);
            return std::max(
                {std::abs(a.red() - b.red()), std::abs(a.green() - b.green()), std::abs(a.blue() - b.blue())});
        };
        double sum = 0;
        for (int y = 0; y < other.height(); ++y)
            for (int x = 0; x < other.width(); ++x) sum += difference(x, y);
        QVERIFY2(sum / (1.0 * other.width() * other.height()) < 5, name);
        for (const Panel& panel : layout.sections.first().panels) {
            const double scale = dpi / 96.0, cell = layout.grid.cell_width;
            for (int i = 0; i < tokens; ++i) {
                for (int j = 0; j <= i; ++j) {
                    const int x = static_cast<int>((panel.map.left() + (j + 0.5) * cell) * scale);
                    const int y = static_cast<int>((panel.map.top() + (i + 0.5) * cell) * scale);
                    QVERIFY2(difference(x, y) <= 2, qPrintable(QStringLiteral("%1: head %2, cell %3 %4")
                                                                   .arg(QString::fromLatin1(name))
                                                                   .arg(panel.head)
                                                                   .arg(i)
                                                                   .arg(j)));
                }
            }
        }
    }
}

void TestFigure::textIsTextAndPlain() {
    const QString title = QStringLiteral("<b>Bold?</b> & &amp; \"quoted\" %1 {} \u0001\nnext");
    const TracePtr trace = traceOf(QStringLiteral("<i>x</i> &amp; 猫 שלום \"q\" %2"));
    FigureStyle style;
    style.title = title;
    const SvgContents svg = svgOf(*trace, {}, style);
    QVERIFY(svg.well_formed);
    const QString all = svg.texts.join(QString());
    QVERIFY(all.contains(QStringLiteral("<b>Bold?</b> & &amp; \"quoted\" %1 {}   next")));
    for (const char* token : {"<i>x</i>", "&amp;", "猫", "שלום", "\"q\"", "%2"})
        QVERIFY2(all.contains(QString::fromUtf8(token)), token);
    QVERIFY(!svg.elements.count(QStringLiteral("b")) && !svg.elements.count(QStringLiteral("i")));

    QVERIFY(writeFigure(path("text.pdf"), *trace, {}, style));
    const auto text = outputOf(QStringLiteral("pdftotext"), {path("text.pdf"), QStringLiteral("-")});
    if (!text) QSKIP("pdftotext isn't installed");
    QVERIFY2(text->contains("<b>Bold?</b> & &amp;"), text->constData());
    QVERIFY(text->contains("猫"));
    QVERIFY(text->contains("embed_dim 32"));
}

/// Every character that XML can't hold, every noncharacter and halves of surrogate pairs, as tokens and as title.
void TestFigure::svgIsWellFormedForEveryText() {
    QString all;
    const auto add = [&all](char32_t c) { all += u'x' + QString::fromUcs4(&c, 1) + QStringLiteral("y "); };
    for (char32_t c = 0; c < 0xA0; c = c == 0x1F ? 0x7F : c + 1) add(c);
    for (char32_t c = 0xFDD0; c <= 0xFDEF; ++c) add(c);
    for (char32_t plane = 0; plane <= 0x10; ++plane) {
        add(plane * 0x10000 + 0xFFFE);
        add(plane * 0x10000 + 0xFFFF);
    }
    for (const char16_t half : {0xD800, 0xDBFF, 0xDC00, 0xDFFF}) all += u'x' + QChar(half) + QStringLiteral("y ");
    all += QStringLiteral("]]> <!-- &#0; \u2028\u2029\ufeff");
    FigureStyle style;
    style.title = all;
    Selection selection;
    selection.head = 0;
    QString texts;
    const QStringList tokens = all.split(u' ');
    for (qsizetype i = 0; i < tokens.size(); i += 16) {  // so many have a label each
        const TracePtr trace = traceOf(tokens.mid(i, 16).join(u' '));
        QVERIFY(trace);
        const SvgContents svg = svgOf(*trace, selection, style);
        QVERIFY(svg.well_formed);
        texts += svg.texts.join(u' ');
    }
    for (const char* shown : {"xU+FFFEy", "xU+0001y", "xU+FDD0y", "xU+10FFFFy", "]]>", "<!--", "&#0;"})
        QVERIFY2(texts.contains(QString::fromLatin1(shown)), shown);
}

/// Signs that a font may join are elements of their own, since not every program heeds the style sheet.
void TestFigure::svgKeepsSignsApart() {
    const TracePtr trace = traceOf(QStringLiteral("-> 10x20 <a> a->b ... (x)"));
    QVERIFY(trace);
    QVERIFY(writeFigure(path("apart.svg"), *trace, {}, {}));
    const QByteArray svg = contents(path("apart.svg"));
    for (const char* text : {">-<tspan>&gt;</tspan></text>", ">10<tspan>x</tspan>20</text>", ">&lt;a&gt;</text>",
                             ">a-<tspan>&gt;</tspan>b</text>", ">.<tspan>.</tspan><tspan>.</tspan></text>",
                             ">(x)</text>", "font-variant-ligatures:none"})
        QVERIFY2(svg.contains(text), text);
    const QStringList texts = readSvg(svg).texts;
    for (const char* token : {"->", "10x20", "<a>", "a->b", "...", "(x)"})
        QVERIFY2(texts.contains(QString::fromUtf8(token)), token);
}

/// The numbers of the table at the end are where the objects begin.
void TestFigure::aPdfsTableFindsItsObjects() {
    const TracePtr trace = traceOf(kTwoLines + QStringLiteral(" 猫 שלום"), QStringLiteral("causal"));
    QVERIFY(writeFigure(path("table.pdf"), *trace, {}, {}));
    const QByteArray pdf = contents(path("table.pdf"));
    QVERIFY(!pdf.contains("Date"));
    const qsizetype table = pdf.mid(pdf.lastIndexOf("startxref\n") + 10).simplified().split(' ').first().toLongLong();
    QVERIFY2(pdf.mid(table, 7) == "xref\n0 ", pdf.mid(table, 20));
    const QList<QByteArray> entries = pdf.mid(table).split('\n');
    int found = 0;
    for (int object = 1; object + 2 < entries.size() && entries[object + 2].contains(" n"); ++object) {
        const qsizetype at = entries[object + 2].first(10).toLongLong();
        const QByteArray begin = QByteArray::number(object) + " 0 obj";
        QVERIFY2(pdf.mid(at, begin.size()) == begin, begin);
        ++found;
    }
    QVERIFY(found > 10);
}

/// Needs a font of bitmaps in colour, such as Debian's fonts-noto-color-emoji.
void TestFigure::aPdfHoldsColourEmoji() {
    if (!QFontDatabase::families().contains(QStringLiteral("Noto Color Emoji"))) QSKIP("there is no colour emoji font");
    const TracePtr trace = traceOf(QStringLiteral("a 👋 b"));
    FigureStyle style;
    Selection selection;
    selection.head = 0;
    QVERIFY(writeFigure(path("emoji.pdf"), *trace, selection, style));
    QCOMPARE(contents(path("emoji.pdf")).count("/Subtype /Image"),
             2 * 2);  // row and column, each with its transparency
    const auto done =
        outputOf(QStringLiteral("pdftoppm"), {QStringLiteral("-r"), QStringLiteral("96"), QStringLiteral("-png"),
                                              QStringLiteral("-singlefile"), path("emoji.pdf"), path("emoji")});
    if (!done) QSKIP("pdftoppm isn't installed");
    // The picture comes after the PDF: Qt's own way of drawing such a letter into a PDF would leave it blank in both.
    const QImage pdf(path("emoji.png")), png = figureImage(*trace, selection, style).value();
    const FigureLayout layout = layOut(*trace, selection, style, {true, 1});
    const Panel& panel = layout.sections.first().panels.first();
    const QRect label(static_cast<int>(panel.map.left()) - 30,
                      static_cast<int>(panel.map.top() + layout.grid.pitch_y()), 28,
                      static_cast<int>(layout.grid.pitch_y()));
    const auto colourful = [&](const QImage& image) {
        int count = 0;
        for (int y = label.top(); y <= label.bottom(); ++y)
            for (int x = label.left(); x <= label.right(); ++x) count += image.pixelColor(x, y).hsvSaturation() > 60;
        return count;
    };
    qWarning() << label << colourful(png);
    QVERIFY(colourful(png) > 30);
    QVERIFY2(std::abs(colourful(pdf) - colourful(png)) < colourful(png) / 2,
             qPrintable(QStringLiteral("%1, %2").arg(colourful(pdf)).arg(colourful(png))));
}

void TestFigure::twoRunsGiveTheSameFile() {
    const TracePtr trace = traceOf(kTwoLines + QStringLiteral(" 猫 שלום"), QStringLiteral("causal"));
    for (const char* name : {"a.svg", "a.png", "a.pdf"}) QVERIFY(writeFigure(path(name), *trace, {}, {}));
    const QByteArray zone = qgetenv("TZ");
    qputenv("TZ", "Asia/Kolkata");
    QTest::qWait(1100);  // a second later, in another time zone
    for (const char* name : {"b.svg", "b.png", "b.pdf"}) QVERIFY(writeFigure(path(name), *trace, {}, {}));
    zone.isEmpty() ? qunsetenv("TZ") : qputenv("TZ", zone);
    for (const char* ending : {"svg", "png", "pdf"}) {
        const auto file = [&](const char* name) { return contents(path(name) + QLatin1String(ending)); };
        QVERIFY2(file("a.") == file("b."), ending);
    }
}

QTEST_MAIN(TestFigure)
#include "tst_figure.moc"
