// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/tables.h"

#include <QTemporaryDir>
#include <QTest>
#include <charconv>
#include <clocale>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/attention/compute.h"
#include "core/attention/row_reader.h"
#include "core/base/memory.h"
#include "core/files/npz_file.h"
#include "core/files/safetensors_file.h"
#include "figure_support.h"
#include "tests/support.h"

using namespace headscope;
using headscope::testing::same;
using Json = nlohmann::json;

Q_DECLARE_METATYPE(headscope::Stage)

namespace {

const QString kText = QStringLiteral("a,b \"q\" plain [PAD]\nx");

/// RFC 4180, strictly: rows end in CR LF, quotes are doubled. An empty list where the text breaks the rules.
QList<QStringList> parseCsv(const QByteArray& bytes) {
    QList<QStringList> rows;
    QStringList row;
    const QString text = QString::fromUtf8(bytes);
    for (qsizetype at = 0; at < text.size();) {
        QString field;
        if (text[at] == u'"') {
            for (++at;; ++at) {
                if (at >= text.size()) return {};
                if (text[at] != u'"') {
                    field += text[at];
                } else if (at + 1 < text.size() && text[at + 1] == u'"') {
                    field += text[++at];
                } else {
                    ++at;
                    break;
                }
            }
        } else {
            while (at < text.size() && text[at] != u',' && text[at] != u'\r') {
                if (text[at] == u'"' || text[at] == u'\n') return {};
                field += text[at++];
            }
        }
        row += field;
        if (at < text.size() && text[at] == u',') {
            ++at;
        } else if (text.mid(at, 2) == u"\r\n") {
            at += 2;
            rows += row;
            row.clear();
        } else {
            return {};
        }
    }
    return rows;
}

double read(const QString& text) {
    return text == u"NaN"         ? std::numeric_limits<double>::quiet_NaN()
           : text == u"Infinity"  ? std::numeric_limits<double>::infinity()
           : text == u"-Infinity" ? -std::numeric_limits<double>::infinity()
                                  : text.toDouble();
}

double read(const Json& value) {
    return value.is_string() ? read(QString::fromStdString(value.get<std::string>())) : value.get<double>();
}

}  // namespace

class TestTables : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        QVERIFY(folder_.isValid());
        std::setlocale(LC_ALL, "de_DE.UTF-8");  // where it is installed: files know no locale
    }

    void csvHoldsEveryNumber_data() { stages(); }
    void csvHoldsEveryNumber();
    void jsonHoldsEveryNumber_data() { stages(); }
    void jsonHoldsEveryNumber();
    void numbersAreTheShortest();
    void choicesOutOfRangeAreRefused();
    void sequencesThatWereNotKeptAreComputed();
    void numbersThatAreNotKeptAreStreamed();
    void tablesAreCut();
    void whatWasLetGoIsComputed();
    void dumpHoldsEverything_data();
    void dumpHoldsEverything();
    void dumpOpensAgainAsWeights();
    void configurationSaysEverything();
    void faultsLeaveNoFile();
    void cancelling();
    void scriptBringsItsTensors();

private:
    static void stages();
    QString path(const char* name) const { return folder_.filePath(QString::fromLatin1(name)); }
    QTemporaryDir folder_;
};

void TestTables::stages() {
    QTest::addColumn<Stage>("stage");
    QTest::addColumn<QString>("fill");
    QTest::addColumn<QString>("precision");
    for (const Stage stage : {Stage::Weights, Stage::Scores, Stage::Masked, Stage::Mask, Stage::Q, Stage::V})
        for (const char* fill : {"safe", "inf", "1e9"})
            for (const char* precision : {"float32", "float64", "bfloat16"})
                QTest::addRow("%s, %s, %s", std::string(to_string(stage)).c_str(), fill, precision)
                    << stage << QString::fromLatin1(fill) << QString::fromLatin1(precision);
}

