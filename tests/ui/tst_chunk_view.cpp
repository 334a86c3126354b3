// SPDX-License-Identifier: GPL-3.0-or-later
// Stepping through chunks as a person does: what is clicked, and what the screen then says.
#include <QPushButton>
#include <QSlider>
#include <QSpinBox>
#include <QTest>
#include <QToolButton>
#include <cmath>
#include <random>

#include "core/explain/row_account.h"
#include "core/masks/mask_edit.h"
#include "panel_support.h"
#include "ui/look/theme.h"
#include "ui/maps/heat_map.h"
#include "ui/pages/steps/chunk_view.h"
#include "ui/pages/steps/chunk_words.h"
#include "ui/pages/steps/row_progress.h"
#include "ui/pages/steps/tile_overlay.h"
#include "ui/pages/steps/transport.h"

using namespace headscope;

namespace {

/// A view on a session of its own: ten tokens, a small layer with seeded weights.
struct Desk {
    Session session;
    ChunkView view{session};

    explicit Desk(const char* mask = "causal", const char* size = "4", const char* key_size = "4") {
        Draft draft;
        draft.set(Field::EmbedDim, utf8("64"));
        draft.set(Field::Mask, utf8(mask));
        draft.set(Field::ChunkSize, utf8(size));
        draft.set(Field::KeyChunkSize, utf8(key_size));
        session.replace(draft, {});
        view.resize(760, 480);
    }
    bool show() {
        view.show();
        return QTest::qWaitForWindowExposed(&view) && waitForTrace(session);
    }
    bool set(Field field, const QString& value) {
        session.edit(field, value);
        return waitForTrace(session);
    }
    QString text(const char* name) const { return control<QLabel>(view, name)->text(); }
    void click(const char* name) { QTest::mouseClick(control(view, name), Qt::LeftButton); }
    HeatMap* map() const { return control<HeatMap>(view, "chunkMap"); }
    TileOverlay* overlay() const { return control<TileOverlay>(view, "tileOverlay"); }
    RowProgress* row() const { return control<RowProgress>(view, "chunkRow"); }
    void key(Qt::Key key) { QTest::keyClick(map(), key); }
    bool isEmpty() const { return control<QLabel>(view, "chunkEmpty")->isVisible(); }
};

/// What a person reads: "−∞", "3.5", "1e−05".
double numberOf(QString text) {
    if (text == utf8("NaN")) return std::nan("");
    if (text.endsWith(utf8("∞"))) return text.startsWith(utf8("−")) ? -INFINITY : INFINITY;
    bool is_number = false;
    const double number = text.replace(utf8("−"), utf8("-")).toDouble(&is_number);
    if (!is_number) qWarning("%s is no number", qPrintable(text));
    return is_number ? number : 1e300;
}

/// In the draft's own words: a mask in which whole stretches are masked.
QString randomMask(std::int64_t size, std::mt19937& random) {
    PaintedMask mask = paint::uniform(size, random() % 2);
    for (int n = 0; n < 5; ++n) {
        const auto any = [&] { return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(size)); };
        mask = paint::rectangle(std::move(mask), {any(), any()}, {any(), any()}, random() % 2);
    }
    return QString::fromStdString(to_string(paint::with_painted_layer({}, std::move(mask))));
}

/// Share of the pixels of a rectangle (in the widget's units) that have a colour.
double share(const QImage& image, const QRectF& rect, const QColor& wanted) {
    const QRect pixels = rect.toAlignedRect() & image.rect();
    int found = 0;
    for (int y = pixels.top(); y <= pixels.bottom(); ++y)
        for (int x = pixels.left(); x <= pixels.right(); ++x) found += image.pixelColor(x, y) == wanted;
    return static_cast<double>(found) / std::max(1, pixels.width() * pixels.height());
}

}  // namespace

