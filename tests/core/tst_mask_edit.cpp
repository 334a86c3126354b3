// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/masks/mask_edit.h"

#include <QTest>
#include <cstdlib>
#include <random>
#include <set>

#include "core/base/memory.h"
#include "core/files/mask_file.h"
#include "core/masks/mask_layers.h"
#include "scratch.h"
#include "support.h"

using namespace headscope;
using namespace headscope::testing;

namespace {

using paint::Cell;

PaintedMask random_mask(std::int64_t size, std::mt19937& random) {
    PaintedMask mask = paint::uniform(size, false);
    for (auto& cell : mask.cells) cell = random() % 2;
    return mask;
}

/// "100/010/001"
std::string rows(const PaintedMask& mask) {
    std::string text;
    for (std::int64_t n = 0; n < mask.size * mask.size; ++n) {
        if (n > 0 && n % mask.size == 0) text += '/';
        text += mask.cells[static_cast<std::size_t>(n)] ? '1' : '0';
    }
    return text;
}

std::set<std::pair<std::int64_t, std::int64_t>> allowed_cells(const PaintedMask& mask) {
    std::set<std::pair<std::int64_t, std::int64_t>> cells;
    for (std::int64_t n = 0; n < mask.size * mask.size; ++n)
        if (mask.cells[static_cast<std::size_t>(n)]) cells.emplace(n / mask.size, n % mask.size);
    return cells;
}

}  // namespace

