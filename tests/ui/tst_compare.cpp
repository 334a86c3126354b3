// SPDX-License-Identifier: GPL-3.0-or-later
// Two configurations side by side, as a person changes, copies, swaps, points and exports.
#include <QAction>
#include <QComboBox>
#include <QDockWidget>
#include <QImage>
#include <QLabel>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>
#include <QToolBar>
#include <cmath>

#include "panel_support.h"
#include "ui/maps/cell_explanation.h"
#include "ui/pages/compare/compare_view.h"
#include "ui/pages/compare/compare_words.h"
#include "ui/window/main_window.h"

using namespace headscope;

namespace {

/// A view on a session of its own, shown and computed.
struct Desk {
    Session a;
    CompareView view{a};

    Desk() {
        view.resize(1280, 700);
        a.setHead(0);
        view.show();
        (void)QTest::qWaitForWindowExposed(&view);
        settle();
        view.copyAToB();
        settle();
        a.setHead(std::nullopt);
        a.undoStack()->clear();
    }
    bool settle() { return waitForTrace(a) && waitForTrace(*view.b()); }
    Session& b() { return *view.b(); }
    void setA(Field field, const QString& value) {
        a.edit(field, value);
        QVERIFY(settle());
    }
    void setB(Field field, const QString& value) {
        b().edit(field, value);
        QVERIFY(settle());
    }
    QString text(const char* name) const { return control<QLabel>(view, name)->text(); }
    HeatMap* map(LinkedMaps::Side side) const { return view.maps()->map(side); }
    void pointAt(LinkedMaps::Side side, int query, int key) {
        QTest::mouseMove(map(side), map(side)->cellRect(query, key).center().toPoint());
    }
    QAction* command(const char* name) const { return control<QAction>(view, name); }
    double weight(const Session& of, int head, int query, int key) const {
        return of.trace()->matrix(Stage::Weights, a.selection().sequence, head).at(query, key);
    }
};

/// The cells of a map that aren't the colour of no difference.
int colored(HeatMap* map, int count) {
    const QImage image = map->grab().toImage();
    const QRgb none = ColorScale{-1, 1, false, Palette::Diverging}.color(0);
    int cells = 0;
    for (int i = 0; i < count; ++i)
        for (int j = 0; j < count; ++j) {
            // Beside the middle, where no number stands.
            const QPointF place = map->cellRect(i, j).topLeft() + QPointF(2, 2);
            cells += image.pixel((place * image.devicePixelRatio()).toPoint()) != none;
        }
    return cells;
}

}  // namespace

