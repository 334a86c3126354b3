// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFile>
#include <QLocale>
#include <QTemporaryDir>
#include <QTest>

#include "core/base/memory.h"
#include "core/files/safetensors_file.h"
#include "panel_support.h"
#include "support.h"
#include "ui/state/draft.h"
#include "ui/state/file_store.h"

using namespace headscope;

namespace {

Draft with(Field field, const QString& value) {
    Draft draft;
    draft.set(field, value);
    return draft;
}

QString reference(const char* name) {
    return utf8(REFERENCE_DIR) + u'/' + utf8(name) + QStringLiteral(".safetensors");
}

/// "EmbedDim: sentence; ..." for a failing comparison.
QString problemsOf(const Reading& reading) {
    QStringList lines;
    for (const Problem& problem : reading.problems)
        lines.append(fieldLabel(problem.field) + QStringLiteral(": ") + sentence(problem.error));
    return lines.join(QStringLiteral("; "));
}

QString writeFile(const QTemporaryDir& folder, const char* name, const QByteArray& bytes) {
    const QString path = folder.filePath(utf8(name));
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size()) qFatal("can't write %s", name);
    return path;
}

FileTensor floats(Shape shape, float value) {
    FileTensor tensor{"F32", shape, {}};
    std::vector<float> numbers(static_cast<std::size_t>(tensor.size()), value);
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(numbers.data());
    tensor.bytes.assign(bytes, bytes + 4 * numbers.size());
    return tensor;
}

/// A layer of embed_dim 6 under the article's names.
QString writeLayer(const QTemporaryDir& folder, const char* name, std::map<std::string, std::string> metadata,
                   std::optional<Shape> x = std::nullopt) {
    TensorFile file;
    file.tensors = {{"qkv_proj.weight", floats({18, 6}, 0.5F)}, {"out_proj.weight", floats({6, 6}, 0.5F)}};
    if (x) file.tensors.emplace_back("x", floats(*x, 1));
    file.metadata = std::move(metadata);
    const auto bytes = encode_safetensors(file);
    return writeFile(folder, name,
                     QByteArray(reinterpret_cast<const char*>(bytes.data()), static_cast<qsizetype>(bytes.size())));
}

/// Sets the memory that may be had, and takes it back.
struct MemoryLimit {
    explicit MemoryLimit(std::uint64_t bytes) { set_memory_limit_for_tests(bytes); }
    ~MemoryLimit() { set_memory_limit_for_tests(0); }
};

}  // namespace

