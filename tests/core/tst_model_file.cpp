// SPDX-License-Identifier: GPL-3.0-or-later
// Models: folders with a config and shards, of which one layer is read.
#include "core/files/model_file.h"

#include <sys/resource.h>
#include <unistd.h>

#include <ctime>
#include <nlohmann/json.hpp>

#include "core/attention/compute.h"
#include "core/files/description.h"
#include "core/files/layer_file.h"
#include "core/files/npz_file.h"
#include "core/files/record_code.h"
#include "model_layers.h"
#include "support.h"

using namespace headscope;
using namespace headscope::testing;
using nlohmann::json;

namespace {

constexpr std::size_t kE = 12, kHeads = 4;

std::string llama_prefix(int layer) {
    return "model.layers." + std::to_string(layer) + ".self_attn.";
}

SmallLayer llama_layer(int layer) {
    return {kE, kHeads, 2, std::uint32_t(layer + 1), false};
}

Tensors llama_tensors(int layer) {
    return without_biases(llama_layer(layer).separate(llama_prefix(layer), {"q_proj", "k_proj", "v_proj"}, "o_proj"));
}

json llama_config() {
    return {{"architectures", {"LlamaForCausalLM"}},
            {"model_type", "llama"},
            {"hidden_size", kE},
            {"num_attention_heads", kHeads},
            {"num_key_value_heads", 2},
            {"num_hidden_layers", 3},
            {"rope_theta", 10000.0}};
}

std::string sentences(const std::vector<Sentence>& list) {
    std::string all;
    for (const Sentence& said : list) all += said.str() + "; ";
    return all;
}

/// Most memory that the process has had in its life, in bytes.
std::uint64_t peak_memory() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

}  // namespace

class TestModelFile : public QObject {
    Q_OBJECT
    /// A folder of its own for each test.
    std::optional<Scratch> scratch_;

    /// Three layers in two shards; the second layer lies in both.
    std::string write_model(const json& config = llama_config()) const {
        const Tensors second = llama_tensors(1);
        const auto middle = second.begin() + 2;
        const std::vector<Tensors> shards = {joined(llama_tensors(0), Tensors(second.begin(), middle)),
                                             joined(Tensors(middle, second.end()), llama_tensors(2))};
        json map;
        for (std::size_t n = 0; n < shards.size(); ++n) {
            const std::string name = "model-0000" + std::to_string(n + 1) + "-of-00002.safetensors";
            scratch_->write(name, encode_safetensors({shards[n], {{"format", "pt"}}}));
            for (const auto& tensor : shards[n]) map[tensor.first] = name;
        }
        write_index(map);
        if (!config.is_null()) scratch_->write("config.json", config.dump());
        return scratch_->path(".");
    }
    void write_index(const json& map) const {
        scratch_->write("model.safetensors.index.json",
                        json{{"metadata", {{"total_size", 1}}}, {"weight_map", map}}.dump());
    }
    json index() const {
        QFile file(QString::fromStdString(scratch_->path("model.safetensors.index.json")));
        file.open(QIODevice::ReadOnly);
        return json::parse(file.readAll().toStdString())["weight_map"];
    }

    static QString differs_from(const SmallLayer& layer, const Result<LayerFilePtr>& file) {
        if (!file) return QString::fromStdString(file.error().message());
        const auto read = layer_from_file(**file, kHeads);
        if (!read) return QString::fromStdString(read.error().message());
        std::vector<double> rows;
        // Each key/value head is repeated for the query heads that share it.
        for (std::size_t head = 0; head < kHeads; ++head)
            for (const Matrix* part : {&layer.q, &layer.k, &layer.v})
                for (std::size_t i = 0; i < layer.head_dim(); ++i) {
                    const std::size_t shared = part == &layer.q ? head : head / (kHeads / layer.kv_heads);
                    const Row& row = (*part)[shared * layer.head_dim() + i];
                    rows.insert(rows.end(), row.begin(), row.end());
                }
        return differs(read->qkv_weight, rows, 0);
    }

private Q_SLOTS:
    void init() { scratch_.emplace(); }
    void cleanup() { scratch_.reset(); }

    void a_layer_is_found_by_number_and_name() {
        const auto layers = list_layers(write_model());
        VERIFY_RESULT(layers);
        for (const char* choice : {"1", "model.layers.1.self_attn", "model.layers.1.self_attn."})
            QCOMPARE(find_layer(**layers, choice), std::optional(std::size_t(1)));
        for (const char* choice : {"", "3", "-1", "1 ", "1.0", "self_attn", "99999999999999999999"})
            QVERIFY2(!find_layer(**layers, choice), choice);
    }