void TestTables::csvHoldsEveryNumber() {
    QFETCH(Stage, stage);
    QFETCH(QString, fill);
    QFETCH(QString, precision);
    const TracePtr trace =
        traceOf(kText, QStringLiteral("causal,padding"), fill, QStringLiteral("8"), QStringLiteral("2"), precision);
    QVERIFY(trace);
    QVERIFY(writeTable(path("a.csv"), *trace, {{}, {}, stage}));
    const QList<QStringList> rows = parseCsv(contents(path("a.csv")));
    const bool keys = is_square(stage);
    const QStringList header = QStringLiteral("sequence,head,query,key,query_token,key_token,value").split(u',');
    const QStringList dim_header = QStringLiteral("sequence,head,query,dim,query_token,value").split(u',');
    QCOMPARE(rows.value(0), keys ? header : dim_header);
    const int heads = stage == Stage::Mask ? 1 : 2, size = 4;
    qsizetype at = 1;
    for (int sequence = 0; sequence < 2; ++sequence) {
        const auto& tokens = trace->batch().tokens[static_cast<std::size_t>(sequence)];
        for (int head = 0; head < heads; ++head) {
            const MatrixView matrix = trace->matrix(stage, sequence, head);
            for (int i = 0; i < size; ++i) {
                for (int j = 0; j < matrix.columns; ++j, ++at) {
                    const QStringList& row = rows.value(at);
                    QCOMPARE(row.size(), keys ? 7 : 6);
                    QCOMPARE(row.mid(0, 4), (QStringList{QString::number(sequence), QString::number(head),
                                                         QString::number(i), QString::number(j)}));
                    QCOMPARE(row[4].toStdString(), tokens[static_cast<std::size_t>(i)]);
                    if (keys) QCOMPARE(row[5].toStdString(), tokens[static_cast<std::size_t>(j)]);
                    // To the last bit: as float where the numbers are floats.
                    const double value = read(row.last());
                    const bool narrow = matrix.type == Tensor::Type::Float32;
                    QVERIFY2(same(narrow ? static_cast<float>(value) : value, matrix.at(i, j)),
                             qPrintable(row.join(u',')));
                }
            }
        }
    }
    QCOMPARE(rows.size(), at);
}

void TestTables::jsonHoldsEveryNumber() {
    QFETCH(Stage, stage);
    QFETCH(QString, fill);
    QFETCH(QString, precision);
    const TracePtr trace =
        traceOf(kText, QStringLiteral("causal,padding"), fill, QStringLiteral("8"), QStringLiteral("2"), precision);
    QVERIFY(trace);
    for (const bool all : {true, false}) {
        const TableChoice choice{all ? std::nullopt : std::optional(1), all ? std::nullopt : std::optional(1), stage};
        QVERIFY(writeTable(path("a.json"), *trace, choice));
        const Json json = Json::parse(contents(path("a.json")).toStdString(), nullptr, false);
        QVERIFY(!json.is_discarded());
        QCOMPARE(json.size(), std::size_t{4});
        QCOMPARE(json.at("stage").get<std::string>(), std::string(to_string(stage)));
        QCOMPARE(json.at("config").at("fill").get<std::string>(), fill.toStdString());
        const Json& data = json.at("data");
        const Json& tokens = json.at("tokens");
        QCOMPARE(data.size(), std::size_t(all ? 2 : 1));
        QCOMPARE(tokens.size(), data.size());
        for (std::size_t s = 0; s < data.size(); ++s) {
            const int sequence = all ? static_cast<int>(s) : 1;
            QCOMPARE(tokens[s].get<std::vector<std::string>>(),
                     trace->batch().tokens[static_cast<std::size_t>(sequence)]);
            QCOMPARE(data[s].size(), std::size_t(all && stage != Stage::Mask ? 2 : 1));
            for (std::size_t h = 0; h < data[s].size(); ++h) {
                const MatrixView matrix = trace->matrix(stage, sequence, all ? static_cast<int>(h) : 1);
                QCOMPARE(data[s][h].size(), static_cast<std::size_t>(matrix.rows));
                for (std::size_t i = 0; i < data[s][h].size(); ++i) {
                    const Json& row = data[s][h][i];
                    QCOMPARE(row.size(), static_cast<std::size_t>(matrix.columns));
                    for (std::size_t j = 0; j < row.size(); ++j) {
                        const double value = read(row[j]);
                        const bool narrow = matrix.type == Tensor::Type::Float32;
                        QVERIFY(same(narrow ? static_cast<float>(value) : value,
                                     matrix.at(static_cast<std::int64_t>(i), static_cast<std::int64_t>(j))));
                    }
                }
            }
        }
    }
}