class TestDraft : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theFirstStart() {
        const Reading reading = readDraft(Draft());
        QVERIFY2(reading.request, qPrintable(problemsOf(reading)));
        const Request& request = *reading.request;
        QCOMPARE(request.batch.size(), 2);
        QCOMPARE(request.batch.sequence_length(), 10);
        QVERIFY(!request.batch.is_real(1, 3) && request.batch.is_real(1, 2));
        QCOMPARE(request.batch.tokens[1][2], "ran");
        QCOMPARE(request.batch.tokens[1][3], kPad);
        QCOMPARE(request.embed_dim, 512);
        QCOMPARE(request.num_heads, 8);
        QCOMPARE(request.source, WeightSource::Textbook);
        QCOMPARE(request.seed, 0U);
        QVERIFY(request.mask.empty());
        QCOMPARE(request.fill, Fill::Safe);
        QVERIFY(!request.scale);
        QCOMPARE(request.precision, Precision::Float32);
        QCOMPARE(request.chunk_size, std::optional<std::int64_t>(256));
        QVERIFY(!request.key_chunk_size);
        QVERIFY(!reading.file);
    }

    void everyFieldHasANameAndAnOption() {
        QStringList seen;
        for (int i = 0; i < static_cast<int>(Field::Count); ++i) {
            QVERIFY(optionName(static_cast<Field>(i)).startsWith(QStringLiteral("--")));
            QVERIFY(!fieldLabel(static_cast<Field>(i)).isEmpty());
            seen << optionName(static_cast<Field>(i)) << fieldLabel(static_cast<Field>(i));
        }
        QCOMPARE(seen.removeDuplicates(), 0);
        QCOMPARE(optionName(Field::Text), QStringLiteral("--tokens"));
        QCOMPARE(optionName(Field::EmbedDim), QStringLiteral("--embed-dim"));
        QCOMPARE(optionName(Field::KeyChunkSize), QStringLiteral("--key-chunk-size"));
    }

    void legalValues() {
        const auto request = [](Field field, const char* value) {
            const Reading reading = readDraft(with(field, utf8(value)));
            if (!reading.request) qWarning("%s", qPrintable(problemsOf(reading)));
            return reading.request.value_or(Request{});
        };
        QCOMPARE(request(Field::EmbedDim, "4096").embed_dim, 4096);
        QCOMPARE(request(Field::EmbedDim, " 0064 ").embed_dim, 64);
        QCOMPARE(request(Field::NumHeads, "1").num_heads, 1);
        QCOMPARE(request(Field::NumHeads, "512").num_heads, 512);
        QCOMPARE(request(Field::Weights, "seed").source, WeightSource::Seed);
        QCOMPARE(request(Field::Seed, "18446744073709551615").seed, ~0ULL);
        QCOMPARE(request(Field::Fill, "1e9").fill, Fill::MinusBillion);
        QCOMPARE(request(Field::Precision, "bfloat16").precision, Precision::BFloat16);
        QCOMPARE(request(Field::Scale, "0.125").scale, std::optional(0.125));
        QCOMPARE(request(Field::Scale, "-1e-3").scale, std::optional(-1e-3));
        QCOMPARE(request(Field::Scale, "0").scale, std::optional(0.0));
        QCOMPARE(request(Field::ChunkSize, "whole").chunk_size, std::optional<std::int64_t>());
        QCOMPARE(request(Field::ChunkSize, "1").chunk_size, std::optional<std::int64_t>(1));
        QCOMPARE(request(Field::KeyChunkSize, "9223372036854775807").key_chunk_size,
                 std::optional<std::int64_t>(9223372036854775807));
        QCOMPARE(to_string(request(Field::Mask, "causal,local:4:0+global:1").mask), "causal,local:4:0+global:1");
        QVERIFY(request(Field::Mask, "none").mask.empty());
        QCOMPARE(request(Field::Tokenizer, "characters").batch.sequence_length(), 43);
        QCOMPARE(request(Field::Text, "one").batch.size(), 1);
        QCOMPARE(request(Field::Text, "a\n\nb\n").batch.size(), 3);
        QVERIFY(readDraft(with(Field::Layout, utf8("blocks"))).request);  // without a file it waits for one
    }

    /// German would read 0,125 and write 1.000; a draft is in the C locale everywhere.
    void anyLocaleReadsTheSame() {
        const QLocale before;
        QLocale::setDefault(QLocale(QLocale::German));
        QCOMPARE(readDraft(with(Field::Scale, utf8("0.125"))).request.value().scale, std::optional(0.125));
        QVERIFY(!readDraft(with(Field::Scale, utf8("0,125"))).request);
        QVERIFY(!readDraft(with(Field::EmbedDim, utf8("1.024"))).request);
        QLocale::setDefault(before);
    }

    void illegalValues_data() {
        QTest::addColumn<Field>("field");
        QTest::addColumn<QString>("value");
        QTest::addColumn<ErrorCode>("code");
        QTest::addColumn<QStringList>("says");  // what was wrong and what would be right
        const auto row = [](Field field, const QString& value, ErrorCode code,
                            std::initializer_list<const char*> says) {
            QStringList words;
            for (const char* word : says) words.append(utf8(word));
            const QString name =
                optionName(field) + u' ' + QString::fromLatin1(value.left(30).toUtf8().toPercentEncoding(" :,+"));
            QTest::newRow(qPrintable(name)) << field << value << code << words;
        };
        const auto value = ErrorCode::InvalidValue, pair = ErrorCode::InvalidPair, mask = ErrorCode::InvalidMask;

        for (const char* text : {"abc", "-8", "0", "5.0", "1e3", "+5", "5 12", "0x200", "５１２", "1048577", "512px",
                                 "99999999999999999999999999", "18446744073709551616"}) {
            row(Field::EmbedDim, utf8(text), value, {"embed_dim", text, "whole number from 1 to 1048576"});
            row(Field::NumHeads, utf8(text), value, {"num_heads", text, "whole number from 1 to"});
        }
        for (const Field field : {Field::EmbedDim, Field::NumHeads, Field::Seed})
            row(field, utf8(" "), value, {"is empty", "whole number from"});
        for (const char* text : {"-1", "18446744073709551616", "1.5", "seed", "+1"})
            row(Field::Seed, utf8(text), value, {"seed", text, "from 0 to 18446744073709551615"});
        for (const char* text : {"0", "-1", "half", "", "Whole", "1.5", "9223372036854775808"}) {
            row(Field::ChunkSize, utf8(text), value, {"chunk size", text, "'whole'", "at least 1"});
            row(Field::KeyChunkSize, utf8(text), value, {"key chunk size", text, "'whole'", "at least 1"});
        }
        for (const char* text : {"", "big", "nan", "inf", "-inf", "1/8", "0,5", "1e999", "auto 1", "0x10"})
            row(Field::Scale, utf8(text), value, {"scale", text, "'auto'", "0.125"});
        row(Field::Fill, utf8("zero"), value, {"fill", "zero", "safe", "inf", "1e9"});
        row(Field::Precision, utf8("fp8"), value, {"precision", "fp8", "float32", "bfloat16"});
        row(Field::Precision, QString(), value, {"precision", "float32"});
        row(Field::Layout, utf8("mixed"), value,
            {"layout", "mixed", "interleaved", "blocks", "transposed", "separate"});
        row(Field::Tokenizer, utf8("bpe"), value, {"tokenizer", "bpe", "space", "words", "characters"});
        row(Field::Weights, QString(), value, {"weights", "textbook", "seed", "safetensors"});
        row(Field::Weights, utf8("/no/such.safetensors"), ErrorCode::FileMissing, {"/no/such.safetensors"});

        row(Field::NumHeads, utf8("7"), pair, {"7", "512", "8"});
        row(Field::NumHeads, utf8("513"), pair, {"513", "512"});
        row(Field::NumHeads, utf8("1024"), pair, {"1024", "512"});

        for (const char* text : {"causl", "local:-1:0", "local:1", "local:1:2:3", "local:a:b", "strided:0", "block:0",
                                 "global:x", "dilated:1:1:0", "causal,,padding", "causal+", ",", "causal;padding",
                                 "file:", "none,causal", "local:99999999999999999999:0"})
            row(Field::Mask, utf8(text), mask, {"mask", text});
        row(Field::Mask, utf8("file:/no/such.npy"), ErrorCode::FileMissing, {"/no/such.npy"});

        for (const char* text : {"", "\n", " \n\t\n\u3000", "\r\n"})
            row(Field::Text, utf8(text), ErrorCode::NoTokens, {"no token", "at least one"});
    }
    void illegalValues() {
        QFETCH(Field, field);
        QFETCH(QString, value);
        QFETCH(ErrorCode, code);
        QFETCH(QStringList, says);
        const Reading reading = readDraft(with(field, value));
        QVERIFY(!reading.request);
        QCOMPARE(reading.problems.size(), 1);
        QCOMPARE(reading.problems[0].field, field);
        const QString text = sentence(reading.problems[0].error);
        QVERIFY2(reading.problems[0].error.code == code, qPrintable(text));
        for (const QString& word : says) QVERIFY2(text.contains(word), qPrintable(text));
        QVERIFY(reading.problem(field));
        QVERIFY(!reading.problem(field == Field::Fill ? Field::Seed : Field::Fill));
    }

    void everyProblemAtOnceInTheOrderOfTheFields() {
        Draft draft;
        for (int i = 0; i < static_cast<int>(Field::Count); ++i) draft.set(static_cast<Field>(i), QStringLiteral("?!"));
        draft.set(Field::Text, QString());
        draft.set(Field::Tokenizer, QStringLiteral("space"));
        draft.set(Field::Weights, QStringLiteral("seed"));
        const Reading reading = readDraft(draft);
        QVERIFY(!reading.request);
        QList<Field> fields;
        for (const Problem& problem : reading.problems) fields.append(problem.field);
        QCOMPARE(fields,
                 QList<Field>({Field::Text, Field::EmbedDim, Field::NumHeads, Field::Layout, Field::Seed, Field::Mask,
                               Field::Fill, Field::Scale, Field::Precision, Field::ChunkSize, Field::KeyChunkSize}));
    }

    /// An embed_dim that is wrong by itself is not held against num_heads as well.
    void onlyTheWrongOneOfAPairIsAnswered() {
        const Reading reading = readDraft(with(Field::EmbedDim, utf8("ten")));
        QCOMPARE(reading.problems.size(), 1);
        const Reading clash = readDraft(with(Field::EmbedDim, utf8("10")));
        QCOMPARE(clash.problems.size(), 1);
        QCOMPARE(clash.problems[0].field, Field::NumHeads);
        QVERIFY(sentence(clash.problems[0].error).contains(QStringLiteral("10")));
    }

    void sentencesAreOneShortLine() {
        const QString monster = QStringLiteral("a\nb\x1b[31m{}{0}%1 ").repeated(20000);
        for (const Field field :
             {Field::EmbedDim, Field::Mask, Field::Seed, Field::Scale, Field::Fill, Field::Weights}) {
            const Reading reading = readDraft(with(field, monster));
            QCOMPARE(reading.problems.size(), 1);
            const QString text = sentence(reading.problems[0].error);
            QVERIFY(!text.contains(u'\n') && !text.contains(QChar(0x1b)));
            QVERIFY2(text.size() < 1500, qPrintable(QString::number(text.size())));
        }
    }

    void longTexts() {
        QCOMPARE(readDraft(with(Field::Text, QString(100000, u'x'))).request.value().batch.sequence_length(), 1);
        const MemoryLimit plenty(std::uint64_t{1} << 50);
        const QString line = QStringLiteral("ab cd efg ").repeated(1000);
        QCOMPARE(line.size(), 10000);
        QCOMPARE(readDraft(with(Field::Text, line)).request.value().batch.sequence_length(), 3000);
        QCOMPARE(readDraft(with(Field::Text, QStringLiteral("a\n").repeated(512))).request.value().batch.size(), 512);
    }

    void whatDoesNotFitIsAnsweredWhereItIsToBlame() {
        const auto blamed = [](Field field, const QString& value) -> QString {
            const Reading reading = readDraft(with(field, value));
            if (reading.problems.size() != 1 || reading.problems[0].error.code != ErrorCode::OutOfMemory)
                return QStringLiteral("not out of memory: ") + problemsOf(reading);
            const QString text = sentence(reading.problems[0].error);
            if (!text.contains(QStringLiteral("100 MB"))) return QStringLiteral("no figure: ") + text;
            return optionName(reading.problems[0].field);
        };
        const MemoryLimit limit(100'000'000);
        QVERIFY(readDraft(Draft()).request);
        QCOMPARE(blamed(Field::EmbedDim, QStringLiteral("1048576")), QStringLiteral("--embed-dim"));
        QCOMPARE(blamed(Field::EmbedDim, QStringLiteral("8192")), QStringLiteral("--embed-dim"));
        QCOMPARE(blamed(Field::Text, QStringLiteral("a ").repeated(5000)), QStringLiteral("--tokens"));
    }

    /// Ten thousand lines of which one has ten thousand tokens are 10^8 tokens when padded: refused before they are
    /// made.
    void paddingIsRefusedBeforeItIsMade() {
        const MemoryLimit limit(1'000'000'000);
        const QString text = QStringLiteral("a\n").repeated(10000) + QStringLiteral("a ").repeated(10000);
        const Reading reading = readDraft(with(Field::Text, text));
        QCOMPARE(reading.problems.size(), 1);
        QCOMPARE(reading.problems[0].field, Field::Text);
        QCOMPARE(reading.problems[0].error.code, ErrorCode::OutOfMemory);
        QVERIFY2(sentence(reading.problems[0].error).contains(QStringLiteral("GB")), qPrintable(problemsOf(reading)));
    }

    /// A new mask keeps what was computed, so it fits where a new start would not.
    void whatIsShownTakesNoMemoryAgain() {
        const Draft draft = with(Field::Text, QStringLiteral("a ").repeated(200));
        const Request shown = readDraft(draft).request.value();
        Draft masked = draft;
        masked.set(Field::Mask, QStringLiteral("causal"));
        const MemoryLimit limit(8'000'000);
        QVERIFY(readDraft(masked).problem(Field::Text));
        FileStore files(FileStore::Mode::AtOnce);
        const Reading reading = readDraft(masked, files, &shown);
        QVERIFY2(reading.request, qPrintable(problemsOf(reading)));
    }

    void weightsFileBringsItsSizes() {
        const Draft draft = withWeights(Draft(), reference("nn_multihead_attention_padding"));
        QVERIFY(usesWeightsFile(draft));
        QCOMPARE(draft.value(Field::EmbedDim), QString());
        QCOMPARE(draft.value(Field::NumHeads), QString());
        const Reading reading = readDraft(draft);
        QVERIFY2(reading.request, qPrintable(problemsOf(reading)));
        QCOMPARE(reading.request->source, WeightSource::File);
        QCOMPARE(reading.request->file, reading.file);
        QCOMPARE(reading.file->layout, Layout::Blocks);
        QCOMPARE(reading.request->embed_dim, 32);
        QCOMPARE(reading.request->num_heads, 4);
        QCOMPARE(reading.request->batch, reading.file->batch);  // x, not the typed tokens
        QCOMPARE(reading.request->batch.size(), 2);
        QCOMPARE(reading.request->batch.sequence_length(), 7);
        QCOMPARE(to_string(reading.request->mask), "padding");  // of the metadata
    }

    void optionsGoBeforeTheFilesMetadata() {
        Draft draft = withWeights(Draft(), reference("nn_multihead_attention_padding"));
        draft.set(Field::Mask, QStringLiteral("none"));
        draft.set(Field::NumHeads, QStringLiteral("8"));
        draft.set(Field::EmbedDim, QStringLiteral("32"));
        draft.set(Field::Layout, QStringLiteral("interleaved"));
        draft.set(Field::Text, QString());  // not asked for: the file holds an x
        const Reading reading = readDraft(draft);
        QVERIFY2(reading.request, qPrintable(problemsOf(reading)));
        QVERIFY(reading.request->mask.empty());
        QCOMPARE(reading.request->num_heads, 8);
        QCOMPARE(reading.file->layout, Layout::Interleaved);
    }

    void whatContradictsTheFileIsRefused() {
        Draft draft = withWeights(Draft(), reference("nn_multihead_attention_padding"));
        draft.set(Field::EmbedDim, QStringLiteral("64"));
        draft.set(Field::NumHeads, QStringLiteral("5"));
        const Reading reading = readDraft(draft);
        QCOMPARE(reading.problems.size(), 1);
        QCOMPARE(reading.problems[0].field, Field::EmbedDim);
        QCOMPARE(reading.problems[0].error.code, ErrorCode::InvalidPair);
        const QString text = sentence(reading.problems[0].error);
        for (const char* word : {"64", "32", "nn_multihead_attention_padding.safetensors"})
            QVERIFY2(text.contains(utf8(word)), qPrintable(text));

        draft.set(Field::EmbedDim, QString());
        const Reading pair = readDraft(draft);
        QCOMPARE(pair.problems.size(), 1);
        QCOMPARE(pair.problems[0].field, Field::NumHeads);
        QCOMPARE(pair.problems[0].error.code, ErrorCode::InvalidPair);
    }

    void aFileWithoutNumHeadsAsksForIt() {
        const QTemporaryDir folder;
        Draft draft = withWeights(Draft(), writeLayer(folder, "bare.safetensors", {}));
        const Reading reading = readDraft(draft);
        QCOMPARE(reading.problems.size(), 1);
        QCOMPARE(reading.problems[0].field, Field::NumHeads);
        const QString text = sentence(reading.problems[0].error);
        for (const char* word : {"bare.safetensors", "num_heads", "6", "1, 2, 3, 6"})
            QVERIFY2(text.contains(utf8(word)), qPrintable(text));
        QVERIFY(reading.file);  // so that the window can say what it holds

        draft.set(Field::NumHeads, QStringLiteral("3"));
        const Reading given = readDraft(draft);
        QVERIFY2(given.request, qPrintable(problemsOf(given)));
        QCOMPARE(given.request->embed_dim, 6);
        QCOMPARE(given.request->batch.size(), 2);  // no x: the typed tokens
        QCOMPARE(given.request->batch.tokens[1][0], "a");
    }

    void aFilesMaskThatCannotBeMeant() {
        const QTemporaryDir folder;
        const QString path = writeLayer(folder, "odd.safetensors", {{"num_heads", "2"}, {"mask", "custom"}});
        Draft draft = withWeights(Draft(), path);
        const Reading reading = readDraft(draft);
        QCOMPARE(reading.problems.size(), 1);
        QCOMPARE(reading.problems[0].field, Field::Mask);
        const QString text = sentence(reading.problems[0].error);
        QVERIFY2(text.contains(QStringLiteral("custom")) && text.contains(path), qPrintable(text));
        draft.set(Field::Mask, QStringLiteral("causal"));
        QVERIFY(readDraft(draft).request);
    }

    void damagedWeightsFiles() {
        const QTemporaryDir folder;
        QFile good(reference("nn_multihead_attention_none"));
        QVERIFY(good.open(QIODevice::ReadOnly));
        const QByteArray bytes = good.readAll();
        const QByteArray shape("[96, 32]"), type("\"in_proj_weight\": {\"dtype\": \"F64\"");
        QVERIFY(bytes.contains(shape) && bytes.contains(type));
        const QStringList paths = {
            writeFile(folder, "cut.safetensors", bytes.left(bytes.size() / 2)),
            writeFile(folder, "head.safetensors", bytes.left(4)),
            writeFile(folder, "empty.safetensors", QByteArray()),
            writeFile(folder, "text.safetensors", QByteArray("not a layer at all")),
            writeFile(folder, "shape.safetensors", QByteArray(bytes).replace(shape, "[32, 96]")),
            writeFile(folder, "type.safetensors",
                      QByteArray(bytes).replace(type, QByteArray(type).replace("F64", "I64"))),
            folder.path(),
            folder.filePath(QStringLiteral("missing.safetensors")),
            reference("seed_7_e8_h8"),  // results, but no layer
        };
        for (const QString& path : paths) {
            const Reading reading = readDraft(withWeights(Draft(), path));
            QVERIFY2(!reading.request && !reading.file, qPrintable(path));
            QCOMPARE(reading.problems.size(), 1);
            QCOMPARE(reading.problems[0].field, Field::Weights);
            QVERIFY2(sentence(reading.problems[0].error).contains(path), qPrintable(problemsOf(reading)));
        }
    }

    void aFileInUseIsReadOnceUnlessItChanged() {
        const QTemporaryDir folder;
        FileStore files(FileStore::Mode::AtOnce);
        const QString path = writeLayer(folder, "a.safetensors", {{"num_heads", "2"}});
        Draft draft = withWeights(Draft(), path);
        const Reading first = readDraft(draft, files);
        QVERIFY(first.file);
        draft.set(Field::Mask, QStringLiteral("causal"));
        QCOMPARE(readDraft(draft, files).file, first.file);
        writeLayer(folder, "a.safetensors", {{"num_heads", "3"}, {"more", "than before"}});
        const Reading second = readDraft(draft, files);
        QVERIFY(second.file != first.file);
        QCOMPARE(second.request.value().num_heads, 3);
        draft.set(Field::Layout, QStringLiteral("blocks"));
        const Reading third = readDraft(draft, files);
        QVERIFY(third.file != second.file);
        QCOMPARE(third.file->layout, Layout::Blocks);
        QVERIFY(QFile::remove(path));
        QVERIFY(readDraft(draft, files).problem(Field::Weights));
    }

    void otherWeightsTakeTheirSizesAlong() {
        Draft draft = with(Field::EmbedDim, QStringLiteral("96"));
        draft.set(Field::NumHeads, QStringLiteral("12"));
        QCOMPARE(withWeights(draft, QStringLiteral("seed")).value(Field::EmbedDim), QStringLiteral("96"));
        Draft file = withWeights(draft, QStringLiteral("a.safetensors"));
        file.set(Field::NumHeads, QStringLiteral("4"));
        file.set(Field::Layout, QStringLiteral("blocks"));
        QCOMPARE(withWeights(file, QStringLiteral("a.safetensors")), file);  // chosen again: what was typed stays
        QCOMPARE(withWeights(file, QStringLiteral("b.safetensors")).value(Field::NumHeads), QString());
        QCOMPARE(withWeights(file, QStringLiteral("b.safetensors")).value(Field::Layout), QString());
        const Draft back = withWeights(file, QStringLiteral("textbook"));
        QCOMPARE(back.value(Field::EmbedDim), QStringLiteral("512"));
        QCOMPARE(back.value(Field::NumHeads), QStringLiteral("8"));
        QCOMPARE(back.value(Field::Layout), QString());
    }

    /// Of several layers the first that can be computed is read, or the chosen one; what is wrong with a layer belongs
    /// to the choice.
    void layersOfAModel() {
        const QTemporaryDir folder;
        Draft draft = withWeights(Draft(), writeModel(folder, QStringLiteral("gpt")));
        const auto read = [&](const char* layer) {
            draft.set(Field::Layer, utf8(layer));
            return readDraft(draft);
        };
        const Reading first = read("");
        QVERIFY2(first.request, qPrintable(problemsOf(first)));
        QCOMPARE(first.layers->size(), std::size_t(3));
        QVERIFY(first.layer == std::size_t(0) && first.file->title == "h.0.attn");
        QCOMPARE(to_string(first.request->mask), "causal");  // of the config
        for (const char* layer : {"2", "h.2.attn", "h.2.attn."}) {
            const Reading reading = read(layer);
            QVERIFY2(reading.request, qPrintable(problemsOf(reading)));
            QVERIFY(reading.layer == std::size_t(2) && reading.request->file->title == "h.2.attn");
        }
        const Reading refused = read("1");
        QVERIFY(!refused.request && refused.layers && refused.layer == std::size_t(1));
        QVERIFY(sentence(refused.problem(Field::Layer)->error).contains(QStringLiteral("h.1.attn.q_norm.weight")));
        for (const char* layer : {"3", "-1", "h", "h.3.attn"}) {
            const Reading reading = read(layer);
            QVERIFY2(!reading.layer && reading.problem(Field::Layer), layer);
            QVERIFY(sentence(reading.problem(Field::Layer)->error).contains(QStringLiteral("2 (h.2.attn)")));
        }
        QCOMPARE(withWeights(draft, QStringLiteral("textbook")).value(Field::Layer), QString());
        const Reading one = readDraft(withWeights(Draft(), reference("nn_multihead_attention_padding")));
        QVERIFY(one.layers->size() == 1 && !one.layer);
    }

    void maskFiles() {
        const QTemporaryDir folder;
        FileStore files(FileStore::Mode::AtOnce);
        const QString path = writeFile(folder, "m, 1+2.csv", "1,0,0\n1,1,0\n0,1,1\n");
        const QString mask = QStringLiteral("causal,file:") +
                             QString(path).replace(u',', QStringLiteral("\\,")).replace(u'+', QStringLiteral("\\+"));
        Draft draft = with(Field::Mask, mask);
        draft.set(Field::Text, QStringLiteral("a b c\nd"));
        const Reading reading = readDraft(draft, files);
        QVERIFY2(reading.request, qPrintable(problemsOf(reading)));
        const auto painted = reading.request->mask.mask(0).layers[1][0].painted;
        QVERIFY(painted && painted->size == 3);
        draft.set(Field::Text, QStringLiteral("d\na b x"));
        QCOMPARE(readDraft(draft, files).request.value().mask.mask(0).layers[1][0].painted, painted);  // not read again

        draft.set(Field::Text, QStringLiteral("a b c d\nd"));
        const Reading other = readDraft(draft);
        QCOMPARE(other.problems.size(), 1);
        QCOMPARE(other.problems[0].field, Field::Mask);
        QCOMPARE(other.problems[0].error.code, ErrorCode::InvalidMask);
        const QString text = sentence(other.problems[0].error);
        for (const char* word : {"3x3", "4x4", "m, 1+2.csv"}) QVERIFY2(text.contains(utf8(word)), qPrintable(text));

        for (const char* bad : {"", "1,0\n1\n", "1,2\n0,1\n", "1,0,1\n1,1,1\n", "a,b\nc,d\n"}) {
            writeFile(folder, "bad.csv", bad);
            const Reading refused =
                readDraft(with(Field::Mask, QStringLiteral("file:") + folder.filePath(QStringLiteral("bad.csv"))));
            QCOMPARE(refused.problems.size(), 1);
            QCOMPARE(refused.problems[0].field, Field::Mask);
            QVERIFY2(sentence(refused.problems[0].error).contains(QStringLiteral("bad.csv")),
                     qPrintable(problemsOf(refused)));
        }
    }
};

QTEST_GUILESS_MAIN(TestDraft)
#include "tst_draft.moc"
