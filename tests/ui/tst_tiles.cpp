// SPDX-License-Identifier: GPL-3.0-or-later
// Maps of matrices that the trace does not keep: their tiles against the kept numbers.
#include <QSignalSpy>
#include <QTest>
#include <cmath>
#include <random>

#include "core/recordings.h"
#include "heads_support.h"
#include "support.h"
#include "ui/export/triptych.h"
#include "ui/maps/heat_map.h"
#include "ui/pages/compare/compared_maps.h"

using namespace headscope;

namespace {

/// The same computation twice: with the numbers kept, and without.
struct Pair {
    TracePtr kept, lean;
    explicit Pair(const Setting& setting) : kept(traceOf(setting)) {
        Request request = kept->request;
        request.kept_bytes = 0;
        lean = testing::traced(request, nullptr);
    }
};

Setting settingOf(int tokens, const std::string& mask, Fill fill = Fill::Safe) {
    Setting setting;
    setting.text = manyTokens(tokens);
    setting.mask = mask;
    setting.fill = fill;
    return setting;
}

/// The reduction of a rectangle of the kept numbers, cell by cell; nothing if all cells are masked.
std::optional<double> naive(const MatrixView& matrix, bool maximum, std::int64_t i0, std::int64_t i1, std::int64_t j0,
                            std::int64_t j1) {
    double largest = -INFINITY, sum = 0;
    int allowed = 0;
    for (std::int64_t i = i0; i < i1; ++i)
        for (std::int64_t j = j0; j < j1; ++j) {
            if (matrix.masked(i, j)) continue;
            largest = std::max(largest, matrix.at(i, j));
            sum += matrix.at(i, j);
            ++allowed;
        }
    if (allowed == 0) return std::nullopt;
    return maximum ? largest : sum / allowed;
}

QString differs(const MapTile& tile, const TilePlace& place, const MatrixView& matrix, bool maximum) {
    const std::int64_t side = std::int64_t{1} << place.level;
    for (std::int64_t r = 0; r < tile.rows; ++r)
        for (std::int64_t c = 0; c < tile.columns; ++c) {
            const std::int64_t i = (place.row * kTileBlocks + r) * side, j = (place.column * kTileBlocks + c) * side;
            const auto wanted =
                naive(matrix, maximum, i, std::min(matrix.rows, i + side), j, std::min(matrix.columns, j + side));
            const auto at = static_cast<std::size_t>(r * tile.columns + c);
            const bool same =
                wanted ? tile.allowed[at] && std::abs(double(tile.values[at]) - *wanted) < 1e-5 : !tile.allowed[at];
            if (!same) return QStringLiteral("level %1, block %2, %3").arg(place.level).arg(r).arg(c);
        }
    return {};
}

HeatMap::Content contentOf(const TracePtr& trace, const Selection& selection = {}, int head = 0) {
    return {trace, selection, head, colorScale(*trace, selection, head)};
}

/// Paints the map, which then wants its tiles, and waits for them.
bool complete(HeatMap& map) {
    (void)map.grab();
    const bool exact = QTest::qWaitFor([] { return TileStore::shared()->progress().complete(); }, 20000);
    handleEvents();  // the map hears of the last tiles
    return exact;
}

}  // namespace

