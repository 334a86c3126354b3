// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QMenu>
#include <QTest>
#include <QToolButton>

#include "heads_support.h"
#include "support.h"
#include "ui/look/theme.h"
#include "ui/maps/color_bar.h"
#include "ui/pages/heads/stage_bar.h"

using namespace headscope;

class TestStageBar : public QObject {
    Q_OBJECT
private:
    std::unique_ptr<Session> session_;
    std::unique_ptr<StageBar> bar_;

    QToolButton* button(const char* name) { return bar_->findChild<QToolButton*>(QLatin1String(name)); }
    QComboBox* box(const char* name) { return bar_->findChild<QComboBox*>(QLatin1String(name)); }
    ColorBar* colors() { return bar_->findChild<ColorBar*>(QStringLiteral("colorBar")); }
    void click(const char* name) { QTest::mouseClick(button(name), Qt::LeftButton); }

private Q_SLOTS:
    void initTestCase() { applyTheme(Theme::Light); }
    void init() {
        session_ = std::make_unique<Session>();
        bar_ = std::make_unique<StageBar>(*session_);
        bar_->resize(1024, bar_->heightForWidth(1024));
        bar_->show();
        QVERIFY(QTest::qWaitForWindowExposed(bar_.get()));
        QVERIFY(waitForTrace(*session_));
        QCoreApplication::processEvents();
    }
    void cleanup() {
        bar_.reset();
        session_.reset();
    }

    void startsAtWeightsFromZeroToOne() {
        QVERIFY(button("stage_weights")->isChecked());
        QVERIFY(button("range_unit")->isChecked());
        QCOMPARE(box("palette")->currentText(), QStringLiteral("viridis"));
        QCOMPARE(colors()->lowText(), QStringLiteral("0"));
        QCOMPARE(colors()->highText(), QStringLiteral("1"));
        QCOMPARE(colors()->kindText(), QString());
    }

