// SPDX-License-Identifier: GPL-3.0-or-later
// headscope export, by way of the whole command line: weights and x from a file in four layouts, and PyTorch's numbers
// in the dump (tests/reference).
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include "app/command_line.h"
#include "core/files/safetensors_file.h"
#include "core/weights/layer.h"
#include "program.h"
#include "support.h"

using namespace headscope;

namespace {

TensorFile reference(const QString& name) {
    auto file = read_safetensors(REFERENCE_DIR "/" + name.toStdString() + ".safetensors");
    if (!file) qFatal("%s", file.error().message().c_str());
    return *file;
}

FileTensor numbers(Shape shape, const std::vector<double>& values) {
    FileTensor tensor{"F64", std::move(shape), std::vector<std::uint8_t>(values.size() * 8)};
    std::memcpy(tensor.bytes.data(), values.data(), tensor.bytes.size());
    return tensor;
}

/// Rows of a matrix (or of a bias), some or all of them in another order: row i of the result is row order[i].
std::vector<double> reordered(const FileTensor& tensor, const std::vector<std::int64_t>& order) {
    const std::vector<double> values = tensor.values();
    const auto width = values.size() / static_cast<std::size_t>(tensor.shape[0]);
    std::vector<double> result;
    for (const std::int64_t row : order) {
        const auto first = values.begin() + static_cast<std::ptrdiff_t>(width) * row;
        result.insert(result.end(), first, first + static_cast<std::ptrdiff_t>(width));
    }
    return result;
}

FileTensor transposed(const FileTensor& tensor) {
    const std::vector<double> values = tensor.values();
    const auto rows = static_cast<std::size_t>(tensor.shape[0]), columns = static_cast<std::size_t>(tensor.shape[1]);
    std::vector<double> turned(values.size());
    for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t j = 0; j < columns; ++j) turned[j * rows + i] = values[i * columns + j];
    return numbers({tensor.shape[1], tensor.shape[0]}, turned);
}

/// The same layer under the names and in the order of another layout (docs/conventions.md 11).
TensorFile inLayout(const TensorFile& interleaved, const QString& layout, std::int64_t num_heads) {
    const FileTensor &weight = *interleaved.find("qkv_proj.weight"), &bias = *interleaved.find("qkv_proj.bias");
    const FileTensor &out = *interleaved.find("out_proj.weight"), &out_bias = *interleaved.find("out_proj.bias");
    const std::int64_t e = weight.shape[1];
    std::vector<std::int64_t> order(static_cast<std::size_t>(3 * e));
    for (std::int64_t row = 0; row < 3 * e; ++row) order[static_cast<std::size_t>(block_row(row, e, num_heads))] = row;
    const FileTensor blocks = numbers({3 * e, e}, reordered(weight, order));
    const FileTensor block_bias = numbers({3 * e}, reordered(bias, order));
    TensorFile file;
    file.tensors = {{"x", *interleaved.find("x")}, {"lengths", *interleaved.find("lengths")}};
    if (layout == u"interleaved") {
        file.tensors.insert(file.tensors.end(), {{"attn.qkv_proj.weight", weight},
                                                 {"attn.qkv_proj.bias", bias},
                                                 {"attn.out_proj.weight", out},
                                                 {"attn.out_proj.bias", out_bias}});
    } else if (layout == u"blocks") {
        file.tensors.insert(file.tensors.end(), {{"in_proj_weight", blocks},
                                                 {"in_proj_bias", block_bias},
                                                 {"out_proj.weight", out},
                                                 {"out_proj.bias", out_bias}});
    } else if (layout == u"transposed") {
        file.tensors.insert(file.tensors.end(), {{"h.0.attn.c_attn.weight", transposed(blocks)},
                                                 {"h.0.attn.c_attn.bias", block_bias},
                                                 {"h.0.attn.c_proj.weight", transposed(out)},
                                                 {"h.0.attn.c_proj.bias", out_bias}});
    } else {
        const char* names[] = {"query", "key", "value"};
        for (std::size_t part = 0; part < 3; ++part) {
            const auto rows = order.begin() + static_cast<std::ptrdiff_t>(part) * e;
            const std::vector<std::int64_t> some(rows, rows + e);
            file.tensors.emplace_back(std::string(names[part]) + ".weight", numbers({e, e}, reordered(weight, some)));
            file.tensors.emplace_back(std::string(names[part]) + ".bias", numbers({e}, reordered(bias, some)));
        }
        file.tensors.insert(file.tensors.end(), {{"out_proj.weight", out}, {"out_proj.bias", out_bias}});
    }
    return file;
}

