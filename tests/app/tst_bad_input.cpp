// SPDX-License-Identifier: GPL-3.0-or-later
// What a person may type or give to the command line that can't be meant: each is answered by one line and its status,
// nothing crashes, and no file is left half written.
#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include "program.h"

using namespace headscope;

namespace {

void write(const QString& path, const QByteArray& bytes) {
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
        qFatal("can't write %s", qPrintable(path));
}

/// A safetensors file with a header of our own making.
QByteArray safetensors(const QByteArray& header, qsizetype bytes) {
    QByteArray size(8, '\0');
    for (int i = 0; i < 8; ++i) size[i] = static_cast<char>(static_cast<quint64>(header.size()) >> (8 * i));
    return size + header + QByteArray(bytes, '\0');
}

}  // namespace

class TestBadInput : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void oneLineAndItsStatus_data();
    void oneLineAndItsStatus();
    void largeTextsWork_data();
    void largeTextsWork();
    void aFullDiskLeavesTheOldFile_data();
    void aFullDiskLeavesTheOldFile();
    void memoryThatCannotBeHad();

private:
    QTemporaryDir folder_;
};

void TestBadInput::initTestCase() {
    QVERIFY(folder_.isValid());
    const QDir dir(folder_.path());
    dir.mkdir(QStringLiteral("folder.png"));
    write(dir.filePath(QStringLiteral("latin1.txt")), "na\xEFve\n");
    write(dir.filePath(QStringLiteral("empty.txt")), "");
    write(dir.filePath(QStringLiteral("plain")), "text");
    write(dir.filePath(QStringLiteral("noise.safetensors")), "this is no safetensors file at all");
    write(dir.filePath(QStringLiteral("empty.safetensors")), "");
    const QByteArray reference = contents(QStringLiteral(REFERENCE_DIR "/mask_none_safe.safetensors"));
    QVERIFY(reference.size() > 10000);
    write(dir.filePath(QStringLiteral("cut.safetensors")), reference.left(9000));
    write(dir.filePath(QStringLiteral("shape.safetensors")),
          safetensors(R"({"qkv_proj.weight":{"dtype":"F32","shape":[10,4],"data_offsets":[0,160]},)"
                      R"("out_proj.weight":{"dtype":"F32","shape":[4,4],"data_offsets":[160,224]}})",
                      224));
    write(dir.filePath(QStringLiteral("type.safetensors")),
          safetensors(R"({"qkv_proj.weight":{"dtype":"C64","shape":[12,4],"data_offsets":[0,384]},)"
                      R"("out_proj.weight":{"dtype":"F32","shape":[4,4],"data_offsets":[384,448]}})",
                      448));
    write(dir.filePath(QStringLiteral("other.safetensors")),
          safetensors(R"({"embedding.weight":{"dtype":"F32","shape":[12,4],"data_offsets":[0,192]}})", 192));
    write(dir.filePath(QStringLiteral("headless.safetensors")),
          safetensors(R"({"qkv_proj.weight":{"dtype":"F32","shape":[12,4],"data_offsets":[0,192]},)"
                      R"("out_proj.weight":{"dtype":"F32","shape":[4,4],"data_offsets":[192,256]}})",
                      256));
    write(dir.filePath(QStringLiteral("square.csv")), "1,0\n0,1\n");
    write(dir.filePath(QStringLiteral("ragged.csv")), "1,0\n0\n");
    write(dir.filePath(QStringLiteral("numbers.csv")), "1,2\n0,1\n");
}

