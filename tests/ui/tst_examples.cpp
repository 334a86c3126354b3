// SPDX-License-Identifier: GPL-3.0-or-later
// Each example shows what its name says, opens in one step that can be undone, and has a picture; and the hint of the
// first start.
#include <QAction>
#include <QCheckBox>
#include <QLabel>
#include <QListWidget>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <cmath>
#include <set>

#include "core/explain/chunk_steps.h"
#include "core/explain/comparison.h"
#include "panel_support.h"
#include "ui/pages/compare/compare_view.h"
#include "ui/state/examples.h"
#include "ui/state/settings.h"
#include "ui/window/example_gallery.h"
#include "ui/window/main_window.h"

using namespace headscope;

namespace {

/// What an example computes.
struct Shown {
    Example example;
    TracePtr a, b;  ///< b: null where it has none

    explicit Shown(const char* key) {
        for (const Example& one : examples())
            if (one.key == QLatin1StringView(key)) example = one;
        a = compute(*readDraft(example.draft).request).value();
        if (example.b) b = compute(*readDraft(*example.b).request).value();
    }
    std::int64_t size() const { return a->dims().sequence_length; }
    std::int64_t heads() const { return a->dims().num_heads; }
    double weight(std::int64_t head, std::int64_t query, std::int64_t key) const {
        return a->matrix(Stage::Weights, example.selection.sequence, head).at(query, key);
    }
    double rowSum(std::int64_t head, std::int64_t query) const {
        double sum = 0;
        for (std::int64_t key = 0; key < size(); ++key) sum += weight(head, query, key);
        return sum;
    }
    /// In every head, exactly the cells of the rule have no weight by the mask; each row sums to 1.
    template <typename Allowed>
    void verifyMask(Allowed allowed) const {
        int masked = 0;
        for (std::int64_t head = 0; head < heads(); ++head)
            for (std::int64_t i = 0; i < size(); ++i) {
                bool any = false;
                for (std::int64_t j = 0; j < size(); ++j) {
                    QCOMPARE(a->mask.of(0).allowed(example.selection.sequence, i, j), allowed(i, j));
                    any = any || allowed(i, j);
                    masked += !allowed(i, j);
                    if (!allowed(i, j)) QCOMPARE(weight(head, i, j), 0.0);
                }
                if (any) QVERIFY(std::abs(rowSum(head, i) - 1) < 1e-6);
            }
        QVERIFY(masked > 0);
    }
    /// The row that the fills differ in: the first one.
    void verifyFullyMaskedRow(double expected) const {
        QCOMPARE(a->mask.of(0).allowed_in_row(0, 0), 0);
        for (std::int64_t head = 0; head < heads(); ++head) {
            for (std::int64_t key = 0; key < size(); ++key) {
                if (std::isnan(expected))
                    QVERIFY(std::isnan(weight(head, 0, key)));
                else
                    QVERIFY(std::abs(weight(head, 0, key) - expected) < 1e-7);
            }
            QVERIFY(std::abs(rowSum(head, 1) - 1) < 1e-6);  // the others are as usual
        }
    }
};

/// The key with the largest weight of a row.
std::int64_t topKey(const Trace& trace, std::int64_t head, std::int64_t query) {
    const MatrixView weights = trace.matrix(Stage::Weights, 0, head);
    std::int64_t best = 0;
    for (std::int64_t key = 0; key < weights.columns; ++key)
        if (weights.at(query, key) > weights.at(query, best)) best = key;
    return best;
}

}  // namespace

