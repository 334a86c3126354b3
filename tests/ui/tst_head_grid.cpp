// SPDX-License-Identifier: GPL-3.0-or-later
#include <QLabel>
#include <QScrollArea>
#include <QTest>
#include <QToolButton>

#include "heads_support.h"
#include "support.h"
#include "ui/maps/card_layout.h"
#include "ui/maps/head_card.h"
#include "ui/maps/head_grid.h"
#include "ui/maps/heat_map.h"
#include "ui/maps/weight_story.h"

using namespace headscope;

/// Uses the grid as a person does, on a session that computes.
class TestHeadGrid : public QObject {
    Q_OBJECT
private:
    std::unique_ptr<Session> session_;
    std::unique_ptr<HeadGrid> grid_;

    HeatMap* map(int index) { return grid_->maps().at(std::size_t(index)); }
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
        return grid_->findChild<T*>(QLatin1String(name));
    }

private Q_SLOTS:
    void initTestCase() { applyTheme(Theme::Light); }

    void init() {
        session_ = std::make_unique<Session>();
        grid_ = std::make_unique<HeadGrid>(*session_);
        grid_->resize(880, 660);
        grid_->show();
        QVERIFY(QTest::qWaitForWindowExposed(grid_.get()));
        QVERIFY(waitForTrace(*session_));
        QCoreApplication::processEvents();
    }
    void cleanup() {
        grid_.reset();
        session_.reset();
    }

    void layoutsFillTheirRoom() {
        for (const int count : {1, 2, 3, 8, 12, 16, 96})
            for (const QSize room : {QSize(860, 560), QSize(300, 900), QSize(1400, 300)})
                for (const double aspect : {0.5, 1.0, 2.0}) {
                    const CardLayout cards = layoutCards(count, room, 6, aspect, 20);
                    QVERIFY(cards.columns * cards.rows >= count);
                    QVERIFY(cards.columns * (cards.rows - 1) < count);  // no empty row
                    QVERIFY(cards.columns * (cards.card.width() + 6) - 6 <= room.width());
                    if (cards.rows * (cards.card.height() + 6) - 6 > room.height()) continue;  // scrolls
                    // No other number of columns leaves larger cells to cards that can still be looked at.
                    const auto cell = [&](int columns) {
                        const int rows = (count + columns - 1) / columns;
                        const int width = (room.width() + 6) / columns - 6, height = (room.height() + 6) / rows - 6;
                        return width < 60 || height < 60 ? 0 : std::min(width / aspect, double(height - 20));
                    };
                    for (int columns = 1; columns <= count; ++columns) QVERIFY(cell(cards.columns) >= cell(columns));
                }
        QCOMPARE(layoutCards(8, {860, 560}, 10, 1, 25).columns, 4);
        const CardLayout crowd = layoutCards(96, {300, 200}, 4, 1, 20);
        QVERIFY(crowd.card.width() >= 60 && crowd.card.height() >= 60);
    }

    void firstStartShowsEightTextbookHeads() {
        QCOMPARE(grid_->maps().size(), std::size_t(8));
        QCOMPARE(card(3)->title(), QStringLiteral("Head 3"));
        QCOMPARE(card(3)->subtitle(), QStringLiteral("first token"));
        QCOMPARE(card(0)->subtitle(), QStringLiteral("previous token"));
        QCOMPARE(map(3)->accessibleName(), QStringLiteral("Head 3, first token"));
        QVERIFY(part<QLabel>("hint")->text().contains(QStringLiteral("rows are queries, each sums to 1")));
        QVERIFY(part<QLabel>("gestureHint")->text().contains(QStringLiteral("double-click to enlarge")));
        // "First token": the first column is bright from top to bottom.
        const QImage picture = map(3)->grab().toImage();
        for (int query = 0; query < 10; ++query)
            QVERIFY(at(picture, map(3)->cellRect(query, 0).center()).green() > 200);
        for (const HeatMap* one : grid_->maps())
            QVERIFY(grid_->rect().contains(QRect(one->mapTo(grid_.get(), QPoint()), one->size())));
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

    void emptyRowsAreExplained() {
        const QString mark = QStringLiteral("◂ may attend to nothing");
        QVERIFY(!part<QLabel>("hint")->text().contains(mark));
        edit(Field::Mask, QStringLiteral("padding,local:0:0"));
        QVERIFY(part<QLabel>("hint")->text().contains(mark));
        session_->setStage(Stage::Q);
        QVERIFY(!part<QLabel>("hint")->text().contains(mark));
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
        auto* story = part<WeightStory>("weightStory");
        QVERIFY(story->isVisible());
        QVERIFY(story->formula().contains(QStringLiteral("mask: open")));
        QVERIFY(map(0)->accessibleDescription().contains(QStringLiteral("in head 1")));
        click(1, 2, 2);
        QCOMPARE(session_->selection().locked, (Cell{2, 2, 1}));
        click(1, 2, 2);
        QVERIFY(!session_->selection().locked);
        QVERIFY(story->formula().isEmpty());
    }

    void doubleClickEnlargesAndReturns() {
        QTest::mouseDClick(map(6), Qt::LeftButton, {}, middle(6, 5, 4));
        QCOMPARE(session_->selection().head, 6);
        QCOMPARE(grid_->maps().size(), std::size_t(1));
        QCOMPARE(card(0)->title(), QStringLiteral("Head 6"));
        QCOMPARE(card(0)->subtitle(), QStringLiteral("neighbourhood"));
        QVERIFY(map(0)->width() > 600);
        QTest::mouseMove(map(0), middle(0, 3, 3));
        QCOMPARE(session_->hover(), (Cell{3, 3, 6}));
        QTest::mouseDClick(map(0), Qt::LeftButton, {}, middle(0, 5, 4));
        QVERIFY(!session_->selection().head);
        QCOMPARE(grid_->maps().size(), std::size_t(8));

        session_->setHead(2);
        QCoreApplication::processEvents();
        auto* back = part<QToolButton>("allHeads");
        QVERIFY(back->isVisible());
        QTest::mouseClick(back, Qt::LeftButton);
        QVERIFY(!session_->selection().head);
        QVERIFY(!back->isVisible());
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

    void undoBringsBackWhatWasSeen() {
        click(1, 5, 4);
        session_->setStage(Stage::Q);
        session_->setHead(3);
        QCoreApplication::processEvents();
        QCOMPARE(grid_->maps().size(), std::size_t(1));
        while (session_->undoStack()->canUndo()) session_->undoStack()->undo();
        QCOMPARE(grid_->maps().size(), std::size_t(8));
        QVERIFY(part<QLabel>("hint")->text().startsWith(QStringLiteral("rows are queries, each sums to 1")));
        QVERIFY(part<WeightStory>("weightStory")->formula().isEmpty());
    }

    void oneMatrixStagesShowOneCard() {
        for (const Stage stage : {Stage::X, Stage::Qkv, Stage::Mask, Stage::Concat, Stage::Output}) {
            session_->setStage(stage);
            QCoreApplication::processEvents();
            QCOMPARE(grid_->maps().size(), std::size_t(1));
            QCOMPARE(card(0)->title(), stageTitle(stage));
            QVERIFY(!part<WeightStory>("weightStory")->isVisible());
            QTest::mouseDClick(map(0), Qt::LeftButton, {}, map(0)->mapRect().center().toPoint());
            QVERIFY(!session_->selection().head);
        }
        QCOMPARE(card(0)->subtitle(), QStringLiteral("(10, 512)"));
        for (const Stage stage : {Stage::Heads, Stage::Q, Stage::HeadContext, Stage::Scores}) {
            session_->setStage(stage);
            QCoreApplication::processEvents();
            QCOMPARE(grid_->maps().size(), std::size_t(8));
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
        QCOMPARE(grid_->maps().size(), std::size_t(1));
        QVERIFY(map(0)->width() > 600);
        edit(Field::NumHeads, QStringLiteral("96"));
        QCOMPARE(grid_->maps().size(), std::size_t(96));
        QCOMPARE(card(95)->title(), QStringLiteral("Head 95"));
        auto* scroll = grid_->findChild<QScrollArea*>();
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
        QCOMPARE(grid_->maps().size(), std::size_t(2));
        QCOMPARE(card(1)->geometry().right() < scroll->width(), true);
    }

    void manyCardsScroll() {
        edit(Field::EmbedDim, QStringLiteral("96"));
        edit(Field::NumHeads, QStringLiteral("96"));
        grid_->resize(400, 300);
        QCoreApplication::processEvents();
        auto* scroll = grid_->findChild<QScrollArea*>();
        QVERIFY(scroll->widget()->height() > scroll->viewport()->height());
        QVERIFY(scroll->widget()->width() <= scroll->viewport()->width());
        QVERIFY(card(0)->width() >= 60);
    }

    void fewOrManyTokens() {
        for (const int tokens : {1, 2, 64, 200}) {
            edit(Field::Text, manyTokens(tokens));
            QVERIFY(!map(7)->cellRect(tokens - 1, tokens - 1).isEmpty());
            QCOMPARE(map(7)->cellRect(tokens - 1, tokens - 1).bottomRight(), map(7)->mapRect().bottomRight());
        }
        QVERIFY(part<QLabel>("hint")->text().contains(QStringLiteral("labels: 1 in")));
        QVERIFY(part<QLabel>("hint")->text().contains(QStringLiteral("1 pixel = largest of")));
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
        QCOMPARE(grid_->maps().size(), std::size_t(8));
    }

    void anIllegalDraftKeepsThePicture() {
        const QImage before = map(4)->grab().toImage();
        session_->edit(Field::EmbedDim, QStringLiteral("seven"));
        QCoreApplication::processEvents();
        QCOMPARE(map(4)->grab().toImage(), before);
    }

    void onlyWhatChangedIsPainted() {
        PaintCounter painted;
        for (HeatMap* one : grid_->maps()) painted.watch(one);
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

    void theStoryYieldsToALowWindow() {
        auto* story = part<WeightStory>("weightStory");
        QVERIFY(story->isVisible());
        grid_->resize(880, 420);
        QCoreApplication::processEvents();
        QVERIFY(!story->isVisible());
        QVERIFY(map(7)->mapRect().height() > 80);
        grid_->resize(880, 660);
        QCoreApplication::processEvents();
        QVERIFY(story->isVisible());
    }

    void survivesTheSession() {
        click(1, 5, 4);
        QTest::mouseMove(map(2), middle(2, 5, 4));
        grid_.reset();
        session_->setHover(Cell{1, 1, 1});
        session_->setStage(Stage::K);
        QVERIFY(waitForTrace(*session_));
    }
};

QTEST_MAIN(TestHeadGrid)
#include "tst_head_grid.moc"
