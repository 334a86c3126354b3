// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFontInfo>
#include <QLabel>
#include <QScrollArea>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <cmath>

#include "heads_support.h"
#include "support.h"
#include "ui/controls/tab_hint.h"
#include "ui/look/type_size.h"
#include "ui/maps/head_card.h"
#include "ui/maps/head_grid.h"
#include "ui/maps/heat_map.h"
#include "ui/maps/label_strip.h"
#include "ui/maps/map_layout.h"
#include "ui/maps/multiples_layout.h"
#include "ui/pages/heads/explained_cell.h"
#include "ui/pages/heads/heads_page.h"
#include "ui/state/phrase.h"

using namespace headscope;

namespace {

/// Pixels in the place of one label that aren't background.
int inked(const QImage& image, const QRectF& area) {
    int count = 0;
    for (int y = qRound(area.top()); y < qRound(area.bottom()); ++y)
        for (int x = qRound(area.left()); x < qRound(area.right()); ++x)
            count += image.pixelColor(x, y) != color(Role::Raised, Theme::Light);
    return count;
}

}  // namespace

/// Uses the page of the heads as a person does, on a session that computes.
class TestHeadGrid : public QObject {
    Q_OBJECT
private:
    std::unique_ptr<Session> session_;
    std::unique_ptr<HeadsPage> page_;

    HeadGrid* grid() { return page_->grid(); }
    QString hint() { return page_->hint()->label()->text(); }
    ExplainedCell* explained() { return part<ExplainedCell>("explainedCell"); }
    LabelStrip* labels(const char* name) { return part<LabelStrip>(name); }
    /// Where row and column labels stand in a picture of the grid: beside a cell of the map.
    QRectF inGrid(int index, const QRectF& rect) { return rect.translated(map(index)->mapTo(grid(), QPoint())); }
    QRectF queryLabel(int index, int query) {
        const QRectF cell = inGrid(index, map(index)->cellRect(query, 0));
        const double left = labels("queryLabels")->mapTo(grid(), QPoint()).x();
        return QRectF(left, cell.top() + 1, labels("queryLabels")->width() - 3, cell.height() - 2);
    }

    HeatMap* map(int index) { return grid()->maps().at(std::size_t(index)); }
    HeadCard* card(int index) { return qobject_cast<HeadCard*>(map(index)->parentWidget()); }
    QPoint middle(int index, int query, int key) { return map(index)->cellRect(query, key).center().toPoint(); }
    void click(int index, int query, int key) {
        QTest::mouseClick(map(index), Qt::LeftButton, {}, middle(index, query, key));
    }
    void edit(Field field, const QString& value) {
        session_->edit(field, value);
        QVERIFY(waitForTrace(*session_));
        QCoreApplication::processEvents();
    }
    template <typename T>
    T* part(const char* name) {
        return page_->findChild<T*>(QLatin1String(name));
    }

private Q_SLOTS:
    void initTestCase() { applyTypeSize(10); }

    void init() {
        session_ = std::make_unique<Session>();
        page_ = std::make_unique<HeadsPage>(*session_);
        page_->resize(880, 560);
        page_->show();
        QVERIFY(QTest::qWaitForWindowExposed(page_.get()));
        QVERIFY(waitForTrace(*session_));
        QCoreApplication::processEvents();
    }
    void cleanup() {
        page_.reset();
        session_.reset();
    }