void write(const QString& path, const std::vector<std::uint8_t>& bytes) {
    QFile file(path);
    const auto size = static_cast<qint64>(bytes.size());
    if (!file.open(QIODevice::WriteOnly) || file.write(reinterpret_cast<const char*>(bytes.data()), size) != size)
        qFatal("can't write %s", qPrintable(path));
}

/// "padding_causal_local_1_0" as an expression.
QByteArray expression(QString name) {
    name.replace(QRegularExpression(QStringLiteral("local_(\\d+)_(\\d+)")), QStringLiteral("local:\\1:\\2"));
    return name.replace(u'_', u',').toUtf8();
}

}  // namespace

class TestExportCommand : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void masksFillsAndLayouts_data();
    void masksFillsAndLayouts();
    void multiheadAttentionItself_data();
    void multiheadAttentionItself();
    void seeds_data();
    void seeds();
    void longSequencesInChunks_data();
    void longSequencesInChunks();
    void bfloat16();
    void everyKindOfFile_data();
    void everyKindOfFile();
    void picturesTakeAllOptions();
    void processesWriteTheSameBytes();
    void scriptsWithoutFontAreSaid();

private:
    /// Runs the command in this process and reads the dump that it wrote.
    TensorFile exported(QList<QByteArray> arguments);
    static void compare(const TensorFile& found, const TensorFile& expected, const char* name, double agreement);
    QString path(const QString& name) const { return folder_.filePath(name); }
    QTemporaryDir folder_;
};

/// A mask file whose name needs escaping.
void TestExportCommand::initTestCase() {
    QVERIFY(folder_.isValid());
    const FileTensor mask = *reference(QStringLiteral("mask_custom_safe")).find("mask");
    QByteArray csv;
    for (int i = 0; i < 7; ++i)
        for (int j = 0; j < 7; ++j)
            csv += QByteArray(mask.bytes[static_cast<std::size_t>(i * 7 + j)] ? "1" : "0") + (j < 6 ? "," : "\n");
    QFile file(path(QStringLiteral("a,b+c.csv")));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(csv) == csv.size());
    const TensorFile layer = reference(QStringLiteral("mask_none_safe"));
    for (const char* layout : {"interleaved", "blocks", "transposed", "separate"})
        write(path(QLatin1String(layout) + QStringLiteral(".safetensors")),
              encode_safetensors(inLayout(layer, QLatin1String(layout), 4)));
}

TensorFile TestExportCommand::exported(QList<QByteArray> arguments) {
    const QString out = path(QStringLiteral("dump.safetensors"));
    QFile::remove(out);
    arguments = QList<QByteArray>{"headscope", "export", out.toUtf8()} + arguments;
    QList<char*> argv;
    for (QByteArray& argument : arguments) argv += argument.data();
    if (runCommandLine(static_cast<int>(argv.size()), argv.data()) != 0) return {};
    const auto file = read_safetensors(out.toStdString());
    return file ? *file : TensorFile{};
}

void TestExportCommand::compare(const TensorFile& found, const TensorFile& expected, const char* name,
                                double agreement) {
    const FileTensor *a = found.find(name), *b = expected.find(name);
    QVERIFY2(a && b, name);
    QCOMPARE(a->shape, b->shape);
    const QString difference = testing::differs(a->to_tensor(Tensor::Type::Float64), b->values(), agreement);
    QVERIFY2(difference.isEmpty(), qPrintable(QLatin1String(name) + QStringLiteral(": ") + difference));
}

void TestExportCommand::masksFillsAndLayouts_data() {
    QTest::addColumn<QString>("mask");
    QTest::addColumn<QString>("fill");
    QTest::addColumn<QString>("layout");
    QTest::addColumn<QString>("precision");
    const QStringList masks{QStringLiteral("none"),           QStringLiteral("padding"),
                            QStringLiteral("causal"),         QStringLiteral("local_2_0"),
                            QStringLiteral("local_1_1"),      QStringLiteral("custom"),
                            QStringLiteral("padding_causal"), QStringLiteral("padding_causal_local_1_0")};
    for (const QString& mask : masks)
        for (const char* fill : {"safe", "inf", "1e9"})
            for (const char* layout : {"interleaved", "blocks", "transposed", "separate"})
                for (const char* precision : {"float64", "float32"})
                    QTest::addRow("%s, %s, %s, %s", qPrintable(mask), fill, layout, precision)
                        << mask << QString::fromLatin1(fill) << QString::fromLatin1(layout)
                        << QString::fromLatin1(precision);
}

