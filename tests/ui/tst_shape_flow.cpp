// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/shapes/shape_flow.h"
#include "ui/state/phrase.h"

#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTemporaryDir>

#include "panel_support.h"

using namespace headscope;

namespace {

constexpr Stage kBoxes[] = {Stage::X,       Stage::Qkv,         Stage::Heads,  Stage::Q,
                            Stage::K,       Stage::V,           Stage::Scores, Stage::Masked,
                            Stage::Weights, Stage::HeadContext, Stage::Concat, Stage::Output};

}  // namespace

class TestShapeFlow : public QObject {
    Q_OBJECT

    std::unique_ptr<Session> session_;
    std::unique_ptr<ShapeFlow> flow_;

    void edit(Field field, const char* value) {
        session_->edit(field, QString::fromUtf8(value));
        QVERIFY(session_->reading().request);
        QVERIFY(QTest::qWaitFor([&] { return !session_->isComputing(); }));
    }

private Q_SLOTS:
    void init() {
        session_ = std::make_unique<Session>();
        flow_ = std::make_unique<ShapeFlow>(*session_);
        QVERIFY(showPanel(*flow_, *session_, 720));
    }
    void cleanup() {
        flow_.reset();
        session_.reset();
    }

    void shapesAreThoseOfTheTrace() {
        edit(Field::Mask, "padding,causal");
        const std::pair<Stage, const char*> expected[] = {
            {Stage::X, "(2, 10, 512)"},         {Stage::Qkv, "(2, 10, 1536)"},
            {Stage::Heads, "(2, 10, 8, 192)"},  {Stage::Q, "(2, 8, 10, 64)"},
            {Stage::K, "(2, 8, 10, 64)"},       {Stage::V, "(2, 8, 10, 64)"},
            {Stage::Scores, "(2, 8, 10, 10)"},  {Stage::Masked, "(2, 8, 10, 10)"},
            {Stage::Weights, "(2, 8, 10, 10)"}, {Stage::HeadContext, "(2, 8, 10, 64)"},
            {Stage::Concat, "(2, 10, 512)"},    {Stage::Output, "(2, 10, 512)"}};
        for (const auto& [stage, shape] : expected) QCOMPARE(flow_->shapeText(stage), QString::fromLatin1(shape));
        QCOMPARE(flow_->lineText(Stage::Masked), QStringLiteral("scores.masked_fill(mask == 0, -inf)"));

        edit(Field::NumHeads, "16");
        edit(Field::Text, "a b c");
        QCOMPARE(flow_->shapeText(Stage::Heads), QStringLiteral("(1, 3, 16, 96)"));
        QCOMPARE(flow_->shapeText(Stage::Q), QStringLiteral("(1, 16, 3, 32)"));
        QCOMPARE(flow_->shapeText(Stage::Weights), QStringLiteral("(1, 16, 3, 3)"));
        edit(Field::EmbedDim, "96");
        QCOMPARE(flow_->shapeText(Stage::Output), QStringLiteral("(1, 3, 96)"));
        session_->edit(Field::NumHeads, QStringLiteral("7"));  // the flow stays with the last good picture
        QTest::qWait(20);
        QCOMPARE(flow_->shapeText(Stage::Q), QStringLiteral("(1, 16, 3, 6)"));
    }

    void everyDimensionHasItsColour() {
        const auto roles = [](Stage stage) {
            QList<Role> found;
            for (const ShapePart& part : shapeParts(stage, Dims{2, 10, 512, 8}))
                if (part.role) found << *part.role;
            return found;
        };
        QCOMPARE(roles(Stage::Qkv), (QList<Role>{Role::DimB, Role::DimS, Role::DimE}));
        QCOMPARE(roles(Stage::Heads), (QList<Role>{Role::DimB, Role::DimS, Role::DimH, Role::DimDh}));
        QCOMPARE(roles(Stage::K), (QList<Role>{Role::DimB, Role::DimH, Role::DimS, Role::DimDh}));
        QCOMPARE(roles(Stage::Scores), (QList<Role>{Role::DimB, Role::DimH, Role::DimS, Role::DimS}));
        for (const Stage stage : kBoxes)
            QCOMPARE(static_cast<std::size_t>(roles(stage).size()), stage_shape(stage, {2, 10, 512, 8}).size());
    }

    void memoryIsWhatTheTensorsTake() {
        QCOMPARE(flow_->memoryText(Stage::Scores), QStringLiteral("6.4 KB"));  // 2·8·10·10 floats
        QCOMPARE(flow_->memoryText(Stage::Masked), QStringLiteral("not stored"));
        edit(Field::Precision, "float64");
        QCOMPARE(flow_->memoryText(Stage::Scores), QStringLiteral("13 KB"));
    }

