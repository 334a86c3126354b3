// SPDX-License-Identifier: GPL-3.0-or-later
#include <zip.h>

#include <map>
#include <nlohmann/json.hpp>

#include "core/base/memory.h"
#include "core/files/npy_file.h"
#include "core/files/npz_file.h"
#include "scratch.h"
#include "support.h"

using namespace headscope;

namespace {

std::string text_of(const std::vector<std::uint8_t>& bytes) {
    return {bytes.begin(), bytes.end()};
}

const FileTensor kNumbers{"F32", {2, 2}, bytes_of<float>({1, -2, 0.5F, 4})};

/// A unicode array as numpy writes it: '<U2' and the like.
std::string texts_npy(const std::string& shape, const std::u32string& characters, std::size_t width) {
    std::string header = fmt::format("{{'descr': '<U{}', 'fortran_order': False, 'shape': {}, }}\n", width, shape);
    std::string bytes = "\x93NUMPY";
    bytes += {1, 0, char(header.size() & 0xFF), char(header.size() >> 8)};
    bytes += header;
    bytes.append(reinterpret_cast<const char*>(characters.data()), characters.size() * 4);
    return bytes;
}

/// Every place in `bytes` where `from` stands is overwritten by `to`, which is as long.
std::string replaced(std::string bytes, const std::string& from, const std::string& to) {
    for (auto at = bytes.find(from); at != std::string::npos; at = bytes.find(from, at + 1))
        bytes.replace(at, from.size(), to);
    return bytes;
}

/// Overwrites a number (little-endian) at a distance behind each place where a signature stands.
template <typename T>
std::string patched(std::string bytes, const std::string& signature, std::size_t distance, T value) {
    for (auto at = bytes.find(signature); at != std::string::npos; at = bytes.find(signature, at + 1))
        if (at + distance + sizeof(T) <= bytes.size()) std::memcpy(bytes.data() + at + distance, &value, sizeof(T));
    return bytes;
}

const std::string kLocal = "PK\3\4", kCentral = "PK\1\2";  // sizes: 18 and 22 behind the first, 20 and 24 the second

}  // namespace

class TestNpz : public QObject {
    Q_OBJECT
    Scratch scratch_;

    struct Part {
        std::string name, bytes;
        zip_int32_t method = ZIP_CM_STORE;
    };

    /// An archive made by libzip itself.
    std::string archive(const std::vector<Part>& parts, const std::string& name = "made.npz") const {
        const std::string path = scratch_.path(name);
        int code = 0;
        zip_t* zip = zip_open(path.c_str(), ZIP_CREATE | ZIP_TRUNCATE, &code);
        for (const Part& part : parts) {
            zip_source_t* source = zip_source_buffer(zip, part.bytes.data(), part.bytes.size(), 0);
            const zip_int64_t index = zip_file_add(zip, part.name.c_str(), source, ZIP_FL_ENC_UTF_8);
            if (index < 0 || zip_set_file_compression(zip, zip_uint64_t(index), part.method, 0) != 0)
                qFatal("an archive of the test can't be made");
        }
        if (zip_close(zip) != 0) qFatal("an archive of the test can't be written");
        return path;
    }
    std::string bytes_at(const std::string& path) const {
        QFile file(QString::fromStdString(path));
        if (!file.open(QIODevice::ReadOnly)) qFatal("a file of the test can't be read");
        return file.readAll().toStdString();
    }
    std::string one(zip_int32_t method = ZIP_CM_STORE) const {
        return bytes_at(archive({{"one.npy", text_of(encode_npy(kNumbers)), method}}));
    }

private Q_SLOTS:
    void cleanup() { set_memory_limit_for_tests(0); }

    void round_trip() {
        TensorFile file;
        file.tensors = {{"x", kNumbers},
                        {"qkv_proj.weight", {"F64", {1, 2}, bytes_of<double>({0.1, -3})}},
                        {"mask", FileTensor::from_u8({1, 3}, {1, 0, 1})},
                        {"empty", {"I64", {0}, {}}},
                        {"scalar", {"BOOL", {}, {1}}}};
        file.metadata = {{"tokens", R"([["naïve","😀"]])"}, {"num_heads", "8"}, {"title", "注意 \"<b>\"\n"}};
        const auto bytes = encode_npz(file);
        VERIFY_RESULT(bytes);
        const auto read = read_npz(scratch_.write("round.npz", *bytes));
        VERIFY_RESULT(read);
        QCOMPARE(read->tensors.size(), file.tensors.size());
        for (const auto& [name, tensor] : file.tensors) QVERIFY2(*read->find(name) == tensor, name.c_str());
        QCOMPARE(read->metadata, file.metadata);
        QVERIFY(*encode_npz(*read) == *bytes);  // the same tensors, the same bytes, whenever they are written
        const auto nothing = read_npz(scratch_.write("nothing.npz", *encode_npz({{{"x", kNumbers}}, {}})));
        VERIFY_RESULT(nothing);
        QVERIFY(nothing->metadata.empty());
    }

