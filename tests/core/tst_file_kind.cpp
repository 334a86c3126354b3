// SPDX-License-Identifier: GPL-3.0-or-later
// The wrong kind of file is named by what it begins with, wherever a file is opened.
#include "core/files/file_kind.h"

#include "core/files/layer_file.h"
#include "core/files/mask_file.h"
#include "core/files/npy_file.h"
#include "core/files/npz_file.h"
#include "core/files/safetensors_file.h"
#include "scratch.h"

using namespace headscope;

namespace {

std::string text_of(const std::vector<std::uint8_t>& bytes) {
    return {bytes.begin(), bytes.end()};
}

const TensorFile kTensors{{{"a", FileTensor::from_u8({2, 2}, {1, 0, 1, 1})}}, {}};

/// A zip's first local header, as far as it tells the member's name.
std::string zip_that_begins_with(const std::string& member) {
    std::string bytes("PK\3\4\x14\0\0\0\0\0", 10);
    bytes.resize(26);
    bytes += {char(member.size()), '\0', '\0', '\0'};
    return bytes + member + "content";
}

struct Kind {
    const char* name;
    std::string bytes;
    const char* part;       ///< of the sentence
    std::string read_by{};  ///< endings of the files that may begin so
};

const std::vector<Kind>& kinds() {
    static const std::vector<Kind> list = {
        {"Git LFS", "version https://git-lfs.github.com/spec/v1\noid sha256:0a0a\nsize 548105171\n",
         "a Git LFS pointer: run `git lfs pull`"},
        {"PyTorch", zip_that_begins_with("archive/data.pkl"), "a PyTorch pickle (zip): save it with safetensors"},
        {"PyTorch, named", zip_that_begins_with("model/data.pkl"), "a PyTorch pickle (zip)"},
        {"pickle 2", std::string("\x80\x02}q\0.", 6), "a Python pickle"},
        {"old PyTorch", "\x80\x02\x8A\x0Al\xFC\x9C", "a Python pickle"},
        {"pickle 4", std::string("\x80\x04\x95\x10\0\0", 6), "a Python pickle"},
        {"npz", text_of(*encode_npz(kTensors)), "an npz archive", ".npz"},
        {"zip", zip_that_begins_with("readme.txt"), "a zip archive", ".npz"},
        {"npy", text_of(encode_npy(kTensors.tensors[0].second)), "a NumPy array", ".npy"},
        {"safetensors", text_of(encode_safetensors(kTensors)), "a safetensors file", ".safetensors"},
        {"GGUF", std::string("GGUF\3\0\0\0\0\0\0\0", 12), "a GGUF file"},
        {"HDF5", "\x89HDF\r\n\x1A\n", "an HDF5 file"},
        {"gzip", "\x1F\x8B\x08", "a compressed file"},
        {"HTML", "\n <!DOCTYPE HTML>\n<html>", "an HTML page"},
        {"HTML with a mark", "\xEF\xBB\xBF<html lang=\"en\">", "an HTML page"},
        {"index", R"({"metadata": {"total_size": 9}, "weight_map": {"a": "model-00001-of-00002.safetensors"}})",
         "the index of a sharded model"},
        {"JSON", "[[1, 0], [1, 1]]", "a JSON file", ".json"},
    };
    return list;
}

}  // namespace

class TestFileKind : public QObject {
    Q_OBJECT
    Scratch scratch_;

    Result<void> read(const std::string& ending, const std::string& bytes) const {
        const std::string path = scratch_.write("given" + ending, bytes);
        const auto nothing = [](const auto&) {};
        if (ending == ".safetensors")
            return read_safetensors(path).map(nothing).and_then(
                [&] { return read_layer_file(path, std::nullopt).map(nothing); });
        if (ending == ".npz") return read_npz(path).map(nothing);
        if (ending == ".npy")
            return read_npy(path).map(nothing).and_then([&] { return read_mask_file(path).map(nothing); });
        return read_mask_file(path).map(nothing);
    }

private Q_SLOTS:
    void every_reader_names_what_it_was_given_data() {
        QTest::addColumn<int>("kind");
        QTest::addColumn<QByteArray>("ending");
        for (std::size_t kind = 0; kind < kinds().size(); ++kind)
            for (const char* ending : {".safetensors", ".npz", ".npy", ".json", ".csv", ".tsv"})
                QTest::addRow("%s as %s", kinds()[kind].name, ending) << int(kind) << QByteArray(ending);
    }
    void every_reader_names_what_it_was_given() {
        QFETCH(int, kind);
        QFETCH(QByteArray, ending);
        const Kind& given = kinds()[std::size_t(kind)];
        const auto done = read(ending.toStdString(), given.bytes);
        if (given.read_by == ending.toStdString()) {
            QVERIFY(done || done.error().message().find("was expected, and this is") == std::string::npos);
            return;
        }
        VERIFY_ERROR(done, ErrorCode::FileFormat, "given" + ending.toStdString(),
                     std::string("was expected, and this is ") + given.part);
    }

    void an_empty_file_is_one() {
        for (const char* ending : {".safetensors", ".npz", ".npy"})
            VERIFY_ERROR(read(ending, ""), ErrorCode::FileFormat, ending, "this is an empty file");
    }

    /// Tokens may be HTML or JSON; what is no text at all, or stands for another file, is refused.
    void tokens() {
        for (const Kind& kind : kinds()) {
            const std::string name = kind.name;
            const bool text = name.starts_with("HTML") || name == "JSON" || name == "index";
            QCOMPARE(require_kind(FileKind::Text, kind.bytes, "tokens.txt").has_value(), text);
        }
        QVERIFY(require_kind(FileKind::Text, "the cat", "tokens.txt"));
        QVERIFY(require_kind(FileKind::Text, "", "tokens.txt"));
    }

    /// Lengths of headers that begin as other files do.
    void a_header_of_any_length_is_safetensors() {
        for (const std::size_t length : {0x7B, 0x5B, 0x280, 0x580, 0x8B1F, 0x3C0A}) {
            std::string file(8, '\0');
            file[0] = char(length & 0xFF);
            file[1] = char(length >> 8);
            file += "{}" + std::string(length - 2, ' ');
            QVERIFY2(read_safetensors(scratch_.write("a.safetensors", file)), qPrintable(QString::number(length)));
        }
    }
};

QTEST_APPLESS_MAIN(TestFileKind)
#include "tst_file_kind.moc"
