// SPDX-License-Identifier: GPL-3.0-or-later
// The window with attention that another program recorded.
#include <QDragEnterEvent>
#include <QLabel>
#include <QMimeData>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QToolButton>

#include "core/files/npz_file.h"
#include "core/files/recording.h"
#include "core/files/tensor_source.h"
#include "panel_support.h"
#include "support.h"
#include "ui/controls/fold.h"
#include "ui/export/dump.h"
#include "ui/export/tables.h"
#include "ui/maps/heat_map.h"
#include "ui/panels/shapes/shape_flow.h"
#include "ui/panels/shapes/stage_box.h"
#include "ui/panels/tokens/token_strip.h"
#include "ui/state/settings.h"
#include "ui/window/main_window.h"
#include "window_support.h"

using namespace headscope;

namespace {

constexpr int kLayers = 2, kHeads = 3, kSize = 5;

/// (L,H,S,S): the query's own key has most of the weight in layer 0, the one before it in layer 1.
TensorFile recording() {
    Tensor attention = Tensor::of<float>({kLayers, kHeads, kSize, kSize});
    for (std::int64_t n = 0; n < attention.size(); ++n) {
        const auto layer = n / (kHeads * kSize * kSize), i = n / kSize % kSize, j = n % kSize;
        const bool main = j == std::max<std::int64_t>(i - layer, 0);
        attention.data<float>()[n] = main ? 0.8F : 0.05F;
    }
    TensorFile file{{{"attention", FileTensor::from(attention)}}, {}};
    file.metadata["tokens"] = R"(["the","cat","sat","on","mats"])";
    return file;
}

struct Desk {
    Session session;
    MainWindow window{session};

    Desk() {
        window.resize(1280, 720);
        window.show();
        (void)QTest::qWaitForWindowExposed(&window);
        (void)waitForTrace(session);
    }
    QList<HeatMap*> maps() {
        QList<HeatMap*> shown;
        for (auto* map : window.findChildren<HeatMap*>())
            if (map->isVisible()) shown << map;
        return shown;
    }
    double weight(int head, int query, int key) const {
        return session.trace()->matrix(Stage::Weights, 0, head).at(query, key);
    }
};

}  // namespace

class TestRecordedWindow : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    QString path_;