class TestMaskEdit : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void cellsRowsColumnsRectangles() {
        const PaintedMask masked = paint::uniform(3, false), allowed = paint::uniform(3, true);
        QCOMPARE(rows(masked), std::string("000/000/000"));
        QCOMPARE(rows(allowed), std::string("111/111/111"));
        QCOMPARE(rows(paint::cell(masked, {1, 2}, true)), std::string("000/001/000"));
        QCOMPARE(rows(paint::cell(allowed, {1, 2}, false)), std::string("111/110/111"));
        QCOMPARE(rows(paint::row(masked, 2, true)), std::string("000/000/111"));
        QCOMPARE(rows(paint::column(allowed, 0, false)), std::string("011/011/011"));
        for (const auto& [a, b] : {std::pair(Cell{0, 1}, Cell{1, 2}), std::pair(Cell{1, 2}, Cell{0, 1}),
                                   std::pair(Cell{0, 2}, Cell{1, 1}), std::pair(Cell{1, 1}, Cell{0, 2})})
            QCOMPARE(rows(paint::rectangle(masked, a, b, true)), std::string("011/011/000"));
        QCOMPARE(rows(paint::diagonal(masked, 0, true)), std::string("100/010/001"));
        QCOMPARE(rows(paint::diagonal(masked, -1, true)), std::string("000/100/010"));
        QCOMPARE(rows(paint::diagonal(allowed, 2, false)), std::string("110/111/111"));
    }

    void outsideIsPassedOver() {
        std::mt19937 random(1);
        const PaintedMask mask = random_mask(5, random);
        const std::int64_t far = std::numeric_limits<std::int64_t>::max(),
                           low = std::numeric_limits<std::int64_t>::min();
        for (const std::int64_t out : {std::int64_t{-1}, std::int64_t{5}, far, low}) {
            for (const bool allowed : {false, true}) {
                QVERIFY(paint::cell(mask, {out, 2}, allowed) == mask);
                QVERIFY(paint::cell(mask, {2, out}, allowed) == mask);
                QVERIFY(paint::row(mask, out, allowed) == mask);
                QVERIFY(paint::column(mask, out, allowed) == mask);
                QVERIFY(paint::rectangle(mask, {out, out}, {out, 3}, allowed) == mask);
                QVERIFY(paint::line(mask, {out, 0}, {out, 4}, allowed) == mask);
                if (out != -1) QVERIFY(paint::diagonal(mask, out == low ? low + 1 : out, allowed) == mask);
            }
        }
        QCOMPARE(rows(paint::rectangle(paint::uniform(3, false), {low, low}, {far, 1}, true)),
                 std::string("110/110/110"));
        const PaintedMask nothing;
        QVERIFY(paint::row(nothing, 0, true) == nothing);
        QVERIFY(paint::line(nothing, {0, 0}, {3, 3}, true) == nothing);
        QVERIFY(paint::diagonal(nothing, 0, true) == nothing);
        QVERIFY(paint::transposed(nothing) == nothing);
        QVERIFY(paint::fitted(nothing, 2) == paint::uniform(2, true));
    }

    void strokesHaveNoGaps() {
        std::mt19937 random(2);
        for (int round = 0; round < 500; ++round) {
            const std::int64_t size = 1 + static_cast<std::int64_t>(random() % 20);
            const auto any = [&] { return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(size)); };
            const Cell a{any(), any()}, b{any(), any()};
            const auto cells = allowed_cells(paint::line(paint::uniform(size, false), a, b, true));
            const std::int64_t down = std::abs(a.query - b.query), across = std::abs(a.key - b.key);
            QCOMPARE(static_cast<std::int64_t>(cells.size()), std::max(down, across) + 1);
            QVERIFY(cells.contains({a.query, a.key}) && cells.contains({b.query, b.key}));
            for (const auto& [i, j] : cells) {
                // Each is within half a cell of the straight line, measured along the shorter way.
                const std::int64_t off = std::abs((i - a.query) * (b.key - a.key) - (j - a.key) * (b.query - a.query));
                QVERIFY(2 * off <= std::max(down, across));
                const auto touches = [&](const auto& other) {
                    return std::max(std::abs(other.first - i), std::abs(other.second - j)) == 1;
                };
                QVERIFY(cells.size() == 1 || std::any_of(cells.begin(), cells.end(), touches));
            }
            QVERIFY(allowed_cells(paint::line(paint::uniform(size, true), a, b, false)).size() ==
                    static_cast<std::size_t>(size * size) - cells.size());
        }
        // A hand that leaves the grid and comes back.
        QCOMPARE(rows(paint::line(paint::uniform(3, false), {-2, -2}, {4, 4}, true)), std::string("100/010/001"));
        QCOMPARE(rows(paint::line(paint::uniform(3, false), {1, -100000}, {1, 100000}, true)),
                 std::string("000/111/000"));
    }

    void invertAndTranspose() {
        std::mt19937 random(3);
        for (std::int64_t size = 1; size < 9; ++size) {
            const PaintedMask mask = random_mask(size, random);
            QVERIFY(paint::inverted(paint::inverted(mask)) == mask);
            QVERIFY(paint::transposed(paint::transposed(mask)) == mask);
            const PaintedMask turned = paint::transposed(mask), other = paint::inverted(mask);
            for (std::int64_t i = 0; i < size; ++i) {
                for (std::int64_t j = 0; j < size; ++j) {
                    const auto at = [&](const PaintedMask& m, auto r, auto c) {
                        return m.cells[static_cast<std::size_t>(r * size + c)];
                    };
                    QCOMPARE(at(turned, i, j), at(mask, j, i));
                    QCOMPARE(at(other, i, j), static_cast<std::uint8_t>(1 - at(mask, i, j)));
                }
            }
        }
        // Causal transposed is the future, and inverted with its diagonal opened is the same.
        const Batch batch = batch_of_lengths({4}, 4);
        const PaintedMask causal = paint::from_expression(parse_mask("causal").value(), batch, 0).value();
        QVERIFY(paint::transposed(causal) == paint::diagonal(paint::inverted(causal), 0, true));
    }

    void anExpressionIsPaintedOn() {
        const Batch batch = batch_of_lengths({4, 2}, 4);
        const auto mask = parse_mask("padding,causal").value();
        for (std::int64_t b = 0; b < 2; ++b) {
            const auto painted = paint::from_expression(mask, batch, b);
            VERIFY_RESULT(painted);
            const auto built = Mask::build(mask, batch).value();
            for (std::int64_t n = 0; n < 16; ++n)
                QCOMPARE(painted->cells[static_cast<std::size_t>(n)] != 0, built->allowed(b, n / 4, n % 4));
        }
        QCOMPARE(paint::from_expression(mask, batch, 2).error().code, ErrorCode::InvalidValue);
        QCOMPARE(paint::from_expression(mask, batch, -1).error().code, ErrorCode::InvalidValue);
        QCOMPARE(paint::from_expression(parse_mask("file:x.npy").value(), batch, 0).error().code,
                 ErrorCode::InvalidMask);
    }

    void paintedLayerOfAnExpression() {
        const auto parsed = [](const char* text) { return parse_mask(text).value(); };
        QVERIFY(!paint::painted_layer(parsed("none")));
        QVERIFY(!paint::painted_layer(parsed("painted:1:gA+causal,off:painted:1:gA")));
        QVERIFY(*paint::painted_layer(parsed("causal,painted:1:AA,painted:1:gA")) == paint::uniform(1, false));
        const PaintedMask mask = paint::uniform(1, true);
        const std::pair<const char*, const char*> cases[] = {
            {"none", "painted:1:gA"},
            {"causal,painted:1:AA,off:padding", "causal,painted:1:gA,off:padding"},
            {"off:painted:1:AA,causal", "off:painted:1:AA,causal,painted:1:gA"},
            {"painted:1:AA+causal", "painted:1:AA+causal,painted:1:gA"}};
        for (const auto& [before, after] : cases)
            QCOMPARE(to_string(paint::with_painted_layer(parsed(before), mask)), std::string(after));
    }

    void fittedIsWhatTheMaskDoes() {
        std::mt19937 random(4);
        const PaintedMask mask = random_mask(5, random);
        for (const std::int64_t size : {1, 3, 5, 8}) {
            const auto expression = paint::with_painted_layer({}, mask);
            QVERIFY(paint::fitted(mask, size) ==
                    paint::from_expression(expression, batch_of_lengths({size}, size), 0).value());
        }
        QVERIFY(paint::fitted(paint::fitted(mask, 9), 5) == mask);
    }

    void filesReadBack() {
        std::mt19937 random(5);
        const Scratch scratch;
        for (const std::int64_t size : {1, 2, 7, 64}) {
            const PaintedMask mask = random_mask(size, random);
            for (const char* name : {"m.json", "m.csv", "m.npy", "M.JSON", "m.x.Csv"}) {
                const auto bytes = encode_mask_file(mask, name);
                VERIFY_RESULT(bytes);
                const auto back = read_mask_file(scratch.write(name, *bytes));
                VERIFY_RESULT(back);
                QVERIFY(*back == mask);
            }
        }
        for (const char* name : {"m.png", "m", "", "csv", "m.json.gz"})
            VERIFY_ERROR(encode_mask_file(paint::uniform(2, true), name), ErrorCode::Unsupported, name, ".json");
    }

    void jsonThatIsMeant() {
        const PaintedMask mask{2, {1, 0, 1, 1}};
        for (const char* text : {"[[1,0],[1,1]]", "[[true,false],[true,true]]", " [ [1.0, 0e5],\n[1 ,true] ]\r\n",
                                 "\xEF\xBB\xBF[[1,0],[1,1]]", R"({"cells": [[1,0],[1,1]]})",
                                 R"({"size": 99, "cells": [[1,0],[1,1]], "x": {}})"}) {
            const auto read = parse_mask_json(text, "m.json");
            VERIFY_RESULT(read);
            QVERIFY(*read == mask);
        }
    }

    void jsonThatIsNot_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<int>("code");
        QTest::addColumn<QByteArray>("part");
        const int content = static_cast<int>(ErrorCode::FileContent), format = static_cast<int>(ErrorCode::FileFormat);
        const std::tuple<const char*, int, const char*> cases[] = {
            {"", content, "an empty file"},
            {" \n ", content, "an empty file"},
            {"[]", content, "no row"},
            {R"({"cells": []})", content, "no row"},
            {"{}", content, "no list of rows"},
            {"1", content, "no list of rows"},
            {"null", content, "no list of rows"},
            {R"({"cells": 3})", content, "no list of rows"},
            {"[1,0]", content, "row 0 is no list"},
            {"[[]]", content, "in row 0 the number of cells is 0, that of the rows is 1"},
            {"[[1,0]]", content, "in row 0 the number of cells is 2, that of the rows is 1"},
            {"[[1,0],[1]]", content, "in row 1 the number of cells is 1, that of the rows is 2"},
            {"[[1,0],[1,1,1]]", content, "in row 1 the number of cells is 3"},
            {"[[1,0],[1,2]]", content, "query 1, key 1 is 2"},
            {"[[1,0],[-1,1]]", content, "query 1, key 0 is -1"},
            {"[[0.5]]", content, "is 0.5"},
            {"[[1e400]]", format, "a number that is out of range"},
            {R"([["1"]])", content, "is \"1\""},
            {"[[null]]", content, "is null"},
            {"[[[1]],[1]]", content, "in row 0 the number of cells is 1"},
            {"[[[1],1],[1,1]]", content, "is a list"},
            {R"({"cells": [[1]], "cells": [[0]]})", format, "holds \"cells\" twice"},
            {"[[{}]]", content, "is an object"},
            {R"([["aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]])", content, "\"aaaaaaaaaaaaaaaaaaa..."},
            {"[[1,0],[1,1]", format, "invalid JSON at byte 12"},
            {"[[1,0],[1,1]]x", format, "invalid JSON at byte 13"},
            {"[[1,,0]]", format, "byte 4"},
            {"[[NaN]]", format, "byte"},
            {"[[\"\xFF\"]]", format, "byte 3"},
            {"\xFF\xFE", format, "byte 0"}};
        for (const auto& [text, code, part] : cases)
            QTest::newRow(text) << QByteArray(text) << code << QByteArray(part);
        QByteArray deep;
        for (int n = 0; n < 200000; ++n) deep += '[';
        QTest::newRow("deep, open") << deep << format << QByteArray("nested more than 64 deep");
        for (int n = 0; n < 200000; ++n) deep += ']';
        QTest::newRow("deep") << deep << format << QByteArray("nested more than 64 deep");
    }
    void jsonThatIsNot() {
        QFETCH(QByteArray, text);
        QFETCH(int, code);
        QFETCH(QByteArray, part);
        const auto read = parse_mask_json(text.toStdString(), "m.json");
        VERIFY_ERROR(read, static_cast<ErrorCode>(code), "m.json", part.toStdString());
    }

    void hugeFilesAreRefused() {
        const Scratch scratch;
        const std::string path = scratch.write("m.json", std::string(10'000, '['));
        set_memory_limit_for_tests(100'000);
        const auto read = read_mask_file(path);
        set_memory_limit_for_tests(0);
        QVERIFY(!read);
        QCOMPARE(read.error().code, ErrorCode::OutOfMemory);
    }

    void aFileOfAnotherSizeSaysBoth() {
        const Scratch scratch;
        const std::string path = scratch.write("m.json", encode_mask_file(paint::uniform(3, true), "m.json").value());
        const auto loaded = load_mask_files(parse_mask("file:" + path).value());
        VERIFY_RESULT(loaded);
        const auto built = Mask::build(*loaded, batch_of_lengths({5}, 5));
        VERIFY_ERROR(built, ErrorCode::InvalidMask, path, "is 3x3, but the sequences have the length 5");
        // Painted on instead, it is kept, and says so.
        const auto expression = paint::with_painted_layer({}, read_mask_file(path).value());
        QVERIFY(Mask::build(expression, batch_of_lengths({5}, 5)).has_value());
        QVERIFY(painted_size_note(expression, 5).has_value());
    }
};

QTEST_APPLESS_MAIN(TestMaskEdit)
#include "tst_mask_edit.moc"