void TestExportCommand::masksFillsAndLayouts() {
    QFETCH(QString, mask);
    QFETCH(QString, fill);
    QFETCH(QString, layout);
    QFETCH(QString, precision);
    const TensorFile expected = reference(QStringLiteral("mask_%1_%2").arg(mask, fill));
    const QByteArray weights = path(layout + QStringLiteral(".safetensors")).toUtf8();
    const QByteArray cells = "file:" + path(QStringLiteral("a\\,b\\+c.csv")).toUtf8();
    const QList<QByteArray> command{"--weights",   weights,
                                    "--num-heads", "4",
                                    "--mask",      mask == u"custom" ? cells : expression(mask),
                                    "--fill",      fill.toUtf8(),
                                    "--precision", precision.toUtf8()};
    const double agreement = precision == u"float64" ? 1e-10 : 1e-5;  // reference/README.md
    const QList<QByteArray> chunks[] = {{"--chunk-size", "whole"},
                                        {"--chunk-size", "3"},
                                        {"--chunk-size", "whole", "--key-chunk-size", "2"},
                                        {"--chunk-size=2", "--key-chunk-size=3", "--layout", layout.toUtf8()}};
    for (const QList<QByteArray>& chunk : chunks) {
        const TensorFile found = exported(command + chunk);
        for (const char* name : {"x", "q", "k", "v", "scores", "weights", "context", "output", "qkv_proj.weight",
                                 "qkv_proj.bias", "out_proj.weight", "out_proj.bias"}) {
            compare(found, expected, name, agreement);
            if (QTest::currentTestFailed()) return;
        }
        QCOMPARE(found.find("mask")->bytes, expected.find("mask")->bytes);
        QCOMPARE(found.find("weights")->dtype, std::string(precision == u"float64" ? "F64" : "F32"));
    }
}

void TestExportCommand::multiheadAttentionItself_data() {
    QTest::addColumn<QString>("mask");
    for (const char* mask : {"none", "causal", "padding", "padding_causal"})
        QTest::newRow(mask) << QString::fromLatin1(mask);
}

void TestExportCommand::multiheadAttentionItself() {
    QFETCH(QString, mask);
    const QString name = QStringLiteral("nn_multihead_attention_") + mask;
    const TensorFile found =
        exported({"--weights", QByteArray(REFERENCE_DIR "/") + name.toUtf8() + ".safetensors", "--num-heads", "4",
                  "--mask", expression(mask), "--precision", "float64", "--fill", "inf"});
    compare(found, reference(name), "weights", 1e-10);
    compare(found, reference(name), "output", 1e-10);
}

void TestExportCommand::seeds_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("tokens");
    QTest::newRow("0") << QStringLiteral("seed_0_e512_h8") << QByteArray("the cat sat on the mat");
    QTest::newRow("42") << QStringLiteral("seed_42_e512_h8")
                        << QByteArray("8 heads see the same words , 8 times\n注意力 就是 一切");
    QTest::newRow("2026") << QStringLiteral("seed_2026_e96_h12") << QByteArray("a b c\nc a [PAD]");
    QTest::newRow("7") << QStringLiteral("seed_7_e8_h8") << QByteArray("x y x z");
    QTest::newRow("above 2^32") << QStringLiteral("seed_5000000000_e20_h4") << QByteArray("naïve 😀 <s>");
}

void TestExportCommand::seeds() {
    QFETCH(QString, name);
    QFETCH(QByteArray, tokens);
    const TensorFile expected = reference(name);
    const auto number = [&](const char* key) { return QByteArray::fromStdString(expected.metadata.at(key)); };
    const TensorFile found = exported({"--weights", "seed", "--seed", number("seed"), "--embed-dim",
                                       number("embed_dim"), "--num-heads", number("num_heads"), "--tokens", tokens});
    compare(found, expected, "x", 1e-6);
    compare(found, expected, "qkv_proj.bias", 1e-6);
    compare(found, expected, "out_proj.bias", 1e-6);
    compare(found, expected, "weights", 1e-5);
    compare(found, expected, "output", 1e-5);
}