private Q_SLOTS:
    void initTestCase() {
        QVERIFY(testing::beginAsAtFirstStart(folder_));
        path_ = folder_.filePath(QStringLiteral("recorded.npz"));
        writeFile(path_, *encode_npz(recording()));
    }
    void init() { QSettings().clear(); }

    void itOpensByADropAndShowsItsHeads() {
        Desk desk;
        const Draft before = desk.session.draft();
        QMimeData dropped;
        dropped.setUrls({QUrl::fromLocalFile(path_)});
        QDragEnterEvent enter({10, 10}, Qt::CopyAction, &dropped, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(&desk.window, &enter);
        QDropEvent event({10, 10}, Qt::CopyAction, &dropped, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(&desk.window, &event);
        QVERIFY(waitForTrace(desk.session));
        QVERIFY2(desk.session.reading().problems.isEmpty(), "");
        QCOMPARE(desk.maps().size(), kHeads);
        QCOMPARE(desk.weight(2, 3, 3), double(0.8F));
        QCOMPARE(settings::recentFiles.get().value(0), path_);
        auto* strip = desk.window.findChild<TokenStrip*>();
        QVERIFY(!control<QWidget>(*strip, "addSequence")->isVisible());
        QVERIFY(control<QLabel>(*strip, "tokenNote")->text().contains(QStringLiteral("recorded.npz")));
        QVERIFY(control<QLabel>(desk.window, "hint")->text().startsWith(QStringLiteral("recorded weights · ")));
        QVERIFY(control<QLabel>(desk.window, "footMemory")->text().startsWith(QStringLiteral("recorded weights")));
        QCOMPARE(control<QLabel>(desk.window, "footRows")->text(), QStringLiteral("rows sum to 1 ✓"));
        desk.session.undoStack()->undo();
        QCOMPARE(desk.session.draft(), before);
        QVERIFY(waitForTrace(desk.session));
        QTRY_COMPARE(desk.maps().size(), 8);
    }

    void aLayerIsChosen() {
        Desk desk;
        desk.session.openFile(path_);
        QVERIFY(waitForTrace(desk.session));
        auto* layer = control<QComboBox>(desk.window, "layer");
        QVERIFY(layer->isVisible());
        QCOMPARE(layer->count(), kLayers);
        QVERIFY(!control(desk.window, "layout")->isVisible() && !control(desk.window, "recordCode")->isVisible());
        QVERIFY(!control(desk.window, "numHeads")->isEnabled() && !control(desk.window, "embedDim")->isEnabled());
        const int steps = desk.session.undoStack()->count();
        QTest::keyClick(layer, Qt::Key_Down);
        QVERIFY(waitForTrace(desk.session));
        QCOMPARE(desk.weight(0, 3, 2), double(0.8F));
        QCOMPARE(desk.session.undoStack()->count(), steps + 1);
        desk.session.undoStack()->undo();
        QVERIFY(waitForTrace(desk.session));
        QCOMPARE(desk.weight(0, 3, 3), double(0.8F));
        QCOMPARE(layer->currentIndex(), 0);
        desk.session.edit(Field::Layer, QStringLiteral("2"));
        QVERIFY(problemOf(desk.window, "layer").contains(QStringLiteral("from 0 to 1")));
    }

    void aMaskRenormalises() {
        Desk desk;
        desk.session.openFile(path_);
        QVERIFY(waitForTrace(desk.session));
        click(desk.window, "maskCausal");
        QVERIFY(waitForTrace(desk.session));
        QCOMPARE(desk.weight(1, 0, 0), 1.0);
        QVERIFY(qFuzzyCompare(float(desk.weight(1, 2, 2)), 0.8F / 0.9F));
        QCOMPARE(desk.weight(1, 2, 3), 0.0);
        const QString hint = control<QLabel>(desk.window, "hint")->text();
        QVERIFY2(hint.contains(QStringLiteral("renormalised under the mask")), qPrintable(hint));
        QVERIFY2(hint.contains(QStringLiteral("hatched = masked")), qPrintable(hint));
    }

    void stagesThatAreNotThereSayWhy() {
        Desk desk;
        desk.session.setStage(Stage::Scores);
        desk.session.openFile(path_);
        QVERIFY(waitForTrace(desk.session));
        QCOMPARE(desk.session.selection().stage, Stage::Weights);
        for (const char* name : {"stage_q", "stage_scores"}) {
            auto* button = control<QToolButton>(desk.window, name);
            QVERIFY2(!button->isEnabled() && button->toolTip().contains(QStringLiteral("recording")), name);
        }
        QVERIFY(control<QToolButton>(desk.window, "stage_weights")->isEnabled());
        for (const auto* box : desk.window.findChildren<StageBox*>()) {
            QCOMPARE(box->isEnabled(), box->stage() == Stage::Weights);
            if (!box->isEnabled()) QVERIFY(box->toolTip().contains(QStringLiteral("recording")));
        }
        desk.session.undoStack()->undo();
        QVERIFY(waitForTrace(desk.session));
        QVERIFY(control<QToolButton>(desk.window, "stage_q")->isEnabled());
        QCOMPARE(desk.session.selection().stage, Stage::Scores);  // what was wanted is there again
    }

    /// Every page, gesture and change while a recording is open.
    void nothingElseBreaks() {
        Desk desk;
        desk.session.openFile(path_);
        QVERIFY(waitForTrace(desk.session));
        auto* pages = desk.window.findChild<QTabWidget*>(QStringLiteral("pages"));
        for (const bool locked : {false, true}) {
            desk.session.setLocked(locked ? std::optional(Cell{3, 1, 2}) : std::nullopt);
            for (const char* mask : {"none", "causal", "padding,local:0:0"}) {
                desk.session.edit(Field::Mask, QLatin1String(mask));
                for (int page = 0; page < pages->count(); ++page) {
                    pages->setCurrentIndex(page);
                    QVERIFY(waitForTrace(desk.session));
                    handleEvents();
                    for (HeatMap* map : desk.maps()) {
                        QTest::mouseMove(map, map->rect().center());
                        QTest::mouseClick(map, Qt::LeftButton, {}, map->rect().center());
                        handleEvents();
                    }
                }
            }
        }
        for (const StepsPart part : {StepsPart::Cell, StepsPart::Chunks, StepsPart::Precision}) {
            desk.session.setPage(PageName::Steps);
            desk.session.setStepsPart(part);
            handleEvents();
            QVERIFY(control<QLabel>(desk.window, "stepsEmpty")->text().startsWith(QStringLiteral("A recording has")));
            QVERIFY(control<QLabel>(desk.window, "stepsEmpty")->isVisible());
        }
        for (const char* weights : {"seed", "textbook"}) {
            desk.session.edit(withWeights(desk.session.draft(), QLatin1String(weights)), QStringLiteral("weights"));
            QVERIFY(waitForTrace(desk.session));
            QVERIFY(desk.session.trace()->q);
            desk.session.setStage(Stage::Output);
            desk.session.openFile(path_);
            QVERIFY(waitForTrace(desk.session));
            handleEvents();
        }
    }

    void whatIsWrittenCanBeOpened() {
        Session session;
        session.openFile(path_, QStringLiteral("1"));
        QVERIFY(waitForTrace(session));
        const QString again = folder_.filePath(QStringLiteral("again.safetensors"));
        QVERIFY(writeTable(again, *session.trace(), {}));
        const auto written = TensorSource::open(again.toStdString());
        QVERIFY(written);
        QCOMPARE(written->find("attention")->shape, (Shape{1, kHeads, kSize, kSize}));
        QVERIFY(!written->find("q"));
        session.openFile(again);
        QVERIFY(waitForTrace(session));
        QCOMPARE(session.trace()->matrix(Stage::Weights, 0, 0).at(3, 2), double(0.8F));
        QCOMPARE(session.trace()->batch().tokens[0][1], "cat");
        const auto refused = writeTable(folder_.filePath(QStringLiteral("q.csv")), *session.trace(), {0, {}, Stage::Q});
        QVERIFY(!refused && refused.error().message().find("recording") != std::string::npos);
    }
};

QTEST_MAIN(TestRecordedWindow)
#include "tst_recorded_window.moc"
