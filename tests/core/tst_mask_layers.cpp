// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/masks/mask_layers.h"

#include <QTest>
#include <random>

#include "core/masks/painted_text.h"
#include "support.h"

using namespace headscope;
using namespace headscope::testing;

namespace {

PaintedMask random_painting(std::int64_t size, std::mt19937& random) {
    PaintedMask mask{size, std::vector<std::uint8_t>(static_cast<std::size_t>(size * size))};
    for (auto& cell : mask.cells) cell = random() % 2;
    return mask;
}

MaskExpression parsed(const std::string& text) {
    return parse_mask(text).value();
}

std::string error_of(const std::string& text) {
    const auto mask = parse_mask(text);
    return mask ? std::string() : mask.error().message();
}

}  // namespace

class TestMaskLayers : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void paintedCellsReadBack() {
        std::mt19937 random(1);
        for (std::int64_t size = 1; size <= 40; ++size) {
            const PaintedMask mask = random_painting(size, random);
            const std::string text = painted_cells_text(mask);
            const auto back = parse_painted_cells(size, text);
            VERIFY_RESULT(back);
            QVERIFY(*back == mask);
            // In an expression too, beside others and joined to others.
            const std::string expression = fmt::format("causal,painted:{}:{}+global:1,padding", size, text);
            QCOMPARE(to_string(parsed(expression)), expression);
            QVERIFY(*parsed(expression).layers[1][0].painted == mask);
        }
    }

    void paintedTextIsTheOneThatIsDocumented() {
        // 100 010 001: bytes 10001000 10000000, which base64url writes as 100010 001000 0000(00).
        const PaintedMask diagonal{3, {1, 0, 0, 0, 1, 0, 0, 0, 1}};
        QCOMPARE(painted_cells_text(diagonal), std::string("iIA"));
        QCOMPARE(painted_cells_text({1, {1}}), std::string("gA"));
        QCOMPARE(painted_cells_text({10, std::vector<std::uint8_t>(100, 1)}).size(), std::size_t{18});
        QCOMPARE(painted_cells_text({64, std::vector<std::uint8_t>(4096, 1)}).size(), std::size_t{683});
    }

    void malformedPaintingIsAnswered_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("part");
        const std::pair<const char*, const char*> cases[] = {
            {"painted", "has no cells"},
            {"painted:3", "has no cells"},
            {"painted:3:iIA:1", "has no cells"},
            {"painted:3:iI", "3x3 takes 3 characters of cells, but has 2"},
            {"painted:3:iIAA", "3x3 takes 3 characters of cells, but has 4"},
            {"painted:3:", "but has 0"},
            {"painted:3:i A", "character 2"},
            {"painted:3:iI=", "character 3"},
            {"painted:3:iI/", "character 3"},
            {"painted:3:iIB", "more than its 9 cells"},  // a bit beyond the last byte
            {"painted:3:iIg", "more than its 9 cells"},  // a bit beyond the last cell
            {"painted:0:", "S is 0, but must be 1 or more"},
            {"painted:-3:iIA", "must be 1 or more"},
            {"painted:x:iIA", "not a whole number"},
            {"painted:2147483647:iIA", "must be from 1 to 1048576"},
            {"painted:99999999999999999999:iIA", "can be 2147483647 at most"},
        };
        for (const auto& [text, part] : cases)
            QTest::newRow(text) << QString::fromUtf8(text) << QString::fromUtf8(part);
    }
    void malformedPaintingIsAnswered() {
        QFETCH(QString, text);
        QFETCH(QString, part);
        for (const QString& whole :
             QStringList{text, QStringLiteral("causal,off:") + text, text + QStringLiteral("+padding")}) {
            const auto mask = parse_mask(whole.toStdString());
            QVERIFY(!mask);
            QCOMPARE(mask.error().code, ErrorCode::InvalidMask);
            const QString message = QString::fromStdString(mask.error().message());
            QVERIFY2(message.contains(part), qPrintable(message));
        }
    }

    void aSentenceDoesNotQuoteAllCells() {
        std::mt19937 random(2);
        const std::string cells = painted_cells_text(random_painting(64, random));
        for (const std::string& text :
             {"painted:64:" + cells + ",,causal", "painted:0:" + cells, "painted:64:" + cells + ":1",
              "painted:64:" + cells + ",none", "painted:63:" + cells}) {
            const std::string message = error_of(text);
            QVERIFY(!message.empty());
            QVERIFY2(message.size() < 400, message.c_str());
        }
    }

    void paintingOfAnotherSizeIsCutOrExtended() {
        std::mt19937 random(3);
        const PaintedMask mask = random_painting(5, random);
        MaskPattern pattern{.kind = MaskPattern::Kind::Painted, .painted = std::make_shared<PaintedMask>(mask)};
        for (const std::int64_t size : {1, 4, 5, 6, 9}) {
            const auto built = Mask::build({{{pattern}}}, batch_of_lengths({size}, size));
            VERIFY_RESULT(built);
            for (std::int64_t i = 0; i < size; ++i) {
                for (std::int64_t j = 0; j < size; ++j) {
                    const bool inside = i < 5 && j < 5;
                    const bool allowed = !inside || mask.cells[static_cast<std::size_t>(i * 5 + j)];
                    QCOMPARE((*built)->allowed(0, i, j), allowed);
                }
            }
        }
        const MaskExpression expression{{{pattern}}};
        QVERIFY(!painted_size_note(expression, 5));
        QCOMPARE(painted_size_note(expression, 6)->str(),
                 std::string("the mask was painted for 5x5 tokens; of the 6x6 now, the cells beyond are allowed"));
        QCOMPARE(painted_size_note(expression, 4)->str(),
                 std::string("the mask was painted for 5x5 tokens; 4x4 of them are shown, the rest is kept"));
        QVERIFY(!painted_size_note(switched(expression, 0, false), 6));
        QVERIFY(!painted_size_note(parsed("causal"), 6));
    }

    void aPaintingWithoutCellsIsRefused() {
        for (const auto& cells : {std::shared_ptr<PaintedMask>(), std::make_shared<PaintedMask>(PaintedMask{3, {1, 1}}),
                                  std::make_shared<PaintedMask>()}) {
            const MaskPattern pattern{.kind = MaskPattern::Kind::Painted, .painted = cells};
            const auto built = Mask::build({{{pattern}}}, batch_of_lengths({3}, 3));
            QVERIFY(!built);
            QCOMPARE(built.error().code, ErrorCode::InvalidMask);
        }
    }

    void layersAreListedAndSwitched() {
        const std::string text = "off:padding,causal,off:local:1:0+global:1,painted:3:iIA,off:block:2";
        const MaskExpression mask = parsed(text);
        QCOMPARE(to_string(mask), text);
        QCOMPARE(mask.layers.size(), std::size_t{2});
        QVERIFY(!mask.uses_padding());
        QVERIFY(mask == parsed("causal,painted:3:iIA"));  // what is off acts on nothing
        const auto layers = list_layers(mask);
        QCOMPARE(layers.size(), std::size_t{5});
        const bool on[] = {false, true, false, true, false};
        for (std::size_t n = 0; n < 5; ++n) QCOMPARE(layers[n].on, on[n]);
        QCOMPARE(to_string(from_layers(layers)), text);

        // Every combination of switches, one at a time in any order, comes back to the same text.
        for (unsigned bits = 0; bits < 32; ++bits) {
            MaskExpression turned = mask;
            for (std::size_t n = 0; n < 5; ++n) turned = switched(turned, 4 - n, bits >> n & 1U);
            QCOMPARE(turned.layers.size() + turned.off.size(), std::size_t{5});
            QCOMPARE(static_cast<unsigned>(turned.layers.size()), static_cast<unsigned>(__builtin_popcount(bits)));
            QCOMPARE(to_string(parsed(to_string(turned))), to_string(turned));
            for (std::size_t n = 0; n < 5; ++n) turned = switched(turned, n, on[n]);
            QCOMPARE(to_string(turned), text);
        }
        QCOMPARE(to_string(switched(mask, 99, true)), text);
        QCOMPARE(to_string(parsed(" off: causal , padding ")), std::string("off:causal,padding"));
        QVERIFY(list_layers(parsed("none")).empty());
        QCOMPARE(to_string(parsed("off:causal")), std::string("off:causal"));
        for (const char* wrong :
             {"off:", "off", "off:none", "off:off:causal", "causal+off:padding", "off:foo", "off:,x"})
            QVERIFY2(!parse_mask(wrong), wrong);
    }

    void kinds() {
        const std::pair<const char*, LayerKind> cases[] = {{"padding", LayerKind::Padding},
                                                           {"causal", LayerKind::Causal},
                                                           {"local:1:0", LayerKind::Window},
                                                           {"local:1:0+local:0:3", LayerKind::Window},
                                                           {"strided:2", LayerKind::Sparse},
                                                           {"local:1:0+global:1", LayerKind::Sparse},
                                                           {"block:2", LayerKind::Sparse},
                                                           {"dilated:1:1:2", LayerKind::Sparse},
                                                           {"prefix:2", LayerKind::Sparse},
                                                           {"documents:2:3", LayerKind::Sparse},
                                                           {"random:2:1", LayerKind::Sparse},
                                                           {"logarithmic", LayerKind::Sparse},
                                                           {"painted:1:gA", LayerKind::Painted},
                                                           {"file:x.npy", LayerKind::Painted},
                                                           {"padding+causal", LayerKind::Combined},
                                                           {"painted:1:gA+causal", LayerKind::Combined},
                                                           {"local:1:0+padding", LayerKind::Combined}};
        for (const auto& [text, kind] : cases) {
            const auto layers = list_layers(parsed(text));
            QCOMPARE(layers.size(), std::size_t{1});
            QVERIFY2(layers[0].kind == kind, text);
            for (const Sentence& name : layers[0].names) QVERIFY(!name.str().empty());
        }
        const auto names = list_layers(parsed("local:4:0+global:1"))[0].names;
        QCOMPARE(names.size(), std::size_t{2});
        QCOMPARE(names[0].str(), std::string("window: 4 to the left, 0 to the right"));
        QCOMPARE(names[1].str(), std::string("global: the first 1 attend to all, and all attend to them"));
        // Braces in a path are no arguments.
        QVERIFY(list_layers(parsed("file:{}{0}{x}.npy+causal"))[0].names[0].str().find("{}{0}{x}.npy") !=
                std::string::npos);
    }

    void shortText() {
        QCOMPARE(short_text(parsed("none")), std::string("none"));
        QCOMPARE(short_text(parsed("off:causal")), std::string("none"));
        QCOMPARE(short_text(parsed("causal,off:padding,local:1:0+painted:3:iIA,file:a\\,b")),
                 std::string("causal,local:1:0+painted:3 (3/9),file:a\\,b"));
    }

    void aCellSaysWhichLayersMaskIt() {
        std::mt19937 random(4);
        const Batch batch = batch_of_lengths({6, 3, 0}, 6);
        const std::string painting = painted_cells_text(random_painting(6, random));
        const MaskExpression mask =
            parsed("padding,off:local:0:0,causal,local:2:0+global:1,painted:6:" + painting + ",block:3+padding");
        const auto whole = Mask::build(mask, batch);
        VERIFY_RESULT(whole);
        const auto layers = list_layers(mask);
        std::vector<MaskPtr> alone;
        for (const auto& layer : layers) alone.push_back(layer_mask(layer, batch).value());
        int masked = 0, by_several = 0;
        for (std::int64_t b = 0; b < 3; ++b) {
            for (std::int64_t n = 0; n < 36; ++n) {
                const auto by = masked_by(mask, batch, b, n / 6, n % 6);
                QCOMPARE(by.empty(), (*whole)->allowed(b, n / 6, n % 6));
                std::vector<std::size_t> places, expected;
                for (const auto& layer : by) places.push_back(layer.place);
                for (std::size_t place = 0; place < layers.size(); ++place)
                    if (layers[place].on && !alone[place]->allowed(b, n / 6, n % 6)) expected.push_back(place);
                QCOMPARE(places, expected);
                for (const auto& layer : by) QVERIFY(layer.names == layers[layer.place].names);
                masked += !by.empty();
                by_several += by.size() > 1;
            }
        }
        QVERIFY(masked > 0 && by_several > 0);
    }
};

QTEST_APPLESS_MAIN(TestMaskLayers)
#include "tst_mask_layers.moc"