    void layoutsHaveTheLargestCells_data() {
        QTest::addColumn<int>("count");
        QTest::addColumn<QSize>("room");
        QTest::addColumn<int>("tokens");
        QTest::addColumn<int>("dimensions");
        for (const int count : {2, 3, 8, 12, 16, 96})
            for (const QSize room : {QSize(870, 440), QSize(300, 900), QSize(1400, 300), QSize(200, 150)})
                for (const int tokens : {1, 10, 100, 4096})
                    for (const int dimensions : {0, 64})
                        QTest::addRow("%d in %dx%d, %d tokens, %d", count, room.width(), room.height(), tokens,
                                      dimensions)
                            << count << room << tokens << dimensions;
    }
    void layoutsHaveTheLargestCells() {
        QFETCH(int, count);
        QFETCH(QSize, room);
        QFETCH(int, tokens);
        QFETCH(int, dimensions);
        Setting setting;
        setting.text = manyTokens(tokens);
        Multiples maps;
        maps.count = count;
        maps.rows = MapLabels::ofTokens(make_batch(tokenize(setting.text, Tokenizer::Space)), 0);
        maps.columns = dimensions ? MapLabels::ofNumbers(dimensions) : maps.rows;
        maps.square = dimensions == 0;
        maps.title = 18;
        maps.scroll_bar = 12;
        const MultiplesLayout layout = layoutMultiples(maps, room, QFontMetricsF(labelFont(QFont(), true)));
        QVERIFY(layout.columns * layout.rows >= count);
        QVERIFY(layout.columns * (layout.rows - 1) < count);  // no empty row
        QVERIFY(layout.cells.width() >= kLeastMap || layout.cells.width() >= maps.columns.count);
        const QRect last(layout.place(layout.columns - 1) + QPoint(layout.left, 0), layout.card);
        QVERIFY(last.right() < room.width());
        if (maps.square && layout.cells.width() >= 8 * tokens) QCOMPARE(layout.cells.width() % tokens, 0);
        if (layout.top + layout.height > room.height()) return;  // scrolls
        // No other number of columns makes larger cells beside the same labels.
        for (int columns = 1; columns <= count; ++columns) {
            const int rows = (count + columns - 1) / columns;
            const QSize map((room.width() - layout.left) / columns - 11,
                            (room.height() - layout.top) / rows - 4 - maps.title - 4);
            if (map.width() < kLeastMap || map.height() < kLeastMap) continue;
            const QSize cells = fittedCells(map, maps.rows.count, maps.columns.count, maps.square, 1);
            const auto area = [](const QSize& size) { return std::int64_t{size.width()} * size.height(); };
            // Turned labels may reach beyond the last column.
            if (area(cells) > area(layout.cells)) QVERIFY(!layout.turned ? false : map.width() - cells.width() < 30);
        }
    }

    void firstStartShowsEightTextbookHeads() {
        QCOMPARE(grid()->maps().size(), std::size_t(8));
        QCOMPARE(card(3)->title(), QStringLiteral("3"));
        QCOMPARE(card(3)->subtitle(), QStringLiteral("first token"));
        QCOMPARE(card(0)->subtitle(), QStringLiteral("previous token"));
        QCOMPARE(map(3)->accessibleName(), QStringLiteral("Head 3, first token"));
        QVERIFY(hint().contains(QStringLiteral("rows are queries and sum to 1 · columns are keys")));
        QVERIFY(hint().contains(QStringLiteral("double click enlarges")));
        // "First token": the first column is bright from top to bottom.
        const QImage picture = map(3)->grab().toImage();
        for (int query = 0; query < 10; ++query)
            QVERIFY(at(picture, map(3)->cellRect(query, 0).center()).green() > 200);
        for (const HeatMap* one : grid()->maps()) {
            QVERIFY(grid()->rect().contains(QRect(one->mapTo(grid(), QPoint()), one->size())));
            QCOMPARE(one->mapRect().size(), map(0)->mapRect().size());
            QCOMPARE(std::fmod(one->mapRect().width(), 10), 0.0);  // cells of whole pixels
        }
        QVERIFY(map(0)->mapRect().width() >= 190);
    }

    void labelsAreSharedByRowsAndColumnsOfMaps() {
        const QImage picture = grid()->grab().toImage();
        for (int query = 0; query < 10; ++query) {
            QVERIFY(inked(picture, queryLabel(0, query)) > 10);
            QVERIFY(inked(picture, queryLabel(4, query)) > 10);
        }
        // Above each column of maps, every key begins over the middle of its cells; below the first row there are none.
        for (int column = 0; column < 4; ++column)
            for (int key = 0; key < 10; ++key) {
                const QRectF cell = inGrid(column, map(column)->cellRect(0, key));
                const double bottom = labels("keyLabels")->geometry().bottom();
                QVERIFY(inked(picture, QRectF(cell.center().x() - 3, bottom - 18, cell.width(), 15)) > 5);
            }
        QCOMPARE(labels("keyLabels")->band().step, 1);
        QCOMPARE(labels("queryLabels")->band().step, 1);
        QVERIFY(QFontInfo(labelFont(page_->font())).pixelSize() >= 11);
    }