class TestCompare : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        applyTheme(Theme::Light);
        QVERIFY(folder_.isValid());
    }

    void bBeginsAsAWithCausalSwitchedOnOrOff() {
        const std::pair<const char*, const char*> masks[] = {{"", "causal"},
                                                             {"padding", "padding,causal"},
                                                             {"causal", "none"},
                                                             {"padding,causal", "padding"},
                                                             {"causal+prefix:2,padding", "padding"}};
        for (const auto& [mask, expected] : masks) {
            if (!parse_mask(mask) && *mask) continue;  // a pattern that does not exist yet
            Session a;
            CompareView view(a);
            QVERIFY(!view.b());  // nothing is computed before it is visible
            a.edit(Field::Mask, QString::fromLatin1(mask));
            view.show();
            QVERIFY(view.b());
            QCOMPARE(view.b()->draft().value(Field::Mask), QString::fromLatin1(expected));
            Draft b = view.b()->draft();
            b.set(Field::Mask, a.draft().value(Field::Mask));
            QCOMPARE(b, a.draft());
            QCOMPARE(a.undoStack()->count(), *mask ? 1 : 0);  // no step but the edit
        }
    }

    void itBeginsWithTheHeadThatChangesMost() {
        Session a;
        CompareView view(a);
        view.show();
        QVERIFY(waitForTrace(a) && waitForTrace(*view.b()));
        QCOMPARE(control<QComboBox>(view, "compareHead")->currentIndex(),
                 mostChangedHead(*a.trace(), *view.b()->trace(), 0));
        const auto maps = compareMaps(*a.trace(), *view.b()->trace(), a.selection(),
                                      control<QComboBox>(view, "compareHead")->currentIndex());
        QVERIFY(maps.facts->largest > 0.1);
        QVERIFY(control<QLabel>(view, "compareSettings")->text().contains(QStringLiteral("mask: none → causal")));
        QVERIFY(!control<QLabel>(view, "compareRowTitle")->text().isEmpty());
    }

    void theThreeStandSideBySide() {
        Desk desk;
        for (const int width : {1280, 860}) {
            desk.view.resize(width, 430);
            QCoreApplication::processEvents();
            const auto top = [&](LinkedMaps::Side side) { return desk.map(side)->mapTo(&desk.view, QPoint()).y(); };
            QCOMPARE(top(LinkedMaps::B), top(LinkedMaps::A));
            QCOMPARE(top(LinkedMaps::Difference), top(LinkedMaps::A));
        }
    }

    void whatIsOnlyRoundingIsSaidAndNotPainted() {
        Desk desk;
        desk.setB(Field::KeyChunkSize, QStringLiteral("3"));
        const auto maps = compareMaps(*desk.a.trace(), *desk.b().trace(), desk.a.selection(), 6);
        QVERIFY(maps.facts->within_rounding());
        desk.a.setHead(6);
        if (maps.facts->largest > 0)
            QVERIFY2(desk.text("compareDifference").contains(QStringLiteral("equal within rounding")),
                     qPrintable(desk.text("compareDifference")));
        QCOMPARE(maps.difference_scale.high, 1.0);                // on which rounding has no colour
        desk.setB(Field::Precision, QStringLiteral("bfloat16"));  // that is a difference
        QVERIFY(desk.text("compareDifference").contains(QStringLiteral("largest difference")));
        QVERIFY(colored(desk.map(LinkedMaps::Difference), 10) > 0);
    }

    void equalConfigurationsDifferByExactlyNothing_data() {
        QTest::addColumn<QString>("mask");
        QTest::addColumn<QString>("fill");
        QTest::addColumn<QString>("precision");
        QTest::addColumn<QString>("scale");
        QTest::newRow("open") << "none"
                              << "safe"
                              << "float32"
                              << "auto";
        QTest::newRow("causal") << "causal"
                                << "safe"
                                << "float64"
                                << "auto";
        QTest::newRow("NaN rows") << "padding"
                                  << "inf"
                                  << "float32"
                                  << "auto";
        QTest::newRow("leaks") << "causal"
                               << "1e9"
                               << "float32"
                               << "-1e8";
        QTest::newRow("half") << "local:1:1"
                              << "1e9"
                              << "bfloat16"
                              << "auto";
    }
    void equalConfigurationsDifferByExactlyNothing() {
        QFETCH(QString, mask);
        QFETCH(QString, fill);
        QFETCH(QString, precision);
        QFETCH(QString, scale);
        Desk desk;
        Draft draft;
        draft.set(Field::Text, QStringLiteral("a b c d\n\n"));  // the second sequence is padding alone
        draft.set(Field::Mask, mask);
        draft.set(Field::Fill, fill);
        draft.set(Field::Precision, precision);
        draft.set(Field::Scale, scale);
        desk.a.edit(draft, QStringLiteral("test"));
        desk.view.copyAToB();
        QVERIFY(desk.settle());
        QCOMPARE(desk.text("compareSettings"), QStringLiteral("A and B have the same settings"));
        for (const int sequence : {0, 1}) {
            desk.a.setSequence(sequence);
            for (const Stage stage : {Stage::Q, Stage::Scores, Stage::Masked, Stage::Mask, Stage::Weights,
                                      Stage::HeadContext, Stage::Output}) {
                desk.a.setStage(stage);
                QCOMPARE(desk.text("compareDifference"), QStringLiteral("A and B have the same number in every cell"));
                for (int head = 0; head < 8; ++head) {
                    const auto maps = compareMaps(*desk.a.trace(), *desk.b().trace(), desk.a.selection(), head);
                    QVERIFY(maps.facts && maps.facts->equal());
                    const MatrixView view = maps.difference->view();
                    for (std::int64_t i = 0; i < view.rows; ++i)
                        for (std::int64_t j = 0; j < view.columns; ++j) QCOMPARE(view.at(i, j), 0.0);
                }
            }
        }
        desk.a.setStage(Stage::Weights);
        desk.a.setSequence(0);
        if (mask == QStringLiteral("none")) QCOMPARE(colored(desk.map(LinkedMaps::Difference), 4), 0);
    }

    void theLargestCellIsNamed() {
        Desk desk;
        desk.setB(Field::Mask, QStringLiteral("causal"));
        QCOMPARE(desk.text("compareSettings"), QStringLiteral("B differs from A in mask: none → causal"));
        control<QComboBox>(desk.view, "compareHead")->setCurrentIndex(6);
        Q_EMIT control<QComboBox>(desk.view, "compareHead")->activated(6);
        double largest = 0;
        int query = 0, key = 0;
        for (int i = 0; i < 10; ++i)
            for (int j = 0; j < 10; ++j) {
                const double difference = desk.weight(desk.a, 6, i, j) - desk.weight(desk.b(), 6, i, j);
                if (std::abs(difference) <= std::abs(largest)) continue;
                largest = difference;
                query = i;
                key = j;
            }
        const auto& tokens = desk.a.trace()->batch().tokens[0];
        const QString expected = QStringLiteral("largest difference A − B: %1 at “%2” (query %3), “%4” (key %5)")
                                     .arg((largest > 0 ? QStringLiteral("+") : QString()) + numberText(largest))
                                     .arg(QString::fromStdString(tokens[static_cast<std::size_t>(query)]))
                                     .arg(query)
                                     .arg(QString::fromStdString(tokens[static_cast<std::size_t>(key)]))
                                     .arg(key);
        QCOMPARE(desk.text("compareDifference"), expected);
        QCOMPARE(desk.view.maps()->title(LinkedMaps::A), QStringLiteral("A · no mask"));
        QCOMPARE(desk.view.maps()->title(LinkedMaps::B), QStringLiteral("B · causal"));
        QVERIFY(colored(desk.map(LinkedMaps::Difference), 10) > 50);
    }

    void theRowSaysWhatBecomesOfIt() {
        Desk desk;
        desk.setB(Field::Mask, QStringLiteral("causal"));
        desk.a.setHead(6);
        desk.pointAt(LinkedMaps::A, 3, 2);
        QTRY_COMPARE(desk.a.hover(), std::optional(Cell{3, 2, 6}));
        QCOMPARE(desk.text("compareRowTitle"), QStringLiteral("“on” (query 3)"));
        const QStringList lines = desk.text("compareRow").split(u'\n');
        QVERIFY2(lines.contains(QStringLiteral("attends to 10 of 10 keys in A, 4 in B")), qPrintable(lines.join(u'|')));
        const auto short_weight = [](double weight) { return QString::number(weight, 'f', 2); };
        QVERIFY2(lines.contains(QStringLiteral("“sat”: %1 → %2")
                                    .arg(short_weight(desk.weight(desk.a, 6, 3, 2)),
                                         short_weight(desk.weight(desk.b(), 6, 3, 2)))),
                 qPrintable(lines.join(u'|')));
        double future = 0;
        for (int key = 4; key < 10; ++key) future += desk.weight(desk.a, 6, 3, key);
        QVERIFY2(lines.contains(QStringLiteral("future: %1 → 0").arg(short_weight(future))),
                 qPrintable(lines.join(u'|')));
        const QString cell = desk.text("compareCell");
        QVERIFY2(
            cell.contains(QStringLiteral("A ") + exactText(desk.weight(desk.a, 6, 3, 2), Tensor::Type::Float32)) &&
                cell.contains(QStringLiteral("B ") + exactText(desk.weight(desk.b(), 6, 3, 2), Tensor::Type::Float32)),
            qPrintable(cell));
    }

    void rowsThatDieAreExplained() {
        Desk desk;
        Draft draft;
        draft.set(Field::Text, QStringLiteral("a b c d\n\n"));
        draft.set(Field::Mask, QStringLiteral("padding"));
        desk.a.edit(draft, QStringLiteral("test"));
        desk.view.copyAToB();
        QVERIFY(desk.settle());
        desk.setB(Field::Fill, QStringLiteral("inf"));
        desk.a.setSequence(1);
        desk.a.setLocked(Cell{2, 1, 0});
        QVERIFY2(desk.text("compareRow").contains(QStringLiteral("A: fully masked row: fill safe")),
                 qPrintable(desk.text("compareRow")));
        QVERIFY(desk.text("compareRow").contains(QStringLiteral("B: fully masked row: every masked score is -inf")));
        QVERIFY2(desk.text("compareDifference").contains(QStringLiteral("16 cells are NaN in one of the two only")),
                 qPrintable(desk.text("compareDifference")));
        desk.setB(Field::Fill, QStringLiteral("1e9"));
        QVERIFY2(desk.text("compareDifference").contains(QStringLiteral("-0.25").replace(u'-', QChar(0x2212))),
                 qPrintable(desk.text("compareDifference")));
    }

    void hoverLockAndZoomAreLinked() {
        Desk desk;
        for (const auto side : {LinkedMaps::A, LinkedMaps::B, LinkedMaps::Difference}) {
            const int key = 2 + side;
            desk.pointAt(side, 4, key);
            QTRY_COMPARE(desk.a.hover(), std::optional(Cell{4, key, 0}));
            QVERIFY(desk.text("compareCell").startsWith(QStringLiteral("“the” → ")));
            QTest::mouseClick(desk.map(side), Qt::LeftButton, Qt::NoModifier,
                              desk.map(side)->cellRect(4, key).center().toPoint());
            QCOMPARE(desk.a.selection().locked, std::optional(Cell{4, key, 0}));
        }
        QTest::keyClick(desk.map(LinkedMaps::B), Qt::Key_Down);
        QCOMPARE(desk.a.selection().locked, std::optional(Cell{5, 4, 0}));
        QTest::keyClick(desk.map(LinkedMaps::B), Qt::Key_PageDown);
        QCOMPARE(desk.a.selection().locked, std::optional(Cell{5, 4, 1}));
        QCOMPARE(control<QComboBox>(desk.view, "compareHead")->currentIndex(), 1);
        QTest::keyClick(desk.map(LinkedMaps::B), Qt::Key_Escape);
        QCOMPARE(desk.a.selection().locked, std::nullopt);

        QVERIFY(!desk.map(LinkedMaps::A)->isZoomed());
        desk.map(LinkedMaps::B)->xAxis->setRange(1.5, 6.5);
        desk.map(LinkedMaps::B)->yAxis->setRange(2.5, 7.5);
        for (const auto side : {LinkedMaps::A, LinkedMaps::Difference}) {
            QCOMPARE(desk.map(side)->xAxis->range().lower, 1.5);
            QCOMPARE(desk.map(side)->yAxis->range().upper, 7.5);
        }
        desk.setB(Field::Mask, QStringLiteral("causal"));  // other numbers leave the view where it is
        QCOMPARE(desk.map(LinkedMaps::Difference)->xAxis->range().lower, 1.5);
        QTest::mouseDClick(desk.map(LinkedMaps::Difference), Qt::LeftButton, Qt::NoModifier,
                           desk.map(LinkedMaps::Difference)->cellRect(4, 4).center().toPoint());
        for (const auto side : {LinkedMaps::A, LinkedMaps::B, LinkedMaps::Difference})
            QVERIFY(!desk.map(side)->isZoomed());
    }

    void copyAndSwap() {
        Desk desk;
        desk.setB(Field::Mask, QStringLiteral("causal"));
        desk.setB(Field::Precision, QStringLiteral("bfloat16"));
        const Draft a = desk.a.draft(), b = desk.b().draft();
        desk.command("swapAAndB")->trigger();
        QVERIFY(desk.settle());
        QCOMPARE(desk.a.draft(), b);
        QCOMPARE(desk.b().draft(), a);
        QCOMPARE(desk.view.maps()->title(LinkedMaps::A), QStringLiteral("A · causal, bfloat16"));
        desk.a.undoStack()->undo();  // one step for both
        QCOMPARE(desk.a.draft(), a);
        QCOMPARE(desk.b().draft(), b);
        QTest::keyClick(&desk.view, Qt::Key_B, Qt::ControlModifier);
        QVERIFY(desk.settle());
        QCOMPARE(desk.b().draft(), a);
        QCOMPARE(desk.text("compareDifference"), QStringLiteral("A and B have the same number in every cell"));
        desk.b().undoStack()->undo();
        QCOMPARE(desk.b().draft(), b);
    }

    void bFollowsTheTextAndKeepsItsSettings() {
        Desk desk;
        desk.setB(Field::Mask, QStringLiteral("causal"));
        desk.setA(Field::Text, QStringLiteral("one two three"));
        desk.setA(Field::Tokenizer, QStringLiteral("characters"));
        QCOMPARE(desk.b().draft().value(Field::Text), QStringLiteral("one two three"));
        QCOMPARE(desk.b().draft().value(Field::Tokenizer), QStringLiteral("characters"));
        QCOMPARE(desk.b().draft().value(Field::Mask), QStringLiteral("causal"));
        QCOMPARE(desk.a.undoStack()->count(), 3);  // B takes over the text without a step
        QCOMPARE(desk.map(LinkedMaps::B)->cellAt(desk.map(LinkedMaps::B)->cellRect(12, 12).center()),
                 std::optional(Cell{12, 12, 0}));
        desk.a.undoStack()->undo();
        QVERIFY(desk.settle());
        QCOMPARE(desk.b().draft().value(Field::Tokenizer), QStringLiteral("space"));

        desk.view.hide();
        desk.a.edit(Field::Text, QStringLiteral("unseen"));
        QCOMPARE(desk.b().draft().value(Field::Text), QStringLiteral("one two three"));
        desk.view.show();
        QCOMPARE(desk.b().draft().value(Field::Text), QStringLiteral("unseen"));
    }

    void whatCannotBeComparedIsSaid() {
        Desk desk;
        desk.setB(Field::NumHeads, QStringLiteral("4"));
        desk.a.setHead(6);
        QVERIFY2(desk.text("compareDifference").contains(QStringLiteral("B has no head 6")),
                 qPrintable(desk.text("compareDifference")));
        QVERIFY(!desk.view.maps()->why(LinkedMaps::B).isEmpty());
        QVERIFY(!desk.view.maps()->why(LinkedMaps::Difference).isEmpty());
        desk.a.setHead(2);
        QVERIFY(desk.view.maps()->why(LinkedMaps::B).isEmpty());
        QVERIFY(desk.view.maps()->why(LinkedMaps::Difference).isEmpty());
        desk.a.setStage(Stage::Q);  // (S,64) against (S,128)
        QVERIFY2(desk.text("compareDifference").contains(QStringLiteral("10x64")) &&
                     desk.text("compareDifference").contains(QStringLiteral("10x128")),
                 qPrintable(desk.text("compareDifference")));
        QVERIFY(desk.view.maps()->why(LinkedMaps::B).isEmpty());
        desk.a.setStage(Stage::Weights);

        desk.b().edit(Field::NumHeads, QStringLiteral("7"));  // the last picture stays
        QVERIFY(desk.view.maps()->why(LinkedMaps::B).isEmpty());
        QVERIFY(problemOf(desk.view, "bNumHeads").contains(QStringLiteral("512")));
    }

    void bsControlsSayAndTakeItsSettings() {
        Desk desk;
        type(desk.view, "bMask", QStringLiteral("local:1:0"));
        QVERIFY(desk.settle());
        QCOMPARE(desk.b().draft().value(Field::Mask), QStringLiteral("local:1:0"));
        QCOMPARE(desk.a.draft().value(Field::Mask), QString());
        choose(desk.view, "bPrecision", QStringLiteral("float16"));
        type(desk.view, "bSeed", QStringLiteral("5"));
        choose(desk.view, "bWeights", QStringLiteral("Seeded"));
        QVERIFY(desk.settle());
        QCOMPARE(desk.b().trace()->request.precision, Precision::Float16);
        QCOMPARE(desk.b().trace()->request.seed, 5u);
        QCOMPARE(desk.b().trace()->request.source, WeightSource::Seed);
        type(desk.view, "bMask", QStringLiteral("locl"));
        QVERIFY(!problemOf(desk.view, "bMask").isEmpty());
        QTest::keyClick(control(desk.view, "bMask"), Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(desk.b().draft().value(Field::Mask), QStringLiteral("local:1:0"));
        desk.view.copyAToB();
        QCOMPARE(textOf(desk.view, "bMask"), QString());
        QCOMPARE(textOf(desk.view, "bSeed"), QStringLiteral("0"));
    }

    void wholeAgainstChunkedStaysWithinRounding() {
        Desk desk;
        desk.setB(Field::KeyChunkSize, QStringLiteral("3"));
        desk.setB(Field::ChunkSize, QStringLiteral("4"));
        QVERIFY(desk.text("compareSettings").contains(QStringLiteral("key chunk size: whole → 3")));
        // What float32 costs the whole is its error against float64; chunks may have twice that and a last place
        // (docs/conventions.md 12), so that the two are three such errors apart at most.
        Request exact = desk.a.trace()->request;
        exact.precision = Precision::Float64;
        const auto in_double = compute(exact);
        QVERIFY(in_double);
        for (int head = 0; head < 8; ++head) {
            const auto maps = compareMaps(*desk.a.trace(), *desk.b().trace(), desk.a.selection(), head);
            const auto error = difference(*desk.a.trace(), **in_double, Stage::Weights, 0, head);
            QVERIFY(maps.facts && maps.facts->undefined == 0 && error);
            QVERIFY2(maps.facts->largest <= 3 * error->largest + 0x1p-23,
                     qPrintable(QStringLiteral("%1 but %2").arg(maps.facts->largest).arg(error->largest)));
        }
    }

    void manyTokensAreComparedElsewhere() {
        Desk desk;
        QStringList words;
        for (int i = 0; i < 600; ++i) words << QString::number(i);
        Draft draft;
        draft.set(Field::Text, words.join(u' '));
        draft.set(Field::EmbedDim, QStringLiteral("32"));
        desk.a.edit(draft, QStringLiteral("test"));
        desk.view.copyAToB();
        desk.b().edit(Field::Mask, QStringLiteral("causal"));
        QVERIFY(desk.settle());
        QTRY_VERIFY2(desk.text("compareDifference").contains(QStringLiteral("largest difference")),
                     qPrintable(desk.text("compareDifference")));
        QTRY_VERIFY(desk.map(LinkedMaps::Difference)->cellAt(desk.map(LinkedMaps::Difference)->mapRect().center()));
    }

    void picturesAreWritten_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("part");
        QTest::newRow("A png") << "a.png" << int(CompareView::Part::A);
        QTest::newRow("B svg") << "b.svg" << int(CompareView::Part::B);
        QTest::newRow("all png") << "all.png" << int(CompareView::Part::All);
        QTest::newRow("all svg") << "all.svg" << int(CompareView::Part::All);
        QTest::newRow("all pdf") << "all.pdf" << int(CompareView::Part::All);
    }
    void picturesAreWritten() {
        QFETCH(QString, name);
        QFETCH(int, part);
        Desk desk;
        desk.setB(Field::Mask, QStringLiteral("causal"));
        desk.a.setHead(6);
        const QString path = folder_.filePath(name);
        verify(desk.view.exportTo(path, static_cast<CompareView::Part>(part)));
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray bytes = file.readAll();
        if (name.endsWith(QStringLiteral(".pdf"))) QVERIFY(bytes.startsWith("%PDF"));
        if (name.endsWith(QStringLiteral(".png"))) {
            const QImage image = QImage::fromData(bytes);
            QCOMPARE(image.width(), part == int(CompareView::Part::All) ? 2880 : 1920);
        }
        if (name == QStringLiteral("all.svg")) {
            // Text is text, and each cell of the three that isn't hatched in it is a rectangle: 100 of A, 55 of B and
            // 100 of the difference.
            QCOMPARE(bytes.count("<rect"), 255);
            for (const char* text : {"A · no mask", "B · causal", "A − B", "largest difference A − B", "Head 6"})
                QVERIFY2(bytes.contains(text), text);
        }
        if (name == QStringLiteral("b.svg")) QCOMPARE(bytes.count("<rect"), 55);
    }

    void badPathsAreAnswered() {
        Desk desk;
        const auto ending = desk.view.exportTo(folder_.filePath(QStringLiteral("all.xyz")), CompareView::Part::All);
        QCOMPARE(ending.error().code, ErrorCode::InvalidValue);
        const auto folder = desk.view.exportTo(QStringLiteral("/nowhere/all.png"), CompareView::Part::All);
        QCOMPARE(folder.error().code, ErrorCode::FileUnwritable);
        Session none;
        CompareView unseen(none);
        QCOMPARE(unseen.exportTo(folder_.filePath(QStringLiteral("x.png")), CompareView::Part::A).error().code,
                 ErrorCode::NoTokens);
    }

    void theKeysOfTheWindow() {
        QSettings::setDefaultFormat(QSettings::IniFormat);
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, folder_.path());
        Session session;
        MainWindow window(session);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        QVERIFY(waitForTrace(session));
        auto* view = control<CompareView>(window, "compareView");
        QVERIFY(!view->isVisible());
        QTest::keyClick(&window, Qt::Key_B, Qt::ControlModifier);
        QVERIFY(view->isVisible() && view->b());
        view->b()->edit(Field::Mask, QStringLiteral("causal"));
        QTest::keyClick(&window, Qt::Key_B, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(session.draft().value(Field::Mask), QStringLiteral("causal"));

        auto* shapes = control<QDockWidget>(window, "shapeDock");
        auto* tokens = control<QToolBar>(window, "tokenToolBar");
        shapes->close();
        QTest::keyClick(&window, Qt::Key_F9);
        QVERIFY(tokens->isHidden() && shapes->isHidden());
        QTest::keyClick(&window, Qt::Key_F9);
        QVERIFY(!tokens->isHidden() && shapes->isHidden());  // as it was before
    }

    void aTriptychWithoutADifferenceSaysWhy() {
        Desk desk;
        desk.setB(Field::NumHeads, QStringLiteral("4"));
        desk.a.setStage(Stage::Q);
        const QString path = folder_.filePath(QStringLiteral("why.svg"));
        verify(desk.view.exportTo(path, CompareView::Part::All));
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray bytes = file.readAll();
        QVERIFY(bytes.contains("only matrices of one size can be subtracted"));

        desk.a.setHead(6);  // B has none
        desk.a.setStage(Stage::Weights);
        verify(desk.view.exportTo(path, CompareView::Part::All));
        const auto b = desk.view.exportTo(path, CompareView::Part::B);
        QCOMPARE(b.error().message(), std::string("B has no head 6; choose one from 0 to 3"));
        verify(desk.view.exportTo(path, CompareView::Part::A));
    }

private:
    template <typename T>
    static void verify(const T& result) {
        QVERIFY2(result.has_value(), result ? "" : result.error().message().c_str());
    }

    QTemporaryDir folder_;
};

QTEST_MAIN(TestCompare)
#include "tst_compare.moc"
