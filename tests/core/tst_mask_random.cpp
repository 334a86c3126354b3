// SPDX-License-Identifier: GPL-3.0-or-later
// A hundred thousand random mask expressions, or HEADSCOPE_TEST_COUNT: each gives a mask or an error.
#include <QTest>

#include "core/explain/mask_python.h"
#include "core/masks/mask_edit.h"
#include "core/masks/mask_layers.h"
#include "core/masks/mask_text.h"
#include "core/masks/painted_text.h"
#include "core/masks/pattern.h"
#include "core/masks/tile_map.h"
#include "random_text.h"
#include "support.h"

using namespace headscope;
using namespace headscope::testing;

namespace {

constexpr int kExpressions = 100'000;

PaintedMask random_cells(std::int64_t size, Draws& draws) {
    PaintedMask mask = paint::uniform(size, draws.one_in(2));
    for (auto& cell : mask.cells) cell = static_cast<std::uint8_t>(draws.one_in(3) ? !cell : cell);
    return mask;
}

/// One pattern after the table: mostly legal.
std::string random_pattern(Draws& draws) {
    const PatternType& type = pattern_types()[draws.below(pattern_types().size())];
    if (type.kind == MaskPattern::Kind::File) return file_pattern(draws.noise());
    if (type.kind == MaskPattern::Kind::Painted) {
        const auto size = static_cast<std::int64_t>(1 + draws.below(draws.one_in(9) ? 70 : 9));
        const std::string said = draws.one_in(9) ? draws.number() : std::to_string(size);
        return "painted:" + said + ":" + painted_cells_text(random_cells(size, draws));
    }
    std::vector<std::string> numbers;
    std::size_t count = type.numbers.size();
    if (type.repeats) count += draws.below(draws.one_in(50) ? 2000 : 4);
    if (draws.one_in(20)) count += draws.below(3) - (count > 0 ? 1 : 0);
    for (std::size_t n = 0; n < count; ++n)
        numbers.push_back(draws.one_in(6) ? draws.number()
                                          : std::to_string(1 + draws.below(draws.one_in(4) ? 300 : 9)));
    return pattern_text(draws.one_in(40) ? "local " : type.word, numbers);
}

std::string random_expression(Draws& draws) {
    if (draws.one_in(100)) return draws.noise();
    std::string text;
    for (std::size_t layer = draws.one_in(200) ? 40 : 1 + draws.below(4); layer > 0; --layer) {
        text += text.empty() ? "" : draws.of({",", ",", ",", " , ", ",\n"});
        if (draws.one_in(9)) text += "off:";
        text += random_pattern(draws);
        while (draws.one_in(3)) text += "+" + random_pattern(draws);
    }
    return draws.one_in(4) ? draws.mutated(text) : text;
}

/// A file isn't read here: its cells are of the right size, or of another, or missing.
void give_cells(MaskExpression& expression, std::int64_t size, Draws& draws) {
    for (auto& layer : expression.layers) {
        for (auto& pattern : layer) {
            if (pattern.kind != MaskPattern::Kind::File || draws.one_in(10)) continue;
            pattern.painted =
                std::make_shared<const PaintedMask>(random_cells(draws.one_in(10) ? size + 1 : size, draws));
        }
    }
}

/// Tiles that are said to be fully masked or fully allowed are; from the cells none is called mixed that isn't.
void check_tiles(const TileMap& map, const Mask& mask, bool exact) {
    constexpr std::int64_t kSide = TileMap::kSide;
    for (std::int64_t b = 0; b < mask.batch(); ++b) {
        for (std::int64_t q = 0; q * kSide < mask.size(); ++q) {
            for (std::int64_t k = 0; k * kSide < mask.size(); ++k) {
                std::int64_t allowed = 0;
                const std::int64_t rows = std::min(kSide, mask.size() - q * kSide),
                                   keys = std::min(kSide, mask.size() - k * kSide);
                for (std::int64_t i = q * kSide; i < q * kSide + rows; ++i)
                    allowed += std::count(mask.row(b, i) + k * kSide, mask.row(b, i) + k * kSide + keys, 1);
                const TileKind kind = map.block(b, q, k);
                if (kind == TileKind::FullyMasked) QCOMPARE(allowed, std::int64_t{0});
                if (kind == TileKind::FullyAllowed) QCOMPARE(allowed, rows * keys);
                if (exact && kind == TileKind::Mixed) QVERIFY(allowed > 0 && allowed < rows * keys);
            }
        }
    }
}

void check_mask(MaskExpression expression, std::int64_t size, Draws& draws, int& built) {
    const std::string text = to_string(expression);
    const auto back = parse_mask(text);
    VERIFY_RESULT(back);
    QVERIFY(*back == expression);
    QCOMPARE(to_string(*back), text);
    for (const MaskLayer& layer : list_layers(expression)) {
        QCOMPARE(layer.names.size(), layer.patterns.size());
        for (const Sentence& name : layer.names) QVERIFY(!name.str().empty());
    }
    give_cells(expression, size, draws);
    const auto length = [&] { return static_cast<std::int64_t>(draws.below(static_cast<std::size_t>(size) + 1)); };
    const Batch batch = batch_of_lengths({size, length()}, size);
    const auto mask = Mask::build(expression, batch);
    const auto tiles = TileMap::of(expression, batch);
    QCOMPARE(mask.has_value(), tiles.has_value());
    if (!mask) {
        QCOMPARE(mask.error().code, ErrorCode::InvalidMask);
        QVERIFY(mask.error() == tiles.error());
        return;
    }
    ++built;
    check_tiles(*tiles, **mask, false);
    if (draws.one_in(4)) check_tiles(TileMap(*mask), **mask, true);
    const auto code = python_mask(expression, batch);
    VERIFY_RESULT(code);
    // The layers that mask a cell, against the cell itself.
    const std::int64_t i = length() % size, j = length() % size;
    QCOMPARE(masked_by(expression, batch, 0, i, j).empty(), (*mask)->allowed(0, i, j));
}

}  // namespace