    void labelsOfTheCrosshairAreBoldAndLeaveNothingBehind() {
        const QImage before = grid()->grab().toImage();
        session_->setHover(Cell{2, 5, 6});
        const QImage hovered = grid()->grab().toImage();
        for (const int first : {0, 4}) {
            QVERIFY(inked(hovered, queryLabel(first, 2)) > inked(before, queryLabel(first, 2)));
            QCOMPARE(inked(hovered, queryLabel(first, 3)), inked(before, queryLabel(first, 3)));
        }
        session_->setLocked(Cell{7, 1, 0});
        QCoreApplication::processEvents();
        QCOMPARE(labels("queryLabels")->emphasis(), (Emphasis{7, 2}));
        QCOMPARE(labels("keyLabels")->emphasis(), (Emphasis{1, 5}));
        session_->setLocked(std::nullopt);
        session_->setHover(std::nullopt);
        QCoreApplication::processEvents();
        QCOMPARE(grid()->grab().toImage(), before);
    }

    /// The last row label stands whole, however small the cells.
    void noLabelIsCut() {
        for (const int tokens : {10, 40, 100}) {
            edit(Field::Text, manyTokens(tokens));
            QImage picture = grid()->grab().toImage();
            const auto* strip = labels("queryLabels");
            const auto* viewport = grid()->findChild<QScrollArea*>()->viewport();
            const int bottom = viewport->mapTo(grid(), QPoint(0, viewport->height() - 1)).y();
            QCOMPARE(inked(picture, QRectF(0, bottom, strip->width(), 1)), 0);
        }
    }

    void seededHeadsHaveNoRole() {
        edit(Field::Weights, QStringLiteral("seed"));
        QCOMPARE(card(3)->subtitle(), QString());
        QCOMPARE(map(3)->accessibleName(), QStringLiteral("Head 3"));
    }

    void causalLeavesTheUpperRightHatched() {
        edit(Field::Mask, QStringLiteral("causal"));
        for (int head = 0; head < 8; ++head) {
            const QImage picture = map(head)->grab().toImage();
            for (int query = 0; query < 10; ++query)
                for (int key = 0; key < 10; ++key) {
                    const QColor colour = at(picture, map(head)->cellRect(query, key).center());
                    const bool hatched =
                        colour == color(Role::Hatch, Theme::Light) || colour == color(Role::Masked, Theme::Light);
                    QCOMPARE(hatched, key > query);
                }
        }
    }

    void theHintExplainsWhatIsSeen() {
        const QString mark = QStringLiteral("◂ fully masked row"), crossed = QStringLiteral("crossed = NaN");
        const QString hatched = QStringLiteral("hatched = masked"), sums = QStringLiteral("sum to 1");
        for (const QString& word : {mark, crossed, hatched}) QVERIFY(!hint().contains(word));
        QVERIFY(hint().contains(sums));
        edit(Field::Mask, QStringLiteral("causal"));
        QVERIFY(hint().contains(hatched));
        QVERIFY(hint().contains(sums) && !hint().contains(mark));
        edit(Field::Mask, QStringLiteral("padding,local:0:0"));
        QVERIFY(hint().contains(mark));
        QVERIFY(!hint().contains(sums));  // those rows don't
        QVERIFY(!hint().contains(crossed));
        edit(Field::Fill, QStringLiteral("inf"));
        QVERIFY(hint().contains(crossed));
        session_->setStage(Stage::Scores);
        QVERIFY(!hint().contains(hatched) && !hint().contains(crossed));
        session_->setStage(Stage::Q);
        QVERIFY(!hint().contains(mark));
        QVERIFY(hint().contains(QStringLiteral("columns are dimensions")));
    }