void TestBadInput::oneLineAndItsStatus_data() {
    QTest::addColumn<QList<QByteArray>>("arguments");
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("names");  // what the line has to mention, among it what would be right
    const auto row = [](const char* name, const QList<QByteArray>& options, int status, const char* names) {
        QTest::newRow(name) << QList<QByteArray>{"export", "out.csv"} + options << status << QByteArray(names);
    };
    // Sizes.
    row("pair", {"--embed-dim", "10", "--num-heads", "3"}, 2, "--num-heads|10|3|2|9");
    row("more heads than numbers", {"--embed-dim", "4", "--num-heads", "8"}, 2, "4|8");
    row("embed_dim 0", {"--embed-dim", "0"}, 2, "--embed-dim|from 1");
    row("embed_dim negative", {"--embed-dim", "-8"}, 2, "--embed-dim|from 1");
    row("embed_dim a word", {"--embed-dim", "many"}, 2, "--embed-dim|many|whole number");
    row("embed_dim half", {"--embed-dim", "8.5"}, 2, "--embed-dim|whole number");
    row("embed_dim beyond 64 bits", {"--embed-dim", "18446744073709551617"}, 2, "--embed-dim");
    row("embed_dim enormous", {"--embed-dim", "999999", "--num-heads", "3"}, 1, "--embed-dim|TB|GB");
    row("num_heads 0", {"--num-heads", "0"}, 2, "--num-heads|from 1");
    row("num_heads a word", {"--num-heads", "eight"}, 2, "--num-heads|eight");
    row("chunk 0", {"--chunk-size", "0"}, 2, "--chunk-size|whole|1");
    row("chunk negative", {"--chunk-size=-1"}, 2, "--chunk-size|whole");
    row("key chunk 0", {"--key-chunk-size", "0"}, 2, "--key-chunk-size|whole");
    row("seed negative", {"--seed", "-1"}, 2, "--seed|18446744073709551615");
    row("seed beyond 64 bits", {"--seed", "18446744073709551616"}, 2, "--seed");
    row("scale a word", {"--scale", "big"}, 2, "--scale|auto");
    row("scale infinite", {"--scale", "inf"}, 2, "--scale|auto");
    row("scale with a comma", {"--scale", "0,5"}, 2, "--scale");
    // Words.
    row("precision", {"--precision", "fp16"}, 2, "--precision|float16");
    row("fill", {"--fill", "zero"}, 2, "--fill|safe");
    row("tokenizer", {"--tokenizer", "bpe"}, 2, "--tokenizer|words");
    row("layout", {"--layout", "fused"}, 2, "--layout|blocks");
    row("stage", {"--stage", "probabilities"}, 2, "--stage|weights");
    row("stage of the window only", {"--stage", "qkv"}, 2, "--stage|masked");
    row("range", {"--range", "0-1"}, 2, "--range|unit");
    row("range of weights for q", {"--range", "log", "--stage", "q"}, 2, "--range|shared");
    row("palette", {"--palette", "jet"}, 2, "--palette|viridis");
    row("theme", {"--theme", "black"}, 2, "--theme|dark");
    row("language", {"--language", "de"}, 2, "--language|zh_CN");
    row("a value in capitals", {"--theme", "Dark"}, 2, "--theme|dark");
    row("an empty value", {"--theme", ""}, 2, "--theme");
    // Masks.
    row("mask unknown", {"--mask", "casual"}, 2, "--mask|casual|causal");
    row("mask negative", {"--mask", "local:-1:0"}, 2, "--mask|local:LEFT:RIGHT");
    row("mask strided 0", {"--mask", "strided:0"}, 2, "--mask|strided:N");
    row("mask strided -0", {"--mask", "strided:-0"}, 2, "--mask|strided:N");
    row("mask block -0", {"--mask", "block:-0"}, 2, "--mask|block:N");
    row("mask step -0", {"--mask", "dilated:1:1:-0"}, 2, "--mask|dilated:LEFT:RIGHT:STEP");
    row("mask empty part", {"--mask", "causal,,padding"}, 2, "--mask|empty");
    row("mask ends in a comma", {"--mask", "causal,"}, 2, "--mask|empty");
    row("mask without its number", {"--mask", "block"}, 2, "--mask|block:N");
    row("mask with too many numbers", {"--mask", "local:1:2:3"}, 2, "--mask|local:LEFT:RIGHT");
    row("mask file missing", {"--mask", "file:no.npy"}, 1, "--mask|no.npy");
    row("mask file of another size", {"--mask", "file:square.csv"}, 2, "--mask|square.csv|2|10");
    row("mask file ragged", {"--mask", "file:ragged.csv"}, 1, "--mask|ragged.csv");
    row("mask file with a 2", {"--mask", "file:numbers.csv"}, 1, "--mask|numbers.csv");
    // Texts.
    row("no text", {"--tokens", ""}, 2, "--tokens");
    row("white space", {"--tokens", " \t \n "}, 2, "--tokens");
    row("an empty file", {"--tokens-file", "empty.txt"}, 2, "--tokens-file");
    row("Latin-1 in a file", {"--tokens-file", "latin1.txt"}, 1, "--tokens-file|latin1.txt|byte 2|UTF-8");
    row("no such file", {"--tokens-file", "no.txt"}, 1, "--tokens-file|no.txt");
    row("a folder", {"--tokens-file", "folder.png"}, 1, "--tokens-file|folder.png");
    row("standard input empty", {"--tokens-file", "-"}, 2, "--tokens-file");
    row("Latin-1 as an argument", {"--tokens", "na\xEFve"}, 2, "UTF-8");
    // Weights.
    row("weights missing", {"--weights", "no.safetensors"}, 1, "--weights|no.safetensors|textbook");
    row("weights a folder", {"--weights", "folder.png"}, 1, "--weights|folder.png");
    row("weights noise", {"--weights", "noise.safetensors"}, 1, "--weights|noise.safetensors");
    row("weights empty", {"--weights", "empty.safetensors"}, 1, "--weights|empty.safetensors");
    row("weights cut short", {"--weights", "cut.safetensors"}, 1, "--weights|cut.safetensors");
    row("weights of another shape", {"--weights", "shape.safetensors"}, 1, "--weights|shape.safetensors|(10, 4)");
    row("weights of another type", {"--weights", "type.safetensors"}, 1, "--weights|type.safetensors|C64");
    row("weights of another model", {"--weights", "other.safetensors"}, 1, "--weights|other.safetensors");
    row("weights without num_heads", {"--weights", "headless.safetensors"}, 2,
        "--num-heads|headless.safetensors|1, 2, 4");
    row("weights that contradict embed_dim",
        {"--weights", "headless.safetensors", "--num-heads", "2", "--embed-dim", "8"}, 2, "--embed-dim|8|4");
    row("weights that contradict num_heads", {"--weights", "headless.safetensors", "--num-heads", "3"}, 2,
        "--num-heads|4|3");
    // Pictures.
    row("size one number", {"--size", "960"}, 2, "--size|960x640");
    row("size zero", {"--size", "0x640"}, 2, "--size|64");
    row("size negative", {"--size=-960x640"}, 2, "--size");
    row("size enormous", {"--size", "999999999x1"}, 2, "--size|19200");
    row("size beyond 64 bits", {"--size", "99999999999999999999x1"}, 2, "--size");
    row("dpi 35", {"--dpi", "35"}, 2, "--dpi|36|1200");
    row("dpi 1201", {"--dpi", "1201"}, 2, "--dpi|36|1200");
    row("dpi half", {"--dpi", "96.5"}, 2, "--dpi|whole");
    row("head", {"--head", "8"}, 2, "--head|0 to 7");
    row("head negative", {"--head", "-1"}, 2, "--head|all");
    row("head a word", {"--head", "first"}, 2, "--head|all");
    row("sequence", {"--sequence", "2"}, 2, "--sequence|0 to 1");
    row("sequence enormous", {"--sequence", "99999999999"}, 2, "--sequence|all");
    // The line itself.
    row("no such option", {"--embed_dim", "8"}, 2, "--embed_dim|--embed-dim");
    row("missing value", {"--mask", "--seed", "3"}, 2, "--mask|missing");
    row("missing last value", {"--title"}, 2, "--title|missing");
    row("two files", {"other.csv"}, 2, "other.csv");
    const auto out = [](const char* name, const QList<QByteArray>& arguments, int status, const char* names) {
        QTest::newRow(name) << QList<QByteArray>{"export"} + arguments << status << QByteArray(names);
    };
    out("no file", {}, 2, "export|missing");
    out("no ending", {"heads"}, 2, "heads|.png|.safetensors");
    out("unknown ending", {"heads.gif"}, 2, "heads.gif|.svg|.npz");
    out("ending alone", {"folder.png/"}, 2, ".png");
    out("empty name", {""}, 2, ".png");
    out("folder missing", {"no/such/folder/out.png"}, 1, "no/such/folder");
    out("a file for a folder", {"plain/out.png"}, 1, "plain");
    out("a folder for a file", {"folder.png"}, 1, "folder.png|folder");
    out("a folder that can't be written", {"/proc/out.csv"}, 1, "/proc/out.csv");
    out("too many pixels", {"out.png", "--size", "19200x19200", "--dpi", "1200"}, 2, "--size|--dpi|32767");
    QTest::newRow("no such command") << QList<QByteArray>{"exports", "a.png"} << 2 << QByteArray("a.png");
}

