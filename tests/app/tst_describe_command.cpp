// SPDX-License-Identifier: GPL-3.0-or-later
// headscope --describe, as a person or a script runs it.
#include <QTemporaryDir>
#include <nlohmann/json.hpp>

#include "core/files/safetensors_file.h"
#include "program.h"

using namespace headscope;

class TestDescribeCommand : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;

    Outcome run(const QList<QByteArray>& arguments) const { return runProgram(folder_.path(), arguments); }

private Q_SLOTS:
    /// Two layers in a model's folder, with its settings.
    void initTestCase() {
        TensorFile file;
        const auto add = [&](const std::string& name, const Shape& shape) {
            Tensor tensor(Tensor::Type::Float32, shape);
            for (std::int64_t n = 0; n < tensor.size(); ++n) tensor.data<float>()[n] = static_cast<float>(n);
            file.tensors.emplace_back(name, FileTensor::from(tensor));
        };
        for (const std::string layer : {"h.0.attn.", "h.1.attn."}) {
            add(layer + "c_attn.weight", {8, 24});
            add(layer + "c_proj.weight", {8, 8});
        }
        const auto bytes = encode_safetensors(file);
        QFile model(folder_.filePath(QStringLiteral("model.safetensors")));
        QVERIFY(model.open(QIODevice::WriteOnly));
        model.write(reinterpret_cast<const char*>(bytes.data()), qint64(bytes.size()));
        QFile config(folder_.filePath(QStringLiteral("config.json")));
        QVERIFY(config.open(QIODevice::WriteOnly));
        config.write(R"({"model_type": "gpt2", "n_embd": 8, "n_head": 2, "n_layer": 2})");
    }

    void asText() {
        for (const QByteArray& file : {QByteArray("."), QByteArray("model.safetensors")}) {
            const Outcome outcome = run({"--describe", file});
            QVERIFY2(outcome.status == 0 && outcome.error.isEmpty(), outcome.said());
            for (const char* line : {": 1 safetensors file, ", "config.json: gpt2, layers 2, embed_dim 8, heads 2\n",
                                     "attention layers: 2\n",
                                     "1  h.1.attn  GPT-2, transposed, embed_dim 8, 2 heads, "
                                     "head_dim 4, F32\n",
                                     "  0, 1: c_attn.weight: columns are [Q K V] blocks, as in GPT-2 (by its name)\n"})
                QVERIFY2(outcome.out.contains(line), outcome.said(line));
        }
    }

    void asJson() {
        const Outcome outcome = run({"--describe", ".", "--json"});
        QVERIFY2(outcome.status == 0 && outcome.error.isEmpty() && outcome.out.count('\n') == 1, outcome.said());
        const auto object = nlohmann::json::parse(outcome.out.toStdString());
        QVERIFY(object["layers"].size() == 2 && object["layers"][1]["layout"] == "transposed");
    }

    void oneLayer() {
        for (const QByteArray& layer : {QByteArray("1"), QByteArray("h.1.attn")}) {
            const Outcome outcome = run({"--describe", ".", "--layer", layer});
            QVERIFY2(outcome.status == 0 && outcome.out.contains("h.1.attn  GPT-2"), outcome.said());
            QVERIFY2(!outcome.out.contains("h.0.attn"), outcome.said());
        }
    }

    /// What is written says which layer it is of; without a choice nothing is.
    void anExportChoosesItsLayer() {
        for (const QByteArray& layer : {QByteArray("1"), QByteArray("h.1.attn")}) {
            const Outcome outcome = run({"export", "a.json", "--weights", ".", "--layer", layer});
            QVERIFY2(outcome.status == 0, outcome.said());
            const auto object =
                nlohmann::json::parse(contents(folder_.filePath(QStringLiteral("a.json"))).toStdString());
            QCOMPARE(object["config"]["layer"].get<std::string>(), "h.1.attn");
        }
        const QList<std::pair<QList<QByteArray>, QByteArray>> wrong = {
            {{}, "--layer: . holds 2 attention layers, from 0 (h.0.attn) to 1 (h.1.attn); give one of them"},
            {{"--layer", "2"}, "--layer: layer is '2'; the layers of . are numbered from 0 (h.0.attn) to 1 (h.1.attn)"},
            {{"--layer", "--seed"}, "--layer: the value is missing"}};
        for (const auto& [options, part] : wrong) {
            const Outcome outcome = run(QList<QByteArray>{"export", "b.json", "--weights", "."} + options);
            QVERIFY2(outcome.status == 2 && outcome.isOneErrorLine() && outcome.error.contains(part),
                     outcome.said(part));
            QVERIFY(!QFile::exists(folder_.filePath(QStringLiteral("b.json"))));
        }
    }

    void whatIsWrongIsOneLine() {
        const QList<std::pair<QList<QByteArray>, int>> wrong = {{{"--describe", "nowhere"}, 1},
                                                                {{"--describe", "config.json"}, 1},
                                                                {{"--describe", ".", "--layer", "2"}, 2},
                                                                {{"--describe", ".", "another"}, 2},
                                                                {{"--describe"}, 2},
                                                                {{"--json"}, 2},
                                                                {{"--layer", "1"}, 2}};
        for (const auto& [arguments, status] : wrong) {
            const Outcome outcome = run(arguments);
            QVERIFY2(outcome.status == status && outcome.isOneErrorLine(), outcome.said(arguments.last()));
        }
    }
};

QTEST_GUILESS_MAIN(TestDescribeCommand)
#include "tst_describe_command.moc"