void TestTables::numbersAreTheShortest() {
    const auto text = [](double value, Tensor::Type type) { return numberText(value, type); };
    using enum Tensor::Type;
    QCOMPARE(text(0.1F, Float32), std::string("0.1"));
    QCOMPARE(text(0.1, Float64), std::string("0.1"));
    QCOMPARE(text(1.0 / 3, Float64), std::string("0.3333333333333333"));
    QCOMPARE(text(1.0F / 3, Float32), std::string("0.33333334"));
    QCOMPARE(text(0, Float32), std::string("0"));
    QCOMPARE(text(-1e9, Float32), std::string("-1e+09"));
    QCOMPARE(text(1e-45, Float32), std::string("1e-45"));
    QCOMPARE(text(5e-324, Float64), std::string("5e-324"));
    QCOMPARE(text(std::numeric_limits<double>::infinity(), Float64), std::string("Infinity"));
    QCOMPARE(text(-std::numeric_limits<double>::infinity(), Float32), std::string("-Infinity"));
    QCOMPARE(text(std::nan(""), Float32), std::string("NaN"));
    std::uint32_t bits = 1;
    for (int i = 0; i < 2000; ++i) {
        bits = bits * 1664525 + 1013904223;
        float value;
        std::memcpy(&value, &bits, 4);
        if (!std::isfinite(value)) continue;
        const std::string shortest = text(value, Float32);
        float back = 0;
        std::from_chars(shortest.data(), shortest.data() + shortest.size(), back);
        QCOMPARE(back, value);
        QVERIFY(shortest.size() <= 15);
    }
}

void TestTables::choicesOutOfRangeAreRefused() {
    const TracePtr trace = traceOf(kText);
    for (const TableChoice& choice : {TableChoice{2, 0, Stage::Weights}, TableChoice{-1, 0, Stage::Weights},
                                      TableChoice{0, 8, Stage::Weights}, TableChoice{0, -1, Stage::Q}}) {
        for (const char* name : {"x.csv", "x.json"}) {
            const auto written = writeTable(path(name), *trace, choice);
            QVERIFY(!written);
            QCOMPARE(written.error().code, ErrorCode::InvalidValue);
            QVERIFY(!QFile::exists(path(name)));
        }
    }
    QCOMPARE(writeTable(path("x.txt"), *trace, {}).error().code, ErrorCode::InvalidValue);
}

/// A batch whose scores would pass 256 MB keeps those of one sequence; another's are computed when they are asked for.
void TestTables::sequencesThatWereNotKeptAreComputed() {
    QString line = QStringLiteral("a b c d ");
    line = line.repeated(1024);
    const TracePtr trace =
        traceOf(line + u'\n' + line.mid(2), QStringLiteral("local:1:0"), {}, QStringLiteral("4"), QStringLiteral("2"));
    QVERIFY(trace);
    QVERIFY(trace->matrix(Stage::Weights, 0, 1));
    QVERIFY(!trace->matrix(Stage::Weights, 1, 1));
    RowReader weights(*trace, Stage::Weights, 1, 1);
    for (const int row : {0, 1, 2000, 4095}) {
        const std::vector<double>& values = weights.row(row);
        const auto at = [&](int key) { return values[static_cast<std::size_t>(key)]; };
        const double sum = at(row) + (row ? at(row - 1) : 0);
        QVERIFY2(std::abs(sum - 1) < 1e-4, qPrintable(QString::number(sum, 'g', 17)));
    }
    FigureStyle style;
    style.all_sequences = true;
    QVERIFY(writeFigure(path("all.png"), *trace, {}, style));
}

