// SPDX-License-Identifier: GPL-3.0-or-later
#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>
#include <cmath>
#include <random>

#include "heads_support.h"
#include "support.h"
#include "ui/maps/heat_map.h"

using namespace headscope;

namespace {

const double kNan = std::numeric_limits<double>::quiet_NaN();

HeatMap::Content contentOf(const TracePtr& trace, const Selection& selection = {}, int head = 0) {
    return {trace, selection, head, colorScale(*trace, selection, head)};
}

/// A map on the screen.
struct Shown {
    HeatMap map;
    explicit Shown(const HeatMap::Content& content, const QSize& size = {260, 260}) {
        map.resize(size);
        map.setContent(content);
        map.show();
        (void)QTest::qWaitForWindowExposed(&map);
    }
    QImage picture() { return map.grab().toImage(); }
};

/// Every pixel of a cell; the middle one stands for a cell that is only one pixel.
std::vector<QColor> pixels(const QImage& image, const QRectF& cell) {
    std::vector<QColor> colors;
    for (int y = qRound(cell.top()); y < qRound(cell.bottom()); ++y)
        for (int x = qRound(cell.left()); x < qRound(cell.right()); ++x) colors.push_back(image.pixelColor(x, y));
    return colors;
}

bool all(const std::vector<QColor>& colors, const QColor& wanted) {
    return !colors.empty() && std::all_of(colors.begin(), colors.end(), [&](const QColor& c) { return c == wanted; });
}

bool isHatched(const std::vector<QColor>& colors) {
    int lines = 0, ground = 0;
    for (const QColor& c : colors) {
        lines += c == color(Role::Hatch, Theme::Light);
        ground += c == color(Role::Masked, Theme::Light);
    }
    return !colors.empty() && lines + ground == int(colors.size()) && ground > lines;
}

bool isCrossed(const std::vector<QColor>& colors) {
    int cross = 0, ground = 0;
    for (const QColor& c : colors) {
        cross += c == color(Role::Nan, Theme::Light);
        ground += c == color(Role::Raised, Theme::Light);
    }
    return cross > 0 && cross + ground == int(colors.size());
}

/// Pixels of the labels' area that aren't background.
int inked(const QImage& image, const QRectF& area) {
    int count = 0;
    for (const QColor& c : pixels(image, area)) count += c != color(Role::Raised, currentTheme());
    return count;
}

}  // namespace