    void growsWithItsType() {
        const QFont before = QApplication::font();
        const int height = bar_->height();
        QFont large = before;
        large.setPointSize(20);
        QApplication::setFont(large);
        applyTheme(currentTheme());
        const auto fits = [&] {
            return bar_->rect().contains(
                       QRect(button("range_log")->mapTo(bar_.get(), QPoint()), button("range_log")->size())) &&
                   bar_->rect().contains(
                       QRect(box("sequence")->mapTo(bar_.get(), QPoint()), box("sequence")->size())) &&
                   button("stage_q")->height() >= QFontMetrics(large).height();
        };
        QTRY_VERIFY(bar_->height() > height && fits());
        QApplication::setFont(before);
        applyTheme(currentTheme());
        QTRY_COMPARE(bar_->height(), height);
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
        }
        for (QAction* action : button("stage_more")->menu()->actions()) {
            action->trigger();
            QCOMPARE(int(session_->selection().stage), action->data().toInt());
            QVERIFY(button("stage_more")->isChecked());
            QVERIFY(button("stage_more")->text().startsWith(action->text()));
        }
        QCOMPARE(button("stage_more")->menu()->actions().size() + std::size(stages), std::size_t(13));
        click("stage_q");
        QVERIFY(button("stage_more")->text().startsWith(QStringLiteral("more")));
        // Another view may choose as well: the shape flow.
        session_->setStage(Stage::Output);
        QVERIFY(button("stage_more")->isChecked());
        QVERIFY(!button("stage_q")->isChecked());
    }

    void rangesFollowTheStage() {
        click("range_log");
        QCOMPARE(session_->selection().shownRange(), Range::Log);
        QCOMPARE(colors()->lowText(), QStringLiteral("1e−6"));
        QCOMPARE(colors()->kindText(), QStringLiteral("log"));
        click("stage_q");
        QVERIFY(!button("range_unit")->isEnabled());
        QVERIFY(!button("range_log")->isEnabled());
        QVERIFY(button("range_log")->toolTip().contains(QStringLiteral("symmetric about 0")));
        QVERIFY(button("range_shared")->isChecked());
        QCOMPARE(box("palette")->currentText(), QStringLiteral("diverging"));
        QCOMPARE(colors()->lowText(), QStringLiteral("−") + colors()->highText());
        click("range_head");
        QCOMPARE(colors()->kindText(), QStringLiteral("per head"));
        QCOMPARE(colors()->highText(), QStringLiteral("max"));
        click("stage_weights");
        QVERIFY(button("range_unit")->isEnabled());
        session_->setStage(Stage::Mask);
        for (const char* name : {"range_head", "range_shared", "range_log"}) QVERIFY(!button(name)->isEnabled());
        QVERIFY(button("range_unit")->isChecked());
    }

    void disabledRangesDoNothing() {
        click("stage_q");
        click("range_log");
        QCOMPARE(session_->selection().shownRange(), Range::Shared);
        QVERIFY(button("range_shared")->isChecked());
    }

    void theBarShowsThePalette() {
        for (int i = 0; i < 5; ++i) {
            QTest::keyClick(box("palette"), i == 0 ? Qt::Key_Home : Qt::Key_Down);
            QCOMPARE(int(session_->selection().shownPalette()), i);
            const QImage picture = colors()->grab().toImage();
            const QRect bar = colors()->barRect();
            const auto& palette = paletteColors(Palette(i));
            QVERIFY(bar.width() >= 60);
            QCOMPARE(picture.pixel(bar.left(), bar.center().y()), palette.front());
            QCOMPARE(picture.pixel(bar.right(), bar.center().y()), palette.back());
        }
    }

    void theBarStandsForTheNumbers() {
        click("range_shared");
        const ColorScale scale = colorScale(*session_->trace(), session_->selection(), 0);
        QCOMPARE(colors()->highText(), scaleLabel(scale.high));
        session_->edit(Field::Weights, QStringLiteral("seed"));
        QVERIFY(waitForTrace(*session_));
        const ColorScale seeded = colorScale(*session_->trace(), session_->selection(), 0);
        QVERIFY(seeded != scale);
        QCOMPARE(colors()->highText(), scaleLabel(seeded.high));
        QVERIFY(colors()->accessibleName().contains(scaleLabel(seeded.high)));
    }

    void sequencesCanBeChosen() {
        auto* sequence = box("sequence");
        QVERIFY(sequence->isVisible());
        QCOMPARE(sequence->count(), 2);
        QVERIFY(sequence->itemText(0).startsWith(QStringLiteral("0 · the cat")));
        QCOMPARE(sequence->itemText(1), QStringLiteral("1 · a dog ran"));
        QTest::keyClick(sequence, Qt::Key_Down);
        QCOMPARE(session_->selection().sequence, 1);
        session_->edit(Field::Text, QStringLiteral("<b>one</b>\n\nthree"));
        QVERIFY(waitForTrace(*session_));
        QCOMPARE(sequence->count(), 3);
        QCOMPARE(sequence->currentIndex(), 1);
        QCOMPARE(sequence->itemText(0), QStringLiteral("0 · <b>one</b>"));
        QCOMPARE(sequence->itemText(1), QStringLiteral("1 · (padding only)"));
        session_->edit(Field::Text, QStringLiteral("alone"));
        QVERIFY(waitForTrace(*session_));
        QVERIFY(!sequence->isVisible());
    }

    void longSequencesAreShortened() {
        session_->edit(Field::Text, QString(100000, u'w') + QStringLiteral("\n") + manyTokens(50));
        QVERIFY(waitForTrace(*session_));
        for (int i = 0; i < 2; ++i) QVERIFY(box("sequence")->itemText(i).size() < 40);
    }

    void undoIsFollowed() {
        click("stage_scores");
        click("range_head");
        session_->undoStack()->undo();
        session_->undoStack()->undo();
        QVERIFY(button("stage_weights")->isChecked());
        QVERIFY(button("range_unit")->isChecked());
    }

    void nothingIsCutAtAnyWidth() {
        for (const int width : {1400, 1024, 800, 600}) {
            bar_->resize(width, bar_->heightForWidth(width));
            QCoreApplication::processEvents();
            QList<QRect> places;
            for (QWidget* part : bar_->findChildren<QWidget*>()) {
                if (!part->isVisibleTo(bar_.get()) || part->window() != bar_.get()) continue;
                if (!qobject_cast<QToolButton*>(part) && !qobject_cast<QComboBox*>(part) && part != colors()) continue;
                const QRect place(part->mapTo(bar_.get(), QPoint()), part->size());
                QVERIFY2(part->width() >= part->minimumSizeHint().width(), qPrintable(part->objectName()));
                QVERIFY2(bar_->rect().contains(place), qPrintable(part->objectName()));
                for (const QRect& other : places) QVERIFY2(!place.intersects(other), qPrintable(part->objectName()));
                places.append(place);
            }
            QVERIFY(places.size() >= 15);
        }
        QVERIFY(bar_->heightForWidth(600) > bar_->heightForWidth(1400));
    }

    void theKeyboardChoosesSegments() {
        button("stage_weights")->setFocus();
        QTest::keyClick(button("stage_weights"), Qt::Key_Left);
        QCOMPARE(session_->selection().stage, Stage::Masked);
        button("range_unit")->setFocus();
        QTest::keyClick(button("range_shared"), Qt::Key_Space);
        QCOMPARE(session_->selection().shownRange(), Range::Shared);
    }
};

QTEST_MAIN(TestStageBar)
#include "tst_stage_bar.moc"