void TestBadInput::oneLineAndItsStatus() {
    QFETCH(QList<QByteArray>, arguments);
    QFETCH(int, status);
    QFETCH(QByteArray, names);
    const QDir dir(folder_.path());
    const QStringList before = dir.entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot);
    const Outcome outcome = runProgram(folder_.path(), arguments);
    QVERIFY2(outcome.isOneErrorLine(), outcome.said());
    QVERIFY2(outcome.status == status, outcome.said());
    for (const QByteArray& name : names.split('|')) QVERIFY2(outcome.error.contains(name), outcome.said(name));
    QCOMPARE(dir.entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot), before);
}

void TestBadInput::largeTextsWork_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("file");
    QTest::newRow("a line of 10,000 characters, a picture")
        << QByteArray("word ").repeated(2000) << QByteArray("a.png");
    QTest::newRow("a token of 100,000, a picture") << QByteArray(100000, 'x') << QByteArray("b.svg");
    QTest::newRow("a token of 100,000, a table") << "a " + QByteArray(100000, 'x') << QByteArray("c.csv");
    QTest::newRow("controls and marks") << QByteArray("\x01\x02 a\xCC\x81\xCC\x81\xCC\x81 \xE2\x80\xAE\xEF\xBF\xBF")
                                        << QByteArray("d.svg");
    QTest::newRow("512 sequences") << QByteArray("a b\n").repeated(512) << QByteArray("e.png");
}