class TestHeatMap : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        applyTheme(Theme::Light);
        QCursor::setPos(2000, 2000);  // hovers nothing
    }

    void spansCoverEveryPixelAndCell() {
        std::mt19937 random(1);
        for (int round = 0; round < 2000; ++round) {
            const auto count = std::int64_t(1 + random() % 300);
            const int width = 1 + int(random() % 300);
            double lower = -0.5, upper = double(count) - 0.5;
            if (round % 2) {  // zoomed in
                lower += double(random() % 1000) / 1000 * double(count) / 2;
                upper = std::min(upper, lower + 1 + double(random() % 1000) / 1000 * double(count) / 2);
            }
            const auto spans = spansOf(lower, upper, width, count);
            QVERIFY(!spans.empty());
            int pixel = 0;
            std::int64_t cell = spans.front().cell;
            for (const Span& span : spans) {
                QCOMPARE(span.pixel, pixel);
                QCOMPARE(span.cell, cell);
                QVERIFY(span.pixels >= 1 && span.cells >= 1 && (span.pixels == 1 || span.cells == 1));
                pixel += span.pixels;
                cell += span.cells;
            }
            QCOMPARE(pixel, width);
            if (round % 2) continue;
            QCOMPARE(spans.front().cell, 0);
            QCOMPARE(cell, count);
        }
    }

    void spansOfNothingAreNone() {
        QVERIFY(spansOf(-0.5, -0.5, 10, 3).empty());
        QVERIFY(spansOf(-0.5, 2.5, 0, 3).empty());
        QVERIFY(spansOf(-0.5, 2.5, 10, 0).empty());
        QCOMPARE(spansOf(-0.5, 0.5, 7, 1).size(), std::size_t(1));
    }

    void rasterEqualsANaiveOne_data() {
        QTest::addColumn<int>("size");
        QTest::addColumn<int>("pixels");
        QTest::addColumn<int>("reduction");
        for (const int size : {1, 2, 7, 40})
            for (const int width : {1, 5, 16, 80})
                for (const int reduction : {0, 1})
                    QTest::addRow("%d cells on %d pixels, %d", size, width, reduction) << size << width << reduction;
    }
    void rasterEqualsANaiveOne() {
        QFETCH(int, size);
        QFETCH(int, pixels);
        QFETCH(int, reduction);
        std::mt19937 random(unsigned(size * 1000 + pixels));
        std::vector<float> numbers;
        std::vector<std::uint8_t> mask;
        for (int i = 0; i < size * size; ++i) {
            numbers.push_back(random() % 20 == 0 ? float(kNan) : float(random() % 1000) / 1000);
            mask.push_back(random() % 3 != 0);
        }
        const MatrixView matrix{size, size, Tensor::Type::Float32, numbers.data(), size, mask.data()};
        const ColorScale scale{0, 1, false, Palette::Magma};
        const auto spans = spansOf(-0.5, size - 0.5, pixels, size);
        const QImage image = rasterise(matrix, scale, spans, spans, Reduction(reduction), Theme::Light);
        QCOMPARE(image.size(), QSize(pixels, pixels));
        for (const Span& row : spans)
            for (const Span& column : spans) {
                double sum = 0, largest = -1;
                int open = 0;
                bool nan = false;
                for (auto i = row.cell; i < row.cell + row.cells; ++i)
                    for (auto j = column.cell; j < column.cell + column.cells; ++j) {
                        if (matrix.masked(i, j)) continue;
                        ++open;
                        nan |= std::isnan(matrix.at(i, j));
                        sum += matrix.at(i, j);
                        largest = std::max(largest, matrix.at(i, j));
                    }
                const auto shown = ::pixels(image, QRectF(column.pixel, row.pixel, column.pixels, row.pixels));
                if (!open) {
                    for (const QColor& c : shown)
                        QVERIFY(c == color(Role::Hatch, Theme::Light) || c == color(Role::Masked, Theme::Light));
                } else if (nan) {
                    QVERIFY(isCrossed(shown));
                } else if (reduction == int(Reduction::Maximum)) {
                    QVERIFY(all(shown, QColor(scale.color(largest))));
                } else {
                    // A mean in float may fall on the other side of a step of the palette.
                    const QColor one(scale.color(sum / open - 1e-6)), other(scale.color(sum / open + 1e-6));
                    QVERIFY(all(shown, one) || all(shown, other));
                }
            }
    }

    /// Large enough for several threads, and seen from its middle on: each pixel is the largest of its own cells.
    void partOfALargeOne_data() {
        QTest::addColumn<bool>("masked");
        QTest::newRow("masked") << true;
        QTest::newRow("open") << false;
    }
    void partOfALargeOne() {
        QFETCH(bool, masked);
        constexpr int size = 1300;
        std::mt19937 random(5);
        std::vector<float> numbers(size * size);
        std::vector<std::uint8_t> mask(size * size);
        for (float& number : numbers) number = float(random() % 1000) / 1000;
        for (std::uint8_t& open : mask) open = random() % 40 == 0;
        const MatrixView matrix{size,           size, Tensor::Type::Float32,
                                numbers.data(), size, masked ? mask.data() : nullptr};
        const ColorScale scale{0, 1, false, Palette::Magma};
        const auto rows = spansOf(210.5, 1110.5, 200, size), columns = spansOf(310.5, 1210.5, 150, size);
        const QImage image = rasterise(matrix, scale, rows, columns, Reduction::Maximum, Theme::Light);
        for (const Span& row : rows)
            for (const Span& column : columns) {
                double largest = -1;
                for (auto i = row.cell; i < row.cell + row.cells; ++i)
                    for (auto j = column.cell; j < column.cell + column.cells; ++j)
                        if (!matrix.masked(i, j)) largest = std::max(largest, matrix.at(i, j));
                const QColor shown = image.pixelColor(column.pixel, row.pixel);
                if (largest >= 0)
                    QCOMPARE(shown, QColor(scale.color(largest)));
                else
                    QVERIFY(shown == color(Role::Hatch, Theme::Light) || shown == color(Role::Masked, Theme::Light));
            }
    }

    void aMaskHasNoNumbers() {
        Setting setting;
        setting.mask = "causal";
        const TracePtr trace = traceOf(setting);
        Shown shown(contentOf(trace, selectionOf(Stage::Mask)));
        const QImage picture = shown.picture();
        QVERIFY(all(pixels(picture, shown.map.cellRect(3, 2)), QColor(paletteColors(Palette::Viridis).back())));
        QVERIFY(isHatched(pixels(picture, shown.map.cellRect(2, 3))));
    }

    void colouredCellByCell_data() {
        QTest::addColumn<int>("tokens");
        QTest::addColumn<QSize>("size");
        QTest::newRow("1 token") << 1 << QSize(260, 260);
        QTest::newRow("2 tokens") << 2 << QSize(260, 260);
        QTest::newRow("6 tokens") << 6 << QSize(260, 260);
        QTest::newRow("10 tokens, wide") << 10 << QSize(500, 200);
        QTest::newRow("13 tokens, high") << 13 << QSize(150, 420);
        QTest::newRow("64 tokens") << 64 << QSize(200, 200);
        QTest::newRow("64 tokens, large") << 64 << QSize(700, 700);
        QTest::newRow("no room for labels") << 10 << QSize(48, 48);
    }
    void colouredCellByCell() {
        QFETCH(int, tokens);
        QFETCH(QSize, size);
        Setting setting;
        setting.text = manyTokens(tokens);
        setting.mask = "causal";
        const TracePtr trace = traceOf(setting);
        Shown shown(contentOf(trace, {}, 1), size);
        const QImage picture = shown.picture();
        const MatrixView weights = trace->matrix(Stage::Weights, 0, 1);
        const QRectF map = shown.map.mapRect();
        QVERIFY(QRectF(shown.map.rect()).contains(map));
        QCOMPARE(map.width(), map.height());
        for (int i = 0; i < tokens; ++i)
            for (int j = 0; j < tokens; ++j) {
                const QRectF cell = shown.map.cellRect(i, j);
                QVERIFY(!cell.isEmpty());
                QCOMPARE(shown.map.cellAt(cell.center()), (Cell{i, j, 1}));
                QCOMPARE(shown.map.cellAt(cell.topLeft()), (Cell{i, j, 1}));
                if (j <= i)
                    QVERIFY(all(pixels(picture, cell), QColor(ColorScale{}.color(weights.at(i, j)))));
                else if (cell.width() >= 8)
                    QVERIFY(isHatched(pixels(picture, cell)));
                else
                    for (const QColor& c : pixels(picture, cell))
                        QVERIFY(c == color(Role::Hatch, Theme::Light) || c == color(Role::Masked, Theme::Light));
            }
        // Border cells are whole and the cells fill the map without seams.
        QCOMPARE(shown.map.cellRect(0, 0).topLeft(), map.topLeft());
        QCOMPARE(shown.map.cellRect(tokens - 1, tokens - 1).bottomRight(), map.bottomRight());
        const double first = shown.map.cellRect(0, 0).width(), last = shown.map.cellRect(0, tokens - 1).width();
        QVERIFY(std::abs(first - last) <= 1);
    }

    void queryZeroIsOnTop() {
        const TracePtr trace = withNumbers(traceOf({}), Stage::Weights, [](int, int row, int column) {
            return row == 0 && column == 5 ? 1.0 : 0.0;  // query 0, last key
        });
        Shown shown(contentOf(trace));
        const QRectF map = shown.map.mapRect();
        QCOMPARE(at(shown.picture(), map.topRight() + QPointF(-3, 3)), QColor(paletteColors(Palette::Viridis).back()));
        QCOMPARE(at(shown.picture(), map.bottomLeft() + QPointF(3, -3)),
                 QColor(paletteColors(Palette::Viridis).front()));
    }

    void equalSizesWhereTheyCost() {
        for (int width = 150; width < 400; width += 7) {
            Shown shown(contentOf(traceOf({})), {width, width});
            QSet<int> sizes;
            for (int j = 0; j < 6; ++j) sizes.insert(qRound(shown.map.cellRect(0, j).width()));
            QCOMPARE(sizes.size(), 1);  // 6 cells of 20 pixels and more: rounding down costs less than an eighth
        }
    }

    void nanIsCrossedWithoutColour() {
        const TracePtr trace = withNumbers(
            traceOf({}), Stage::Weights, [](int, int row, int column) { return row == 1 && column == 2 ? kNan : 0.5; });
        Shown shown(contentOf(trace));
        const QImage picture = shown.picture();
        const QRectF cell = shown.map.cellRect(1, 2);
        QVERIFY(isCrossed(pixels(picture, cell)));
        QCOMPARE(at(picture, cell.topLeft()), color(Role::Nan, Theme::Light));
        QCOMPARE(at(picture, cell.bottomRight() - QPointF(1, 1)), color(Role::Nan, Theme::Light));
        QCOMPARE(at(picture, cell.topRight() + QPointF(-1, 0)), color(Role::Nan, Theme::Light));
        QVERIFY(all(pixels(picture, shown.map.cellRect(1, 1)), QColor(ColorScale{}.color(0.5))));
    }

    void aRowOfNanIsHatchedAndMarked() {
        Setting setting;
        setting.text = QStringLiteral("a b c d\ne");
        setting.mask = "padding,local:0:0";
        setting.fill = Fill::Inf;
        const TracePtr trace = traceOf(setting);
        QVERIFY(std::isnan(trace->matrix(Stage::Weights, 1, 0).at(2, 0)));
        Selection selection;
        selection.sequence = 1;
        Shown shown(contentOf(trace, selection));
        const QImage picture = shown.picture();
        for (int j = 0; j < 4; ++j) {  // hatched and crossed
            const auto colors = pixels(picture, shown.map.cellRect(2, j));
            for (const Role role : {Role::Hatch, Role::Masked, Role::Nan})
                QVERIFY(std::count(colors.begin(), colors.end(), color(role, Theme::Light)) > 3);
            QVERIFY(isHatched(pixels(picture, shown.map.cellRect(0, 1 + j % 3))));
        }
        const auto mark = [&](int row) {
            const QRectF cell = shown.map.cellRect(row, 3);
            return QPointF(cell.right() + 5, cell.center().y());
        };
        QCOMPARE(at(picture, mark(2)), color(Role::FullyMasked, Theme::Light));
        QCOMPARE(at(picture, mark(0)), color(Role::Raised, Theme::Light));
        // Marked wherever it is shown: its context too, but not its q.
        shown.map.setContent(contentOf(trace, [&] {
            auto s = selection;
            s.stage = Stage::HeadContext;
            return s;
        }()));
        const QRectF context = shown.map.cellRect(2, 15);
        QCOMPARE(at(shown.picture(), QPointF(context.right() + 5, context.center().y())),
                 color(Role::FullyMasked, Theme::Light));
        shown.map.setContent(contentOf(trace, [&] {
            auto s = selection;
            s.stage = Stage::Q;
            return s;
        }()));
        const QRectF query = shown.map.cellRect(2, 15);
        QCOMPARE(at(shown.picture(), QPointF(query.right() + 5, query.center().y())),
                 color(Role::Raised, Theme::Light));
    }

    void whatLeakedThroughTheMaskIsSeen() {
        Setting setting;
        setting.text = QStringLiteral("a b c d\ne");
        setting.mask = "padding,local:0:0";
        setting.fill = Fill::MinusBillion;
        Selection selection;
        selection.sequence = 1;
        const TracePtr trace = traceOf(setting);
        Shown shown(contentOf(trace, selection));
        const auto leaked = pixels(shown.picture(), shown.map.cellRect(2, 1));
        const auto count = [&](const QColor& c) { return std::count(leaked.begin(), leaked.end(), c); };
        QVERIFY(count(QColor(ColorScale{}.color(0.25))) > qsizetype(leaked.size() / 5));  // uniform over 4 keys
        QVERIFY(count(color(Role::Masked, Theme::Light)) + count(color(Role::Hatch, Theme::Light)) >
                qsizetype(leaked.size() / 2));
        // What lies under the mask in the scores is no leak.
        selection.stage = Stage::Masked;
        shown.map.setContent(contentOf(trace, selection));
        QVERIFY(isHatched(pixels(shown.picture(), shown.map.cellRect(2, 1))));
    }

    void aUniformHeadIsTheMiddleColour() {
        const TracePtr trace =
            withNumbers(traceOf({}), Stage::Weights, [](int head, int, int) { return head ? 1. / 6 : 1; });
        Shown shown(contentOf(trace, selectionOf(Stage::Weights, Range::Head), 0));
        shown.map.setContent(contentOf(trace, selectionOf(Stage::Weights, Range::Head), 1));
        const QColor middle(paletteColors(Palette::Viridis)[128]);
        QVERIFY(all(pixels(shown.picture(), shown.map.mapRect()), middle));
    }

    void reducedByTheLargest() {
        Setting setting;
        setting.text = manyTokens(700);
        const TracePtr trace = withNumbers(traceOf(setting), Stage::Weights, [](int, int row, int column) {
            return row == 300 && column == 411 ? 1.0 : 0.001;
        });
        Shown shown(contentOf(trace), {220, 220});
        const QImage picture = shown.picture();
        int bright = 0;
        for (const QColor& c : pixels(picture, shown.map.mapRect()))
            bright += c == QColor(paletteColors(Palette::Viridis).back());
        QCOMPARE(bright, 1);
        const QRectF cell = shown.map.cellRect(300, 411);
        QCOMPARE(cell.size(), QSizeF(1, 1));
        QCOMPARE(at(picture, cell.topLeft()), QColor(paletteColors(Palette::Viridis).back()));
        QCOMPARE(shown.map.cellAt(cell.center()), (Cell{300, 411, 0}));  // the one that is drawn can be pointed at
        QVERIFY(shown.map.note().contains(QStringLiteral("largest of up to 5×5 cells")) ||
                shown.map.note().contains(QStringLiteral("largest of up to 4×4 cells")));
        shown.map.setContent(contentOf(trace, selectionOf(Stage::Scores)));
        QVERIFY(shown.map.note().contains(QStringLiteral("mean of")));
    }

    void labelsThinOutAndSayHow() {
        Setting setting;
        setting.text = manyTokens(60);
        Shown shown(contentOf(traceOf(setting)), {220, 220});
        const QRegularExpression one_in(QStringLiteral("labels: 1 in (\\d+)"));
        const auto match = one_in.match(shown.map.note());
        QVERIFY(match.hasMatch());
        const int step = match.captured(1).toInt();
        QVERIFY(step > 1);
        const QImage picture = shown.picture();
        // Beside every step-th row there is ink, and rows of blank between are seen.
        const double left = shown.map.mapRect().left();
        int blank_rows = 0;
        for (int i = 0; i < 60; i += step) {
            const QRectF cell = shown.map.cellRect(i, 0);
            QVERIFY(inked(picture, QRectF(0, cell.center().y() - 3, left - 2, 6)) > 5);
        }
        for (int y = int(shown.map.mapRect().top()); y < int(shown.map.mapRect().bottom()); ++y)
            blank_rows += inked(picture, QRectF(0, y, left - 2, 1)) == 0;
        QVERIFY(blank_rows > 60 / step);
        shown.map.resize(1100, 1100);
        QVERIFY(shown.map.note().isEmpty());
        shown.map.resize(60, 60);
        QVERIFY(shown.map.note().startsWith(QStringLiteral("labels: enlarge a head")));
        QVERIFY(shown.map.mapRect().width() > 45);  // all the room is for the cells
    }

    /// Where something else says it, the corner stays free.
    void theNoteCanBeLeftToOthers() {
        Setting setting;
        setting.text = QStringLiteral("the cat sat on the mat because it was tired");
        Shown shown(contentOf(traceOf(setting)));
        int drawn = 0;
        for (int size = 120; size <= 400; size += 20) {
            shown.map.resize(size, size);
            const QImage with = shown.picture();
            shown.map.setNoteDrawn(false);
            const QImage without = shown.picture();
            shown.map.setNoteDrawn(true);
            QCOMPARE(shown.picture(), with);
            if (shown.map.note().isEmpty()) QCOMPARE(without, with);
            drawn += without != with;
        }
        QVERIFY(drawn > 0);
    }

    void longTokensLeaveRoom() {
        for (const QString& text :
             {QString(100000, u'w'),
              QString::fromUtf8(
                  "שלום العربية "
                  "👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍"
                  "👦"),
              QStringLiteral("<b>bold</b> &amp; %1")}) {
            Setting setting;
            setting.text = text;
            Shown shown(contentOf(traceOf(setting)), {200, 200});
            QVERIFY(shown.map.mapRect().width() >= 100);
            QVERIFY(QRectF(shown.map.rect()).contains(shown.map.mapRect()));
        }
    }

    void paddingIsGreyed() {
        Setting setting;
        setting.text = QStringLiteral("[PAD] [PAD] [PAD] mmmmm");
        Shown shown(contentOf(traceOf(setting)));
        const QImage picture = shown.picture();
        const auto darkest = [&](int row) {
            double least = 1;
            const QRectF cell = shown.map.cellRect(row, 0);
            for (const QColor& c : pixels(picture, QRectF(0, cell.top() + 1, cell.left() - 2, cell.height() - 2)))
                least = std::min(least, luminance(c));
            return least;
        };
        QVERIFY(darkest(3) < luminance(color(Role::Text, Theme::Light)) + 0.05);
        QVERIFY(darkest(0) > luminance(color(Role::Muted, Theme::Light)) - 0.02);
    }

    void aMatrixOfDimensionsFillsItsRoom() {
        const TracePtr trace = traceOf({});
        Shown shown(contentOf(trace, selectionOf(Stage::Q)), {420, 260});
        const QImage picture = shown.picture();
        const MatrixView q = trace->matrix(Stage::Q, 0, 0);
        const ColorScale scale = colorScale(*trace, selectionOf(Stage::Q), 0);
        for (int i = 0; i < 6; ++i)
            for (int j = 0; j < 16; ++j)
                QVERIFY(all(pixels(picture, shown.map.cellRect(i, j)), QColor(scale.color(q.at(i, j)))));
        QVERIFY(shown.map.mapRect().width() > 300);
        // One number a token: not a tower.
        Setting narrow;
        narrow.num_heads = 32;
        Shown one(contentOf(traceOf(narrow), selectionOf(Stage::Q)), {420, 260});
        QVERIFY(one.map.mapRect().width() <= 3 * one.map.cellRect(0, 0).height());
    }

    void hoverAndClickSayWhichCell() {
        Shown shown(contentOf(traceOf({}), {}, 1));
        QSignalSpy hovered(&shown.map, &HeatMap::hovered), clicked(&shown.map, &HeatMap::clicked);
        QTest::mouseMove(&shown.map, shown.map.cellRect(4, 2).center().toPoint());
        QVERIFY(!hovered.isEmpty());
        QCOMPARE(hovered.last().at(0).value<std::optional<Cell>>(), (Cell{4, 2, 1}));
        QTest::mouseMove(&shown.map, QPoint(1, 1));  // the corner between the labels
        QCOMPARE(hovered.last().at(0).value<std::optional<Cell>>(), std::optional<Cell>());
        QTest::mouseClick(&shown.map, Qt::LeftButton, {}, shown.map.cellRect(0, 5).center().toPoint());
        QCOMPARE(clicked.size(), 1);
        QCOMPARE(clicked.last().at(0).value<Cell>(), (Cell{0, 5, 1}));
        QTest::mouseClick(&shown.map, Qt::RightButton, {}, shown.map.cellRect(0, 5).center().toPoint());
        QTest::mouseClick(&shown.map, Qt::LeftButton, {}, QPoint(1, 1));
        QCOMPARE(clicked.size(), 1);
        QSignalSpy twice(&shown.map, &HeatMap::doubleClicked);
        QTest::mouseClick(&shown.map, Qt::LeftButton, {}, shown.map.cellRect(2, 2).center().toPoint());
        QTest::mouseDClick(&shown.map, Qt::LeftButton, {}, shown.map.cellRect(2, 2).center().toPoint());
        QCOMPARE(twice.size(), 1);
        QCOMPARE(clicked.size(), 2);  // the first click of two still locks; the second does nothing more
    }

    void theCrosshairFramesRowAndColumn() {
        Shown shown(contentOf(traceOf({})));
        const QImage before = shown.picture();
        shown.map.setCrosshair(std::nullopt, Cell{3, 1, 0});
        const QImage after = shown.picture();
        const QRectF cell = shown.map.cellRect(3, 1), map = shown.map.mapRect();
        const QColor frame = color(Role::Crosshair, Theme::Light);
        QCOMPARE(at(after, {map.right() - 10, cell.top() - 1}), frame);
        QCOMPARE(at(after, {map.right() - 10, cell.bottom()}), frame);
        QCOMPARE(at(after, {cell.left() - 1, map.top() + 5}), frame);
        QCOMPARE(at(after, {cell.right(), map.bottom() - 5}), frame);
        QCOMPARE(at(after, cell.center()), at(before, cell.center()));
        // Bold labels have more ink.
        const QRectF label(0, cell.top() + 1, map.left() - 4, cell.height() - 2);
        QVERIFY(inked(after, label) > inked(before, label));
        shown.map.setCrosshair(std::nullopt, std::nullopt);
        QCOMPARE(shown.picture(), before);
    }

    void onlyWhatChangedIsPainted() {
        Setting setting;
        const TracePtr trace = traceOf(setting);
        Shown shown(contentOf(trace));
        PaintCounter painted;
        painted.watch(&shown.map);
        painted.take();
        shown.map.setContent(contentOf(trace));
        QCOMPARE(painted.take(), 0);
        Selection other;
        other.locked = Cell{1, 1, 0};
        other.head = 0;
        shown.map.setContent(contentOf(trace, other));
        QCOMPARE(painted.take(), 0);
        shown.map.setCrosshair(Cell{1, 1, 0}, std::nullopt);
        QCOMPARE(painted.take(), 1);
        shown.map.setCrosshair(Cell{1, 1, 0}, std::nullopt);
        QCOMPARE(painted.take(), 0);
        shown.map.setCrosshair(std::nullopt, std::nullopt);
        QCOMPARE(painted.take(), 1);
        setting.mask = "causal";
        const TracePtr causal = traceOf(setting, trace);
        shown.map.setContent(contentOf(causal));
        QCOMPARE(painted.take(), 1);
        QVERIFY(isHatched(pixels(shown.picture(), shown.map.cellRect(0, 4))));
    }

    void aNewPictureReplacesTheOld() {
        Setting setting;
        Shown shown(contentOf(traceOf(setting)));
        for (const int tokens : {1, 9, 3, 64, 6}) {
            setting.text = manyTokens(tokens);
            const TracePtr trace = traceOf(setting);
            shown.map.setContent(contentOf(trace));
            const QImage picture = shown.picture();
            const MatrixView weights = trace->matrix(Stage::Weights, 0, 0);
            for (int i = 0; i < tokens; ++i)
                QVERIFY(all(pixels(picture, shown.map.cellRect(i, tokens - 1)),
                            QColor(ColorScale{}.color(weights.at(i, tokens - 1)))));
        }
        const TracePtr last = traceOf(setting);
        shown.map.setContent({});
        QVERIFY(!shown.map.cellAt({100, 100}));
        QVERIFY(all(pixels(shown.picture(), QRectF(0, 0, 260, 260)), color(Role::Raised, Theme::Light)));
        shown.map.resize(500, 500);  // while it showed nothing
        shown.map.setContent(contentOf(last));
        QVERIFY(shown.map.mapRect().width() > 350);
    }

    void numbersInCellsWhenEnlarged() {
        const TracePtr trace =
            withNumbers(traceOf({}), Stage::Weights, [](int, int row, int) { return row == 1 ? 0.99 : 0.01; });
        Shown shown(contentOf(trace), {420, 420});
        QVERIFY(all(pixels(shown.picture(), shown.map.cellRect(2, 2)), QColor(ColorScale{}.color(0.01))));
        shown.map.setDetailed(true);
        const QImage picture = shown.picture();
        const auto extreme = [&](int row, bool brightest) {
            double found = brightest ? 0 : 1;
            for (const QColor& c : pixels(picture, shown.map.cellRect(row, 2)))
                found = brightest ? std::max(found, luminance(c)) : std::min(found, luminance(c));
            return found;
        };
        QVERIFY(extreme(2, true) > 0.4);   // white on the dark end; thin strokes are never quite white
        QVERIFY(extreme(1, false) < 0.2);  // black on the bright end
        shown.map.resize(120, 120);        // no room: no numbers
        QVERIFY(all(pixels(shown.picture(), shown.map.cellRect(2, 2)), QColor(ColorScale{}.color(0.01))));
    }

    void zoomsAndPansWithinTheMatrix() {
        Setting setting;
        setting.text = manyTokens(40);
        const TracePtr trace = traceOf(setting);
        Shown shown(contentOf(trace), {400, 400});
        const auto wheel = [&](const QPointF& place, int steps) {
            QWheelEvent event(place, shown.map.mapToGlobal(place), {}, {0, 120 * steps}, Qt::NoButton, Qt::NoModifier,
                              Qt::NoScrollPhase, false);
            QCoreApplication::sendEvent(&shown.map, &event);
        };
        wheel(shown.map.mapRect().center(), 5);
        QVERIFY(!shown.map.isZoomed());  // the wheel scrolls the grid
        shown.map.setDetailed(true);
        const QPointF place = shown.map.cellRect(10, 30).center();
        wheel(place, 4);
        QVERIFY(shown.map.isZoomed());
        QCOMPARE(shown.map.cellAt(place), (Cell{10, 30, 0}));
        QVERIFY(shown.map.cellRect(0, 0).isEmpty());
        const MatrixView weights = trace->matrix(Stage::Weights, 0, 0);
        const QRectF cell = shown.map.cellRect(10, 30);
        QCOMPARE(at(shown.picture(), cell.topLeft() + QPointF(1, 1)), QColor(ColorScale{}.color(weights.at(10, 30))));

        QSignalSpy clicked(&shown.map, &HeatMap::clicked);
        QTest::mousePress(&shown.map, Qt::LeftButton, {}, place.toPoint());
        QTest::mouseMove(&shown.map, place.toPoint() + QPoint(150, 150));
        QTest::mouseMove(&shown.map, place.toPoint() + QPoint(1500, 1500));
        QTest::mouseRelease(&shown.map, Qt::LeftButton, {}, place.toPoint() + QPoint(1500, 1500));
        QVERIFY(clicked.isEmpty());                    // dragging locks nothing
        QVERIFY(!shown.map.cellRect(0, 0).isEmpty());  // as far as it goes, and no further
        QCOMPARE(shown.map.cellRect(0, 0).topLeft(), shown.map.mapRect().topLeft());

        wheel(shown.map.mapRect().center(), 100);
        const Cell middle = shown.map.cellAt(shown.map.mapRect().center()).value_or(Cell{});
        QCOMPARE(shown.map.cellRect(middle.query, middle.key).width(), shown.map.mapRect().width() / 4);
        wheel(shown.map.mapRect().center(), -100);
        QVERIFY(!shown.map.isZoomed());
        QCOMPARE(shown.map.cellRect(39, 39).bottomRight(), shown.map.mapRect().bottomRight());
    }

    void followsTheTheme() {
        Shown shown(contentOf(traceOf({})));
        applyTheme(Theme::Dark);
        QCoreApplication::processEvents();
        QCOMPARE(at(shown.picture(), {1, 1}), color(Role::Raised, Theme::Dark));
        applyTheme(Theme::Light);
        QCoreApplication::processEvents();
        QCOMPARE(at(shown.picture(), {1, 1}), color(Role::Raised, Theme::Light));
    }
};

Q_DECLARE_METATYPE(std::optional<headscope::Cell>)
QTEST_MAIN(TestHeatMap)
#include "tst_heat_map.moc"
