// SPDX-License-Identifier: GPL-3.0-or-later
#include <limits>
#include <map>

#include "core/base/memory.h"
#include "core/files/npy_file.h"
#include "scratch.h"
#include "support.h"

using namespace headscope;

namespace {

/// An npy file of a version, with a header as it is typed and data.
std::string npy(const std::string& header, const std::string& data = {}, int version = 1) {
    std::string bytes = "\x93NUMPY";
    bytes += char(version);
    bytes += '\0';
    for (int i = 0; i < (version == 1 ? 2 : 4); ++i) bytes += char(header.size() >> (8 * i) & 0xFF);
    return bytes + header + data;
}

std::string dictionary(const std::string& descr, const std::string& shape, const std::string& fortran = "False") {
    return fmt::format("{{'descr': '{}', 'fortran_order': {}, 'shape': {}, }}\n", descr, fortran, shape);
}

template <typename T>
std::string data_of(const std::vector<T>& numbers) {
    const auto bytes = bytes_of(numbers);
    return {bytes.begin(), bytes.end()};
}

}  // namespace

class TestNpy : public QObject {
    Q_OBJECT
    Scratch scratch_;

    Result<FileTensor> read(const std::string& bytes) const { return read_npy(scratch_.write("a.npy", bytes)); }

private Q_SLOTS:
    void cleanup() { set_memory_limit_for_tests(0); }

    void what_numpy_writes() {
        // numpy.save of [[1.5, -2], [3, 4]], byte for byte
        const FileTensor tensor =
            FileTensor::from(headscope::testing::filled(Tensor::Type::Float64, {2, 2}, [](std::int64_t n) {
                return std::vector<double>{1.5, -2, 3, 4}[std::size_t(n)];
            }));
        std::string header = "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2), }";
        header.resize(117, ' ');
        const std::string expected = npy(header + '\n', data_of<double>({1.5, -2, 3, 4}));
        const auto encoded = encode_npy(tensor);
        QCOMPARE(std::string(encoded.begin(), encoded.end()), expected);
        const auto read_back = read(expected);
        VERIFY_RESULT(read_back);
        QVERIFY(*read_back == tensor);
    }

    void every_type_both_ways_round() {
        const std::map<std::string, FileTensor> tensors = {
            {"<f8", {"F64", {2}, bytes_of<double>({0.1, -2})}},
            {"<f4", {"F32", {2}, bytes_of<float>({0.1F, -2})}},
            {"<f2", {"F16", {2}, bytes_of<std::uint16_t>({0x3C00, 0xC000})}},
            {"<i8", {"I64", {2}, bytes_of<std::int64_t>({-1, std::int64_t{1} << 40})}},
            {"<i4", {"I32", {2}, bytes_of<std::int32_t>({-1, 70000})}},
            {"<i2", {"I16", {2}, bytes_of<std::int16_t>({-1, 300})}},
            {"|i1", {"I8", {2}, {255, 2}}},
            {"<u8", {"U64", {2}, bytes_of<std::uint64_t>({1, std::uint64_t{1} << 40})}},
            {"<u4", {"U32", {2}, bytes_of<std::uint32_t>({1, 70000})}},
            {"<u2", {"U16", {2}, bytes_of<std::uint16_t>({1, 300})}},
            {"|u1", {"U8", {2}, {255, 2}}},
            {"|b1", {"BOOL", {2}, {0, 1}}},
        };
        for (const auto& [descr, tensor] : tensors) {
            const auto bytes = encode_npy(tensor);
            const std::string text(bytes.begin(), bytes.end());
            QVERIFY2(text.find("'descr': '" + descr + "'") != std::string::npos, text.c_str());
            QCOMPARE((text.size() - tensor.bytes.size()) % 64, std::size_t{0});
            const auto read_back = read(text);
            VERIFY_RESULT(read_back);
            QVERIFY2(*read_back == tensor, descr.c_str());

            std::string swapped;  // the same numbers, their most significant byte first
            const std::size_t size = dtype_size(tensor.dtype);
            for (std::size_t i = 0; i < 2; ++i)
                swapped.append(tensor.bytes.rend() - std::ptrdiff_t((i + 1) * size),
                               tensor.bytes.rend() - std::ptrdiff_t(i * size));
            const auto big = read(npy(dictionary(fmt::format(">{}", descr.substr(1)), "(2,)"), swapped));
            VERIFY_RESULT(big);
            QVERIFY2(*big == tensor, descr.c_str());
            QCOMPARE(big->values(), tensor.values());
        }
        QCOMPARE(tensors.at("|i1").values(), (std::vector<double>{-1, 2}));
        QCOMPARE(tensors.at("<i2").values(), (std::vector<double>{-1, 300}));
        QCOMPARE(tensors.at("<u8").values(), (std::vector<double>{1, 1099511627776}));
    }