    void hoverLightsUpEveryHead() {
        QTest::mouseMove(map(2), middle(2, 5, 4));
        QCOMPARE(session_->hover(), (Cell{5, 4, 2}));
        for (int head = 0; head < 8; ++head) {
            const QImage picture = map(head)->grab().toImage();
            const QRectF cell = map(head)->cellRect(5, 4);
            QCOMPARE(at(picture, {map(head)->mapRect().right() - 4, cell.top() - 1}),
                     color(Role::Crosshair, Theme::Light));
            QCOMPARE(at(picture, {cell.left() - 1, map(head)->mapRect().top() + 4}),
                     color(Role::Crosshair, Theme::Light));
        }
        QTest::mouseMove(map(2), QPoint(1, 1));
        QVERIFY(!session_->hover());
        QTest::mouseMove(map(2), middle(2, 5, 4));
        QEvent leave(QEvent::Leave);
        QCoreApplication::sendEvent(map(2), &leave);
        QVERIFY(!session_->hover());
        QVERIFY(!session_->undoStack()->canUndo());
    }

    void clickLocksAndUnlocks() {
        click(1, 5, 4);
        QCOMPARE(session_->selection().locked, (Cell{5, 4, 1}));
        QVERIFY(explained()->isVisible());
        QVERIFY(explained()->formula().contains(QStringLiteral("→ allowed →")));
        QVERIFY(map(0)->accessibleDescription().contains(QStringLiteral("in head 1")));
        click(1, 2, 2);
        QCOMPARE(session_->selection().locked, (Cell{2, 2, 1}));
        click(1, 2, 2);
        QVERIFY(!session_->selection().locked);
        QVERIFY(explained()->formula().isEmpty());
        QVERIFY(!explained()->isVisible());
    }

    /// At any size of the window; and all eight maps stay in sight.
    void theExplainedCellComesAndGoes() {
        for (const QSize size : {QSize(640, 420), QSize(880, 560), QSize(1500, 860)}) {
            page_->resize(size);
            QCoreApplication::processEvents();
            const int height = grid()->height();
            map(1)->setFocus();
            click(1, 5, 4);
            QCoreApplication::processEvents();
            QVERIFY(explained()->isVisible());
            QVERIFY(grid()->height() < height && grid()->height() > height / 2);
            QVERIFY(page_->rect().contains(explained()->geometry()));
            QVERIFY(map(7)->cellRect(9, 9).height() >= 8);
            QVERIFY(grid()->rect().contains(QRect(map(7)->mapTo(grid(), QPoint()), map(7)->size())));
            QTest::keyClick(map(1), Qt::Key_Escape);
            QCoreApplication::processEvents();
            QVERIFY(!explained()->isVisible());
            QCOMPARE(grid()->height(), height);
        }
        click(1, 5, 4);
        QSignalSpy steps(page_.get(), &HeadsPage::stepsWanted);
        QTest::mouseClick(part<QToolButton>("explainedMore"), Qt::LeftButton);
        QCOMPARE(steps.size(), 1);
        session_->setStage(Stage::Q);
        QVERIFY(!explained()->isVisible());
        session_->setStage(Stage::Scores);
        QVERIFY(explained()->isVisible());
        QTest::mouseClick(part<QToolButton>("explainedClose"), Qt::LeftButton);
        QVERIFY(!session_->selection().locked);
        QVERIFY(!explained()->isVisible());
    }

    /// What is framed, explained and named is one cell.
    void theLockedCellIsOfTheEnlargedHead() {
        click(0, 5, 4);
        session_->setHead(0);
        QTest::keyClick(map(0), Qt::Key_PageDown);
        QCOMPARE(session_->selection().head, 1);
        QCOMPARE(session_->selection().locked, (Cell{5, 4, 1}));
        QCOMPARE(part<QLabel>("explainedTitle")->text(),
                 QStringLiteral("How “mat” (query 5) comes to its weight on “the” (key 4) in head 1"));
        QVERIFY(map(0)->accessibleDescription().contains(QStringLiteral("in head 1")));
        session_->setLocked(Cell{2, 2, 3});  // by another view
        QCOMPARE(session_->selection().head, 3);
        session_->setHead(std::nullopt);
        QCOMPARE(session_->selection().locked, (Cell{2, 2, 3}));
    }

