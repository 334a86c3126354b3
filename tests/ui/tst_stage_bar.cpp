// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAction>
#include <QApplication>
#include <QMenu>
#include <QTest>
#include <QToolButton>

#include "heads_support.h"
#include "support.h"
#include "ui/look/theme.h"
#include "ui/look/type_size.h"
#include "ui/maps/color_bar.h"
#include "ui/pages/heads/stage_bar.h"

using namespace headscope;

class TestStageBar : public QObject {
    Q_OBJECT
private:
    std::unique_ptr<Session> session_;
    std::unique_ptr<StageBar> bar_;
    std::unique_ptr<QAction> export_;

    QToolButton* button(const char* name) { return bar_->findChild<QToolButton*>(QLatin1String(name)); }
    QAction* range(const char* name) { return button("range")->menu()->findChild<QAction*>(QLatin1String(name)); }
    QAction* palette(int index) { return button("palette")->menu()->actions().at(index); }
    QAction* inMenu(Stage stage) {
        for (QAction* action : button("stage_more")->menu()->actions())
            if (action->data().toInt() == int(stage)) return action;
        return nullptr;
    }
    ColorBar* colors() { return bar_->findChild<ColorBar*>(QStringLiteral("colorBar")); }
    void click(const char* name) { QTest::mouseClick(button(name), Qt::LeftButton); }
    QList<QWidget*> seen() {
        QList<QWidget*> seen;
        for (QToolButton* part : bar_->findChildren<QToolButton*>())
            if (part->isVisibleTo(bar_.get())) seen << part;
        return seen;
    }
    bool isCut() {
        QList<QRect> places;
        for (const QWidget* part : seen()) {
            if (part->width() < part->minimumSizeHint().width() || !bar_->rect().contains(part->geometry()))
                return true;
            for (const QRect& other : places)
                if (part->geometry().intersects(other)) return true;
            places << part->geometry();
        }
        return colors()->width() < colors()->minimumSizeHint().width();
    }

private Q_SLOTS:
    void initTestCase() { applyTheme(Theme::Light); }
    void init() {
        session_ = std::make_unique<Session>();
        bar_ = std::make_unique<StageBar>(*session_);
        export_ = std::make_unique<QAction>(QStringLiteral("&Export…"));
        bar_->addCommand(export_.get());
        bar_->resize(1024, bar_->sizeHint().height());
        bar_->show();
        QVERIFY(QTest::qWaitForWindowExposed(bar_.get()));
        QVERIFY(waitForTrace(*session_));
        QCoreApplication::processEvents();
    }
    void cleanup() {
        bar_.reset();
        export_.reset();
        session_.reset();
    }

    void startsAtWeightsFromZeroToOne() {
        QVERIFY(button("stage_weights")->isChecked());
        QCOMPARE(button("range")->text(), QStringLiteral("0 – 1 ▾"));
        QVERIFY(palette(0)->isChecked());
        QCOMPARE(colors()->lowText(), QStringLiteral("0"));
        QCOMPARE(colors()->highText(), QStringLiteral("1"));
        QCOMPARE(colors()->kindText(), QString());
    }

    void everyStageCanBeChosen() {
        const std::pair<const char*, Stage> stages[] = {{"stage_q", Stage::Q},
                                                        {"stage_k", Stage::K},
                                                        {"stage_v", Stage::V},
                                                        {"stage_scores", Stage::Scores},
                                                        {"stage_masked", Stage::Masked},
                                                        {"stage_weights", Stage::Weights},
                                                        {"stage_context", Stage::HeadContext}};
        for (const auto& [name, stage] : stages) {
            click(name);
            QCOMPARE(session_->selection().stage, stage);
            QVERIFY(button(name)->isChecked());
            QVERIFY(!inMenu(stage)->isVisible());
        }
        int more = 0;
        for (QAction* action : button("stage_more")->menu()->actions()) {
            if (!action->isVisible()) continue;
            action->trigger();
            QCOMPARE(int(session_->selection().stage), action->data().toInt());
            QVERIFY(button("stage_more")->isChecked());
            QVERIFY(button("stage_more")->text().startsWith(action->text()));
            ++more;
        }
        QCOMPARE(more + int(std::size(stages)), 13);
        click("stage_q");
        QCOMPARE(button("stage_more")->text(), QStringLiteral("…"));
        // Another view may choose as well: the shape flow.
        session_->setStage(Stage::Output);
        QVERIFY(button("stage_more")->isChecked());
        QVERIFY(!button("stage_q")->isChecked());
    }

    void rangesFollowTheStage() {
        range("range_log")->trigger();
        QCOMPARE(session_->selection().shownRange(), Range::Log);
        QCOMPARE(colors()->lowText(), utf8("1e−6"));
        QCOMPARE(colors()->kindText(), QStringLiteral("log"));
        click("stage_q");
        QVERIFY(!range("range_unit")->isEnabled());
        QVERIFY(!range("range_log")->isEnabled());
        QVERIFY(range("range_log")->toolTip().contains(QStringLiteral("symmetric about 0")));
        QVERIFY(range("range_shared")->isChecked());
        QVERIFY(range("range_shared")->toolTip().contains(QStringLiteral("largest magnitude")));
        QCOMPARE(button("range")->text(), QStringLiteral("± shared ▾"));
        QVERIFY(palette(4)->isChecked());
        QCOMPARE(colors()->lowText(), utf8("−") + colors()->highText());
        QVERIFY(
            button("palette")->toolTip().contains(QStringLiteral("symmetric about 0, up to the largest magnitude")));
        range("range_head")->trigger();
        QCOMPARE(colors()->kindText(), QStringLiteral("per head"));
        QCOMPARE(colors()->highText(), QStringLiteral("max"));
        click("stage_weights");
        QVERIFY(range("range_unit")->isEnabled());
        QVERIFY(!button("palette")->toolTip().contains(QStringLiteral("symmetric")));
        session_->setStage(Stage::Mask);
        for (const char* name : {"range_head", "range_shared", "range_log"}) QVERIFY(!range(name)->isEnabled());
        QVERIFY(range("range_unit")->isChecked());
    }