/// While the next picture is computed, large scores of this one are gone.
void TestTables::numbersThatAreNotKeptAreStreamed() {
    const TracePtr kept = traceOf(kText, QStringLiteral("causal,padding"), QStringLiteral("safe"));
    QVERIFY(kept);
    Request request = kept->request;
    request.kept_bytes = 0;
    const auto lean = compute(request);
    QVERIFY(lean && !(*lean)->weights);
    for (const char* file : {"a.npz", "a.safetensors"}) {
        QVERIFY(writeTable(path(file), *kept, {}));
        const QString other = QStringLiteral("lean_") + QLatin1String(file);
        QVERIFY(writeTable(path(other.toUtf8().constData()), **lean, {}));
        const auto read = [&](const QString& name) {
            return name.endsWith(u"npz") ? read_npz(name.toStdString()) : read_safetensors(name.toStdString());
        };
        const auto whole = read(path(file)), streamed = read(path(other.toUtf8().constData()));
        QVERIFY(whole && streamed);
        QCOMPARE(streamed->metadata, whole->metadata);
        QCOMPARE(streamed->tensors.size(), whole->tensors.size());
        for (const auto& [name, tensor] : whole->tensors) {
            const FileTensor* same = streamed->find(name);
            QVERIFY2(same && same->shape == tensor.shape && same->dtype == tensor.dtype, name.c_str());
            const auto a = tensor.values(), b = same->values();
            for (std::size_t n = 0; n < a.size(); ++n)
                QVERIFY2(std::abs(a[n] - b[n]) < 1e-4, fmt::format("{} {}: {} {}", name, n, a[n], b[n]).c_str());
        }
    }
    const std::atomic<bool> cancelled = true;
    for (const char* file : {"none.npz", "none.safetensors", "none.csv", "none.json"}) {
        QCOMPARE(writeTable(path(file), **lean, {}, &cancelled).error().code, ErrorCode::Cancelled);
        QVERIFY(!QFile::exists(path(file)));
    }
}

void TestTables::tablesAreCut() {
    const TracePtr trace = traceOf(kText, QStringLiteral("causal"), {});
    QVERIFY(trace);
    TableChoice choice{0, 0, Stage::Weights, {1, 3}, {0, 2}};
    QVERIFY(writeTable(path("cut.csv"), *trace, choice));
    const QList<QStringList> rows = parseCsv(contents(path("cut.csv")));
    QCOMPARE(rows.size(), 5);
    QCOMPARE(rows[1].mid(2, 2), QStringList({QStringLiteral("1"), QStringLiteral("0")}));
    QCOMPARE(rows[4].mid(2, 2), QStringList({QStringLiteral("2"), QStringLiteral("1")}));
    QVERIFY(writeTable(path("cut.json"), *trace, choice));
    const auto json = nlohmann::json::parse(contents(path("cut.json")).toStdString());
    QCOMPARE(json["data"][0][0].size(), std::size_t(2));
    QCOMPARE(json["data"][0][0][0].size(), std::size_t(2));
    QCOMPARE(json["config"]["rows"][1].get<int>(), 3);
    choice.rows = {1, 1000};
    QCOMPARE(writeTable(path("none.csv"), *trace, choice).error().code, ErrorCode::InvalidValue);
}

void TestTables::whatWasLetGoIsComputed() {
    const TracePtr trace = traceOf(QStringLiteral("a b c\nd e"), QStringLiteral("padding,causal"), {});
    QVERIFY(trace);
    const TracePtr lean = without_scores(trace);
    QVERIFY(writeTable(path("whole.npz"), *trace, {}));
    QVERIFY(writeTable(path("lean.npz"), *lean, {}));
    const auto whole = read_npz(path("whole.npz").toStdString()), same = read_npz(path("lean.npz").toStdString());
    QVERIFY(whole && same);
    for (const char* name : {"scores", "weights", "output"})
        QCOMPARE(same->find(name)->bytes, whole->find(name)->bytes);
}

void TestTables::dumpHoldsEverything_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("precision");
    for (const char* file : {"d.npz", "d.safetensors"})
        for (const char* precision : {"float32", "float64", "bfloat16", "float16"})
            QTest::addRow("%s, %s", file, precision) << QString::fromLatin1(file) << QString::fromLatin1(precision);
}

