// SPDX-License-Identifier: GPL-3.0-or-later
// Attention that another program recorded: its axes, types and tokens, parts of it, and what is wrong with a file.
#include <sys/resource.h>
#include <unistd.h>
#include <zip.h>

#include <filesystem>
#include <thread>

#include "core/files/npy_file.h"
#include "core/files/npz_file.h"
#include "recordings.h"
#include "support.h"

using namespace headscope;
using namespace headscope::testing;
using nlohmann::json;

namespace {

FileTensor of_type(const Tensor& numbers, const std::string& dtype) {
    if (dtype == "F64") return FileTensor::from(numbers);
    const Tensor floats = numbers.converted(Tensor::Type::Float32);
    if (dtype == "F32") return FileTensor::from(floats);
    FileTensor half{dtype, numbers.shape(), {}};  // by truncation
    for (std::int64_t n = 0; n < numbers.size(); ++n) {
        std::uint32_t bits = 0;
        const float value = floats.data<float>()[n];
        std::memcpy(&bits, &value, 4);
        const auto exponent = static_cast<std::int32_t>(bits >> 23 & 0xFF) - 112;
        const auto f16 = static_cast<std::uint16_t>(exponent > 0 ? exponent << 10 | (bits >> 13 & 0x3FF) : 0);
        const auto stored = dtype == "BF16" ? static_cast<std::uint16_t>(bits >> 16) : f16;
        half.bytes.push_back(static_cast<std::uint8_t>(stored));
        half.bytes.push_back(static_cast<std::uint8_t>(stored >> 8));
    }
    return half;
}

std::string deflated(const Scratch& scratch, const TensorFile& file) {
    const std::string path = scratch.path("deflated.npz");
    int code = 0;
    zip_t* zip = zip_open(path.c_str(), ZIP_CREATE | ZIP_TRUNCATE, &code);
    const auto npy = encode_npy(file.tensors.front().second);
    const zip_int64_t index =
        zip_file_add(zip, "attention.npy", zip_source_buffer(zip, npy.data(), npy.size(), 0), ZIP_FL_ENC_UTF_8);
    if (index < 0 || zip_set_file_compression(zip, zip_uint64_t(index), ZIP_CM_DEFLATE, 0) != 0 || zip_close(zip) != 0)
        qFatal("an archive of the test can't be written");
    return path;
}

std::uint64_t peak_memory() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

}  // namespace

class TestRecording : public QObject {
    Q_OBJECT
    Scratch scratch_;

    Result<RecordingPtr> open(const TensorFile& file, const char* name = "r.safetensors") const {
        return Recording::open(scratch_.write(name, encode_safetensors(file)));
    }

private Q_SLOTS:
    void axes_data() {
        QTest::addColumn<Shape>("shape");
        QTest::addColumn<QByteArray>("tokens");
        QTest::addColumn<Shape>("counts");  // layers, sequences, heads
        const auto row = [](const char* name, const Shape& shape, const json& tokens, const Shape& counts) {
            QTest::newRow(name) << shape << (tokens.is_null() ? QByteArray() : QByteArray::fromStdString(tokens.dump()))
                                << counts;
        };
        const json line = some_tokens(5), lines = Lines{some_tokens(5, "a"), some_tokens(5, "b"), some_tokens(5, "c")};
        json flat = json::array();
        for (const auto& each : lines) flat.insert(flat.end(), each.begin(), each.end());
        row("heads", {4, 5, 5}, line, {1, 1, 4});
        row("heads, no tokens", {4, 5, 5}, {}, {1, 1, 4});
        row("layers", {3, 4, 5, 5}, line, {3, 1, 4});
        row("layers, no tokens", {3, 4, 5, 5}, {}, {3, 1, 4});
        row("sequences", {3, 4, 5, 5}, lines, {1, 3, 4});
        row("sequences, tokens of an npy array", {3, 4, 5, 5}, flat, {1, 3, 4});
        row("one of each", {1, 1, 1, 1}, json{"a"}, {1, 1, 1});
        row("layers of sequences", {2, 3, 4, 5, 5}, lines, {2, 3, 4});
        row("layers of sequences, one line", {2, 3, 4, 5, 5}, line, {2, 3, 4});
        row("a shorter line is filled up", {2, 4, 5, 5}, Lines{some_tokens(5), some_tokens(2)}, {1, 2, 4});
    }
    void axes() {
        QFETCH(Shape, shape);
        QFETCH(QByteArray, tokens);
        QFETCH(Shape, counts);
        const Tensor numbers = random_attention(shape);
        const auto recording =
            open(recording_file(numbers, tokens.isEmpty() ? json() : json::parse(tokens.toStdString())));
        VERIFY_RESULT(recording);
        const Recording& r = **recording;
        QCOMPARE((Shape{r.layers(), r.batch().size(), r.num_heads()}), counts);
        QCOMPARE(r.batch().sequence_length(), shape.back());
        QCOMPARE(r.bytes(), static_cast<std::uint64_t>(numbers.bytes()));
        QCOMPARE(r.assumptions().empty(), shape.size() == 3 && !tokens.isEmpty());
        const std::int64_t size = shape.back();
        std::vector<double> rows(static_cast<std::size_t>(size * size));
        std::int64_t at = 0;
        for (std::int64_t layer = 0; layer < counts[0]; ++layer)
            for (std::int64_t sequence = 0; sequence < counts[1]; ++sequence)
                for (std::int64_t head = 0; head < counts[2]; ++head)
                    for (std::int64_t i = 0; i < size; i += 2) {
                        const std::int64_t count = std::min<std::int64_t>(2, size - i);
                        QVERIFY(r.read_rows({layer, sequence, head}, i, count, rows.data()));
                        for (std::int64_t n = 0; n < count * size; ++n)
                            QCOMPARE(rows[static_cast<std::size_t>(n)], numbers.value(at++));
                    }
        QCOMPARE(at, numbers.size());
    }