    void theFaceOfThePaletteIsTheColourBar() {
        for (int i = 0; i < 5; ++i) {
            palette(i)->trigger();
            QCOMPARE(int(session_->selection().shownPalette()), i);
            QVERIFY(palette(i)->isChecked());
            const QImage picture = button("palette")->grab().toImage();
            const QRect bar = colors()->barRect().translated(colors()->pos());
            const auto& shown = paletteColors(Palette(i));
            QVERIFY(bar.width() >= 60);
            QCOMPARE(picture.pixel(bar.left(), bar.center().y()), shown.front());
            QCOMPARE(picture.pixel(bar.right(), bar.center().y()), shown.back());
        }
    }

    void theBarStandsForTheNumbers() {
        range("range_shared")->trigger();
        const ColorScale scale = colorScale(*session_->trace(), session_->selection(), 0);
        QCOMPARE(colors()->highText(), scaleLabel(scale.high));
        session_->edit(Field::Weights, QStringLiteral("seed"));
        QVERIFY(waitForTrace(*session_));
        const ColorScale seeded = colorScale(*session_->trace(), session_->selection(), 0);
        QVERIFY(seeded != scale);
        QCOMPARE(colors()->highText(), scaleLabel(seeded.high));
        QVERIFY(colors()->accessibleName().contains(scaleLabel(seeded.high)));
    }

    void undoIsFollowed() {
        click("stage_scores");
        session_->edit(Field::Mask, QStringLiteral("causal"));
        click("stage_weights");
        session_->undoStack()->undo();  // back to what was shown at the edit
        QVERIFY(button("stage_scores")->isChecked());
    }

    void commandsAreTheWindows() {
        int exports = 0;
        connect(export_.get(), &QAction::triggered, this, [&] { ++exports; });
        QCOMPARE(button("command0")->text(), QStringLiteral("Export…"));
        QVERIFY(!button("commands")->isVisible());
        click("command0");
        QCOMPARE(exports, 1);
        bar_->resize(bar_->minimumSizeHint());
        QVERIFY(!button("command0")->isVisible());
        QVERIFY(button("commands")->isVisible());
        button("commands")->menu()->actions().front()->trigger();
        QCOMPARE(exports, 2);
    }

    /// One row at any width and type size; what folds away is in a menu.
    void itFoldsAndIsNeverCut_data() {
        QTest::addColumn<int>("points");
        for (const int points : {10, 12, 14, 18}) QTest::addRow("%d pt", points) << points;
    }
    void itFoldsAndIsNeverCut() {
        QFETCH(int, points);
        const int before = QApplication::font().pointSize();
        applyTypeSize(points);
        QCoreApplication::processEvents();
        const int line = QFontMetrics(QApplication::font()).height();
        QTRY_VERIFY(bar_->sizeHint().height() > line && button("stage_q")->sizeHint().height() >= line);
        for (const Stage stage : {Stage::Weights, Stage::HeadContext, Stage::Output, Stage::Q}) {
            session_->setStage(stage);
            QVERIFY(bar_->minimumSizeHint().width() <= 800);  // the least window
            std::size_t fewest = 100;
            for (const int width : {1920, 1440, 1280, 1024, 900, 800}) {
                bar_->resize(width, bar_->sizeHint().height());
                QCoreApplication::processEvents();
                QVERIFY(!isCut());
                QVERIFY(std::size_t(seen().size()) <= fewest);
                fewest = std::size_t(seen().size());
                for (const Stage each :
                     {Stage::Q, Stage::K, Stage::V, Stage::Scores, Stage::Masked, Stage::Weights, Stage::HeadContext}) {
                    const QByteArray name =
                        "stage_" + QByteArray(to_string(each).data(), qsizetype(to_string(each).size()));
                    QCOMPARE(button(name.constData())->isVisible(), !inMenu(each)->isVisible());
                }
                if (const auto name = "stage_" + std::string(to_string(stage)); button(name.c_str()))
                    QVERIFY(button(name.c_str())->isVisible());
            }
        }
        if (points == 10) {
            bar_->resize(1024, bar_->height());
            QCoreApplication::processEvents();
            QVERIFY(button("stage_context")->isVisible() && button("command0")->isVisible());
        }
        applyTypeSize(before);
    }

    void theKeyboardChoosesSegments() {
        button("stage_weights")->setFocus();
        QTest::keyClick(button("stage_weights"), Qt::Key_Left);
        QCOMPARE(session_->selection().stage, Stage::Masked);
    }
};

QTEST_MAIN(TestStageBar)
#include "tst_stage_bar.moc"