void TestTables::dumpHoldsEverything() {
    QFETCH(QString, file);
    QFETCH(QString, precision);
    const TracePtr trace = traceOf(kText, QStringLiteral("causal,padding"), QStringLiteral("inf"), QStringLiteral("8"),
                                   QStringLiteral("2"), precision);
    QVERIFY(trace);
    const QString place = folder_.filePath(file);
    QVERIFY(writeTable(place, *trace, {1, 1, Stage::Q}));  // whatever is chosen
    const auto dump = file.endsWith(u"npz") ? read_npz(place.toStdString()) : read_safetensors(place.toStdString());
    QVERIFY2(dump, dump ? "" : dump.error().message().c_str());
    const std::string dtype = precision == u"float64" ? "F64" : "F32";
    const std::map<std::string, std::pair<Shape, const Tensor*>> expected{
        {"x", {{2, 4, 8}, trace->x.get()}},
        {"qkv_proj.weight", {{24, 8}, nullptr}},
        {"qkv_proj.bias", {{24}, nullptr}},
        {"out_proj.weight", {{8, 8}, nullptr}},
        {"out_proj.bias", {{8}, nullptr}},
        {"q", {{2, 2, 4, 4}, trace->q.get()}},
        {"k", {{2, 2, 4, 4}, trace->k.get()}},
        {"v", {{2, 2, 4, 4}, trace->v.get()}},
        {"scores", {{2, 2, 4, 4}, trace->scores.get()}},
        {"weights", {{2, 2, 4, 4}, trace->weights.get()}},
        {"context", {{2, 4, 8}, trace->context.get()}},
        {"output", {{2, 4, 8}, trace->output.get()}}};
    QCOMPARE(dump->tensors.size(), expected.size() + 1);
    for (const auto& [name, what] : expected) {
        const FileTensor* tensor = dump->find(name);
        QVERIFY2(tensor, name.c_str());
        QCOMPARE(tensor->shape, what.first);
        QCOMPARE(tensor->dtype, dtype);
        if (!what.second) continue;
        const std::vector<double> values = tensor->values();
        for (std::size_t i = 0; i < values.size(); ++i)
            QVERIFY(same(values[i], what.second->value(static_cast<std::int64_t>(i))));
    }
    const FileTensor* mask = dump->find("mask");
    QVERIFY(mask);
    QCOMPARE(mask->dtype, std::string("U8"));
    QCOMPARE(mask->shape, (Shape{2, 1, 4, 4}));
    for (int b = 0; b < 2; ++b)
        for (int i = 0; i < 4; ++i)
            for (int j = 0; j < 4; ++j)
                QCOMPARE(mask->bytes[static_cast<std::size_t>((b * 4 + i) * 4 + j)] == 1,
                         trace->mask.of(0).allowed(b, i, j));
    const auto part = [&](const char* key) { return Json::parse(dump->metadata.at(key), nullptr, false); };
    QCOMPARE(part("tokens").get<std::vector<std::vector<std::string>>>(), trace->batch().tokens);
    QCOMPARE(part("config").at("precision").get<std::string>(), precision.toStdString());
}

void TestTables::dumpOpensAgainAsWeights() {
    const TracePtr trace = traceOf(kText, QStringLiteral("causal,padding"), QStringLiteral("1e9"), QStringLiteral("24"),
                                   QStringLiteral("3"));
    QVERIFY(writeTable(path("again.safetensors"), *trace, {}));
    Draft draft = withWeights(Draft(), path("again.safetensors"));
    draft.set(Field::Fill, QStringLiteral("1e9"));
    const Reading reading = readDraft(draft);
    QVERIFY2(reading.request, reading.problems.isEmpty() ? "" : reading.problems.first().error.message().c_str());
    QCOMPARE(reading.request->num_heads, 3);
    QCOMPARE(reading.request->batch, trace->batch());
    QVERIFY(reading.request->mask == trace->request.mask);
    const auto again = compute(*reading.request);
    QVERIFY(again);
    for (std::int64_t i = 0; i < trace->output->size(); ++i)
        QCOMPARE((*again)->output->value(i), trace->output->value(i));
}