    void lines_that_record_x() {
        const auto layers = list_layers(write_model());
        VERIFY_RESULT(layers);
        const std::string code = record_code(*(*layers)->at(2).info);
        for (const char* part : {"\"model.layers.2.self_attn.q_proj.weight\",\n", "\"num_heads\": \"4\"",
                                 "\"mask\": \"causal\"", "# Records the input x of model.layers.2.self_attn for"})
            QVERIFY2(code.find(part) != std::string::npos, part);
        QVERIFY(code.find("bias") == std::string::npos);  // the layer has none
        LayerInfo hostile;
        hostile.title = "a\nimport os";
        hostile.path = "m\"\n.safetensors";
        hostile.tensors = {"w\"]\n.weight"};
        const std::string safe = record_code(hostile);
        QVERIFY(safe.find("import os") == std::string::npos && safe.find("w\\\"]\\n.weight") != std::string::npos);
    }

    void a_folder_lists_its_layers() {
        const std::string folder = write_model();
        for (const std::string& path : {folder, scratch_->path("model.safetensors.index.json")}) {
            const auto model = ModelFile::open(path);
            VERIFY_RESULT(model);
            QCOMPARE(model->layers().size(), std::size_t(3));
            for (int n = 0; n < 3; ++n) {
                const auto layer = model->look(std::size_t(n), std::nullopt);
                VERIFY_RESULT(layer);
                QCOMPARE(layer->title + ".", llama_prefix(n));
                QCOMPARE(layer->family, std::string("Llama"));
                QCOMPARE(layer->num_heads, std::optional<std::int64_t>(4));
                QCOMPARE(layer->group(), 2);
                QCOMPARE(layer->mask.value_or(""), std::string("causal"));
                const std::string missing = sentences(layer->not_computed);
                QVERIFY2(missing.find("the config asks for rotary position embedding") == 0, missing.c_str());
            }
        }
    }

    void a_layer_is_read_from_both_shards() {
        const std::string folder = write_model();
        for (int n = 0; n < 3; ++n) {
            const auto file = read_layer_file(folder, std::nullopt, std::to_string(n));
            QCOMPARE(differs_from(llama_layer(n), file), QString());
            QCOMPARE((*file)->number, std::size_t(n));
            QCOMPARE((*file)->layers.size(), std::size_t(3));
        }
        const auto list = list_layers(folder);
        VERIFY_RESULT(list);
        QCOMPARE((*list)->size(), std::size_t(3));
        QCOMPARE((**list)[2].title + ".", llama_prefix(2));
        VERIFY_RESULT((**list)[2].info);
    }

    void one_file_in_a_folder_and_names_of_others() {
        for (const std::string name :
             {"model.safetensors", "diffusion_pytorch_model.safetensors", "weights.safetensors"}) {
            scratch_.emplace();
            scratch_->write(name, encode_safetensors({llama_tensors(0), {}}));
            scratch_->write("config.json", llama_config().dump());
            const auto file = read_layer_file(scratch_->path("."), std::nullopt);
            QCOMPARE(differs_from(llama_layer(0), file), QString());
            QCOMPARE((*file)->num_heads, std::optional<std::int64_t>(4));
        }
        // A config.json beside a file of another name is not the file's.
        const auto alone = read_layer_file(scratch_->path("weights.safetensors"), std::nullopt);
        QCOMPARE(differs_from(llama_layer(0), alone), QString());
        QCOMPARE((*alone)->num_heads, std::optional<std::int64_t>());
    }

    void folders_without_a_model() {
        const std::string folder = scratch_->path(".");
        VERIFY_ERROR(ModelFile::open(folder), ErrorCode::FileContent, folder,
                     "model.safetensors.index.json was expected");
        scratch_->write("pytorch_model.bin", "PK");
        VERIFY_ERROR(ModelFile::open(folder), ErrorCode::FileContent, folder, "pytorch_model.bin is a Python pickle");
        scratch_->write("a.safetensors", encode_safetensors({llama_tensors(0), {}}));
        scratch_->write("b.safetensors", encode_safetensors({llama_tensors(1), {}}));
        VERIFY_ERROR(ModelFile::open(folder), ErrorCode::FileContent, folder, "2 safetensors files and no index");
        VERIFY_ERROR(ModelFile::open(scratch_->path("nowhere")), ErrorCode::FileMissing, "nowhere", "no such file");
    }

