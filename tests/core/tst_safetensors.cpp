// SPDX-License-Identifier: GPL-3.0-or-later
#include <unistd.h>
#include <QDir>
#include <QFileInfo>

#include <limits>

#include "core/base/memory.h"
#include "core/files/safetensors_file.h"
#include "scratch.h"

using namespace headscope;

namespace {

/// A file of a header, as it is typed, and data.
std::string file_of(const std::string& header, const std::string& data = {}) {
    const std::uint64_t length = header.size();
    std::string bytes(sizeof(length), '\0');
    std::memcpy(bytes.data(), &length, sizeof(length));
    return bytes + header + data;
}

const std::string kOneByte = R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}})";

FileTensor tensor_of(const std::string& dtype, Shape shape, const std::vector<std::uint8_t>& bytes) {
    return {dtype, std::move(shape), bytes};
}

}  // namespace

class TestSafetensors : public QObject {
    Q_OBJECT
    Scratch scratch_;

private Q_SLOTS:
    void cleanup() { set_memory_limit_for_tests(0); }

    void round_trip_of_every_type() {
        TensorFile file;
        file.tensors = {
            {"double", tensor_of("F64", {2, 1}, bytes_of<double>({1.5, -0.1}))},
            {"long", FileTensor::from_i64({2}, {-1, std::int64_t{1} << 62})},
            {"float", tensor_of("F32", {1, 2}, bytes_of<float>({0.25F, -3}))},
            {"int", tensor_of("I32", {1}, bytes_of<std::int32_t>({-7}))},
            {"half", tensor_of("F16", {2}, bytes_of<std::uint16_t>({0x3C00, 0xC000}))},
            {"bfloat", tensor_of("BF16", {1}, bytes_of<std::uint16_t>({0x3FC0}))},
            {"byte", FileTensor::from_u8({3}, {0, 1, 255})},
            {"bool", tensor_of("BOOL", {2}, {0, 1})},
            {"none", tensor_of("U8", {0, 4}, {})},
            {"scalar", tensor_of("U8", {}, {9})},
        };
        file.metadata = {{"tokens", "[\"a\",\"\\\"b\\\"\"]"}, {"Überschrift", "注意力 <b>\n"}};
        const auto bytes = encode_safetensors(file);
        const auto read = read_safetensors(scratch_.write("round.safetensors", bytes));
        QVERIFY2(read, read ? "" : read.error().message().c_str());
        QCOMPARE(read->metadata, file.metadata);
        QCOMPARE(read->tensors.size(), file.tensors.size());
        for (const auto& [name, tensor] : file.tensors) {
            QVERIFY2(read->find(name), name.c_str());
            QVERIFY2(*read->find(name) == tensor, name.c_str());
        }
        QVERIFY(!read->find("nobody"));
        QVERIFY(encode_safetensors(*read) == bytes);
    }

    void the_header_is_padded_so_that_data_is_aligned() {
        for (const std::string name : {"a", "ab", "abc", "abcd", "abcde", "abcdef", "abcdefg", "abcdefgh"}) {
            TensorFile file;
            file.tensors = {{"mask", FileTensor::from_u8({1}, {1})},
                            {name, tensor_of("F64", {1}, bytes_of<double>({2}))}};
            const auto bytes = encode_safetensors(file);
            std::uint64_t length = 0;
            std::memcpy(&length, bytes.data(), 8);
            QCOMPARE(length % 8, std::uint64_t{0});
            QCOMPARE(bytes[8], std::uint8_t('{'));
            double first = 0;
            std::memcpy(&first, bytes.data() + 8 + length, 8);
            QCOMPARE(first, 2.0);  // the wider type lies first
        }
    }

    void values_of_every_type() {
        QCOMPARE(
            tensor_of("F16", {7}, bytes_of<std::uint16_t>({0x3C00, 0xC000, 0x0001, 0x8000, 0x7BFF, 0x7C00, 0x03FF}))
                .values(),
            (std::vector<double>{1, -2, 0x1p-24, 0, 65504, std::numeric_limits<double>::infinity(), 1023 * 0x1p-24}));
        QVERIFY(std::isnan(tensor_of("F16", {1}, bytes_of<std::uint16_t>({0x7E00})).values()[0]));
        QCOMPARE(tensor_of("BF16", {2}, bytes_of<std::uint16_t>({0x3F80, 0xCE6E})).values(),
                 (std::vector<double>{1, -998244352}));
        QCOMPARE(tensor_of("I32", {2}, bytes_of<std::int32_t>({-5, 7})).values(), (std::vector<double>{-5, 7}));
        QCOMPARE(tensor_of("I64", {1}, bytes_of<std::int64_t>({-5})).values(), (std::vector<double>{-5}));
        QCOMPARE(tensor_of("BOOL", {3}, {0, 1, 2}).values(), (std::vector<double>{0, 1, 1}));
        QCOMPARE(tensor_of("U8", {2}, {0, 255}).values(), (std::vector<double>{0, 255}));
        const FileTensor precise = tensor_of("F64", {1, 1}, bytes_of<double>({0.1}));
        QCOMPARE(precise.to_tensor(Tensor::Type::Float64).value(0), 0.1);
        QCOMPARE(precise.to_tensor(Tensor::Type::Float32).value(0), double(0.1F));
        QCOMPARE(precise.to_tensor(Tensor::Type::Float32).shape(), (Shape{1, 1}));
        QVERIFY(FileTensor::from(precise.to_tensor(Tensor::Type::Float64)) == precise);
        QVERIFY(precise.is_floating() && !FileTensor::from_u8({1}, {1}).is_floating());
    }