void TestTables::configurationSaysEverything() {
    Draft draft;
    draft.set(Field::EmbedDim, QStringLiteral("48"));
    draft.set(Field::NumHeads, QStringLiteral("6"));
    draft.set(Field::Weights, QStringLiteral("seed"));
    draft.set(Field::Seed, QStringLiteral("18446744073709551615"));
    draft.set(Field::Mask, QStringLiteral("causal,local:4:0+global:1"));
    draft.set(Field::Fill, QStringLiteral("1e9"));
    draft.set(Field::Scale, QStringLiteral("0.1"));
    draft.set(Field::Precision, QStringLiteral("bfloat16"));
    draft.set(Field::ChunkSize, QStringLiteral("whole"));
    draft.set(Field::KeyChunkSize, QStringLiteral("7"));
    const Json config = Json::parse(configJson(*readDraft(draft).request));
    QVERIFY(config.at("embed_dim") == Json(48));
    QVERIFY(config.at("num_heads") == Json(6));
    QVERIFY(config.at("head_dim") == Json(8));
    QVERIFY(config.at("weights") == Json("seed"));
    QVERIFY(config.at("seed") == Json(18446744073709551615U));
    QVERIFY(config.at("mask") == Json("causal,local:4:0+global:1"));
    QVERIFY(config.at("fill") == Json("1e9"));
    QVERIFY(config.at("scale") == Json(0.1));
    QVERIFY(config.at("precision") == Json("bfloat16"));
    QVERIFY(config.at("chunk_size") == Json("whole"));
    QVERIFY(config.at("key_chunk_size") == Json(7));
}

void TestTables::faultsLeaveNoFile() {
    const TracePtr trace = traceOf(kText);
    for (const char* name : {"no/folder.csv", "no/folder.npz"}) {
        const auto written = writeTable(path(name), *trace, {});
        QVERIFY(!written);
        QCOMPARE(written.error().code, ErrorCode::FileUnwritable);
        QVERIFY(QString::fromStdString(written.error().message()).contains(path(name)));
    }
    QFile old(path("old.npz"));
    QVERIFY(old.open(QIODevice::WriteOnly) && old.write("old") == 3);
    old.close();
    const std::atomic<bool> cancel = true;
    const auto stopped = writeTable(path("old.npz"), *trace, {}, &cancel);
    QVERIFY(!stopped);
    QCOMPARE(stopped.error().code, ErrorCode::Cancelled);
    QCOMPARE(contents(path("old.npz")), QByteArray("old"));
    QVERIFY(writeTable(path("old.npz"), *trace, {}));
    QVERIFY(read_npz(path("old.npz").toStdString()));
}

void TestTables::cancelling() {
    const TracePtr trace = traceOf(kText);
    const std::atomic<bool> cancel = true;
    for (const char* name : {"cancel.csv", "cancel.json"}) {
        const auto written = writeTable(path(name), *trace, {}, &cancel);
        QVERIFY(!written);
        QCOMPARE(written.error().code, ErrorCode::Cancelled);
        QVERIFY(!QFile::exists(path(name)));
    }
}

/// A script and, where no seed gives them, the tensors that it reads: complete, or neither is there.
void TestTables::scriptBringsItsTensors() {
    Draft draft;
    draft.set(Field::NumHeads, QStringLiteral("4"));
    const auto textbook = compute(*readDraft(draft).request);
    draft.set(Field::Weights, QStringLiteral("seed"));
    const auto seeded = compute(*readDraft(draft).request);
    QVERIFY(textbook && seeded);
    const QString script = path("layer.py"), tensors = path("layer.py.npz");

    std::atomic<bool> cancel = true;
    QVERIFY(!writeTable(script, **textbook, {}, &cancel));
    QVERIFY(!QFile::exists(script) && !QFile::exists(tensors));

    QVERIFY(writeTable(script, **seeded, {}));
    QVERIFY(QFile::exists(script) && !QFile::exists(tensors));

    QVERIFY(writeTable(script, **textbook, {}));
    const auto file = read_npz(tensors.toStdString());
    VERIFY_RESULT(file);
    QCOMPARE(file->tensors.size(), std::size_t{6});
    QCOMPARE(file->find("weights")->shape, (Shape{2, 4, 10, 10}));

    QVERIFY(!writeTable(path("no/such/folder/layer.py"), **textbook, {}));
}

QTEST_MAIN(TestTables)
#include "tst_tables.moc"