    void metadata_is_json_in_a_scalar_unicode_array() {
        const auto bytes =
            encode_npz({{}, {{"tokens", R"(["ß"])"}, {"mask", "causal"}, {"broken", "[1,"}, {"bytes", "a\xFF"}}});
        VERIFY_RESULT(bytes);
        int code = 0;
        zip_t* zip = zip_open(scratch_.write("meta.npz", *bytes).c_str(), ZIP_RDONLY, &code);
        zip_stat_t stat;
        QCOMPARE(zip_stat(zip, "metadata.npy", 0, &stat), 0);
        QCOMPARE(stat.comp_method, zip_uint16_t(ZIP_CM_STORE));
        std::string npy(stat.size, '\0');
        zip_file_t* member = zip_fopen(zip, "metadata.npy", 0);
        QCOMPARE(zip_fread(member, npy.data(), npy.size()), zip_int64_t(npy.size()));
        zip_fclose(member);
        zip_discard(zip);
        QVERIFY(npy.find("'shape': (), ") != std::string::npos);
        std::string text;
        for (std::size_t at = 128; at < npy.size(); at += 4) text += npy[at];
        const auto json = nlohmann::json::parse(text);
        QCOMPARE(json.at("tokens").dump(), std::string(R"(["ß"])"));  // a list, not a text that holds one
        QCOMPARE(json.at("mask").get<std::string>(), std::string("causal"));
        QCOMPARE(json.at("broken").get<std::string>(), std::string("[1,"));
        QCOMPARE(json.at("bytes").get<std::string>(), std::string("a\xEF\xBF\xBD"));
    }

    void deflated_members_and_texts() {
        const FileTensor zeros{"F64", {1000}, std::vector<std::uint8_t>(8000)};
        const auto read = read_npz(archive({{"zeros.npy", text_of(encode_npy(zeros)), ZIP_CM_DEFLATE},
                                            {"label.npy", texts_npy("()", U"ß😀", 2)},
                                            {"tokens.npy", texts_npy("(3,)", std::u32string(U"a\0bc\0\0", 6), 2)},
                                            {"metadata.npy", texts_npy("()", U"nothing", 7)}}));
        VERIFY_RESULT(read);
        QVERIFY(*read->find("zeros") == zeros);
        QCOMPARE(read->metadata, (std::map<std::string, std::string>{
                                     {"label", "ß😀"}, {"tokens", R"(["a","bc",""])"}, {"metadata", "nothing"}}));
    }

    void metadata_that_nests_endlessly_is_a_text() {
        const std::u32string nested(100000, U'[');
        const auto read = read_npz(archive({{"metadata.npy", texts_npy("()", nested, nested.size())}}));
        VERIFY_RESULT(read);
        QCOMPARE(read->metadata.at("metadata").size(), nested.size());
        VERIFY_RESULT(encode_npz(*read));
    }

    void an_archive_of_nothing_is_one() {
        const auto read = read_npz(scratch_.write("empty.npz", std::string("PK\5\6") + std::string(18, '\0')));
        VERIFY_RESULT(read);
        QVERIFY(read->tensors.empty());
        QCOMPARE(text_of(*encode_npz({})), std::string("PK\5\6") + std::string(18, '\0'));
    }

    /// Nothing that is read can't be written again.
    void metadata_that_would_stand_twice() {
        VERIFY_ERROR(read_npz(archive({{"metadata.npy", text_of(encode_npy(kNumbers))}})), ErrorCode::FileFormat,
                     "made.npz", "the member \"metadata\" holds numbers; a text was expected");
        VERIFY_ERROR(read_npz(archive(
                         {{"metadata.npy", text_of(encode_npy(kNumbers))}, {"title.npy", texts_npy("()", U"a", 1)}})),
                     ErrorCode::FileFormat, "made.npz", "the member \"metadata\" holds numbers");
        const std::u32string object = U"{\"title\": \"b\"}";
        for (const bool first : {true, false}) {
            std::vector<Part> parts = {{"title.npy", texts_npy("()", U"a", 1)},
                                       {"metadata.npy", texts_npy("()", object, object.size())}};
            if (first) std::swap(parts[0], parts[1]);
            VERIFY_ERROR(read_npz(archive(parts)), ErrorCode::FileFormat, "made.npz",
                         "the text \"title\" stands in a member of its own and in \"metadata\"");
        }
        // A list of texts of that name is an entry like any other.
        const auto list = read_npz(archive({{"metadata.npy", texts_npy("(2,)", U"ab", 1)}}));
        VERIFY_RESULT(list);
        QCOMPARE(read_npz(scratch_.write("again.npz", encode_npz(*list).value())).value().metadata, list->metadata);
        const auto named = encode_npz({{{"metadata", kNumbers}}, {{"title", "a"}}});
        QVERIFY(!named);
        QVERIFY(named.error().message().find("give the tensor another name") != std::string::npos);
    }