    void bfloat16_is_widened() {
        const auto bytes = encode_npy({"BF16", {2}, bytes_of<std::uint16_t>({0x3FC0, 0xC000})});
        const auto read_back = read({bytes.begin(), bytes.end()});
        VERIFY_RESULT(read_back);
        QCOMPARE(read_back->dtype, std::string("F32"));
        QCOMPARE(read_back->values(), (std::vector<double>{1.5, -2}));
    }

    void every_version_and_shape() {
        for (const int version : {1, 2, 3}) {
            for (const auto& [text, shape] : std::map<std::string, Shape>{{"()", {}},
                                                                          {"(3,)", {3}},
                                                                          {"(0,)", {0}},
                                                                          {"(2, 3)", {2, 3}},
                                                                          {"(1,0,5)", {1, 0, 5}},
                                                                          {"(2L, 1L)", {2, 1}}}) {
                const FileTensor expected{
                    "U8", shape, std::vector<std::uint8_t>(std::size_t(FileTensor{"U8", shape, {}}.size()), 7)};
                const auto array = read(npy(dictionary("|u1", text), std::string(expected.bytes.size(), 7), version));
                VERIFY_RESULT(array);
                QVERIFY2(*array == expected, text.c_str());
            }
        }
    }

    void columns_first() {
        // numpy.arange(6).reshape(2,3) in Fortran order lies 0 3 1 4 2 5.
        const auto matrix = read(npy(dictionary("<i2", "(2, 3)", "True"), data_of<std::int16_t>({0, 3, 1, 4, 2, 5})));
        VERIFY_RESULT(matrix);
        QCOMPARE(matrix->values(), (std::vector<double>{0, 1, 2, 3, 4, 5}));
        std::vector<double> cube(24), expected(24);
        for (int i = 0; i < 2; ++i)
            for (int j = 0; j < 3; ++j)
                for (int k = 0; k < 4; ++k)
                    cube[std::size_t(i + 2 * j + 6 * k)] = expected[std::size_t(12 * i + 4 * j + k)] =
                        100 * i + 10 * j + k;
        const auto three = read(npy(dictionary("<f8", "(2, 3, 4)", "True"), data_of(cube)));
        VERIFY_RESULT(three);
        QCOMPARE(three->values(), expected);
        VERIFY_RESULT(read(npy(dictionary("<f8", "(0, 3)", "True"))));
    }

    void any_order_of_keys_and_spaces() {
        VERIFY_RESULT(read(npy("{\"shape\":(1,),'fortran_order':True,'descr':\"|u1\"}", "x")));
        VERIFY_RESULT(read(npy("  { 'shape' : ( 1 , ) , 'fortran_order' : False , 'descr' : '|u1' , }   \n", "x")));
    }