    void typesAndFormats_data() {
        QTest::addColumn<QString>("dtype");
        QTest::addColumn<QString>("format");
        for (const char* dtype : {"F16", "BF16", "F32", "F64"})
            for (const char* format : {"safetensors", "npz", "deflated"})
                if (qstrcmp(dtype, "BF16") || !qstrcmp(format, "safetensors"))
                    QTest::addRow("%s %s", dtype, format) << QString::fromLatin1(dtype) << QString::fromLatin1(format);
    }
    void typesAndFormats() {
        QFETCH(QString, dtype);
        QFETCH(QString, format);
        const Tensor numbers = random_attention({2, 3, 7, 7});
        const TensorFile file{{{"attention", of_type(numbers, dtype.toStdString())}}, {}};
        const std::string path = format == u"safetensors" ? scratch_.write("t.safetensors", encode_safetensors(file))
                                 : format == u"npz"       ? scratch_.write("t.npz", *encode_npz(file))
                                                          : deflated(scratch_, file);
        const auto recording = Recording::open(path);
        VERIFY_RESULT(recording);
        QCOMPARE((*recording)->dtype(), dtype.toStdString());
        const std::vector<double> expected = file.tensors.front().second.values();
        std::vector<double> wide(7 * 2);
        std::vector<float> narrow(7 * 2);
        QVERIFY((*recording)->read_rows({1, 0, 2}, 3, 2, wide.data()));
        QVERIFY((*recording)->read_rows({1, 0, 2}, 3, 2, narrow.data()));
        for (std::size_t n = 0; n < wide.size(); ++n) {
            const double value = expected[(1 * 3 + 2) * 49 + 3 * 7 + n];
            QCOMPARE(wide[n], value);
            QCOMPARE(narrow[n], static_cast<float>(value));
        }
    }

    void badFiles_data() {
        QTest::addColumn<Shape>("shape");
        QTest::addColumn<QByteArray>("tokens");
        QTest::addColumn<QString>("part");
        const auto row = [](const char* name, const Shape& shape, const char* tokens, const char* part) {
            QTest::newRow(name) << shape << QByteArray(tokens) << QString::fromLatin1(part);
        };
        row("two axes", {5, 5}, "", "the shape (5, 5); (H,S,S)");
        row("six axes", {1, 1, 1, 1, 2, 2}, "", "was expected");
        row("not square", {2, 4, 5}, "", "(2, 4, 5)");
        row("no heads", {0, 4, 4}, "", "(0, 4, 4)");
        row("no tokens", {2, 0, 0}, "", "(2, 0, 0)");
        row("too many heads", {1025, 1, 1}, "", "1024 heads");
        row("too many layers", {4097, 1, 1, 1}, "", "4096 layers");
        row("too many sequences", {1, 4097, 1, 1, 1}, "", "4096 sequences");
        row("more tokens than keys", {2, 3, 3}, R"(["a","b","c","d"])", "has the length 4");
        row("no token", {2, 3, 3}, "[]", "has the length 0");
        row("tokens of another batch", {2, 3, 2, 3, 3}, R"([["a"],["b"]])", "a batch of 2");
        row("tokens are no list", {2, 3, 3}, R"("a b c")", "must be a JSON list");
        row("tokens are no texts", {2, 3, 3}, "[1, 2, 3]", "must be a JSON list");
        row("tokens are no JSON", {2, 3, 3}, "['a']", "isn't a JSON list");
    }
    void badFiles() {
        QFETCH(Shape, shape);
        QFETCH(QByteArray, tokens);
        QFETCH(QString, part);
        TensorFile file = recording_file(filled(Tensor::Type::Float32, shape, [](std::int64_t) { return 0.5; }));
        if (!tokens.isEmpty()) file.metadata["tokens"] = tokens.toStdString();
        VERIFY_ERROR(open(file, "bad.safetensors"), ErrorCode::FileContent, "bad.safetensors", part.toStdString());
    }