void TestExportCommand::longSequencesInChunks_data() {
    QTest::addColumn<QString>("mask");
    QTest::addColumn<QList<QByteArray>>("chunks");
    for (const char* mask : {"none", "causal", "local_32_0"}) {
        QTest::addRow("%s, the default", mask) << QString::fromLatin1(mask) << QList<QByteArray>{};
        QTest::addRow("%s, keys too", mask)
            << QString::fromLatin1(mask) << QList<QByteArray>{"--chunk-size", "100", "--key-chunk-size", "77"};
    }
}

void TestExportCommand::longSequencesInChunks() {
    QFETCH(QString, mask);
    QFETCH(QList<QByteArray>, chunks);
    const QByteArray weights = QByteArray(REFERENCE_DIR "/long_") + mask.toUtf8() + ".safetensors";
    for (const bool wide : {true, false}) {
        const TensorFile found =
            exported(QList<QByteArray>{"--weights", weights, "--num-heads", "8", "--mask", expression(mask),
                                       "--precision", wide ? "float64" : "float32"} +
                     chunks);
        compare(found, reference(QStringLiteral("long_") + mask), "output", wide ? 1e-10 : 2e-5);
    }
}

/// docs/conventions.md 8: the same but for a few last places. One place of bfloat16 is 2^-8 of a number.
void TestExportCommand::bfloat16() {
    const TensorFile expected = reference(QStringLiteral("precision_bf16_causal"));
    const TensorFile found = exported({"--weights", REFERENCE_DIR "/precision_bf16_causal.safetensors", "--num-heads",
                                       "8", "--mask", "causal", "--precision", "bfloat16"});
    for (const char* name : {"weights", "output"}) {
        QVERIFY(found.find(name));
        const std::vector<double> x = found.find(name)->values(), y = expected.find(name)->values();
        QCOMPARE(x.size(), y.size());
        std::size_t other = 0;
        for (std::size_t i = 0; i < x.size(); ++i) {
            other += x[i] != y[i];
            QVERIFY(std::abs(x[i] - y[i]) <= std::max(std::abs(y[i]), 1e-3) / 64);
        }
        QVERIFY2(other * 50 < x.size(), qPrintable(QString::number(other)));
    }
}

void TestExportCommand::everyKindOfFile_data() {
    QTest::addColumn<QByteArray>("file");
    QTest::addColumn<QByteArray>("begins");
    QTest::newRow("png") << QByteArray("a.png") << QByteArray("\x89PNG");
    QTest::newRow("svg") << QByteArray("a.svg") << QByteArray("<?xml");
    QTest::newRow("pdf") << QByteArray("a.pdf") << QByteArray("%PDF-1.");
    QTest::newRow("csv") << QByteArray("a.csv") << QByteArray("sequence,head,query,key,");
    QTest::newRow("json") << QByteArray("a.json") << QByteArray("{\"config\":{");
    QTest::newRow("npz") << QByteArray("a.npz") << QByteArray("PK\x03\x04");
    QTest::newRow("safetensors") << QByteArray("a.safetensors") << QByteArray();
    QTest::newRow("a name with spaces") << QByteArray("my heads 注意.png") << QByteArray("\x89PNG");
}

/// In a process of its own, with no display, over a file that stood there.
void TestExportCommand::everyKindOfFile() {
    QFETCH(QByteArray, file);
    QFETCH(QByteArray, begins);
    const QString place = path(QString::fromUtf8(file));
    QFile old(place);
    QVERIFY(old.open(QIODevice::WriteOnly) && old.write("old") == 3);
    old.close();
    const Outcome outcome = runProgram(folder_.path(), {"export", file});
    QVERIFY2(outcome.isQuietSuccess(), outcome.said());
    QVERIFY(old.open(QIODevice::ReadOnly));
    const QByteArray bytes = old.readAll();
    QVERIFY(bytes.size() > 1000);
    QVERIFY(bytes.startsWith(begins));
}