class TestChunkView : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { applyTheme(Theme::Light); }

    void nothingIsWorkedOutWhileItIsHidden() {
        Desk desk;
        QVERIFY(waitForTrace(desk.session));
        QVERIFY(!desk.view.account());
        QVERIFY(desk.show());
        QVERIFY(desk.view.account() != nullptr);
        desk.view.hide();
        QVERIFY(desk.set(Field::Mask, utf8("none")));
        QVERIFY(!desk.view.account());
        desk.view.show();
        QVERIFY(desk.view.account() != nullptr);
        QCOMPARE(desk.view.account()->skipped, 0);
    }

    void oneTileIsShownWithSmallerChunks() {
        Desk desk("causal", "256", "whole");
        QVERIFY(desk.show());
        QVERIFY(!desk.isEmpty());
        QCOMPARE(desk.text("chunkPreview"),
                 utf8("Chunks of 256 queries × whole keys make one tile of these 10 tokens. Shown here with 4 × 4."));
        QCOMPARE(desk.view.account()->steps.size(), 9u);
        desk.key(Qt::Key_End);
        QVERIFY(!desk.text("chunkClosing").contains(utf8("output of the layer")));  // it was not computed so
        QCOMPARE(control<QPushButton>(desk.view, "chunkSuggest")->text(), utf8("Tiles of 4 × 4"));
        const int steps = desk.session.undoStack()->count();
        desk.click("chunkSuggest");
        QVERIFY(waitForTrace(desk.session));
        QCOMPARE(desk.view.account()->steps.size(), 9u);
        QCOMPARE(textOf(desk.view, "chunkViewSize"), utf8("4"));
        QCOMPARE(textOf(desk.view, "chunkViewKeySize"), utf8("4"));
        QVERIFY(control<QLabel>(desk.view, "chunkPreview")->isHidden());
        QVERIFY(desk.text("chunkClosing").contains(utf8("output of the layer")));
        QVERIFY(!control<QPushButton>(desk.view, "chunkSuggest")->isEnabled());
        QCOMPARE(desk.session.undoStack()->count(), steps + 1);
        desk.session.undoStack()->undo();
        QVERIFY(waitForTrace(desk.session));
        QVERIFY(control<QLabel>(desk.view, "chunkPreview")->isVisible());
    }

    void oneTokenCantBeCut() {
        Desk desk;
        QVERIFY(desk.show() && desk.set(Field::Text, utf8("alone")));
        QVERIFY(desk.text("chunkPreview").startsWith(utf8("One token")));
        QVERIFY(control<QPushButton>(desk.view, "chunkSuggest")->isHidden());
        QVERIFY(desk.set(Field::Text, utf8("now it is no longer alone")));
        QVERIFY(control<QLabel>(desk.view, "chunkPreview")->isHidden());
    }

    void manyTokensAreSteppedThroughElsewhere() {
        QStringList tokens;
        for (int i = 0; i < 600; ++i) tokens << QString::number(i);
        Desk desk("causal", "200", "200");
        desk.session.edit(Field::EmbedDim, utf8("8"));
        desk.session.edit(Field::Text, tokens.join(QLatin1Char(' ')));
        QVERIFY(desk.show());
        QVERIFY(desk.view.isBusy() || desk.view.account());
        QTRY_VERIFY(desk.view.account() && !desk.view.isBusy());
        QCOMPARE(desk.view.account()->steps.size(), 9u);
        QCOMPARE(desk.view.account()->skipped, 3);
    }

    void nothingTypedSaysWhatToDo() {
        Desk desk;
        QVERIFY(desk.show());
        desk.session.edit(Field::Text, QString());
        QVERIFY(desk.isEmpty());
        QVERIFY(desk.text("chunkEmpty").startsWith(utf8("Type a sentence")));
        QVERIFY(!desk.view.account());
    }

    void tooManyTilesAreRefusedInASentence() {
        QStringList tokens;
        for (int i = 0; i < 257; ++i) tokens << QString::number(i);
        Desk desk("none", "1", "1");
        desk.session.edit(Field::EmbedDim, utf8("8"));
        desk.session.edit(Field::Text, tokens.join(QLatin1Char(' ')));
        QVERIFY(desk.show());
        QVERIFY(desk.isEmpty());
        QVERIFY2(desk.text("chunkEmpty").contains(utf8("66049 tiles")), qPrintable(desk.text("chunkEmpty")));
    }

    void chunkSizesAreTypedHere() {
        Desk desk;
        QVERIFY(desk.show());
        type(desk.view, "chunkViewSize", utf8("2"));
        type(desk.view, "chunkViewKeySize", utf8("5"));
        QVERIFY(waitForTrace(desk.session));
        QCOMPARE(desk.session.draft().value(Field::ChunkSize), utf8("2"));
        QCOMPARE(desk.view.account()->chunk_size, 2);
        QCOMPARE(desk.view.account()->key_chunk_size, 5);
        QCOMPARE(desk.view.account()->steps.size(), 10u);
        QVERIFY(problemOf(desk.view, "chunk").isEmpty());
        type(desk.view, "chunkViewSize", utf8("0"));
        QVERIFY(problemOf(desk.view, "chunk").contains(utf8("0")));
        QVERIFY(desk.view.account() != nullptr);  // the last legal picture stays
        type(desk.view, "chunkViewSize", utf8("3"));
        QVERIFY(waitForTrace(desk.session));
        QVERIFY(problemOf(desk.view, "chunk").isEmpty());
        QCOMPARE(desk.view.account()->chunk_size, 3);
    }

    void buttonsAndKeysStep() {
        Desk desk;
        QVERIFY(desk.show());
        QCOMPARE(desk.text("chunkPlace"), utf8("tile 1 of 9"));
        QVERIFY(!control<QToolButton>(desk.view, "chunkPrevious")->isEnabled());
        desk.click("chunkNext");
        QCOMPARE(desk.text("chunkPlace"), utf8("tile 2 of 9"));
        QCOMPARE(desk.text("chunkTileText"),
                 utf8("Tile 2 of 9: queries 0–3 × keys 4–7 is skipped: it is fully masked."));
        desk.click("chunkLast");
        QCOMPARE(desk.text("chunkTileText"),
                 utf8("Tile 9 of 9: queries 8–9 × keys 8–9 is computed: 3 of its 4 cells are allowed."));
        QVERIFY(!control<QToolButton>(desk.view, "chunkNext")->isEnabled());
        desk.click("chunkPrevious");
        QCOMPARE(desk.view.step(), 7u);
        QCOMPARE(desk.text("chunkTileText"),
                 utf8("Tile 8 of 9: queries 8–9 × keys 4–7 is computed: all of its 8 cells are allowed."));
        desk.click("chunkFirst");
        QCOMPARE(desk.view.step(), 0u);
        desk.key(Qt::Key_Right);
        desk.key(Qt::Key_Right);
        QCOMPARE(desk.view.step(), 2u);
        desk.key(Qt::Key_Left);
        QCOMPARE(desk.view.step(), 1u);
        desk.key(Qt::Key_End);
        QCOMPARE(desk.view.step(), 8u);
        desk.key(Qt::Key_Right);
        QCOMPARE(desk.view.step(), 8u);
        desk.key(Qt::Key_Home);
        QCOMPARE(desk.view.step(), 0u);
        QTest::keyClick(control(desk.view, "chunkPlay"), Qt::Key_Right);  // on a button too
        QCOMPARE(desk.view.step(), 1u);
        control<QSlider>(desk.view, "chunkSlider")->setValue(6);
        QCOMPARE(desk.view.step(), 6u);
        QCOMPARE(desk.text("chunkPlace"), utf8("tile 7 of 9"));
    }

    void itPlaysUntilItIsStoppedOrAtTheEnd() {
        Desk desk("causal", "5", "5");
        QVERIFY(desk.show());
        auto* transport = desk.view.findChild<Transport*>();
        desk.key(Qt::Key_Space);
        QVERIFY(transport->isPlaying());
        QCOMPARE(control<QToolButton>(desk.view, "chunkPlay")->text(), utf8("Pause"));
        QTRY_VERIFY_WITH_TIMEOUT(desk.view.step() > 0, 20000);
        desk.key(Qt::Key_Space);
        QVERIFY(!transport->isPlaying());
        desk.click("chunkPlay");
        QTRY_VERIFY_WITH_TIMEOUT(!transport->isPlaying(), 20000);  // at the end
        QCOMPARE(desk.view.step(), 3u);
        desk.key(Qt::Key_Space);  // begins anew
        QVERIFY(transport->isPlaying());
        QCOMPARE(desk.view.step(), 0u);
        desk.view.hide();
        QVERIFY(!transport->isPlaying());
    }

    void aClickOnATileGoesThere() {
        Desk desk;
        QVERIFY(desk.show());
        for (const std::size_t tile : {7u, 3u, 1u}) {
            QTest::mouseClick(desk.map(), Qt::LeftButton, Qt::NoModifier,
                              desk.overlay()->tileRect(tile).center().toPoint());
            QCOMPARE(desk.view.step(), tile);
        }
        control<QSpinBox>(desk.view, "chunkQuery")->setValue(9);
        desk.key(Qt::Key_End);
        const RowProgress& row = *desk.row();
        QCOMPARE(row.tiles(), (std::vector<std::size_t>{6, 7, 8}));
        const std::size_t first = row.firstShown();
        QTest::mouseClick(desk.row(), Qt::LeftButton, Qt::NoModifier, row.tileRect(first).center().toPoint());
        QCOMPARE(desk.view.step(), row.tiles()[first]);
    }

    void theRowIsThatOfTheLockedCell() {
        Desk desk;
        QVERIFY(desk.show());
        auto* head = control<QSpinBox>(desk.view, "chunkHead");
        auto* query = control<QSpinBox>(desk.view, "chunkQuery");
        desk.session.setLocked(Cell{5, 2, 3});
        QCOMPARE(query->value(), 5);
        QCOMPARE(head->value(), 3);
        QCOMPARE(desk.view.account()->query, 5);
        QCOMPARE(desk.view.account()->head, 3);
        QCOMPARE(query->text(), utf8("5 “mat”"));
        query->setValue(7);
        QCOMPARE(desk.session.selection().locked, std::optional(Cell{7, 2, 3}));
        head->setValue(1);
        QCOMPARE(desk.session.selection().locked, std::optional(Cell{7, 2, 1}));
        QCOMPARE(desk.view.account()->query, 7);
        QCOMPARE(desk.view.account()->head, 1);
        QVERIFY(desk.set(Field::Mask, utf8("none")));
        QCOMPARE(query->value(), 7);
        QVERIFY(desk.set(Field::Text, utf8("these are no ten tokens")));  // the row is no longer there
        QVERIFY(desk.view.account() != nullptr);
        QVERIFY(desk.view.account()->query < 5);
    }

    void theStepStaysWhileTheTilesAreTheSame() {
        Desk desk;
        QVERIFY(desk.show());
        desk.key(Qt::Key_Right);
        desk.key(Qt::Key_Right);
        QVERIFY(desk.set(Field::Mask, utf8("local:1:1")));
        QCOMPARE(desk.view.step(), 2u);
        QVERIFY(desk.set(Field::ChunkSize, utf8("2")));
        QCOMPARE(desk.view.step(), 0u);
    }

    void whatIsSaidOfTheRow() {
        Desk desk;
        QVERIFY(desk.show());
        control<QSpinBox>(desk.view, "chunkQuery")->setValue(9);
        QCOMPARE(desk.text("chunkRowText"), utf8("Row 9 is not in this tile."));
        desk.key(Qt::Key_End);
        const ChunkAccount& account = *desk.view.account();
        const QString first = rowSentence(account, 6);
        QVERIFY2(first.startsWith(utf8("Row 9 begins: its running maximum is ")), qPrintable(first));
        for (std::size_t step : {7u, 8u}) {
            const QString said = rowSentence(account, step);
            const bool rises = account.steps[step].maximum > account.steps[step - 1].maximum;
            QVERIFY2(said.contains(rises ? utf8("the maximum rises") : utf8("the maximum stays")), qPrintable(said));
        }
        QVERIFY(desk.text("chunkClosing").contains(utf8("3 of 9 tiles are skipped")));
        QVERIFY(desk.text("chunkClosing").contains(utf8("saves 256 B")));
        QVERIFY(control<QLabel>(desk.view, "chunkClosing")->isVisible());
        desk.key(Qt::Key_Left);
        QVERIFY(!control<QLabel>(desk.view, "chunkClosing")->isVisible());
    }

    /// With −1e9 every row of an all-padding sequence is empty, takes 1/S from each key, and no tile may be left out.
    void minusABillionLeavesNothingOut() {
        Desk desk("padding");
        desk.session.edit(Field::Text, utf8("the cat sat on the mat\n[PAD]"));
        desk.session.setSequence(1);
        QVERIFY(desk.show() && desk.set(Field::Fill, utf8("1e9")));
        desk.session.setSequence(1);
        QVERIFY(desk.view.account() != nullptr);
        QCOMPARE(desk.view.account()->sequence, 1);
        QCOMPARE(desk.view.account()->skipped, 0);
        QVERIFY2(desk.text("chunkTileText").contains(utf8("computed although it is fully masked")),
                 qPrintable(desk.text("chunkTileText")));
        QVERIFY(desk.set(Field::Fill, utf8("inf")));
        QCOMPARE(desk.view.account()->skipped, 4);
        QVERIFY(desk.text("chunkTileText").endsWith(utf8("skipped: it is fully masked.")));
        desk.key(Qt::Key_End);
        QCOMPARE(desk.row()->soFar(0), utf8("−∞"));
        QCOMPARE(desk.row()->soFar(2), utf8("0"));
    }

    /// For 20 masks and sizes: skipped are exactly the tiles that the mask empties, and from the maximum and the sum on
    /// the screen after the last tile come the row's weights.
    void theLastNumbersOnTheScreenGiveTheSoftmax() {
        std::mt19937 random(20);
        Desk desk;
        QVERIFY(desk.set(Field::Precision, utf8("float64")) && desk.set(Field::Weights, utf8("seed")));
        QVERIFY(desk.show());
        for (int round = 0; round < 20; ++round) {
            const auto size = static_cast<std::int64_t>(2 + random() % 20);
            QStringList tokens;
            for (std::int64_t i = 0; i < size; ++i) tokens << QStringLiteral("t%1").arg(random() % 50);
            Draft draft = desk.session.draft();
            draft.set(Field::Text, tokens.join(QLatin1Char(' ')));
            draft.set(Field::Mask, randomMask(size, random));
            draft.set(Field::ChunkSize, QString::number(1 + random() % static_cast<std::uint64_t>(size)));
            draft.set(Field::KeyChunkSize, QString::number(1 + random() % static_cast<std::uint64_t>(size - 1)));
            desk.session.edit(draft, utf8("another"));
            QVERIFY(waitForTrace(desk.session));
            const auto query = static_cast<int>(random() % static_cast<std::uint64_t>(size));
            const auto head = static_cast<int>(random() % 8);
            control<QSpinBox>(desk.view, "chunkHead")->setValue(head);
            control<QSpinBox>(desk.view, "chunkQuery")->setValue(query);
            desk.key(Qt::Key_End);
            const Trace& trace = *desk.session.trace();
            QVERIFY(desk.view.account() != nullptr);
            for (const ChunkStep& step : desk.view.account()->steps) {
                bool allowed = false;
                for (std::int64_t i = 0; i < step.queries; ++i)
                    for (std::int64_t j = 0; j < step.keys; ++j)
                        allowed |= trace.mask.of(0).allowed(0, step.first_query + i, step.first_key + j);
                QCOMPARE(step.skipped, !allowed);
            }
            const double maximum = numberOf(desk.row()->soFar(0)), sum = numberOf(desk.row()->soFar(2));
            const MatrixView masked = trace.matrix(Stage::Masked, 0, head);
            const MatrixView weights = trace.matrix(Stage::Weights, 0, head);
            // The nine digits on the screen are off by half of their last; maxima here are below 10.
            for (std::int64_t j = 0; j < size; ++j) {
                const double exponential = sum == 0 ? 0 : std::exp(masked.at(query, j) - maximum) / sum;
                QVERIFY2(std::abs(exponential - weights.at(query, j)) <= 1e-6,
                         qPrintable(QStringLiteral("round %1, key %2: %3 instead of %4")
                                        .arg(round)
                                        .arg(j)
                                        .arg(exponential)
                                        .arg(weights.at(query, j))));
            }
            const auto whole = row_values(trace.matrix(Stage::HeadContext, 0, head), query);
            for (std::size_t d = 0; d < whole.size(); ++d)
                QVERIFY(std::abs(desk.row()->context()[d] - whole[d]) <= 1e-6);
        }
    }

    void colouredHatchedAndBlankTiles_data() {
        QTest::addColumn<Theme>("theme");
        QTest::newRow("light") << Theme::Light;
        QTest::newRow("dark") << Theme::Dark;
    }
    void colouredHatchedAndBlankTiles() {
        QFETCH(Theme, theme);
        applyTheme(theme);
        Desk desk;
        QVERIFY(desk.show());
        for (int i = 0; i < 3; ++i) desk.key(Qt::Key_Right);
        const QImage image = desk.map()->grab().toImage();
        const auto inside = [&](std::size_t tile) { return desk.overlay()->tileRect(tile).adjusted(4, 22, -4, -4); };
        QVERIFY(share(image, inside(7), color(Role::Raised, theme)) == 1);  // to come
        QVERIFY(share(image, inside(1), color(Role::Hatch, theme)) > 0.05);
        QVERIFY(share(image, inside(1), color(Role::Masked, theme)) > 0.3);
        QCOMPARE(share(image, inside(3), color(Role::Raised, theme)), 0.0);  // rows 4–7, keys 0–3: all allowed
        QCOMPARE(share(image, inside(3), color(Role::Hatch, theme)), 0.0);
        const QRectF present = desk.overlay()->tileRect(3);
        const QRectF above(present.left() + 2, present.top() - 2, present.width() - 4, 2);
        QCOMPARE(share(image, above, color(Role::Accent, theme)), 1.0);
        const QRectF elsewhere = desk.overlay()->tileRect(8);
        QCOMPARE(share(image, elsewhere, color(Role::Accent, theme)), 0.0);
    }

    void themeAndTypeChangeInPlace() {
        Desk desk;
        QVERIFY(desk.show());
        desk.key(Qt::Key_Right);
        const QString said = desk.text("chunkTileText");
        const QImage light = desk.row()->grab().toImage();
        applyTheme(Theme::Dark);
        QTest::qWait(0);
        QVERIFY(desk.row()->grab().toImage() != light);
        const int height = desk.row()->height();
        const QFont font = QApplication::font();
        QFont large = font;
        large.setPointSize(20);
        QApplication::setFont(large);
        applyTheme(Theme::Dark);  // as the window does
        QTRY_VERIFY(desk.row()->height() > height);
        QCOMPARE(desk.text("chunkTileText"), said);
        QCOMPARE(desk.view.step(), 1u);
        QApplication::setFont(font);
        applyTheme(Theme::Light);
    }

    void theSuggestedSizeMakesAFewTiles() {
        QCOMPARE(tellingChunkSize(0), 0);
        QCOMPARE(tellingChunkSize(1), 0);
        for (std::int64_t tokens = 2; tokens <= 5000; ++tokens) {
            const std::int64_t size = tellingChunkSize(tokens), tiles = (tokens - 1) / size + 1;
            QVERIFY2(tiles >= std::min<std::int64_t>(tokens, 3) && tiles <= 5, qPrintable(QString::number(tokens)));
        }
        QCOMPARE(tellingChunkSize(10), 4);
    }
};

QTEST_MAIN(TestChunkView)
#include "tst_chunk_view.moc"