    void aClickShowsAStage() {
        QVERIFY(flow_->box(Stage::Weights)->isCurrent());
        for (const Stage stage : kBoxes) {
            QTest::mouseClick(flow_->box(stage), Qt::LeftButton);
            QCOMPARE(session_->selection().stage, stage);
            for (const Stage other : kBoxes) QCOMPARE(flow_->box(other)->isCurrent(), other == stage);
        }
        session_->setStage(Stage::Mask);  // has no box of its own
        QVERIFY(flow_->box(Stage::Masked)->isCurrent());
    }

    void arrowKeysMoveAndEnterShows() {
        flow_->box(Stage::X)->setFocus();
        const auto press = [&](Qt::Key key) { QTest::keyClick(QApplication::focusWidget(), key); };
        const auto focused = [&] { return qobject_cast<StageBox*>(QApplication::focusWidget())->stage(); };
        press(Qt::Key_Up);
        QCOMPARE(focused(), Stage::X);
        for (int i = 0; i < 3; ++i) press(Qt::Key_Down);
        QCOMPARE(focused(), Stage::Q);
        press(Qt::Key_Right);
        QCOMPARE(focused(), Stage::K);
        press(Qt::Key_Return);
        QCOMPARE(session_->selection().stage, Stage::K);
        press(Qt::Key_Right);
        press(Qt::Key_Right);
        QCOMPARE(focused(), Stage::V);
        press(Qt::Key_Space);
        QCOMPARE(session_->selection().stage, Stage::V);
        press(Qt::Key_Down);
        QCOMPARE(focused(), Stage::Scores);
        press(Qt::Key_End);
        QCOMPARE(focused(), Stage::Output);
        int reached = 0;  // by Tab: one stop for the whole flow
        for (const Stage stage : kBoxes) reached += (flow_->box(stage)->focusPolicy() & Qt::TabFocus) != 0;
        QCOMPARE(reached, 1);
        QVERIFY(flow_->box(Stage::Output)->focusPolicy() & Qt::TabFocus);
    }

    void everyBoxSaysWhatItIs() {
        for (const Stage stage : kBoxes) {
            const StageBox* box = flow_->box(stage);
            QVERIFY(box->accessibleName().contains(flow_->shapeText(stage)));
            QVERIFY(box->accessibleName().startsWith(QString::fromLatin1(type_of(stage).name)));
            QVERIFY(box->toolTip().contains(translated(type_of(stage).sentence).toHtmlEscaped()));
            QVERIFY(box->toolTip().contains(flow_->lineText(stage).toHtmlEscaped()));
            QVERIFY(!flow_->lineText(stage).isEmpty());
        }
        QCOMPARE(flow_->box(Stage::Weights)->accessibleDescription(), QStringLiteral("shown in the grid"));
    }