    void faults_data() {
        const BadFiles row;
        const auto unsupported = ErrorCode::Unsupported;
        const std::string npy = text_of(encode_npy(kNumbers)), stored = one(), deflated = one(ZIP_CM_DEFLATE);
        const auto named = [&](const char* name) { return replaced(stored, "one.npy", name); };
        row("empty", "", "this is an empty file");
        row("another file", "hello, world", "");
        row("an npy file", npy, "this is a NumPy array");
        row("no directory", stored.substr(0, stored.size() - 30), "");
        row("twice the same name",
            replaced(bytes_at(archive({{"one.npy", npy}, {"two.npy", npy}})), "two.npy", "one.npy"),
            "holds \"one\" twice");
        row("a way out", named("../.npy"), "\"../.npy\" leads out");
        row("a way to the root", named("/ab.npy"), "\"/ab.npy\" leads out");
        row("a way of another system", named("a\\b.npy"), "leads out");
        row("dots",
            named("...npy"
                  ".")
                .substr(0),
            "leads out");
        row("no npy inside", named("one.txt"), "\"one.txt\" is not an npy array");
        row("a folder inside", bytes_at(archive({{"folder/", ""}})), "\"folder/\" is not an npy array");
        row("npy by name only", bytes_at(archive({{"one.npy", "hello"}})), "member one: not a good npy array");
        row("objects", bytes_at(archive({{"one.npy", replaced(npy, "'<f4'", "'|O4'")}})), "objects never are",
            unsupported);
        row("a sum that is wrong", replaced(stored, std::string("\x80\x3F", 2), std::string("\x80\x3E", 2)),
            "\"one\" is damaged");
        row("deflate that is damaged", patched(deflated, "one.npy", 30, 0xFFFFFFFF), "damaged");
        row("an unknown method",
            patched(patched(stored, kLocal, 8, std::uint16_t{12}), kCentral, 10, std::uint16_t{12}), "by method 12",
            unsupported);
        row("encrypted", patched(patched(stored, kLocal, 6, std::uint16_t{1}), kCentral, 8, std::uint16_t{1}),
            "encrypted", unsupported);
        row("claims more than stored", patched(patched(stored, kLocal, 22, 1u << 30), kCentral, 24, 1u << 30),
            "claims 1073741824 bytes, more than its 144 can hold");
        row("claims more than deflate can", patched(patched(deflated, kLocal, 22, 1u << 30), kCentral, 24, 1u << 30),
            "claims 1073741824 bytes");
        row("claims less than it holds", patched(patched(deflated, kLocal, 22, 100), kCentral, 24, 100), "");
        row("claims a little more", patched(patched(deflated, kLocal, 22, 200), kCentral, 24, 200), "");
    }
    void faults() { QCOMPARE(not_the_error_of_row(scratch_, read_npz), QString()); }

    void files_that_cant_be_read() { QCOMPARE(not_refused(scratch_, read_npz), QString()); }

    void a_bomb_is_refused_before_it_goes_off() {
        const FileTensor zeros{"U8", {10'000'000}, std::vector<std::uint8_t>(10'000'000)};
        const std::string bytes = text_of(encode_npy(zeros));
        const std::string path = archive({{"a.npy", bytes, ZIP_CM_DEFLATE}, {"b.npy", bytes, ZIP_CM_DEFLATE}});
        set_memory_limit_for_tests(30'000'000);  // one would fit
        VERIFY_ERROR(read_npz(path), ErrorCode::OutOfMemory, path, "40 MB");
        set_memory_limit_for_tests(50'000'000);
        VERIFY_RESULT(read_npz(path));
    }

    void a_name_twice_cant_be_written() {
        const auto bytes = encode_npz({{{"a", kNumbers}, {"a", kNumbers}}, {}});
        QVERIFY(!bytes);
        QVERIFY(bytes.error().message().find("\"a\"") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(TestNpz)
#include "tst_npz.moc"