    void otherContents() {
        TensorFile whole = recording_file(random_attention({1, 2, 2}));
        whole.tensors.front().second = FileTensor::from_i64({1, 2, 2}, {1, 0, 0, 1});
        VERIFY_ERROR(open(whole), ErrorCode::Unsupported, "r.safetensors", "attention is of type I64");
        whole.tensors.front().first = "weights_of_something";
        VERIFY_ERROR(open(whole), ErrorCode::FileContent, "r.safetensors", "");
        const QString wrong = not_refused(scratch_, [](const std::string& path) { return Recording::open(path); });
        QVERIFY2(wrong.contains(QStringLiteral("code")) || wrong.isEmpty(), qPrintable(wrong));
    }

    /// A file that shrinks while it is open is an error, not a crash.
    void a_file_that_shrinks() {
        for (const bool npz : {false, true}) {
            const TensorFile file = recording_file(random_attention({4, 64, 64}));
            const std::string path = scratch_.write("s", npz ? *encode_npz(file) : encode_safetensors(file));
            const auto recording = Recording::open(path);
            VERIFY_RESULT(recording);
            std::vector<double> rows(64);
            QVERIFY((*recording)->read_rows({0, 0, 3}, 63, 1, rows.data()));
            std::filesystem::resize_file(path, 4096);
            QVERIFY(!(*recording)->read_rows({0, 0, 3}, 63, 1, rows.data()));
        }
    }

    /// 20 GB, of which nothing is loaded but what is read.
    void larger_than_memory() {
        const Shape shape{32, 32, 2200, 2200};
        const std::uint64_t bytes = 32ull * 32 * 2200 * 2200 * 4;
        const std::string header = fmt::format(R"({{"attention":{{"dtype":"F32","shape":[32,32,2200,2200],)"
                                               R"("data_offsets":[0,{}]}}}})",
                                               bytes);
        const std::uint64_t length = header.size();
        const std::string path =
            scratch_.write("large.safetensors", std::string(reinterpret_cast<const char*>(&length), 8) + header);
        std::error_code error;
        std::filesystem::resize_file(path, 8 + length + bytes, error);
        if (error) QSKIP("no sparse file of 20 GB");
        const std::uint64_t before = peak_memory();
        const auto recording = Recording::open(path);
        VERIFY_RESULT(recording);
        QCOMPARE((*recording)->bytes(), bytes);
        std::vector<float> rows(64 * 2200, 1);
        for (std::int64_t layer = 0; layer < 32; layer += 31)
            QVERIFY((*recording)->read_rows({layer, 0, 31}, 2136, 64, rows.data()));
        QVERIFY(std::all_of(rows.begin(), rows.end(), [](float value) { return value == 0; }));
        QVERIFY(peak_memory() - before < 50'000'000);
    }

    void several_threads_read_at_once() {
        const Tensor numbers = random_attention({8, 16, 16});
        const auto recording = open(recording_file(numbers));
        VERIFY_RESULT(recording);
        std::atomic<int> wrong = 0;
        std::vector<std::thread> threads;
        for (std::int64_t head = 0; head < 8; ++head)
            threads.emplace_back([&, head] {
                std::vector<double> row(16);
                for (std::int64_t n = 0; n < 200; ++n) {
                    const std::int64_t i = n % 16;
                    if (!(*recording)->read_rows({0, 0, head}, i, 1, row.data())) ++wrong;
                    for (std::int64_t j = 0; j < 16; ++j)
                        wrong += row[static_cast<std::size_t>(j)] != numbers.value((head * 16 + i) * 16 + j);
                }
            });
        for (std::thread& thread : threads) thread.join();
        QCOMPARE(wrong.load(), 0);
    }
};

QTEST_GUILESS_MAIN(TestRecording)
#include "tst_recording.moc"