    void a_missing_shard() {
        const std::string folder = write_model();
        const std::string shard = "model-00002-of-00002.safetensors";
        QFile::remove(QString::fromStdString(scratch_->path(shard)));
        VERIFY_ERROR(ModelFile::open(folder), ErrorCode::FileMissing, shard,
                     "this shard is missing; model.safetensors.index.json places 6 tensors in it");
    }

    void a_wrong_offset() {
        const std::string folder = write_model();
        const std::string shard = "model-00002-of-00002.safetensors";
        auto bytes = encode_safetensors({llama_tensors(2), {}});
        std::string text(bytes.begin(), bytes.end());
        const auto at = text.find("\"data_offsets\":[0,");
        text[at + 16] = '4';
        scratch_->write(shard, text);
        VERIFY_ERROR(ModelFile::open(folder), ErrorCode::FileFormat, shard, "not a good safetensors file");
        scratch_->write(shard, text.substr(0, text.size() - 10));
        VERIFY_ERROR(ModelFile::open(folder), ErrorCode::FileFormat, shard, "not a good safetensors file");
    }

    void an_index_that_misplaces() {
        const std::string folder = write_model();
        json map = index();
        map["lm_head.weight"] = "model-00001-of-00002.safetensors";
        write_index(map);
        VERIFY_ERROR(ModelFile::open(folder), ErrorCode::FileContent, "index.json",
                     "places lm_head.weight in model-00001-of-00002.safetensors, which does not hold it");
        for (const json& place : {json("../model.safetensors"), json("/etc/passwd"), json(""), json(3), json("..")}) {
            map["lm_head.weight"] = place;
            write_index(map);
            VERIFY_ERROR(ModelFile::open(folder), ErrorCode::FileContent, "index.json", "a file of the same folder");
        }
        write_index(json::object());
        VERIFY_ERROR(ModelFile::open(folder), ErrorCode::FileContent, "index.json", "names no tensor");
        scratch_->write("model.safetensors.index.json", "{\"weight_map\": [");
        VERIFY_ERROR(ModelFile::open(folder), ErrorCode::FileFormat, "index.json", "invalid JSON");
    }

    void a_config_that_contradicts_the_tensors_data() {
        QTest::addColumn<QByteArray>("change");
        QTest::addColumn<QString>("part");
        const auto row = [](const char* name, const json& change, const char* part) {
            QTest::newRow(name) << QByteArray::fromStdString(change.dump()) << QString::fromUtf8(part);
        };
        row("embed_dim", {{"hidden_size", 16}}, "config.json says embed_dim 16, and model.layers.0.self_attn.q_proj");
        row("heads", {{"num_attention_heads", 5}},
            "config.json says num_heads 5, which does not divide the 12 columns");
        row("head_dim", {{"head_dim", 8}}, "config.json says head_dim 8, and 4 heads of");
        row("key/value heads", {{"num_key_value_heads", 4}}, "config.json says 4 key/value heads of 3 numbers");
        row("no key/value heads", {{"num_key_value_heads", nullptr}},
            "config.json says 4 key/value heads of 3 numbers");
        row("a text", {{"num_attention_heads", "four"}}, "num_attention_heads is \"four\"; a whole number");
        row("a fraction", {{"hidden_size", 12.5}}, "hidden_size is 12.5; a whole number");
        row("below one", {{"num_attention_heads", 0}}, "num_attention_heads is 0; a whole number");
    }
    void a_config_that_contradicts_the_tensors() {
        QFETCH(QByteArray, change);
        QFETCH(QString, part);
        json config = llama_config();
        config.update(json::parse(change.toStdString()));
        const std::string folder = write_model(config);
        VERIFY_ERROR(read_layer_file(folder, std::nullopt, "0"), ErrorCode::FileContent, scratch_->path(""),
                     part.toStdString());
    }

    void a_config_that_is_none() {
        const std::string folder = write_model();
        scratch_->write("config.json", "[1]");
        VERIFY_ERROR(ModelFile::open(folder), ErrorCode::FileContent, "config.json", "a JSON object");
        scratch_->write("config.json", "{");
        VERIFY_ERROR(ModelFile::open(folder), ErrorCode::FileFormat, "config.json", "invalid JSON");
    }

