// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <random>
#include <string>
#include <vector>

#include "core/masks/mask.h"
#include "core/masks/mask_row.h"
#include "core/masks/tile_map.h"

using namespace headscope;

namespace {

Batch batch_of(std::int64_t sequences, std::int64_t size, std::uint32_t seed) {
    std::mt19937 engine(seed);
    Batch batch;
    for (std::int64_t b = 0; b < sequences; ++b) {
        batch.tokens.emplace_back(static_cast<std::size_t>(size), "w");
        const auto padded = static_cast<std::int64_t>(engine() % static_cast<std::uint32_t>(size));
        for (std::int64_t s = 0; s < size; ++s) batch.real.push_back(s < size - padded ? 1 : 0);
    }
    return batch;
}

MaskExpression expression_of(const char* text, std::int64_t size) {
    auto mask = parse_mask(text).value();
    for (auto& layer : mask.layers) {
        for (auto& pattern : layer) {
            if (pattern.kind != MaskPattern::Kind::File) continue;
            if (pattern.path == "small.npy") {  // stands for what a person painted on a shorter text
                pattern.kind = MaskPattern::Kind::Painted;
                size = std::min<std::int64_t>(size, 100);
            }
            PaintedMask painted{size, std::vector<std::uint8_t>(static_cast<std::size_t>(size * size), 0)};
            for (std::int64_t i = 0; i < size; ++i)
                for (std::int64_t j = 0; j < size / 2; ++j)
                    painted.cells[static_cast<std::size_t>(i * size + j)] = i < 70 || (i + j) % 5 == 0 ? 1 : 0;
            pattern.painted = std::make_shared<const PaintedMask>(painted);
        }
    }
    return mask;
}

const std::vector<const char*> kMasks{"none",
                                      "causal",
                                      "local:0:0",
                                      "local:256:0",
                                      "local:3:200",
                                      "strided:1",
                                      "strided:3",
                                      "strided:64",
                                      "strided:100",
                                      "dilated:2:2:3",
                                      "dilated:4:1:70",
                                      "dilated:3:3:1",
                                      "dilated:0:0:9",
                                      "global:1",
                                      "global:70",
                                      "block:1",
                                      "block:64",
                                      "block:100",
                                      "prefix:1",
                                      "prefix:64",
                                      "prefix:100",
                                      "causal+prefix:70",
                                      "documents:64:64",
                                      "documents:1:99:64:150",
                                      "causal,documents:100:100",
                                      "random:1:1",
                                      "random:3:7",
                                      "random:63:2",
                                      "random:199:3",
                                      "causal,random:2:1+local:2:0",
                                      "logarithmic",
                                      "causal,logarithmic",
                                      "padding",
                                      "file:painted.npy",
                                      "causal,local:256:0",
                                      "local:64:64+global:16",
                                      "padding,causal",
                                      "causal+padding,block:50+local:9:9",
                                      "file:painted.npy+local:5:5,padding",
                                      "causal,local:0:5"};

}  // namespace