void TestBadInput::largeTextsWork() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, file);
    const Outcome outcome = runProgram(
        folder_.path(), {"export", file, "--tokens-file", "-", "--embed-dim", "8", "--num-heads", "2"}, text);
    QVERIFY2(outcome.isQuietSuccess(), outcome.said());
    QVERIFY(QFileInfo(folder_.filePath(QString::fromUtf8(file))).size() > 100);
}

void TestBadInput::aFullDiskLeavesTheOldFile_data() {
    QTest::addColumn<QByteArray>("file");
    for (const char* file : {"f.png", "f.svg", "f.pdf", "f.csv", "f.json", "f.npz", "f.safetensors"})
        QTest::newRow(file) << QByteArray(file);
}

/// A limit on the size of files stands in for a disk without room: the first bytes go, the rest doesn't.
void TestBadInput::aFullDiskLeavesTheOldFile() {
    QFETCH(QByteArray, file);
    const QString place = folder_.filePath(QString::fromLatin1(file));
    write(place, "the old file");
    const QDir dir(folder_.path());
    const QStringList before = dir.entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot);
    const Outcome outcome = runProgram(folder_.path(), {"export", file}, {}, "trap '' XFSZ\nulimit -f 8\n");
    QVERIFY2(outcome.isOneErrorLine(), outcome.said());
    QCOMPARE(outcome.status, 1);
    QVERIFY2(outcome.error.contains(file), outcome.said());
    QCOMPARE(contents(place), QByteArray("the old file"));
    QCOMPARE(dir.entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot), before);
}

void TestBadInput::memoryThatCannotBeHad() {
    const QByteArray limit = "export HEADSCOPE_MEMORY_LIMIT=20000000\n";
    const QByteArray long_line = QByteArray("a ").repeated(3000);
    const struct {
        QList<QByteArray> arguments;
        QByteArray input;
    } cases[] = {{{"export", "m.csv", "--tokens-file", "-"}, long_line},
                 {{"export", "m.png", "--size", "9600x6400"}, {}},
                 {{"export", "m.npz", "--embed-dim", "4096"}, {}}};
    for (const auto& one : cases) {
        const Outcome outcome = runProgram(folder_.path(), one.arguments, one.input, limit);
        QVERIFY2(outcome.isOneErrorLine(), outcome.said());
        QCOMPARE(outcome.status, 1);
        QVERIFY2(outcome.error.contains("MB") || outcome.error.contains("GB"), outcome.said());
        QVERIFY(!QFile::exists(folder_.filePath(QString::fromLatin1(one.arguments[1]))));
    }
}

QTEST_GUILESS_MAIN(TestBadInput)
#include "tst_bad_input.moc"