    void every_reference_file_is_read() {
        const QDir folder(QStringLiteral(REFERENCE_DIR));
        const auto files = folder.entryInfoList({QStringLiteral("*.safetensors")});
        QVERIFY(files.size() > 30);
        for (const QFileInfo& info : files) {
            const auto read = read_safetensors(info.filePath().toStdString());
            QVERIFY2(read, qPrintable(info.filePath()));
            QVERIFY(read->metadata.contains("torch"));
            QVERIFY(read->find("x"));
        }
    }

    void what_the_reference_implementation_accepts() {
        const auto accepts = [this](const std::string& header, const std::string& data = {}) {
            const auto read = read_safetensors(scratch_.write("good.safetensors", file_of(header, data)));
            return read ? std::string() : read.error().message();
        };
        QCOMPARE(accepts(kOneByte, "x"), std::string());
        QCOMPARE(accepts("{}"), std::string());
        QCOMPARE(accepts("{}      "), std::string());
        QCOMPARE(accepts(R"({"__metadata__":{}})"), std::string());
        QCOMPARE(accepts(R"({"__metadata__":null})"), std::string());
        QCOMPARE(accepts(R"({"":{"dtype":"U8","shape":[0],"data_offsets":[0,0]}})"), std::string());
        // Later tensors may be listed first; empty ones may stand anywhere between; other keys are passed over.
        QCOMPARE(accepts(R"({"b":{"dtype":"U8","shape":[1],"data_offsets":[1,2]},)"
                         R"("e":{"dtype":"F32","shape":[0,7],"data_offsets":[1,1]},)"
                         R"("a":{"dtype":"U8","shape":[],"data_offsets":[0,1],"more":[[[[[1]]]]]}})",
                         "xy"),
                 std::string());
    }