    void separateProjectionsAreNamed() {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("separate.safetensors"));
        writeFile(path, encode_safetensors(layerFile(true)));
        QCOMPARE(flow_->lineText(Stage::Qkv), QStringLiteral("qkv_proj(x)"));
        Draft draft = withWeights(session_->draft(), path);
        draft.set(Field::NumHeads, QStringLiteral("2"));
        session_->edit(draft, QStringLiteral("weights"));
        QTRY_COMPARE(flow_->shapeText(Stage::X), QStringLiteral("(2, 10, 8)"));
        const QString line = flow_->lineText(Stage::Qkv);
        for (const char* part : {"query(x)", "key(x)", "value(x)"})
            QVERIFY2(line.contains(QString::fromLatin1(part)), qPrintable(line));
    }

    void lettersStandUntilThereAreNumbers() {
        Session waiting([](const Request&, const TracePtr&, const std::atomic<bool>*) -> Result<TracePtr> {
            return fail(ErrorCode::NoTokens, "nothing");
        });
        ShapeFlow flow(waiting);
        QVERIFY(waitForTrace(waiting));
        QCOMPARE(flow.shapeText(Stage::Heads), QStringLiteral("(B, S, H, 3Dh)"));
        QCOMPARE(flow.shapeText(Stage::Scores), QStringLiteral("(B, H, S, S)"));
        QVERIFY(!flow.grab().isNull());
    }

    void nothingOverlapsAtAnySize_data() {
        QTest::addColumn<double>("factor");
        QTest::addColumn<int>("height");
        QTest::addColumn<bool>("folded");
        QTest::addColumn<bool>("scrolls");
        QTest::newRow("large window") << 1.0 << 800 << false << false;
        QTest::newRow("low window") << 1.0 << 470 << false << false;
        QTest::newRow("very low window") << 1.0 << 240 << false << true;
        QTest::newRow("large text") << 1.5 << 900 << false << false;
        QTest::newRow("large text, low window") << 1.5 << 430 << false << true;
        QTest::newRow("folded") << 1.0 << 470 << true << false;
        QTest::newRow("folded, large text") << 1.5 << 900 << true << false;
    }
    void nothingOverlapsAtAnySize() {
        QFETCH(double, factor);
        QFETCH(int, height);
        QFETCH(bool, folded);
        QFETCH(bool, scrolls);
        QFont font = flow_->font();
        font.setPixelSize(static_cast<int>(13 * factor));
        flow_->setFont(font);
        flow_->setFolded(folded);
        flow_->resize(flow_->width(), height);
        QCoreApplication::processEvents();
        auto* area = flow_->findChild<QScrollArea*>();
        QCOMPARE(area->verticalScrollBar()->maximum() > 0, scrolls);
        QRect above;
        for (const Stage stage : kBoxes) {
            const StageBox* box = flow_->box(stage);
            const bool beside = stage == Stage::K || stage == Stage::V;
            const QRect place = box->geometry();
            QVERIFY(box->height() >= box->fontMetrics().height());
            QVERIFY(place.left() >= 0 && place.right() < area->viewport()->width());
            if (!above.isNull()) QVERIFY(beside ? place.left() > above.right() : place.top() >= above.bottom() + 8);
            above = place;
        }
        QVERIFY(above.bottom() < area->widget()->height());
        flow_->box(Stage::X)->setFocus();
        QTest::keyClick(flow_->box(Stage::X), Qt::Key_End);  // the focus is scrolled into sight
        const StageBox* last = flow_->box(Stage::Output);
        QVERIFY(area->viewport()->rect().contains(QRect(last->mapTo(area->viewport(), QPoint()), last->size())));
    }

    void foldsToARailOfNames() {
        const int wide = flow_->width();
        QSignalSpy folded(flow_.get(), &ShapeFlow::foldedChanged);
        auto* button = flow_->findChild<QAbstractButton*>(QStringLiteral("foldShapes"));
        QTest::mouseClick(button, Qt::LeftButton);
        QCOMPARE(folded.size(), 1);
        QVERIFY2(flow_->width() < wide * 2 / 3, qPrintable(QStringLiteral("%1 of %2").arg(flow_->width()).arg(wide)));
        for (const Stage stage : kBoxes) {
            QVERIFY(!flow_->box(stage)->showsShape());
            QVERIFY(flow_->box(stage)->isVisible());
        }
        QTest::mouseClick(flow_->box(Stage::Scores), Qt::LeftButton);
        QCOMPARE(session_->selection().stage, Stage::Scores);
        QTest::mouseClick(button, Qt::LeftButton);
        QCOMPARE(flow_->width(), wide);
        QVERIFY(flow_->box(Stage::Scores)->showsShape());
    }

    void theLineOfTheShownOrHoveredStepIsBelow() {
        const auto line = [&] {
            return flow_->findChild<QLabel*>(QStringLiteral("shapeLine"))->text().remove(QChar(0x200b));
        };
        QVERIFY2(line().startsWith(QStringLiteral("weights = softmax(")), qPrintable(line()));
        session_->setStage(Stage::Scores);
        QCOMPARE(line(), QStringLiteral("scores = q @ k.transpose(-2, -1) / sqrt(64)"));
        QEnterEvent enter({}, {}, {});
        QCoreApplication::sendEvent(flow_->box(Stage::X), &enter);
        QCOMPARE(line(), QStringLiteral("x = embed(tokens)"));
        QEvent leave(QEvent::Leave);
        QCoreApplication::sendEvent(flow_->box(Stage::X), &leave);
        QVERIFY(line().startsWith(QStringLiteral("scores = ")));
    }

    void nothingIsPaintedThatDidntChange() {
        QTest::qWait(20);
        PaintCounter x, masked, scores;
        x.watch(flow_->box(Stage::X));
        masked.watch(flow_->box(Stage::Masked));
        scores.watch(flow_->box(Stage::Scores));
        edit(Field::Mask, "causal");
        QCOMPARE(x.take(), 0);
        edit(Field::Fill, "1e9");
        QCOMPARE(x.take() + scores.take(), 0);
        QVERIFY(masked.take() > 0);  // its line of PyTorch is another
    }

    void theThemeIsFollowed() {
        applyTheme(Theme::Light);
        QCoreApplication::processEvents();
        const auto ground = [&] {
            const StageBox* box = flow_->box(Stage::X);
            return const_cast<StageBox*>(box)->grab().toImage().pixelColor(8, 8);
        };
        QCOMPARE(ground(), color(Role::Raised, Theme::Light));
        applyTheme(Theme::Dark);
        QCoreApplication::processEvents();
        QCOMPARE(ground(), color(Role::Raised, Theme::Dark));
        applyTheme(Theme::Light);
    }
};

QTEST_MAIN(TestShapeFlow)
#include "tst_shape_flow.moc"