    void doubleClickEnlargesAndReturns() {
        QTest::mouseDClick(map(6), Qt::LeftButton, {}, middle(6, 5, 4));
        QCOMPARE(session_->selection().head, 6);
        QCOMPARE(grid()->maps().size(), std::size_t(1));
        QCOMPARE(card(0)->title(), QStringLiteral("6"));
        QCOMPARE(card(0)->subtitle(), QStringLiteral("neighbourhood"));
        QVERIFY(map(0)->width() > 600);
        QVERIFY(!labels("queryLabels")->isVisible());
        const QImage picture = map(0)->grab().toImage();  // with labels of its own
        const QRectF cell = map(0)->cellRect(3, 0);
        QVERIFY(inked(picture, QRectF(0, cell.top(), cell.left() - 3, cell.height())) > 20);
        QTest::mouseMove(map(0), middle(0, 3, 3));
        QCOMPARE(session_->hover(), (Cell{3, 3, 6}));
        QTest::mouseDClick(map(0), Qt::LeftButton, {}, middle(0, 5, 4));
        QVERIFY(!session_->selection().head);
        QCOMPARE(grid()->maps().size(), std::size_t(8));

        session_->setHead(2);
        QCoreApplication::processEvents();
        auto* back = part<QToolButton>("allHeads");
        QVERIFY(back->isVisible());
        QTest::mouseClick(back, Qt::LeftButton);
        QVERIFY(!session_->selection().head);
        QVERIFY(!back->isVisible());
    }

    void aClickOnTheTitleEnlargesToo() {
        QTest::mouseClick(card(3), Qt::LeftButton, {}, QPoint(20, 5));
        QCOMPARE(session_->selection().head, 3);
        QTest::mouseClick(card(0), Qt::LeftButton, {}, QPoint(20, 5));
        QVERIFY(!session_->selection().head);
        QTest::mouseClick(map(3), Qt::LeftButton, {}, middle(3, 2, 2));  // a click into the map locks
        QVERIFY(!session_->selection().head);
        QVERIFY(session_->selection().locked);
        QTest::mouseClick(card(3), Qt::LeftButton, {}, QPoint(20, 5));   // a double click: press, release,
        QTest::mouseDClick(card(0), Qt::LeftButton, {}, QPoint(20, 5));  // and the second press
        QCOMPARE(session_->selection().head, std::optional(3));
        session_->setHead(std::nullopt);
    }

    void theKeyboardReachesEverything() {
        map(1)->setFocus();
        QTest::keyClick(map(1), Qt::Key_Down);
        QCOMPARE(session_->selection().locked, (Cell{0, 0, 1}));
        QTest::keyClick(map(1), Qt::Key_Down);
        QTest::keyClick(map(1), Qt::Key_Down);
        QTest::keyClick(map(1), Qt::Key_Right);
        QCOMPARE(session_->selection().locked, (Cell{2, 1, 1}));
        QTest::keyClick(map(1), Qt::Key_Left);
        QTest::keyClick(map(1), Qt::Key_Left);
        QTest::keyClick(map(1), Qt::Key_Up);
        QCOMPARE(session_->selection().locked, (Cell{1, 0, 1}));
        for (int i = 0; i < 30; ++i) QTest::keyClick(map(1), Qt::Key_Down);
        QCOMPARE(session_->selection().locked, (Cell{9, 0, 1}));
        QTest::keyClick(map(1), Qt::Key_Return);
        QCOMPARE(session_->selection().head, 1);
        QTest::keyClick(map(0), Qt::Key_PageDown);
        QCOMPARE(session_->selection().head, 2);
        QTest::keyClick(map(0), Qt::Key_PageUp);
        QTest::keyClick(map(0), Qt::Key_PageUp);
        QTest::keyClick(map(0), Qt::Key_PageUp);
        QCOMPARE(session_->selection().head, 0);
        QTest::keyClick(map(0), Qt::Key_Escape);
        QVERIFY(!session_->selection().head);
        QTest::keyClick(map(0), Qt::Key_Escape);
        QVERIFY(!session_->selection().locked);
        QTest::keyClick(map(0), Qt::Key_Space);
        QCOMPARE(session_->selection().locked, (Cell{0, 0, 0}));
        QTest::keyClick(map(0), Qt::Key_Space);
        QVERIFY(!session_->selection().locked);
        QTest::keyClick(map(0), Qt::Key_Tab);
        QVERIFY(map(1)->hasFocus());
    }