    void what_the_config_alone_knows() {
        const auto look = [&](const json& change) {
            json config = llama_config();
            config.update(change);
            const auto model = ModelFile::open(write_model(config));
            return model ? model->look(1, std::nullopt).value() : LayerInfo();
        };
        const auto missing = [&](const json& change) { return sentences(look(change).not_computed); };
        QVERIFY(missing({{"sliding_window", 8}}).find("the mask causal,local:7:0 sets it") != std::string::npos);
        QVERIFY(missing({{"sliding_window", 8}, {"use_sliding_window", false}}).find("local") == std::string::npos);
        QVERIFY(missing({{"attn_logit_softcapping", 50.0}})
                    .find("soft-capped scores, which is not set; the mask "
                          "causal,softcap:50 sets it") != std::string::npos);
        QVERIFY(missing({{"rope_theta", 5e5}}).find("the mask causal,rope:500000:half sets it") != std::string::npos);
        for (const json& change :
             {json{{"rope_scaling", {{"factor", 8.0}}}}, json{{"partial_rotary_factor", 0.5}},
              json{{"rope_theta", -1.0}}, json{{"model_type", "cohere"}}})  // none that is described as a whole
            QVERIFY(missing(change).find("rotary position embedding, which is not computed") != std::string::npos);
        QVERIFY(missing({{"model_type", "bloom"}}).find("the mask causal,alibi sets it") != std::string::npos);
        QVERIFY(missing({{"alibi", true}}).find("the config asks for ALiBi") != std::string::npos);
        QVERIFY(missing({{"clip_qkv", 8}}).find("clipped q, k and v") != std::string::npos);
        QCOMPARE(look(json::object()).scale, std::optional<double>());
        QCOMPARE(look({{"scale_attn_weights", false}}).scale, std::optional<double>(1));
        QCOMPARE(look({{"query_pre_attn_scalar", 64}}).scale, std::optional<double>(0.125));
        QCOMPARE(look({{"attention_multiplier", 0.25}}).scale, std::optional<double>(0.25));
        QCOMPARE(look({{"scale_attn_by_inverse_layer_idx", true}}).scale,
                 std::optional<double>(1 / std::sqrt(3.0) / 2));
        QCOMPARE(look({{"architectures", {"LlamaModel"}}}).mask, std::optional<std::string>());
    }

    /// Grouped heads with the rotation that the config describes, opened and computed with the mask that is named.
    void llama_like_layers_agree() {
        for (const bool meta : {false, true}) {
            for (const std::size_t shared : {1U, 2U, 4U, 8U}) {
                scratch_.emplace();
                const SmallLayer layer(32, 8, shared, std::uint32_t(shared), false);
                const std::vector<std::string> names = meta ? std::vector<std::string>{"wq", "wk", "wv"}
                                                            : std::vector<std::string>{"q_proj", "k_proj", "v_proj"};
                const std::string prefix = meta ? "layers.0.attention." : llama_prefix(0);
                Tensors tensors = without_biases(layer.separate(prefix, names, meta ? "wo" : "o_proj"));
                tensors.emplace_back("x", to_file(layer.x));
                scratch_->write("model.safetensors", encode_safetensors({tensors, {}}));
                json config = llama_config();
                config.update({{"hidden_size", 32},
                               {"num_attention_heads", 8},
                               {"num_key_value_heads", shared},
                               {"rope_theta", 50.0}});
                scratch_->write("config.json", config.dump());
                const auto file = read_layer_file(scratch_->path("."), std::nullopt);
                VERIFY_RESULT(file);
                QCOMPARE((*file)->group(), std::int64_t(8 / shared));
                const std::string said = sentences((*file)->not_computed),
                                  mask = meta ? "causal,rope:50:interleaved" : "causal,rope:50:half";
                QVERIFY2(said.find("the mask " + mask + " sets it") != std::string::npos, said.c_str());
                Request request;
                request.source = WeightSource::File;
                request.file = *file;
                request.batch = (*file)->batch;
                request.embed_dim = 32;
                request.num_heads = 8;
                request.mask = parse_heads(mask).value();
                const auto trace = compute(request);
                VERIFY_RESULT(trace);
                const Attention expected = naive_attention(layer, 0.5, true, 50, !meta);
                std::vector<double> weights, output;
                for (const Matrix& head : expected.weights)
                    for (const Row& row : head) weights.insert(weights.end(), row.begin(), row.end());
                for (const Row& row : expected.output) output.insert(output.end(), row.begin(), row.end());
                COMPARE_NUMBERS(*(*trace)->weights, weights, 1e-5);
                COMPARE_NUMBERS(*(*trace)->output, output, 1e-5);
            }
        }
    }