class TestMaskRandom : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aMaskOrASentence() {
        Draws draws(test_seed());
        double longest = 0;
        int legal = 0, built = 0;
        const int count = test_count(kExpressions);
        for (int round = 0; round < count; ++round) {
            const std::string text = random_expression(draws);
            const auto size = static_cast<std::int64_t>(1 + draws.below(draws.one_in(10) ? 200 : 20));
            const ProcessorTime time;
            QCOMPARE(MaskText(MaskText(text).str()).str(), MaskText(text).str());
            const auto mask = parse_mask(text);
            if (mask) {
                check_mask(*mask, size, draws, built);
            } else {
                QCOMPARE(mask.error().code, ErrorCode::InvalidMask);
                const std::string message = mask.error().message();
                QVERIFY2(message.size() > 20 && message.size() < 1200 && message.find("mask") != std::string::npos,
                         message.c_str());
            }
            if (QTest::currentTestFailed()) QFAIL(("in '" + text + "', of " + std::to_string(size)).c_str());
            legal += mask.has_value();
            longest = std::max(longest, time.milliseconds());
        }
        qInfo("%d expressions, %d legal, %d masks; the longest took %.1f ms", count, legal, built, longest);
        QVERIFY(legal > count / 4 && legal < count / 4 * 3 && built > count / 5);
        QVERIFY(longest < kMostMilliseconds);
    }

    /// Every number that the grammar writes, at every place of every pattern.
    void everyNumberOfEveryPattern() {
        Draws draws(test_seed());
        for (const PatternType& type : pattern_types()) {
            for (std::size_t which = 0; which < type.numbers.size(); ++which) {
                for (int round = 0; round < 2000; ++round) {
                    std::vector<std::string> numbers(type.numbers.size(), "1");
                    std::string number = draws.number();
                    // White space at the end of a pattern is no part of it.
                    if (which + 1 == numbers.size()) number = std::string(trimmed("x" + number).substr(1));
                    numbers[which] = number;
                    const bool digits = !number.empty() && number.find_first_not_of("0123456789") == std::string::npos;
                    const double value = digits ? std::stod(number) : -1;
                    const bool right = digits && value >= static_cast<double>(type.numbers[which].least) &&
                                       value <= static_cast<double>(kLargestPatternNumber);
                    const std::string text = pattern_text(type.word, numbers);
                    QVERIFY2(parse_mask(text).has_value() == right, text.c_str());
                }
            }
        }
    }
};

QTEST_APPLESS_MAIN(TestMaskRandom)
#include "tst_mask_random.moc"
