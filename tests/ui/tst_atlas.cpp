// SPDX-License-Identifier: GPL-3.0-or-later
// The atlas of a recording: its heads are measured in the background, named, sorted, filtered and opened.
#include <QComboBox>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSettings>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QToolButton>
#include <cmath>

#include "core/files/safetensors_file.h"
#include "panel_support.h"
#include "support.h"
#include "ui/pages/atlas/head_details.h"
#include "ui/pages/atlas/recorded_view.h"
#include "ui/pages/atlas/summary_view.h"
#include "ui/pages/atlas/thumbnail_grid.h"
#include "ui/window/main_window.h"
#include "window_support.h"

using namespace headscope;

namespace {

constexpr int kLayers = 3, kHeads = 4, kSize = 12;

/// Head 2 of layer 1 attends to the previous token, head 0 of layer 2 to the separator, head 3 of layer 0 to all; the
/// others to two tokens at once.
double weight(std::int64_t layer, std::int64_t head, std::int64_t i, std::int64_t j, std::int64_t size) {
    if (layer == 1 && head == 2) return j == std::max<std::int64_t>(i - 1, 0);
    if (layer == 2 && head == 0) return j == size - 1;
    if (layer == 0 && head == 3) return 1.0 / double(size);
    return (j == i) * 0.4 + (j == size - 2) * 0.4 + (j == 3) * 0.2;
}

QString write(const QTemporaryDir& folder, const char* name, std::int64_t layers, std::int64_t heads,
              std::int64_t size) {
    Tensor attention = Tensor::of<float>({layers, heads, size, size});
    float* out = attention.data<float>();
    for (std::int64_t layer = 0; layer < layers; ++layer)
        for (std::int64_t head = 0; head < heads; ++head)
            for (std::int64_t cell = 0; cell < size * size; ++cell)
                *out++ = static_cast<float>(weight(layer, head, cell / size, cell % size, size));
    TensorFile file{{{"attention", FileTensor::from(attention)}}, {}};
    std::string tokens;
    for (std::int64_t i = 0; i < size; ++i)
        tokens += (i ? ",\"" : "[\"") + (i + 1 == size ? std::string("[SEP]") : "t" + std::to_string(i)) + "\"";
    file.metadata["tokens"] = tokens + "]";
    const QString path = folder.filePath(QLatin1String(name));
    writeFile(path, encode_safetensors(file));
    return path;
}

/// A window with a recording, on page Atlas.
struct Desk {
    Session session;
    MainWindow window{session};
    RecordedView* view;

    explicit Desk(const QString& path) : view(window.findChild<RecordedView*>()) {
        window.resize(1280, 720);
        window.show();
        (void)QTest::qWaitForWindowExposed(&window);
        session.openFile(path);
        (void)waitForTrace(session);
        session.setPage(PageName::Atlas);
    }
    bool isRead() const {
        return QTest::qWaitFor([this] { return view->heads() && !view->isBusy(); }, 30000);
    }
    ThumbnailGrid* grid() const { return view->grid(); }
    void clickHead(int head, bool twice = false) const {
        const QPoint at = grid()->placeOf(head).center();
        QTest::mouseClick(grid(), Qt::LeftButton, {}, at);
        if (twice) QTest::mouseDClick(grid(), Qt::LeftButton, {}, at);
    }
    QString title() const { return control<QLabel>(*view, "atlasTitle")->text(); }
};

}  // namespace

class TestAtlas : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    QString path_;