    void parts_of_a_model_have_sizes_of_their_own() {
        const SmallLayer text(12, 4, 4, 1), vision(8, 2, 2, 2);
        const std::vector<std::string> proj = {"q_proj", "k_proj", "v_proj"};
        const Tensors tensors = joined(text.separate("text_model.encoder.layers.0.self_attn.", proj, "out_proj"),
                                       vision.separate("vision_model.encoder.layers.0.self_attn.", proj, "out_proj"));
        scratch_->write("model.safetensors", encode_safetensors({tensors, {}}));
        scratch_->write("config.json", json{{"text_config", {{"hidden_size", 12}, {"num_attention_heads", 4}}},
                                            {"vision_config", {{"hidden_size", 8}, {"num_attention_heads", 2}}}}
                                           .dump());
        const auto model = ModelFile::open(scratch_->path("."));
        VERIFY_RESULT(model);
        QCOMPARE(model->look(0, std::nullopt).value().num_heads, std::optional<std::int64_t>(4));
        QCOMPARE(model->look(1, std::nullopt).value().num_heads, std::optional<std::int64_t>(2));
    }

    /// Only what is asked for is read: a file as large as no memory, of which nearly everything is a hole.
    void a_model_of_sixteen_gigabytes() {
        constexpr std::int64_t kWide = 2048, kLayers = 24, kShards = 3;
        constexpr std::uint64_t kShardBytes = 16'000'000'000 / kShards;
        json map;
        for (std::int64_t shard = 0; shard < kShards; ++shard) {
            json header;
            std::uint64_t at = 0;
            const auto add = [&](const std::string& name, const std::vector<std::int64_t>& shape, std::uint64_t bytes) {
                header[name] = {{"dtype", "F32"}, {"shape", shape}, {"data_offsets", {at, at + bytes}}};
                at += bytes;
                map[name] = "model-" + std::to_string(shard) + ".safetensors";
            };
            for (std::int64_t layer = shard; layer < kLayers; layer += kShards)
                for (const char* module : {"q_proj", "k_proj", "v_proj", "o_proj"})
                    add(llama_prefix(int(layer)) + module + ".weight", {kWide, kWide}, 4 * kWide * kWide);
            const std::uint64_t rest = (kShardBytes - at) / 4;
            add("embedding." + std::to_string(shard), {std::int64_t(rest)}, 4 * rest);
            std::string text = header.dump();
            text.resize((text.size() + 7) / 8 * 8, ' ');
            const std::uint64_t length = text.size();
            std::string start(reinterpret_cast<const char*>(&length), sizeof(length));
            const std::string path = scratch_->write("model-" + std::to_string(shard) + ".safetensors", start + text);
            QCOMPARE(truncate(path.c_str(), std::int64_t(8 + text.size() + at)), 0);
        }
        write_index(map);
        scratch_->write("config.json", json{{"num_attention_heads", 16}, {"hidden_size", kWide}}.dump());

        const std::clock_t start = std::clock();
        const auto model = ModelFile::open(scratch_->path("."));
        VERIFY_RESULT(model);
        QCOMPARE(model->layers().size(), std::size_t(kLayers));
        QVERIFY(model->source().bytes() > 15'900'000'000);
        const auto described = Description::of(scratch_->path("."), {});
        VERIFY_RESULT(described);
        QVERIFY(described->text().size() > 1000);
        const double seconds = double(std::clock() - start) / CLOCKS_PER_SEC;  // of this process alone
        QVERIFY2(seconds < 1, qPrintable(QString::number(seconds)));

        const std::uint64_t before = peak_memory();
        const auto file = read_layer_file(scratch_->path("."), std::nullopt, "23");
        VERIFY_RESULT(file);
        QCOMPARE((*file)->embed_dim, kWide);
        const auto layer = layer_from_file(**file, 16);
        VERIFY_RESULT(layer);
        const std::uint64_t taken = peak_memory() - before;
        qInfo("listed in %.3f s, one layer took %.0f MB", seconds, double(taken) / 1e6);
#ifndef __SANITIZE_ADDRESS__  // which keeps freed memory
        QVERIFY2(taken < 200'000'000, qPrintable(QString::number(taken)));
#endif
    }

    void a_description_says_what_is_in_a_model() {
        const auto described = Description::of(write_model(), {});
        VERIFY_RESULT(described);
        const std::string text = described->text();
        for (const char* line :
             {": 2 safetensors files, ", ", 12 tensors\n",
              "config.json: llama, layers 3, embed_dim 12, heads 4, key/value heads 2\n", "attention layers: 3\n",
              "  0  model.layers.0.self_attn  Llama, separate, embed_dim 12, 4 heads, 2 key/value heads, head_dim 3, "
              "F32\n",
              "assumed\n  0 to 2: q_proj.weight, k_proj.weight, v_proj.weight: separate projections of query, key and "
              "value (by its name)\n",
              "  0 to 2: each key/value head serves 2 query heads",
              "not computed\n  0 to 2: the config asks for rotary position embedding, which is not set"})
            QVERIFY2(text.find(line) != std::string::npos, text.c_str());

        const json object = json::parse(described->json());
        QCOMPARE(object["layers"].size(), std::size_t(3));
        const json& layer = object["layers"][2];
        QVERIFY(layer["name"] == json("model.layers.2.self_attn"));
        QVERIFY(layer["num_key_value_heads"] == json(2));
        QVERIFY(layer["head_dim"] == json(3));
        QVERIFY(layer["mask"] == json("causal"));
        QVERIFY(layer["scale"] == json("auto"));
        QCOMPARE(layer["not_computed"].size(), std::size_t(1));

        const auto one = Description::of(scratch_->path("."), "model.layers.1.self_attn");
        VERIFY_RESULT(one);
        QCOMPARE(json::parse(one->json())["layers"].size(), std::size_t(1));
        VERIFY_ERROR(Description::of(scratch_->path("."), "7"), ErrorCode::InvalidValue, "", "layer is '7'");
    }

    void a_description_names_what_is_refused() {
        Tensors tensors = llama_tensors(0);
        tensors.emplace_back(llama_prefix(0) + "sinks", to_file(Row(4, 1)));
        tensors = joined(tensors, llama_tensors(1));
        tensors.emplace_back("attention", to_file(Matrix(4, Row(25, 0.2))));
        const std::string path = scratch_->write("weights.safetensors", encode_safetensors({tensors, {}}));
        const auto described = Description::of(path, {});
        VERIFY_RESULT(described);
        const std::string text = described->text();
        for (const char* line :
             {"  0  model.layers.0.self_attn  Llama, refused\n",
              "refused\n  0: the attention has sinks, which HeadScope does not compute with",
              "num_heads not given, 2 query heads per key/value head", "recorded: attention (4, 25) F32\n"})
            QVERIFY2(text.find(line) != std::string::npos, text.c_str());
        const json object = json::parse(described->json());
        QVERIFY(object["layers"][0]["refused"].get<std::string>().find("self_attn.sinks") != std::string::npos);
        QVERIFY(object["layers"][1]["num_heads"] == json());
        QVERIFY(object["recorded"]["attention"] == json({4, 25}));
    }

    void a_description_passes_no_control_character_on() {
        FileTensor strange = to_file(Matrix(1, Row(1, 0)));
        strange.dtype = "\\u001b[2J\\n";  // as JSON writes them
        const std::string path =
            scratch_->write("strange.safetensors", encode_safetensors({{{"attention", strange}}, {}}));
        const auto described = Description::of(path, {});
        VERIFY_RESULT(described);
        const std::string text = described->text();
        QVERIFY2(text.find("recorded: attention") != std::string::npos, text.c_str());
        QVERIFY(text.find('\x1b') == std::string::npos);
    }

    void a_description_of_a_file_without_a_layer() {
        const std::string path =
            scratch_->write("conv.npz", encode_npz({{{"conv.weight", to_file(Matrix(3, Row(3, 1)))}}, {}}).value());
        const auto described = Description::of(path, {});
        VERIFY_RESULT(described);
        const std::string text = described->text();
        QVERIFY2(text.find(": 1 npz file, ") != std::string::npos, text.c_str());
        QVERIFY2(text.find("attention layers: 0\n  holds no attention layer; ") != std::string::npos, text.c_str());
        QVERIFY(json::parse(described->json())["layers"].empty());
    }
};

QTEST_APPLESS_MAIN(TestModelFile)
#include "tst_model_file.moc"