    void startingOverShowsWhatWasSeenAtFirst() {
        click(1, 5, 4);
        session_->setStage(Stage::Q);
        session_->setHead(3);
        QCoreApplication::processEvents();
        QCOMPARE(grid()->maps().size(), std::size_t(1));
        session_->startOver();
        QCOMPARE(grid()->maps().size(), std::size_t(8));
        QVERIFY(hint().startsWith(QStringLiteral("rows are queries and sum to 1")));
        QVERIFY(explained()->formula().isEmpty());
    }

    void oneMatrixStagesShowOneCard() {
        for (const Stage stage : {Stage::X, Stage::Qkv, Stage::Mask, Stage::Concat, Stage::Output}) {
            session_->setStage(stage);
            QCoreApplication::processEvents();
            QCOMPARE(grid()->maps().size(), std::size_t(1));
            QCOMPARE(card(0)->title(), stageTitle(stage));
            QVERIFY(!explained()->isVisible());
            QTest::mouseDClick(map(0), Qt::LeftButton, {}, map(0)->mapRect().center().toPoint());
            QVERIFY(!session_->selection().head);
        }
        QCOMPARE(card(0)->subtitle(), QStringLiteral("(10, 512)"));
        for (const Stage stage : {Stage::Heads, Stage::Q, Stage::HeadContext, Stage::Scores}) {
            session_->setStage(stage);
            QCoreApplication::processEvents();
            QCOMPARE(grid()->maps().size(), std::size_t(8));
        }
    }

    void everyStageShowsItsNumbers() {
        edit(Field::EmbedDim, QStringLiteral("32"));
        edit(Field::NumHeads, QStringLiteral("2"));
        for (const Stage stage : {Stage::Q, Stage::K, Stage::V, Stage::HeadContext, Stage::Scores}) {
            session_->setStage(stage);
            QCoreApplication::processEvents();
            const ColorScale scale = colorScale(*session_->trace(), session_->selection(), 1);
            const QImage picture = map(1)->grab().toImage();
            const MatrixView numbers = shownMatrix(*session_->trace(), session_->selection(), 1);
            for (int i = 0; i < numbers.rows; ++i)
                for (int j = 0; j < numbers.columns; ++j)
                    QCOMPARE(at(picture, map(1)->cellRect(i, j).center()), QColor(scale.color(numbers.at(i, j))));
        }
    }

    void oneHeadAndNinetySix() {
        edit(Field::EmbedDim, QStringLiteral("96"));
        edit(Field::NumHeads, QStringLiteral("1"));
        QCOMPARE(grid()->maps().size(), std::size_t(1));
        QVERIFY(map(0)->width() > 600);
        edit(Field::NumHeads, QStringLiteral("96"));
        QCOMPARE(grid()->maps().size(), std::size_t(96));
        QCOMPARE(card(95)->title(), QStringLiteral("95"));
        auto* scroll = grid()->findChild<QScrollArea*>();
        QSet<QPoint> places;
        for (int head = 0; head < 96; ++head) {
            QVERIFY(map(head)->mapRect().width() >= 20);
            QVERIFY(scroll->widget()->rect().contains(card(head)->geometry()));
            places.insert(card(head)->pos());
        }
        QCOMPARE(places.size(), 96);
        const MatrixView weights = session_->trace()->matrix(Stage::Weights, 0, 95);
        QCOMPARE(at(map(95)->grab().toImage(), map(95)->cellRect(9, 0).center()),
                 QColor(ColorScale{}.color(weights.at(9, 0))));
        edit(Field::NumHeads, QStringLiteral("2"));
        QCOMPARE(grid()->maps().size(), std::size_t(2));
        QCOMPARE(card(1)->geometry().right() < scroll->width(), true);
    }

    void manyCardsScroll() {
        edit(Field::EmbedDim, QStringLiteral("96"));
        edit(Field::NumHeads, QStringLiteral("96"));
        page_->resize(400, 300);
        QCoreApplication::processEvents();
        auto* scroll = grid()->findChild<QScrollArea*>();
        QVERIFY(scroll->widget()->height() > scroll->viewport()->height());
        QVERIFY(scroll->widget()->width() <= scroll->viewport()->width());
        QVERIFY(map(0)->mapRect().width() >= 40);
    }