class TestTileMap : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void agreesWithTheCells_data() {
        QTest::addColumn<QByteArray>("text");
        for (const char* text : kMasks) QTest::newRow(text) << QByteArray(text);
    }
    /// Every block of every mask, from both sources: empty is empty, full is full, and the cells are the mask's.
    void agreesWithTheCells() {
        QFETCH(QByteArray, text);
        using Block = TileMap::Block;
        for (const std::int64_t size : {1, 63, 64, 65, 200, 450}) {
            const Batch batch = batch_of(2, size, static_cast<std::uint32_t>(size));
            const MaskExpression expression = expression_of(text.constData(), size);
            const MaskPtr mask = Mask::build(expression, batch).value();
            const TileMap from_cells(mask), from_text = TileMap::of(expression, batch).value();
            for (const TileMap* map : {&from_cells, &from_text}) {
                QCOMPARE(map->key_blocks(), (size + 63) / 64);
                std::int64_t busy = 0;
                bool all_allowed = true;
                for (std::int64_t b = 0; b < 2; ++b) {
                    for (std::int64_t q = 0; q < map->query_blocks(); ++q) {
                        for (std::int64_t k = 0; k < map->key_blocks(); ++k) {
                            std::int64_t allowed = 0, cells = 0;
                            for (std::int64_t i = q * 64; i < std::min(size, q * 64 + 64); ++i)
                                for (std::int64_t j = k * 64; j < std::min(size, k * 64 + 64); ++j, ++cells)
                                    allowed += mask->allowed(b, i, j) ? 1 : 0;
                            const Block kind = map->block(b, q, k);
                            if (kind == Block::FullyMasked) QCOMPARE(allowed, std::int64_t{0});
                            if (kind == Block::FullyAllowed) QCOMPARE(allowed, cells);
                            if (map == &from_cells && kind == Block::Mixed) QVERIFY(allowed > 0 && allowed < cells);
                            busy += kind != Block::FullyMasked ? 1 : 0;
                            all_allowed = all_allowed && kind == Block::FullyAllowed;
                        }
                    }
                }
                QCOMPARE(map->all_allowed(), all_allowed);
                QCOMPARE(map->busy_blocks(1), busy);
                QVERIFY(map->busy_blocks(2) >= busy);
            }
        }
    }

    void rectangles_data() { agreesWithTheCells_data(); }
    void rectangles() {
        QFETCH(QByteArray, text);
        constexpr std::int64_t kSize = 700;
        const Batch batch = batch_of(3, kSize, 7);
        const MaskExpression expression = expression_of(text.constData(), kSize);
        const MaskPtr mask = Mask::build(expression, batch).value();
        const TileMap from_cells(mask), from_text = TileMap::of(expression, batch).value();
        std::mt19937 engine(3);
        const auto below = [&](std::int64_t n) {
            return static_cast<std::int64_t>(engine() % static_cast<std::uint32_t>(n));
        };
        for (int round = 0; round < 20; ++round) {
            const std::int64_t i = below(kSize), rows = 1 + below(std::min<std::int64_t>(8, kSize - i)),
                               j = below(kSize), keys = 1 + below(kSize - j), b = below(3);
            std::vector<std::uint8_t> scratch(static_cast<std::size_t>(rows * keys));
            for (const TileMap* map : {&from_cells, &from_text}) {
                const auto cells = map->cells(b, i, rows, j, keys, scratch.data());
                for (std::int64_t r = 0; r < rows; ++r)
                    for (std::int64_t c = 0; c < keys; ++c)
                        QCOMPARE(cells.cells[r * cells.stride + c] != 0, mask->allowed(b, i + r, j + c));
            }
        }
    }

    /// What makes a long sequence cheap: blocks outside the window are seen to be empty from the expression alone.
    void windowsAreNarrow() {
        constexpr std::int64_t kSize = 16384, kBlocks = kSize / 64;
        Batch batch;
        batch.tokens.emplace_back(kSize, "w");
        batch.real.assign(kSize, 1);
        const auto busy = [&](const char* text) {
            return TileMap::of(parse_mask(text).value(), batch).value().busy_blocks(1);
        };
        QCOMPARE(busy("none"), kBlocks * kBlocks);
        QCOMPARE(busy("causal"), kBlocks * (kBlocks + 1) / 2);
        QCOMPARE(busy("local:256:0"), 5 * kBlocks - 10);
        QCOMPARE(busy("causal,local:256:0"), 5 * kBlocks - 10);
        QCOMPARE(busy("block:256"), 4 * kBlocks);
        QCOMPARE(busy("prefix:256"), 4 * kBlocks);
        QCOMPARE(busy("documents:256:512:15616"), 4 * 4 + 8 * 8 + 244 * 244);
        // Of 64 rows with one key each no more than 64 blocks are left.
        QVERIFY(busy("random:1:1") < 64 * kBlocks && busy("random:1:1") > kBlocks);
        // Blocks at distance 0, 1, 2, 4 ... 128, and those beside them from 2 on: keys 64·d tokens away lie in two.
        QVERIFY(busy("logarithmic") < 24 * kBlocks);
        // A diagonal of three blocks, the first row and the first column of blocks.
        QCOMPARE(busy("local:64:64+global:16"), 3 * kBlocks - 2 + 2 * (kBlocks - 2));
        // The nine diagonals of blocks that |i - j| < 256 touches, and every fourth beyond them.
        std::int64_t strided = 0;
        for (std::int64_t d = 1 - kBlocks; d < kBlocks; ++d) {
            if (std::abs(d) <= 4 || d % 4 == 0) strided += kBlocks - std::abs(d);
        }
        QCOMPARE(busy("strided:256"), strided);
    }

    void together() {
        const TileMap map(Mask::build(parse_mask("causal").value(), batch_of(1, 300, 1)).value());
        using Block = TileMap::Block;
        QCOMPARE(map.block(0, 2, 2, 1), Block::FullyAllowed);
        QCOMPARE(map.block(0, 2, 2, 2), Block::Mixed);
        QCOMPARE(map.block(0, 2, 2, 3), Block::Mixed);
        QCOMPARE(map.block(0, 2, 2, 4), Block::FullyMasked);
        QCOMPARE(map.block(0, 4, 2, 4), Block::Mixed);  // the last block of queries is alone
    }

    void paintedMasksOfAnotherSize() {
        const auto map = TileMap::of(expression_of("file:painted.npy", 5), batch_of(1, 6, 1));
        QVERIFY(!map);
        QCOMPARE(map.error().code, ErrorCode::InvalidMask);
        QVERIFY(map.error().message().find("5x5") != std::string::npos);
        QCOMPARE(TileMap::of(parse_mask("file:unread.npy").value(), batch_of(1, 6, 1)).error().code,
                 ErrorCode::InvalidMask);
    }
};

QTEST_APPLESS_MAIN(TestTileMap)
#include "tst_tile_map.moc"