class TestTiles : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        applyTheme(Theme::Light);
        QCursor::setPos(2000, 2000);  // hovers nothing
    }

    void exactTilesAreTheKeptNumbers_data() {
        QTest::addColumn<QString>("mask");
        QTest::addColumn<int>("stage");
        for (const char* mask : {"none", "causal", "causal,local:5:0+global:2", "padding,random:3:7"})
            for (const Stage stage : {Stage::Weights, Stage::Scores, Stage::Masked, Stage::Mask})
                QTest::addRow("%s %s", mask, to_string(stage).data()) << QString::fromLatin1(mask) << int(stage);
    }
    void exactTilesAreTheKeptNumbers() {
        QFETCH(QString, mask);
        QFETCH(int, stage);
        const Pair pair(settingOf(201, mask.toStdString()));
        const Selection selection = selectionOf(Stage(stage));
        QVERIFY(needsTiles(*pair.lean, Stage(stage), 0, 1));
        QVERIFY(!needsTiles(*pair.kept, Stage(stage), 0, 1));
        const MatrixView kept = shownMatrix(*pair.kept, selection, 1);
        const bool maximum = reductionOf(isSigned(Stage(stage))) == Reduction::Maximum;
        const TileSource source{pair.lean, Stage(stage), 0, 1, reductionOf(isSigned(Stage(stage)))};
        for (int level = 0; level < 9; ++level) {
            const std::int64_t tiles = tilesOf(blocksOf(201, level));
            for (std::int64_t row = 0; row < tiles; ++row)
                for (std::int64_t column = 0; column < tiles; ++column) {
                    const TilePlace place{level, row, column};
                    const auto tile = exactTile(source, place, nullptr);
                    QVERIFY(tile);
                    QVERIFY2(differs(*tile, place, kept, maximum).isEmpty(),
                             qPrintable(differs(*tile, place, kept, maximum)));
                    if (!maximum || level == 0) continue;
                    std::array<MapTilePtr, 4> parts;
                    for (const int n : {0, 1, 2, 3}) {
                        const TilePlace part{level - 1, 2 * row + n / 2, 2 * column + n % 2};
                        if (std::max(part.row, part.column) >= tilesOf(blocksOf(201, level - 1))) continue;
                        parts[std::size_t(n)] = std::make_shared<MapTile>(*exactTile(source, part, nullptr));
                    }
                    QVERIFY(differs(combinedTile(source, place, parts), place, kept, maximum).isEmpty());
                }
        }
    }

    void differencesAreThoseOfTheKeptNumbers() {
        const Pair a(settingOf(150, "causal")), b(settingOf(150, "causal,local:9:0"));
        const TileSource source{a.lean, Stage::Weights, 0, 1, Reduction::Mean, b.lean};
        const MatrixView in_a = a.kept->matrix(Stage::Weights, 0, 1), in_b = b.kept->matrix(Stage::Weights, 0, 1);
        for (const TilePlace& place : {TilePlace{0, 1, 1}, TilePlace{0, 2, 0}, TilePlace{2, 0, 0}}) {
            const auto tile = exactTile(source, place, nullptr);
            QVERIFY(tile);
            const std::int64_t side = std::int64_t{1} << place.level;
            for (std::int64_t r = 0; r < tile->rows; ++r)
                for (std::int64_t c = 0; c < tile->columns; ++c) {
                    double sum = 0;
                    int allowed = 0;
                    const std::int64_t i0 = (place.row * kTileBlocks + r) * side;
                    const std::int64_t j0 = (place.column * kTileBlocks + c) * side;
                    for (std::int64_t i = i0; i < std::min<std::int64_t>(150, i0 + side); ++i)
                        for (std::int64_t j = j0; j < std::min<std::int64_t>(150, j0 + side); ++j) {
                            if (in_a.masked(i, j) && in_b.masked(i, j)) continue;
                            sum += in_a.at(i, j) - in_b.at(i, j);
                            ++allowed;
                        }
                    const auto at = std::size_t(r * tile->columns + c);
                    QCOMPARE(tile->allowed[at] != 0, allowed > 0);
                    if (allowed > 0) QVERIFY(std::abs(double(tile->values[at]) - sum / allowed) < 1e-5);
                }
        }
    }

    void samplesAreCellsOfTheMatrix() {
        const Pair pair(settingOf(300, "causal"));
        const TileSource source{pair.lean, Stage::Weights, 0, 0, Reduction::Maximum};
        const auto tiles = sampledTiles(source, {1, 1, 0}, 3, 4);
        QCOMPARE(tiles.size(), std::size_t(3));
        QCOMPARE(tiles[2].columns, 150 - 128);
        const MatrixView kept = pair.kept->matrix(Stage::Weights, 0, 0);
        for (const auto& [n, r, c] : {std::tuple(0, 0, 0), std::tuple(1, 17, 40), std::tuple(2, 63, 21)}) {
            const MapTile& tile = tiles[std::size_t(n)];
            const auto at = std::size_t(r * tile.columns + c);
            bool found = false;  // within the four blocks that the sample stands for
            for (std::int64_t i = (64 + r / 4 * 4) * 2; i < (64 + r / 4 * 4 + 4) * 2; ++i)
                for (std::int64_t j = (n * 64 + c / 4 * 4) * 2; j < std::min(300, (n * 64 + c / 4 * 4 + 4) * 2); ++j)
                    found = found || (i < 300 && kept.masked(i, j) == !tile.allowed[at] &&
                                      std::abs(kept.at(i, j) - double(tile.values[at])) < 1e-6);
            QVERIFY(found && !tile.exact);
        }
    }

    void levelsCoverEachPixel() {
        QCOMPARE(levelOf(0.3, Reduction::Maximum), 0);
        QCOMPARE(levelOf(1.9, Reduction::Maximum), 0);
        QCOMPARE(levelOf(65.5, Reduction::Maximum), 6);
        QCOMPARE(levelOf(65.5, Reduction::Mean), 7);
        QCOMPARE(levelOf(64, Reduction::Mean), 6);
    }

    /// The picture is that of the kept numbers: each pixel has the colour of the largest cell of its span.
    void aMapIsThatOfTheKeptNumbers_data() {
        QTest::addColumn<int>("tokens");
        QTest::addColumn<int>("stage");
        for (const int tokens : {1, 7, 130, 700, 1100})
            for (const Stage stage : {Stage::Weights, Stage::Masked, Stage::Mask})
                QTest::addRow("%d %s", tokens, to_string(stage).data()) << tokens << int(stage);
    }
    void aMapIsThatOfTheKeptNumbers() {
        QFETCH(int, tokens);
        QFETCH(int, stage);
        const Pair pair(settingOf(tokens, "causal,local:40:0+global:1"));
        const Selection selection = selectionOf(Stage(stage));
        HeatMap map;
        map.resize(260, 260);
        const ColorScale scale = colorScale(*pair.kept, selection, 0);
        map.setContent({pair.lean, selection, 0, scale});
        map.show();
        QVERIFY(QTest::qWaitForWindowExposed(&map));
        QVERIFY(complete(map));
        const QImage image = map.grab().toImage();
        const MatrixView kept = shownMatrix(*pair.kept, selection, 0);
        const bool maximum = reductionOf(isSigned(Stage(stage))) == Reduction::Maximum;
        int checked = 0;
        for (int query = 0; query < tokens; query += std::max(1, tokens / 23))
            for (int key = 0; key < tokens; key += std::max(1, tokens / 29)) {
                const QRectF place = map.cellRect(query, key);
                QVERIFY(!place.isEmpty());
                // The cells of the same pixel lie next to each other.
                const auto edge = [&](int cell, bool down, int step) {
                    while (cell >= 0 && cell < tokens &&
                           (down ? map.cellRect(cell, key) : map.cellRect(query, cell)) == place)
                        cell += step;
                    return cell;
                };
                const auto wanted = naive(kept, maximum, edge(query, true, -1) + 1, edge(query, true, 1),
                                          edge(key, false, -1) + 1, edge(key, false, 1));
                const QColor drawn = at(image, place.center() - QPointF(0.5, 0.5));
                if (!wanted) {
                    QVERIFY(drawn == color(Role::Hatch, Theme::Light) || drawn == color(Role::Masked, Theme::Light));
                } else {
                    const auto near = [&](double difference) {
                        return drawn == QColor::fromRgb(scale.color(*wanted + difference));
                    };
                    QVERIFY(near(0) || near(1e-5) || near(-1e-5));
                }
                ++checked;
            }
        QVERIFY(checked > 0);
    }

    void aNewTraceNeverShowsOldTiles() {
        const Setting setting = settingOf(900, "none");
        const Pair none(setting), causal(settingOf(900, "causal"));
        HeatMap map, fresh;
        for (HeatMap* each : {&map, &fresh}) each->resize(200, 200);
        map.setContent(contentOf(none.lean));
        map.show();
        QVERIFY(QTest::qWaitForWindowExposed(&map));
        QVERIFY(complete(map));
        map.setContent(contentOf(causal.lean));
        // At once: hatched above the diagonal, and not a colour of the old tiles.
        const QImage first = map.grab().toImage();
        const QColor corner = at(first, map.cellRect(10, 880).center());
        QVERIFY(corner == color(Role::Hatch, Theme::Light) || corner == color(Role::Masked, Theme::Light));
        QVERIFY(complete(map));
        fresh.setContent(contentOf(causal.lean));
        fresh.show();
        QVERIFY(QTest::qWaitForWindowExposed(&fresh));
        QVERIFY(complete(fresh));
        QCOMPARE(map.grab().toImage(), fresh.grab().toImage());
    }

    /// A map that was hidden asks for its tiles again.
    void aMapShownAgainBecomesExact() {
        const Pair pair(settingOf(900, "causal"));
        HeatMap map;
        map.resize(200, 200);
        map.setContent(contentOf(pair.lean));
        map.show();
        QVERIFY(QTest::qWaitForWindowExposed(&map));
        (void)map.grab();
        map.hide();
        map.show();
        handleEvents();
        const auto store = TileStore::shared();
        QTRY_VERIFY(store->progress().visible > 0);
        QVERIFY(complete(map));
    }

    /// While the pass runs, a map of weights is a sample, and a click finds the cell that is drawn.
    void aPreviewIsOnlySampled() {
        Request request = traceOf(settingOf(1500, "causal"))->request;
        request.kept_bytes = 0;
        TracePtr preview;
        const auto complete_trace =
            compute(request, nullptr, nullptr, {[&](const TracePtr& early) { preview = early; }, nullptr});
        QVERIFY(complete_trace && preview);
        HeatMap map;
        map.resize(220, 220);
        map.setContent(contentOf(preview));
        map.show();
        QVERIFY(QTest::qWaitForWindowExposed(&map));
        (void)map.grab();
        const auto store = TileStore::shared();
        QTRY_VERIFY(store->progress().visible > 0);
        QTest::qWait(50);
        QCOMPARE(store->progress().exact, 0);
        const auto cell = map.cellAt(map.mapRect().center() - QPointF(40, -20));
        QVERIFY(cell);
        QCOMPARE(cell->query % 8, 3);  // the queries that a preview of 1500 tokens knows
        map.setContent(contentOf(*complete_trace));
        QVERIFY(complete(map));
    }

    /// Each map asks for its own tiles of a matrix that both show.
    void severalMapsShowOneMatrix() {
        const Pair pair(settingOf(900, "causal"));
        HeatMap small, large;
        small.resize(120, 120);
        large.resize(500, 500);
        for (HeatMap* map : {&small, &large}) {
            map->setContent(contentOf(pair.lean));
            map->show();
            QVERIFY(QTest::qWaitForWindowExposed(map));
            (void)map->grab();
        }
        QVERIFY(small.tiles() == large.tiles());
        QVERIFY(small.tiles()->shown(&small)->level != large.tiles()->shown(&large)->level);
        QVERIFY(complete(small) && complete(large));
        QVERIFY(small.tiles()->progress(&small).complete() && large.tiles()->progress(&large).visible > 1);
        large.hide();
        QVERIFY(!small.tiles()->shown(&large) && small.tiles()->shown(&small));
        QCOMPARE(TileStore::shared()->progress().visible, small.tiles()->progress(&small).visible);
    }

    /// A click in a strip puts the middle of the part in sight there; a drag moves it on. Neither locks a cell.
    void theOverviewMovesTheView() {
        const Pair pair(settingOf(900, "none"));
        HeatMap map;
        map.resize(400, 400);
        map.setDetailed(true);
        map.setContent(contentOf(pair.lean));
        map.show();
        QVERIFY(QTest::qWaitForWindowExposed(&map));
        QVERIFY(map.overviewRect(Qt::Horizontal).isEmpty());
        const QPointF middle = map.mapRect().center();
        QWheelEvent wheel(middle, map.mapToGlobal(middle), {}, {0, 960}, Qt::NoButton, Qt::NoModifier,
                          Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(&map, &wheel);
        QSignalSpy clicked(&map, &HeatMap::clicked);
        const auto at = [&](Qt::Orientation direction, double share) {
            const QRectF strip = map.overviewRect(direction);
            return (direction == Qt::Horizontal ? QPointF(strip.left() + share * strip.width(), strip.center().y())
                                                : QPointF(strip.center().x(), strip.top() + share * strip.height()))
                .toPoint();
        };
        const auto center = [&](Qt::Orientation direction) {
            return (direction == Qt::Horizontal ? map.xAxis : map.yAxis)->range().center();
        };
        for (const auto direction : {Qt::Horizontal, Qt::Vertical}) {
            const auto other = direction == Qt::Horizontal ? Qt::Vertical : Qt::Horizontal;
            const double before = center(other);
            QTest::mousePress(&map, Qt::LeftButton, {}, at(direction, 0.3));
            QVERIFY(std::abs(center(direction) - 270) < 6);
            QTest::mouseMove(&map, at(direction, 0.7));
            QVERIFY(std::abs(center(direction) - 630) < 6);
            QTest::mouseRelease(&map, Qt::LeftButton, {}, at(direction, 0.7));
            QTest::mouseMove(&map, at(direction, 0.5));
            QVERIFY(std::abs(center(direction) - 630) < 6);
            QCOMPARE(center(other), before);
        }
        QCOMPARE(clicked.count(), 0);
    }

    void anExportedDifferenceIsThatOfTheKeptNumbers() {
        const Pair none(settingOf(300, "none")), window(settingOf(300, "causal,local:40:0"));
        Selection selection;
        selection.head = 1;
        const ComparedMaps kept = compareMaps(*none.kept, *window.kept, selection, 1);
        QVERIFY(kept.difference && !kept.tiled);
        FigureStyle style;
        style.size = {900, 400};
        const auto picture = [&](const Pair& a, const Pair& b, bool computes) {
            const Triptych triptych{.a = computes ? a.lean : a.kept,
                                    .b = computes ? b.lean : b.kept,
                                    .selection = selection,
                                    .scale = kept.scale,
                                    .difference = computes ? nullptr : kept.difference,
                                    .computes_difference = computes,
                                    .difference_scale = kept.difference_scale,
                                    .difference_name = QStringLiteral("A − B"),
                                    .remarks = {QStringLiteral("a remark")}};
            return *drawingImage([&](QPainter& painter) { drawTriptych(painter, triptych, style); }, style);
        };
        const QImage wanted = picture(none, window, false), computed = picture(none, window, true);
        int differing = 0;  // by more than one entry of a palette, to which numbers may be rounded
        for (int y = 0; y < wanted.height(); ++y)
            for (int x = 0; x < wanted.width(); ++x) {
                const QRgb a = wanted.pixel(x, y), b = computed.pixel(x, y);
                differing += std::abs(qRed(a) - qRed(b)) > 4 || std::abs(qGreen(a) - qGreen(b)) > 4 ||
                             std::abs(qBlue(a) - qBlue(b)) > 4;
            }
        QCOMPARE(differing, 0);
        QVERIFY(picture(window, none, true) != computed);
    }

    /// Another layer of a recording has other numbers, although nothing else differs.
    void layersOfARecordingShareNoTiles() {
        Scratch scratch;
        const Tensor numbers = testing::random_attention({2, 1, 300, 300});
        Request request;
        request.source = WeightSource::Recording;
        request.recording = *Recording::open(scratch.write("r", encode_safetensors(testing::recording_file(numbers))));
        request.num_heads = request.embed_dim = 1;
        request.batch = request.recording->batch();
        request.precision = Precision::Float64;
        request.kept_bytes = 0;
        const TracePtr first = testing::traced(request, nullptr);
        request.recorded_layer = 1;
        const TracePtr second = testing::traced(request, first);
        const TileSource of_first{first, Stage::Weights, 0, 0, Reduction::Maximum};
        const TileSource of_second{second, Stage::Weights, 0, 0, Reduction::Maximum};
        QVERIFY(!(of_first == of_second) && !of_first.isRelated(of_second));
        const auto store = TileStore::shared();
        QVERIFY(store->matrix(of_first) != store->matrix(of_second));
    }

    /// What no longer belongs to a shown computation is freed; another head of a shown one is kept.
    void theStoreKeepsWhatIsShown() {
        const auto store = TileStore::shared();
        const std::size_t before = store->bytes();
        const Pair none(settingOf(500, "none")), causal(settingOf(500, "causal"));
        {
            HeatMap map;
            map.resize(200, 200);
            map.show();
            map.setContent(contentOf(none.lean));
            QVERIFY(QTest::qWaitForWindowExposed(&map));
            QVERIFY(complete(map));
            const std::size_t one = store->bytes();
            QVERIFY(one > before);
            map.setContent(contentOf(none.lean, {}, 1));
            QVERIFY(complete(map));
            QVERIFY(store->bytes() >= 2 * one - before);
            map.setContent(contentOf(causal.lean, {}, 1));
            QVERIFY(complete(map));
            QVERIFY(store->bytes() < 2 * one - before);
            map.setContent({});
            store->prune();
            QCOMPARE(store->bytes(), before);
        }
    }

    void theCacheIsBounded() {
        const Pair pair(settingOf(3000, "none"));
        const auto store = TileStore::shared();
        const TileSource source{pair.lean, Stage::Weights, 0, 0, Reduction::Maximum};
        const TiledMatrixPtr matrix = store->matrix(source);
        const std::int64_t tiles = tilesOf(3000);
        for (std::int64_t first = 0; first < tiles; ++first) {  // more than the bound in all
            for (const int head : {0, 1})
                for (int again = 0; again < 2; ++again) {
                    const TiledMatrixPtr other = store->matrix({pair.lean, again ? Stage::Masked : Stage::Weights, 0,
                                                                head, again ? Reduction::Mean : Reduction::Maximum});
                    other->sample({0, first, first + 1, 0, tiles, 0, 0}, 1e6);
                }
            QVERIFY(store->bytes() <= TileStore::kTileBytes);
        }
    }

    /// A cell under the pointer is the largest of its pixel, whatever is known of the tile.
    void hoverReadsTheExactCell() {
        const Pair pair(settingOf(1500, "causal"));
        HeatMap map;
        map.resize(220, 220);
        map.setContent(contentOf(pair.lean));
        map.show();
        QVERIFY(QTest::qWaitForWindowExposed(&map));
        const MatrixView kept = pair.kept->matrix(Stage::Weights, 0, 0);
        for (const auto& [x, y] : {std::pair(20.0, 60.0), std::pair(90.0, 150.0), std::pair(100.0, 101.0)}) {
            const auto cell = map.cellAt(map.mapRect().topLeft() + QPointF(x, y));
            QVERIFY(cell);
            const QRectF place = map.cellRect(cell->query, cell->key);
            double largest = 0;
            for (int i = std::max(0, cell->query - 20); i < std::min(1500, cell->query + 20); ++i)
                for (int j = std::max(0, cell->key - 20); j < std::min(1500, cell->key + 20); ++j)
                    if (map.cellRect(i, j) == place && !kept.masked(i, j)) largest = std::max(largest, kept.at(i, j));
            QVERIFY(std::abs(kept.at(cell->query, cell->key) - largest) < 1e-6);
        }
    }
};

QTEST_MAIN(TestTiles)
#include "tst_tiles.moc"