    void fewOrManyTokens() {
        for (const int tokens : {1, 2, 64, 200}) {
            edit(Field::Text, manyTokens(tokens));
            QVERIFY(!map(7)->cellRect(tokens - 1, tokens - 1).isEmpty());
            QCOMPARE(map(7)->cellRect(tokens - 1, tokens - 1).bottomRight(), map(7)->mapRect().bottomRight());
        }
        QVERIFY(hint().contains(QStringLiteral("labels: 1 in")));
        QVERIFY(hint().contains(QStringLiteral("1 pixel = largest of")));
    }

    void nothingTypedSaysWhatToType() {
        session_->edit(Field::Text, QString());
        QCoreApplication::processEvents();
        auto* empty = part<QLabel>("emptyState");
        QVERIFY(empty->isVisible());
        QVERIFY(empty->text().contains(QStringLiteral("Type a sentence")));
        session_->edit(Field::NumHeads, QStringLiteral("7"));
        edit(Field::Text, QStringLiteral("a b"));
        QVERIFY(!empty->isVisible());  // num_heads is illegal: the last picture stays
        QCOMPARE(grid()->maps().size(), std::size_t(8));
    }

    void anIllegalDraftKeepsThePicture() {
        const QImage before = map(4)->grab().toImage();
        session_->edit(Field::EmbedDim, QStringLiteral("seven"));
        QCoreApplication::processEvents();
        QCOMPARE(map(4)->grab().toImage(), before);
    }

    void onlyWhatChangedIsPainted() {
        PaintCounter painted;
        for (HeatMap* one : grid()->maps()) painted.watch(one);
        painted.take();
        session_->setStage(Stage::Q);
        painted.take();
        session_->setSequence(0);
        session_->edit(Field::ChunkSize, QStringLiteral("3"));
        QVERIFY(waitForTrace(*session_));
        QCOMPARE(painted.take(), 0);  // q is the same object still
        session_->setHover(Cell{1, 1, 0});
        QCOMPARE(painted.take(), 8);
    }

    void anotherSequenceIsItsOwnNumbers() {
        session_->setSequence(1);
        QCoreApplication::processEvents();
        const MatrixView weights = session_->trace()->matrix(Stage::Weights, 1, 0);
        const QImage picture = map(0)->grab().toImage();
        for (int i = 0; i < 10; ++i)
            QCOMPARE(at(picture, map(0)->cellRect(i, 2).center()), QColor(ColorScale{}.color(weights.at(i, 2))));
    }

    /// Remembered settings may be illegal; once they are corrected all maps are in sight.
    void correctingAnIllegalStartShowsAllMaps() {
        Draft draft;
        draft.set(Field::NumHeads, QStringLiteral("7"));
        page_.reset();
        session_ = std::make_unique<Session>();
        session_->replace(draft, {});
        page_ = std::make_unique<HeadsPage>(*session_);
        page_->resize(880, 560);
        page_->show();
        QVERIFY(QTest::qWaitForWindowExposed(page_.get()));
        QCoreApplication::processEvents();
        edit(Field::NumHeads, QStringLiteral("8"));
        QCOMPARE(grid()->maps().size(), std::size_t(8));
        auto* scroll = grid()->findChild<QScrollArea*>();
        QVERIFY(scroll->isVisible());
        QVERIFY(scroll->widget()->height() <= scroll->viewport()->height());
        for (HeatMap* one : grid()->maps())
            QVERIFY(grid()->rect().contains(QRect(one->mapTo(grid(), QPoint()), one->size())));
    }

    void survivesTheSession() {
        click(1, 5, 4);
        QTest::mouseMove(map(2), middle(2, 5, 4));
        page_.reset();
        session_->setHover(Cell{1, 1, 1});
        session_->setStage(Stage::K);
        QVERIFY(waitForTrace(*session_));
    }
};

QTEST_MAIN(TestHeadGrid)
#include "tst_head_grid.moc"