    void faults_data() {
        const BadFiles row;
        std::string axes;
        for (int i = 0; i < 65; ++i) axes += "1,";
        const auto unsupported = ErrorCode::Unsupported;
        row("empty", "", "this is an empty file");
        row("another file", "hello, world", "doesn't begin with");
        row("magic alone", "\x93NUMPY", "before its version");
        row("no header", std::string("\x93NUMPY\1\0", 8), "before its header");
        row("version 4", npy(dictionary("|u1", "()"), "x", 4), "version 4.0", unsupported);
        row("version 0", npy(dictionary("|u1", "()"), "x", 0), "version 0.0", unsupported);
        row("header beyond the file", npy(std::string(60, ' ')).substr(0, 40), "60 bytes long, and 30 follow");
        row("header beyond 64 KiB", npy(dictionary("|u1", "()") + std::string(65536, ' '), "x", 2), "65536 at most");
        row("header of 4 GB", std::string("\x93NUMPY\2\0\xFF\xFF\xFF\xFF{}", 14), "4294967295 bytes");
        row("no dictionary", npy("[1, 2]"), "byte 0 of its header: a dictionary expected");
        row("empty header", npy(""), "a dictionary expected");
        row("cut dictionary", npy("{'descr': '<f4', "), "a key and a colon expected");
        row("cut text", npy("{'descr': '<f4"), "a type such as");
        row("no colon", npy("{'descr' '<f4'}"), "a key and a colon");
        row("no comma", npy("{'descr': '<f4' 'shape': ()}"), "a comma or a closing brace");
        row("an unknown key", npy("{'descr': '<f4', 'strides': ()}"), "'strides'");
        row("a key twice", npy("{'descr': '<f4', 'descr': '<f4'}"), "'descr'");
        row("keys missing", npy("{'descr': '<f4', 'shape': ()}"), "lacks descr, fortran_order or shape");
        row("text behind", npy("{'descr': '|u1', 'fortran_order': False, 'shape': ()} #", "x"), "the header's end");
        row("order in words", npy(dictionary("|u1", "()", "Maybe"), "x"), "True or False");
        row("shape a number", npy(dictionary("|u1", "3"), "xxx"), "a shape such as");
        row("shape of words", npy(dictionary("|u1", "(a,)"), "x"), "a shape such as");
        row("negative size", npy(dictionary("|u1", "(-1,)"), "x"), "a shape such as");
        row("a size beyond 63 bits", npy(dictionary("|u1", "(9223372036854775808,)"), "x"), "a shape such as");
        row("sizes that overflow", npy(dictionary("<f8", "(4294967296, 4294967296)"), "x"), "more than any file holds");
        row("bytes that overflow", npy(dictionary("<f8", "(2305843009213693952,)"), "x"), "more than any file holds");
        row("65 axes", npy(dictionary("|u1", fmt::format("({})", axes)), "x"), "65 axes");
        row("data cut short", npy(dictionary("<f4", "(2,)"), "1234567"), "needs 8 bytes, and 7 follow");
        row("data left over", npy(dictionary("<f4", "(2,)"), "123456789"), "needs 8 bytes, and 9 follow");
        row("objects", npy(dictionary("|O", "(1,)"), "\x80\x03]q"), "objects never are", unsupported);
        row("a structure", npy("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,), }", "1234"),
            "structured", unsupported);
        row("complex", npy(dictionary("<c8", "(1,)"), "12345678"), "'<c8'", unsupported);
        row("long double", npy(dictionary("<f16", "(1,)"), std::string(16, 'x')), "'<f16'", unsupported);
        row("dates", npy(dictionary("<M8[ns]", "(1,)"), "12345678"), "'<M8[ns]'", unsupported);
        row("bytes", npy(dictionary("|S3", "(1,)"), "abc"), "'|S3'", unsupported);
        row("no type", npy(dictionary("", "(1,)"), "x"), "''", unsupported);
        row("a type without size", npy(dictionary("<f", "(1,)"), "x"), "'<f'", unsupported);
        row("a size that overflows", npy(dictionary("<f99999999999999999999", "(1,)"), "x"), "'<f9999", unsupported);
        // Their bits, counted in 64 bits, are 0 and 32.
        row("bits that overflow", npy(dictionary("<f2305843009213693952", "(1,)"), "x"), "'<f23058", unsupported);
        row("bits that overflow to 32", npy(dictionary("<f2305843009213693956", "(0,)")), "'<f23058", unsupported);
        row("a negative size of a type", npy(dictionary("<f-4", "(1,)"), "1234"), "'<f-4'", unsupported);
        row("a text's size that overflows", npy(dictionary("<U4611686018427387904", "(1,)"), "x"), "'<U46",
            unsupported);
        row("texts", npy(dictionary("<U1", "(1,)"), std::string("a\0\0\0", 4)), "one of numbers was expected",
            unsupported);
        row("texts of no character", npy(dictionary("<U1", "(1,)"), std::string("\0\xD8\0\0", 4)), "U+D800");
        row("texts beyond Unicode", npy(dictionary("<U1", "(1,)"), std::string(4, '\xFF')), "U+FFFFFFFF");
        row("too many empty texts", npy(dictionary("<U0", "(9000000000,)")), "9000000000 texts");
    }
    void faults() { QCOMPARE(not_the_error_of_row(scratch_, read_npy), QString()); }

    void files_that_cant_be_read() { QCOMPARE(not_refused(scratch_, read_npy), QString()); }

    void memory_is_asked_for_before_it_is_taken() {
        const std::string path = scratch_.write("big.npy", npy(dictionary("|u1", "(4096,)"), std::string(4096, 'x')));
        set_memory_limit_for_tests(4096);
        VERIFY_ERROR(read_npy(path), ErrorCode::OutOfMemory, path, "4.1 KB");
        set_memory_limit_for_tests(16384);
        VERIFY_RESULT(read_npy(path));
    }
};

QTEST_APPLESS_MAIN(TestNpy)
#include "tst_npy.moc"