private Q_SLOTS:
    void initTestCase() {
        QVERIFY(testing::beginAsAtFirstStart(folder_));
        path_ = write(folder_, "small.safetensors", kLayers, kHeads, kSize);
    }
    void init() { QSettings().clear(); }

    void headsAreNamed() {
        const Desk desk(path_);
        QVERIFY(desk.isRead());
        QVERIFY(desk.view->isVisible());
        QCOMPARE(desk.view->heads()->known(), kLayers * kHeads);
        const std::pair<const char*, const char*> counts[] = {{"atlasName_previous", "previous 1"},
                                                              {"atlasName_separator", "separator 1"},
                                                              {"atlasName_broad", "broad 1"},
                                                              {"atlasName_mixed", "mixed 9"},
                                                              {"atlasName_induction", "induction 0"}};
        for (const auto& [name, text] : counts) {
            const auto* button = control<QToolButton>(*desk.view, name);
            QCOMPARE(button->text(), QLatin1String(text));
            QVERIFY(!button->toolTip().isEmpty());
        }
        QVERIFY(!control(*desk.view, "atlasProgress")->isVisible() && !control(*desk.view, "atlasStop")->isVisible());
        const QString words = control<QLabel>(*desk.view, "atlasWords")->text();
        QVERIFY2(words.startsWith(QStringLiteral("small.safetensors: 3 layers × 4 heads × 12 tokens")),
                 qPrintable(words));
    }

    void aClickShowsAHeadAndADoubleClickOpensIt() {
        Desk desk(path_);
        QVERIFY(desk.isRead());
        desk.clickHead(1 * kHeads + 2);
        QCOMPARE(desk.title(), QStringLiteral("Layer 1, head 2 · previous"));
        QVERIFY(control<QLabel>(*desk.view, "atlasSentence")->text().endsWith(QStringLiteral("100.0%")));
        QCOMPARE(desk.session.selection().page, PageName::Atlas);
        QTest::keyClick(desk.grid(), Qt::Key_Down);
        QCOMPARE(desk.title(), QStringLiteral("Layer 2, head 2 · mixed"));
        QTest::keyClick(desk.grid(), Qt::Key_Left);
        QTest::keyClick(desk.grid(), Qt::Key_Left);
        QCOMPARE(desk.title(), QStringLiteral("Layer 2, head 0 · separator"));
        const int steps = desk.session.undoStack()->count();
        desk.clickHead(1 * kHeads + 2, true);
        QVERIFY(waitForTrace(desk.session));
        QCOMPARE(desk.session.selection().page, PageName::Heads);
        QCOMPARE(desk.session.selection().head, std::optional(2));
        QCOMPARE(desk.session.draft().value(Field::Layer), QStringLiteral("1"));
        QCOMPARE(desk.session.trace()->request.recorded_layer, 1);
        QCOMPARE(desk.session.trace()->matrix(Stage::Weights, 0, 2).at(5, 4), 1.0);
        QCOMPARE(desk.session.undoStack()->count(), steps + 1);
        // Another head of the same layer is no step.
        desk.session.setPage(PageName::Atlas);
        QVERIFY(!desk.view->isBusy());  // what was read is still there
        desk.clickHead(1 * kHeads + 3);
        click(*desk.view, "atlasOpen");
        QCOMPARE(desk.session.selection().head, std::optional(3));
        QCOMPARE(desk.session.undoStack()->count(), steps + 1);
    }

    void namesFilterAndMeasuresSort() {
        const Desk desk(path_);
        QVERIFY(desk.isRead());
        std::vector<int> all(kLayers * kHeads);
        for (std::size_t n = 0; n < all.size(); ++n) all[n] = static_cast<int>(n);
        QCOMPARE(desk.grid()->shown(), all);
        click(*desk.view, "atlasName_separator");
        QCOMPARE(desk.grid()->shown(), std::vector<int>{2 * kHeads});
        click(*desk.view, "atlasName_separator");
        QCOMPARE(desk.grid()->shown(), all);
        choose(*desk.view, "atlasOrder", QStringLiteral("by previous"));
        QCOMPARE(desk.grid()->shown().front(), 1 * kHeads + 2);
        QCOMPARE(desk.grid()->placeOf(1 * kHeads + 2).topLeft(), QPoint(4, 4));
        choose(*desk.view, "atlasOrder", QStringLiteral("by name"));
        QCOMPARE((std::vector<int>(desk.grid()->shown().begin(), desk.grid()->shown().begin() + 3)),
                 (std::vector<int>{1 * kHeads + 2, 2 * kHeads, 3}));
        choose(*desk.view, "atlasOrder", QStringLiteral("by layer"));
        QCOMPARE(desk.grid()->shown(), all);
    }

    void readingCanBeStoppedAndContinued() {
        const Desk desk(write(folder_, "large.safetensors", 12, 16, 300));
        auto* stop = control<QToolButton>(*desk.view, "atlasStop");
        QVERIFY(desk.view->isBusy());
        QTRY_VERIFY(stop->isVisible());
        if (desk.view->isBusy()) QTest::mouseClick(stop, Qt::LeftButton);
        QVERIFY(!desk.view->isBusy());
        const int known = desk.view->heads()->known();
        QVERIFY(known < 12 * 16);
        QCOMPARE(stop->text(), QStringLiteral("Continue"));
        QCOMPARE(control<QProgressBar>(*desk.view, "atlasProgress")->value(), known);
        QTest::mouseClick(stop, Qt::LeftButton);
        QVERIFY(desk.isRead());
        QTRY_COMPARE(desk.view->heads()->known(), 12 * 16);
        QVERIFY(!stop->isVisible());
    }

    void whatIsComputedHasItsOldAtlas() {
        Desk desk(path_);
        QVERIFY(desk.isRead());
        desk.session.undoStack()->undo();
        QVERIFY(waitForTrace(desk.session));
        desk.session.setPage(PageName::Atlas);  // each step keeps the page that it was made on
        QTRY_VERIFY(desk.window.findChild<SummaryView*>()->isVisible());
        QVERIFY(!desk.view->isVisible());
        desk.session.undoStack()->redo();
        QVERIFY(waitForTrace(desk.session));
        desk.session.setPage(PageName::Atlas);
        QTRY_VERIFY(desk.view->isVisible());
    }

    /// A file that shrinks meanwhile is said; what was read stays.
    void aFileThatShrinks() {
        const QString path = write(folder_, "shrinks.safetensors", 6, 8, 64);
        const Desk desk(path);
        QVERIFY(desk.isRead());
        QVERIFY(QFile::resize(path, 4096));
        desk.view->heads();
        Session& session = const_cast<Session&>(desk.session);
        session.edit(Field::Layer, QStringLiteral("5"));
        QTRY_VERIFY(session.computeError() || !session.reading().problems.isEmpty());
        QCOMPARE(desk.view->heads()->known(), 6 * 8);
    }
};

QTEST_MAIN(TestAtlas)
#include "tst_atlas.moc"