void TestExportCommand::picturesTakeAllOptions() {
    const Outcome outcome =
        runProgram(folder_.path(), {"export",           "all.svg", "--tokens",     "one two three\nfour",
                                    "--tokenizer",      "words",   "--embed-dim",  "24",
                                    "--num-heads",      "3",       "--weights",    "seed",
                                    "--seed",           "9",       "--mask",       "causal,padding",
                                    "--fill",           "inf",     "--scale",      "-0.5",
                                    "--precision",      "float16", "--chunk-size", "whole",
                                    "--key-chunk-size", "2",       "--sequence",   "all",
                                    "--head",           "2",       "--stage",      "masked",
                                    "--range",          "head",    "--palette",    "magma",
                                    "--size",           "700x500", "--dpi",        "300",
                                    "--theme",          "dark",    "--title",      "A <title> & more",
                                    "--language",       "en",      "--layout",     "blocks"});
    QVERIFY2(outcome.isQuietSuccess(), outcome.said());
    QFile file(path(QStringLiteral("all.svg")));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray svg = file.readAll();
    for (const char* text : {"A &lt;title&gt; &amp; more", "Head 2", "seed 9", "scale −0.5", "float16", "per head",
                             "magma", "sequence 1 of 2", "chunks whole × 2", "viewBox=\"0 0 700 500\""})
        QVERIFY2(svg.contains(text), text);
    QVERIFY(!svg.contains("Head 1"));
    QCOMPARE(svg.count("<rect "), 6 + 3);  // of the second sequence only the first key is open
}

/// Two processes write the same bytes, in another time zone too: fonts are kept in a hash with a seed for each process.
void TestExportCommand::processesWriteTheSameBytes() {
    const QList<QByteArray> tokens{"--tokens", "the cat -> 猫 שלום Ω ∑ <b>", "--title", "two \"runs\" ∑ 猫"};
    for (const char* ending : {"pdf", "svg", "png"}) {
        QByteArrayList files;
        for (const char* zone : {"", "TZ=Asia/Kolkata ", "TZ=America/New_York "}) {
            const QByteArray name = "same" + QByteArray::number(files.size()) + "." + ending;
            const Outcome outcome = runProgram(folder_.path(), QList<QByteArray>{"export", name} + tokens, {},
                                               *zone ? "export " + QByteArray(zone) + "; " : QByteArray());
            QVERIFY2(outcome.isQuietSuccess(), outcome.said());
            files += contents(path(QString::fromLatin1(name)));
        }
        QVERIFY2(files[0].size() > 1000 && files[0] == files[1] && files[0] == files[2], ending);
    }
}

/// With fonts of Latin letters alone: the picture is written, and a line says what it can't show.
void TestExportCommand::scriptsWithoutFontAreSaid() {
    QFile config(path(QStringLiteral("fonts.conf")));
    QVERIFY(config.open(QIODevice::WriteOnly));
    config.write("<fontconfig><dir>/usr/share/fonts/opentype/inter</dir><cachedir>cache</cachedir></fontconfig>");
    config.close();
    const QByteArray only_latin = "export FONTCONFIG_FILE=\"$PWD/fonts.conf\"; ";
    const auto run = [&](const QByteArray& tokens) {
        return runProgram(folder_.path(), {"export", "fonts.png", "--tokens", tokens}, {}, only_latin);
    };
    if (!QFile::exists(QStringLiteral("/usr/share/fonts/opentype/inter/Inter-Regular.otf"))) QSKIP("Inter isn't here");
    Outcome outcome = run("the cat\u00a0\u200d\u00e9 a\ufe0f");
    QVERIFY2(outcome.isQuietSuccess(), outcome.said());
    outcome = run("नमस्ते 👋🇮🇳 한 猫 \xf3\xb0\x80\x80");
    QCOMPARE(outcome.status, 0);
    QVERIFY(outcome.out.isEmpty());
    for (const char* said :
         {"Devanagari; it is drawn as boxes. The Debian package fonts-noto-core", "emoji", "fonts-noto-color-emoji",
          "Hangul", "Han;", "fonts-noto-cjk", "U+F0000; it is drawn as boxes.\n"})
        QVERIFY2(outcome.error.contains(said), outcome.said(said));
    QCOMPARE(outcome.error.count("headscope: note: "), 5);
    QCOMPARE(outcome.error.count('\n'), 5);
}

QTEST_MAIN(TestExportCommand)
#include "tst_export_command.moc"