class TestExamples : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        QVERIFY(folder_.isValid());
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, folder_.path());
        applyTheme(Theme::Light);
    }
    void init() { QSettings(QSettings::IniFormat, QSettings::UserScope, utf8("headscope"), utf8("headscope")).clear(); }

    void causalMasksTheFuture() {
        const Shown shown("causal");
        shown.verifyMask([](auto i, auto j) { return j <= i; });
        for (std::int64_t head = 0; head < 8; ++head) QCOMPARE(shown.weight(head, 0, 0), 1.0);
    }
    void paddingMasksTheFilledUpKeys() {
        const Shown shown("padding");
        QCOMPARE(shown.example.selection.sequence, 1);
        shown.verifyMask([](auto, auto j) { return j < 3; });
    }
    void leftPaddingMasksRowsToo() {
        const Shown shown("left-padding");
        QCOMPARE(shown.example.selection.sequence, 1);
        shown.verifyMask([](auto i, auto j) { return j >= 3 && j <= i; });
        QCOMPARE(shown.a->mask.of(0).allowed_in_row(1, 2), 0);
        QCOMPARE(shown.a->mask.of(0).allowed_in_row(1, 3), 1);
    }
    void aWindowIsLocal() {
        const Shown shown("local-window");
        shown.verifyMask([](auto i, auto j) { return std::abs(i - j) <= 2; });
    }
    void theSinkStaysBesideTheWindow() {
        const Shown shown("sink-and-window");
        shown.verifyMask([](auto i, auto j) { return j <= i && (i - j <= 2 || j == 0); });
    }
    void documentsDoNotAttendToEachOther() {
        const Shown shown("packed-documents");
        QCOMPARE(shown.size(), 10);
        shown.verifyMask([](auto i, auto j) { return (i < 5) == (j < 5); });
    }
    void theFillDecidesAFullyMaskedRow() {
        Shown("fully-masked-safe").verifyFullyMaskedRow(0);
        Shown("fully-masked-inf").verifyFullyMaskedRow(std::nan(""));
        const Shown uniform("fully-masked-1e9");
        uniform.verifyFullyMaskedRow(1.0 / static_cast<double>(uniform.size()));
    }
    void oneHeadHasOnePattern() {
        const Shown shown("one-head");
        QCOMPARE(shown.heads(), 8);
        QCOMPARE(shown.b->dims().num_heads, 1);
        QCOMPARE(shown.b->dims().head_dim(), 512);
        std::set<std::int64_t> eight;  // where the heads look from one word
        for (std::int64_t head = 0; head < 8; ++head) eight.insert(topKey(*shown.a, head, 5));
        QVERIFY(eight.size() >= 4);
        QCOMPARE(topKey(*shown.b, 0, 5), topKey(*shown.a, 0, 5));  // its pattern is that of head 0
    }
    void precisionIsLost() {
        const Shown shown("precision");
        const auto head = shown.example.selection.head.value_or(0);
        const auto lost = difference(*shown.a, *shown.b, Stage::Weights, 0, head);
        QVERIFY(lost->largest > 1e-4);
        QVERIFY(lost->largest < 0.1);
        QVERIFY(!lost->within_rounding());
    }
    void chunksSkipWhatIsFullyMasked() {
        const Shown shown("chunks");
        const Cell cell = *shown.example.selection.locked;
        const auto steps = chunk_steps(*shown.a, 0, cell.head, cell.query);
        QCOMPARE(steps->steps.size(), 9u);
        QCOMPARE(steps->skipped, 3);
        QVERIFY(steps->weight_difference < 1e-6);
    }

    void eachOpensInOneStepAndUndoBringsTheOldStateBack_data() {
        QTest::addColumn<int>("index");
        for (int i = 0; i < examples().size(); ++i) QTest::newRow(qPrintable(examples()[i].key)) << i;
    }
    void eachOpensInOneStepAndUndoBringsTheOldStateBack() {
        QFETCH(int, index);
        const Example example = examples()[index];
        Session session;
        MainWindow window(session);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window) && waitForTrace(session));
        session.edit(Field::Text, utf8("my own words"));
        session.setPage(PageName::Compare);
        session.setLocked(Cell{1, 0, 5});
        QVERIFY(waitForTrace(session));
        auto* compare = control<CompareView>(window, "compareView");
        compare->setB(compare->b()->draft(), {});
        compare->b()->edit(Field::Fill, utf8("inf"));
        const Draft draft = session.draft(), b = compare->b()->draft();
        const Selection selection = session.wantedSelection();
        const int steps = session.undoStack()->count();

        control<QAction>(window, "examples")->trigger();
        auto* gallery = window.findChild<ExampleGallery*>();
        QVERIFY(gallery);
        auto* list = control<QListWidget>(*gallery, "exampleList");
        QCOMPARE(list->item(index)->text(), example.name);
        Q_EMIT list->itemClicked(list->item(index));
        QVERIFY(waitForTrace(session));
        QVERIFY(session.reading().problems.isEmpty());
        QCOMPARE(session.draft(), example.draft);
        QCOMPARE(session.selection(), example.selection);
        if (example.b) QCOMPARE(compare->b()->draft(), *example.b);
        QCOMPARE(session.undoStack()->count(), steps + 1);

        session.undoStack()->undo();
        QVERIFY(waitForTrace(session));
        QCOMPARE(session.draft(), draft);
        QCOMPARE(session.wantedSelection(), selection);
        QCOMPARE(compare->b()->draft(), b);
    }

    void eachHasAPictureOfItsOwn() {
        ExampleGallery gallery;
        QVERIFY(QTest::qWaitFor([&] { return !gallery.isBusy(); }, 60000));
        auto* list = control<QListWidget>(gallery, "exampleList");
        QCOMPARE(list->count(), examples().size());
        QList<QImage> seen;
        for (int i = 0; i < list->count(); ++i) {
            const QImage image = list->item(i)->icon().pixmap(list->iconSize()).toImage();
            std::set<QRgb> colors;
            for (int y = 0; y < image.height(); ++y)
                for (int x = 0; x < image.width(); ++x) colors.insert(image.pixel(x, y));
            QVERIFY2(colors.size() > 3, qPrintable(examples()[i].key));
            QVERIFY2(!seen.contains(image), qPrintable(examples()[i].key));
            seen << image;
            QVERIFY(!list->item(i)->toolTip().isEmpty());
        }
    }

    void theHintAsksAnswersAndNeverReturns() {
        for (const bool by_hand : {true, false}) {
            init();
            Session session;
            MainWindow window(session);
            window.resize(1280, 720);
            window.show();
            QVERIFY(QTest::qWaitForWindowExposed(&window) && waitForTrace(session));
            window.showCallOut();
            auto* hint = control<QWidget>(window, "callOut");
            QTRY_VERIFY(hint->isVisible());
            QVERIFY(window.rect().contains(hint->geometry()));
            auto* text = control<QLabel>(window, "callOutText");
            QCOMPARE(text->text(), utf8("What can the first word still attend to?"));
            if (by_hand)
                session.edit(Field::Mask, utf8("padding,causal"));
            else
                control<QToolButton>(window, "callOutShow")->click();
            QVERIFY(waitForTrace(session));
            QVERIFY2(text->text().contains(utf8("one allowed key")), qPrintable(text->text()));
            QVERIFY(!control<QToolButton>(window, "callOutShow")->isVisible());
            QTest::qWait(10);
            QVERIFY(hint->isVisible());
            if (by_hand)
                control<QToolButton>(window, "callOutClose")->click();
            else
                session.setLocked(Cell{0, 0, 0});  // as its last sentence says
            QVERIFY(!hint->isVisible());
            Session again;
            MainWindow next(again);
            next.showCallOut();
            QVERIFY(!next.findChild<QWidget*>(utf8("callOut")));
        }
    }

private:
    QTemporaryDir folder_;
};

QTEST_MAIN(TestExamples)
#include "tst_examples.moc"
