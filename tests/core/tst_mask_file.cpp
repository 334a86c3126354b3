// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/memory.h"
#include "core/files/mask_file.h"
#include "core/files/npy_file.h"
#include "scratch.h"
#include "support.h"

using namespace headscope;

namespace {

const PaintedMask kCausal{3, {1, 0, 0, 1, 1, 0, 1, 1, 1}};

}  // namespace

class TestMaskFile : public QObject {
    Q_OBJECT
    Scratch scratch_;

private Q_SLOTS:
    void cleanup() { set_memory_limit_for_tests(0); }

    void csv_that_is_read_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("plain") << QByteArray("1,0,0\n1,1,0\n1,1,1\n");
        QTest::newRow("no final line end") << QByteArray("1,0,0\n1,1,0\n1,1,1");
        QTest::newRow("CRLF") << QByteArray("1,0,0\r\n1,1,0\r\n1,1,1\r\n");
        QTest::newRow("spaces and tabs") << QByteArray(" 1 ,0,\t0\n1, 1,0 \n1,1,1\n");
        QTest::newRow("byte-order mark") << QByteArray(
            "\xEF\xBB\xBF"
            "1,0,0\n1,1,0\n1,1,1\n");
        QTest::newRow("empty lines at the end") << QByteArray("1,0,0\n1,1,0\n1,1,1\n\n \r\n");
        QTest::newRow("quotes") << QByteArray("\"1\",\"0\",\"0\"\n\"1\",\"1\",\"0\"\n1,\"1\", \" 1\" \n");
        QTest::newRow("semicolons") << QByteArray("1;0;0\n1;1;0\n1;1;1\n");
        QTest::newRow("tabs") << QByteArray("1\t0\t0\r\n1\t1\t0\r\n1\t1\t1\r\n");
        QTest::newRow("quotes and tabs") << QByteArray("\"1\"\t\"0\"\t0\n1\t1\t0\n1\t1\t1");
        QTest::newRow("words") << QByteArray("TRUE,FALSE,False\ntrue,True,0\n1,TRUE,\"true\"\n");
        QTest::newRow("additive") << QByteArray("0,-inf,-inf\n0.0,0,-Infinity\n-0.0,0,0\n");
        QTest::newRow("additive, finite") << QByteArray("0;-1e9;-10000\n0;0;-3.4028235e38\n0;0;0\n");
        QTest::newRow("numpy.savetxt") << QByteArray(
            "1.000000000000000000e+00,0.000000000000000000e+00,0.000000000000000000e+00\n1.0,1,0e0\n1,1,1\n");
    }
    void csv_that_is_read() {
        QFETCH(QByteArray, text);
        const auto mask = read_mask_file(scratch_.write("mask.csv", text.toStdString()));
        VERIFY_RESULT(mask);
        QVERIFY(*mask == kCausal);
    }

    void one_cell_is_a_mask() {
        const auto mask = read_mask_file(scratch_.write("Mask.CSV", "0"));
        VERIFY_RESULT(mask);
        QVERIFY(*mask == (PaintedMask{1, {0}}));
    }

    void csv_that_is_refused_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("part");
        const auto row = [](const char* name, const QByteArray& text, const char* part) {
            QTest::newRow(name) << text << QString::fromUtf8(part);
        };
        row("empty", "", "an empty file");
        row("white space", " \n\r\n\t", "an empty file");
        row("byte-order mark alone", "\xEF\xBB\xBF", "an empty file");
        row("ragged, short", "1,0\n1\n", "in line 2 the number of cells is 1, in line 1 it is 2");
        row("ragged, long", "1,0\n1,1,1\n", "in line 2 the number of cells is 3, in line 1 it is 2");
        row("too few lines", "1,0,0\n1,1,0\n", "2x3 cells");
        row("too many lines", "1,0\n1,1\n1,1\n", "3x2 cells");
        row("an empty line between", "1,0\n\n1,1\n", "line 2, cell 1 is \"\"");
        row("an empty line first", "\n1,0\n1,1\n", "line 1, cell 1 is \"\"");
        row("a comma at the end", "1,0,\n1,1,\n", "line 1, cell 3 is \"\"");
        row("two", "1,0\n2,1\n", "line 2, cell 1 is \"2\"");
        row("minus one", "1,-1\n1,1\n", "line 1, cell 2 is \"-1\"");
        row("a half", "1,0.5\n1,1\n", "line 1, cell 2 is \"0.5\"");
        row("not a number", "1,nan\n1,1\n", "line 1, cell 2 is \"nan\"");
        row("words", "yes,no\nyes,yes\n", "line 1, cell 1 is \"yes\"");
        row("a heading", "a,b\n1,0\n1,1\n", "line 1, cell 1 is \"a\"");
        row("two separators", "1,0;1\n1,1;1\n", "line 1, cell 2 is \"0;1\"");
        row("spaces between", "1 0\n1 1\n", "line 1, cell 1 is \"1 0\"");
        row("a quote that doesn't end", "\"1,0\n1,1\n", "line 1, cell 1 is \"\"1,0");
        row("quotes inside quotes", "\"1\"\"\",0\n1,1\n", "line 1, cell 1 is \"\"1\"\"\"\"");
        row("something beside quotes", "\"1\"1,0\n1,1\n", "line 1, cell 1 is \"\"1\"1\"");
        row("a line end in quotes", "\"1\n0\",0\n1,1\n", "line 1, cell 1 is \"1U+000A0\"");
        row("a fill that is too small", "0,-9999\n0,0\n", "line 1, cell 2 is \"-9999\"");
        row("ones and minus infinity", "1,-inf\n1,1\n", "holds cells of 1, and the cell of query 0, key 1 is -inf");
        row("plus infinity", "0,inf\n0,0\n", "line 1, cell 2 is \"inf\"");
        row("a long cell", QByteArray(5000, '7') + ",0\n1,1\n", "\"77777777777777777777...\"");
        row("zeros of other bytes", QByteArray("1,0\n1,\0\n", 8), "line 2, cell 2 is \"U+0000\"");
    }
    void csv_that_is_refused() {
        QFETCH(QByteArray, text);
        QFETCH(QString, part);
        const std::string path = scratch_.write("bad.csv", text.toStdString());
        const auto mask = read_mask_file(path);
        VERIFY_ERROR(mask, ErrorCode::FileContent, path, part.toStdString());
        VERIFY_ERROR(mask, ErrorCode::FileContent, path, "a mask is a square of 0 and 1");
    }

    void text_that_is_not_utf8_is_refused_with_its_offset() {
        for (const char* ending : {".csv", ".tsv", ".json"}) {
            const std::string path = scratch_.write(std::string("latin") + ending, "\xEF\xBB\xBF[[1,\xE9,0]]");
            VERIFY_ERROR(read_mask_file(path), ErrorCode::FileFormat, path,
                         ending == std::string(".json") ? "invalid UTF-8 at byte 7 (0xE9)" : "a JSON file");
        }
        for (const char* ending : {".csv", ".tsv", ".json"}) {
            const std::string path = scratch_.write(std::string("utf16") + ending, std::string("\xFF\xFE"
                                                                                               "1\0,\0",
                                                                                               6));
            VERIFY_ERROR(read_mask_file(path), ErrorCode::FileFormat, path, "invalid UTF-8 at byte 0 (0xFF)");
        }
    }

    void zeros_alone_are_ambiguous_as_floats_only() {
        const auto text = [&](const char* name, const char* cells) {
            return read_mask_file(scratch_.write(name, cells));
        };
        const PaintedMask nothing{2, {0, 0, 0, 0}};
        for (const auto& [name, cells] : std::vector<std::pair<const char*, const char*>>{
                 {"m.csv", "0.0,0\n0,0"}, {"m.csv", "0e0,0.\n-0.0,0"}, {"m.json", "[[0.0,0],[0,0]]"}}) {
            VERIFY_ERROR(text(name, cells), ErrorCode::FileContent, name, "masks everything where 0 and 1 are meant");
            VERIFY_ERROR(text(name, cells), ErrorCode::FileContent, name, "allows everything where the mask is added");
        }
        for (const auto& [name, cells] :
             std::vector<std::pair<const char*, const char*>>{{"m.csv", "0,0\n0,0"},
                                                              {"m.csv", "FALSE,FALSE\nFALSE,FALSE"},
                                                              {"m.json", "[[0,false],[0,0]]"},
                                                              {"m.csv", "-inf,-inf\n-inf,-1e9"}}) {
            const auto mask = text(name, cells);
            VERIFY_RESULT(mask);
            QVERIFY2(*mask == nothing, cells);
        }
        for (const char* dtype : {"F64", "F32", "F16"}) {
            const FileTensor zeros{dtype, {2, 2}, std::vector<std::uint8_t>(4 * dtype_size(dtype))};
            VERIFY_ERROR(read_mask_file(scratch_.write("zeros.npy", encode_npy(zeros))), ErrorCode::FileContent,
                         "zeros.npy", "every cell is 0.0");
        }
        for (const char* dtype : {"I64", "U8", "BOOL"}) {
            const FileTensor zeros{dtype, {2, 2}, std::vector<std::uint8_t>(4 * dtype_size(dtype))};
            const auto mask = read_mask_file(scratch_.write("zeros.npy", encode_npy(zeros)));
            VERIFY_RESULT(mask);
            QVERIFY(*mask == nothing);
        }
    }

    void additive_npy() {
        const float lowest = std::numeric_limits<float>::lowest();
        for (const float fill : {-INFINITY, -1e9F, -1e4F, lowest}) {
            const FileTensor tensor{"F32", {1, 1, 3, 3}, bytes_of<float>({0, fill, fill, -0.0F, 0, fill, 0, 0, 0})};
            const auto mask = read_mask_file(scratch_.write("additive.npy", encode_npy(tensor)));
            VERIFY_RESULT(mask);
            QVERIFY(*mask == kCausal);
        }
        const FileTensor half{"F16", {1, 1}, bytes_of<std::uint16_t>({0xFBFF})};  // -65504, its lowest
        QVERIFY(read_mask_file(scratch_.write("half.npy", encode_npy(half))).value() == (PaintedMask{1, {0}}));
    }

    void axes_of_one_are_for_every_sequence_and_head() {
        for (const Shape& shape : {Shape{3, 3}, {1, 3, 3}, {1, 1, 3, 3}, {1, 1, 1, 3, 3}}) {
            const auto mask =
                read_mask_file(scratch_.write("axes.npy", encode_npy(FileTensor::from_u8(shape, kCausal.cells))));
            VERIFY_RESULT(mask);
            QVERIFY(*mask == kCausal);
        }
        QVERIFY(read_mask_file(scratch_.write("one.npy", encode_npy(FileTensor::from_u8({1, 1, 1, 1}, {1})))));
        const auto json = read_mask_file(scratch_.write("axes.json", "[[[[1,0,0],[1,1,0],[1,1,1]]]]"));
        VERIFY_RESULT(json);
        QVERIFY(*json == kCausal);
        QVERIFY(read_mask_file(scratch_.write("one.json", "[[1]]")).value() == (PaintedMask{1, {1}}));
    }

    void npy_of_any_type() {
        for (const char* dtype : {"F64", "F32", "I64", "I32", "I16", "I8", "U64", "U32", "U16", "U8", "BOOL"}) {
            FileTensor tensor{dtype, {3, 3}, std::vector<std::uint8_t>(9 * dtype_size(dtype))};
            for (std::size_t i = 0; i < 9; ++i) {
                const double one = kCausal.cells[i];
                const auto float_one = static_cast<float>(one);
                std::uint8_t* at = tensor.bytes.data() + i * dtype_size(dtype);
                if (tensor.dtype == "F64") {
                    std::memcpy(at, &one, 8);
                } else if (tensor.dtype == "F32") {
                    std::memcpy(at, &float_one, 4);
                } else {
                    *at = kCausal.cells[i];
                }
            }
            const auto mask = read_mask_file(scratch_.write("mask.npy", encode_npy(tensor)));
            VERIFY_RESULT(mask);
            QVERIFY2(*mask == kCausal, dtype);
        }
    }

    void npy_that_is_refused_data() {
        QTest::addColumn<QByteArray>("file");
        QTest::addColumn<ErrorCode>("code");
        QTest::addColumn<QString>("part");
        const auto row = [](const char* name, const FileTensor& tensor, const char* part) {
            const auto bytes = encode_npy(tensor);
            QTest::newRow(name) << QByteArray(reinterpret_cast<const char*>(bytes.data()), qsizetype(bytes.size()))
                                << ErrorCode::FileContent << QString::fromUtf8(part);
        };
        const auto u8 = [](const Shape& shape, const std::vector<std::uint8_t>& cells) {
            return FileTensor::from_u8(shape, cells);
        };
        row("a vector", u8({4}, {1, 0, 1, 1}), "an array of shape (4)");
        row("a number", u8({}, {1}), "an array of shape ()");
        row("oblong", u8({1, 4}, {1, 0, 1, 1}), "an array of shape (1, 4)");
        row("empty", u8({0, 0}, {}), "an array of shape (0, 0)");
        row("a batch", u8({2, 1, 1, 1}, {1, 0}), "an array of shape (2, 1, 1, 1)");
        row("two", u8({2, 2}, {1, 0, 2, 1}), "the cell of query 1, key 0 is 2");
        row("a half", {"F32", {1, 1}, bytes_of<float>({0.5F})}, "query 0, key 0 is 0.5");
        row("not a number", {"F64", {2, 2}, bytes_of<double>({0, 1, 1, NAN})}, "query 1, key 1 is nan");
        row("minus infinity and ones", {"F64", {2, 2}, bytes_of<double>({1, 0, -INFINITY, 1})},
            "holds cells of 1, and the cell of query 1, key 0 is -inf");
        row("a bias", {"F32", {2, 2}, bytes_of<float>({0, -INFINITY, -0.5F, 0})}, "query 1, key 0 is -0.5");
        row("minus one", {"I32", {1, 1}, bytes_of<std::int32_t>({-1})}, "query 0, key 0 is -1");
        QTest::newRow("no npy") << QByteArray("1,0\n1,1\n") << ErrorCode::FileFormat << QStringLiteral("NUMPY");
    }
    void npy_that_is_refused() {
        QFETCH(QByteArray, file);
        QFETCH(ErrorCode, code);
        QFETCH(QString, part);
        const std::string path = scratch_.write("bad.npy", file.toStdString());
        VERIFY_ERROR(read_mask_file(path), code, path, part.toStdString());
    }

    void another_ending_is_refused() {
        const std::string path = scratch_.write("mask.png", "1");
        VERIFY_ERROR(read_mask_file(path), ErrorCode::Unsupported, path, ".json, .csv or .npy");
        const std::string missing = scratch_.path("missing.png");
        VERIFY_ERROR(read_mask_file(missing), ErrorCode::FileMissing, missing, "no such file");
        const std::string folder = scratch_.path(".");
        VERIFY_ERROR(read_mask_file(folder), ErrorCode::FileUnreadable, folder, "folder");
        const std::string csv = scratch_.path("missing.csv");
        VERIFY_ERROR(read_mask_file(csv), ErrorCode::FileMissing, csv, "no such file");
    }

    void a_huge_mask_is_refused_before_it_is_read() {
        std::string row = "1";
        for (int i = 1; i < 200; ++i) row += ",1";
        std::string text;
        for (int i = 0; i < 200; ++i) text += row + "\n";
        const std::string csv = scratch_.write("huge.csv", text);
        const std::string npy = scratch_.write(
            "huge.npy", encode_npy(FileTensor::from_u8({200, 200}, std::vector<std::uint8_t>(40000, 1))));
        set_memory_limit_for_tests(50000);
        VERIFY_ERROR(read_mask_file(csv), ErrorCode::OutOfMemory, csv, "160 KB");
        VERIFY_ERROR(read_mask_file(npy), ErrorCode::OutOfMemory, npy, "80 KB");
        set_memory_limit_for_tests(170000);  // the bytes fit, but not as the numbers that are looked at
        VERIFY_ERROR(read_mask_file(npy), ErrorCode::OutOfMemory, npy, "320 KB");
        set_memory_limit_for_tests(0);
        VERIFY_RESULT(read_mask_file(npy));
        VERIFY_RESULT(read_mask_file(csv));
    }
};

QTEST_APPLESS_MAIN(TestMaskFile)
#include "tst_mask_file.moc"