    void faults_of_the_header_data() {
        const BadFiles row;
        const auto one = [](const std::string& entry, const std::string& data = "x") {
            return file_of("{\"a\":" + entry + "}", data);
        };
        row("empty", "", "this is an empty file");
        row("seven bytes", "1234567", "its length in bytes is 7");
        row("header beyond the file", std::string("\x10\0\0\0\0\0\0\0{}", 10), "2 at most");
        row("header beyond 100 MB", std::string("\0\xE1\xF5\x05\0\0\0\0{}", 10), "100000000");
        row("header of all bytes set", std::string(8, '\xFF') + "{}", "18446744073709551615");
        row("no header", std::string(8, '\0'), "begin with '{'");
        row("another text", "this is no layer", "first 8 bytes");
        row("a list", file_of("[]"), "begin with '{'");
        row("byte-order mark", file_of("\xEF\xBB\xBF{}"), "begin with '{'");
        row("space first", file_of(" {}"), "begin with '{'");
        row("cut short", file_of(R"({"a":{"dtype":"U8")"), "invalid JSON at byte 26");
        row("text behind", file_of("{}{}"), "invalid JSON at byte 10");
        row("invalid UTF-8", file_of("{\"\xFF\":{}}"), "invalid UTF-8 at byte 10 (0xFF)");
        row("a name twice", file_of(kOneByte.substr(0, kOneByte.size() - 1) + "," + kOneByte.substr(1), "x"),
            "holds \"a\" twice");
        row("a key twice", one(R"({"dtype":"U8","dtype":"U8","shape":[1],"data_offsets":[0,1]})"), "\"dtype\" twice");
        row("a metadata key twice", file_of(R"({"__metadata__":{"t":"1","t":"2"}})"), "\"t\" twice");
        row("metadata a list", file_of(R"({"__metadata__":[]})"), "__metadata__ must be an object");
        row("metadata a number", file_of(R"({"__metadata__":{"heads":8}})"), "\"heads\"");
        row("a number beyond double", one("1e400"), "a number that is out of range");
        row("tensor a number", one("3"), "a must be an object");
        row("no dtype", one(R"({"shape":[1],"data_offsets":[0,1]})"), "a needs a dtype");
        row("dtype a number", one(R"({"dtype":1,"shape":[1],"data_offsets":[0,1]})"), "a needs a dtype");
        row("no shape", one(R"({"dtype":"U8","data_offsets":[0,1]})"), "a needs a shape");
        row("negative size", one(R"({"dtype":"U8","shape":[-1],"data_offsets":[0,1]})"), "a needs a shape");
        row("a size in text", one(R"({"dtype":"U8","shape":["1"],"data_offsets":[0,1]})"), "a needs a shape");
        row("a broken size", one(R"({"dtype":"U8","shape":[1.0],"data_offsets":[0,1]})"), "a needs a shape");
        row("a size beyond 63 bits", one(R"({"dtype":"U8","shape":[9223372036854775808],"data_offsets":[0,1]})"),
            "a needs a shape");
        row("sizes that overflow", one(R"({"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,1]})"),
            "which no file can hold");
        row("nested sizes", one(R"({"dtype":"U8","shape":[[[[[1]]]]],"data_offsets":[0,1]})"), "a needs a shape");
        row("no offsets", one(R"({"dtype":"U8","shape":[1]})"), "a needs data_offsets");
        row("one offset", one(R"({"dtype":"U8","shape":[1],"data_offsets":[0]})"), "a needs data_offsets");
        row("three offsets", one(R"({"dtype":"U8","shape":[1],"data_offsets":[0,1,2]})"), "a needs data_offsets");
        row("falling offsets", one(R"({"dtype":"U8","shape":[1],"data_offsets":[1,0]})"), "a needs data_offsets");
        row("bytes against shape", one(R"({"dtype":"F32","shape":[1],"data_offsets":[0,1]})"), "(1) in F32 needs 4");
        row("a hole before", one(R"({"dtype":"U8","shape":[1],"data_offsets":[1,2]})", "xy"), "begins at 1");
        row("a hole between",
            file_of(R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},)"
                    R"("b":{"dtype":"U8","shape":[1],"data_offsets":[2,3]}})",
                    "xyz"),
            "b begins at 2 of the data; 1");
        row("overlap",
            file_of(R"({"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},)"
                    R"("b":{"dtype":"U8","shape":[2],"data_offsets":[1,3]}})",
                    "xyz"),
            "b begins at 1 of the data; 2");
        row("the same bytes twice",
            file_of(R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},)"
                    R"("b":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}})",
                    "x"),
            "b begins at 0 of the data; 1");
        row("data cut short", file_of(kOneByte), "end at 1 of the data, which is 0");
        row("data left over", file_of(kOneByte, "xy"), "end at 1 of the data, which is 2");
        row("endless nesting", file_of("{\"a\":" + std::string(100000, '['), ""), "nested more than 64 deep");
        row("endless objects", file_of([] {
                std::string text;
                for (int i = 0; i < 50000; ++i) text += "{\"a\":";
                return text + "1" + std::string(50000, '}');
            }()),
            "nested more than 64 deep");
    }
    void faults_of_the_header() { QCOMPARE(not_the_error_of_row(scratch_, read_safetensors), QString()); }

    void a_type_that_isnt_read_is_named() {
        for (const std::string dtype : {"F8_E4M3", "I16", "U64", "C64", "f32", ""}) {
            const std::string path = scratch_.write(
                "type.safetensors",
                file_of(fmt::format(R"({{"a":{{"dtype":"{}","shape":[0],"data_offsets":[0,0]}}}})", dtype)));
            VERIFY_ERROR(read_safetensors(path), ErrorCode::Unsupported, path, "a is of type " + dtype + ";");
        }
    }

    void files_that_cant_be_read() {
        QCOMPARE(not_refused(scratch_, read_safetensors), QString());
        VERIFY_ERROR(read_safetensors("/dev/zero"), ErrorCode::FileUnreadable, "/dev/zero", "regular file");
        VERIFY_ERROR(read_safetensors(std::string(5000, 'x')), ErrorCode::FileUnreadable, "xxx", "");
        VERIFY_ERROR(read_safetensors(""), ErrorCode::FileMissing, "", "no such file");
    }

    void files_that_may_not_be_read() {
        const std::string locked = scratch_.write("locked.safetensors", file_of("{}"));
        QFile::setPermissions(QString::fromStdString(locked), {});
        const uid_t user = geteuid();
        if (user == 0) {  // root may read everything: be somebody else for a moment
            scratch_.open_to_all();
            QCOMPARE(seteuid(65534), 0);
        }
        const auto read = read_safetensors(locked);
        QCOMPARE(seteuid(user), 0);
        VERIFY_ERROR(read, ErrorCode::FileUnreadable, locked, "can't be opened: Permission denied");
    }

    void memory_is_asked_for_before_it_is_taken() {
        const std::string path = scratch_.write(
            "big.safetensors",
            encode_safetensors({{{"a", FileTensor::from_u8({4096}, std::vector<std::uint8_t>(4096))}}, {}}));
        set_memory_limit_for_tests(4095);
        VERIFY_ERROR(read_safetensors(path), ErrorCode::OutOfMemory, path, "4.1 KB");
        set_memory_limit_for_tests(16384);
        QVERIFY(read_safetensors(path));
    }

    void text_that_is_no_utf8_is_replaced_when_written() {
        const auto read =
            read_safetensors(scratch_.write("text.safetensors", encode_safetensors({{}, {{"title", "a\xFF"}}})));
        QVERIFY(read);
        QCOMPARE(read->metadata.at("title"), std::string("a\xEF\xBF\xBD"));
    }
};

QTEST_APPLESS_MAIN(TestSafetensors)
#include "tst_safetensors.moc"
