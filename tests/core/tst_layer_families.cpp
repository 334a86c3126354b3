// SPDX-License-Identifier: GPL-3.0-or-later
// Every family of names, made small, equals an independent computation; what a family has and the program doesn't
// compute is refused by name or said.
#include <cmath>

#include "core/attention/compute.h"
#include "core/files/layer_file.h"
#include "core/files/npz_file.h"
#include "core/files/safetensors_file.h"
#include "model_layers.h"
#include "support.h"

using namespace headscope;
using namespace headscope::testing;

namespace {

constexpr std::size_t kE = 12, kHeads = 4;

struct Family {
    const char* name;    ///< of the row
    const char* family;  ///< as the program calls it
    SmallLayer layer;
    Tensors tensors;
    double scale;           ///< of its scores
    const char* said = "";  ///< a part of what is said not to be computed
};

double usual_scale() {
    return 1 / std::sqrt(double(kE / kHeads));
}

std::vector<Family> families() {
    const SmallLayer full(kE, kHeads, kHeads, 1), bare(kE, kHeads, kHeads, 2, false), two(kE, kHeads, 2, 3, false),
        one(kE, kHeads, 1, 4, false), one_biased(kE, kHeads, 1, 5);
    const double scale = usual_scale();
    const char* rotary = "rotary position embedding";
    const std::vector<std::string> proj = {"q_proj", "k_proj", "v_proj"}, bert = {"query", "key", "value"};

    Tensors gpt2 = full.fused("h.0.attn.c_attn", transposed(full.blocks()), full.block_bias(), "h.0.attn.c_proj");
    gpt2[2].second = to_file(transposed(full.out));
    SmallLayer no_key_bias = full;
    no_key_bias.k_bias.assign(kE, 0);
    Tensors whisper = no_key_bias.separate("encoder.blocks.0.attn.", bert, "out");
    std::erase_if(whisper, [](const auto& tensor) { return tensor.first.ends_with("key.bias"); });
    Tensors torch_split = full.separate("", {"q_proj_weight", "k_proj_weight", "v_proj_weight"}, "out_proj");
    std::erase_if(torch_split, [](const auto& tensor) { return tensor.first.ends_with("weight.bias"); });
    for (auto& [name, tensor] : torch_split)
        if (name.ends_with("_weight.weight")) name.resize(name.size() - std::string(".weight").size());
    Tensors torch_split_bias = torch_split;
    torch_split_bias.emplace_back("in_proj_bias", to_file(full.block_bias()));
    Tensors torch = full.fused("self_attn.in_proj", full.blocks(), full.block_bias(), "self_attn.out_proj");
    torch[0].first = "self_attn.in_proj_weight";
    torch[1].first = "self_attn.in_proj_bias";
    SmallLayer out_only = full;  // nn.MultiheadAttention's out_proj keeps its bias where in_proj_bias is left out
    for (Row* bias : {&out_only.q_bias, &out_only.k_bias, &out_only.v_bias}) bias->assign(kE, 0);
    SmallLayer diffusers = out_only;

    const std::string bert_at = "bert.encoder.layer.3.attention.";
    Tensors bert_tensors = full.separate(bert_at + "self.", bert, "../output.dense");
    for (auto& [name, tensor] : bert_tensors)
        if (const auto at = name.find("self.../"); at != std::string::npos) name = bert_at + name.substr(at + 8);
    bert_tensors.emplace_back(bert_at + "output.LayerNorm.weight", to_file(full.q_bias));
    Tensors albert = full.separate("attention.", bert, "dense");
    albert.emplace_back("attention.LayerNorm.weight", to_file(full.q_bias));
    Tensors diffusers_tensors =
        without_biases(diffusers.separate("blocks.0.attn1.", {"to_q", "to_k", "to_v"}, "to_out.0"));
    diffusers_tensors.emplace_back("blocks.0.attn1.to_out.0.bias", to_file(full.out_bias));
    const std::string llama = "model.layers.0.self_attn.";

    return {
        {"article", "the article", full, full.fused("qkv_proj", full.grouped(), full.grouped_bias(), "out_proj"),
         scale},
        {"nn.MultiheadAttention", "nn.MultiheadAttention", full, torch, scale},
        {"nn.MultiheadAttention without biases", "nn.MultiheadAttention", bare,
         [&] {
             Tensors tensors = without_biases(torch);
             tensors[0].second = to_file(bare.blocks());
             tensors[1].second = to_file(bare.out);
             return tensors;
         }(),
         scale},
        {"nn.MultiheadAttention, three weights and one bias", "nn.MultiheadAttention", full, torch_split_bias, scale},
        {"nn.MultiheadAttention, three weights", "nn.MultiheadAttention", out_only, torch_split, scale},
        {"GPT-2", "GPT-2", full, gpt2, scale},
        {"nanoGPT", "GPT-2", full, full.fused("attn.c_attn", full.blocks(), full.block_bias(), "attn.c_proj"), scale},
        {"StarCoder", "GPT-2", one_biased,
         one_biased.fused("attn.c_attn", one_biased.blocks(), one_biased.block_bias(), "attn.c_proj"), scale},
        {"BERT", "BERT", full, bert_tensors, scale},
        {"ALBERT", "ALBERT", full, albert, scale},
        {"DistilBERT", "DistilBERT", full,
         full.separate("transformer.layer.0.attention.", {"q_lin", "k_lin", "v_lin"}, "out_lin"), scale},
        {"T5", "T5", bare,
         without_biases(bare.separate("encoder.block.1.layer.0.SelfAttention.", {"q", "k", "v"}, "o")), 1,
         "a relative position bias"},
        {"timm", "timm", full, full.fused("blocks.0.attn.qkv", full.blocks(), full.block_bias(), "blocks.0.attn.proj"),
         scale},
        {"diffusers", "diffusers", diffusers, diffusers_tensors, scale},
        {"Whisper", "Whisper", no_key_bias, whisper, scale},
        {"Llama", "Llama", bare, without_biases(bare.separate(llama, proj, "o_proj")), scale, rotary},
        {"Llama with shared key/value heads", "Llama", two, without_biases(two.separate(llama, proj, "o_proj")), scale,
         rotary},
        {"Llama as published by Meta", "Llama, as published by Meta", two,
         without_biases(two.separate("layers.0.attention.", {"wq", "wk", "wv"}, "wo")), scale, rotary},
        {"Phi", "Phi", full, full.separate(llama, proj, "dense"), scale, rotary},
        {"Phi-3", "Phi-3", two,
         without_biases(two.fused(llama + "qkv_proj", two.blocks(), two.block_bias(), llama + "o_proj")), scale,
         rotary},
        {"GPT-NeoX", "GPT-NeoX", full,
         full.fused("layers.0.attention.query_key_value", full.grouped(), full.grouped_bias(),
                    "layers.0.attention.dense"),
         scale, rotary},
        {"BLOOM", "BLOOM, Falcon", full,
         full.fused("h.0.self_attention.query_key_value", full.grouped(), full.grouped_bias(),
                    "h.0.self_attention.dense"),
         scale, "ALiBi"},
        {"Falcon with one key/value head", "BLOOM, Falcon", one,
         without_biases(one.fused("h.0.self_attention.query_key_value", one.grouped(), one.grouped_bias(),
                                  "h.0.self_attention.dense")),
         scale, rotary},
        {"Falcon with two key/value heads", "BLOOM, Falcon", two,
         without_biases(two.fused("h.0.self_attention.query_key_value", two.grouped(), two.grouped_bias(),
                                  "h.0.self_attention.dense")),
         scale, rotary},
        {"BART", "BART, CLIP, OPT", full, full.separate("encoder.layers.0.self_attn.", proj, "out_proj"), scale},
        {"GPT-J", "GPT-J", full, full.separate("transformer.h.0.attn.", proj, "out_proj"), scale, rotary},
        {"GPT-Neo", "GPT-Neo", full, full.separate("transformer.h.0.attn.attention.", proj, "out_proj"), 1,
         "a window of 256 tokens"},
    };
}

const std::vector<Family>& all() {
    static const std::vector<Family> list = families();
    return list;
}

std::string sentences(const std::vector<Sentence>& list) {
    std::string all;
    for (const Sentence& said : list) all += said.str() + "; ";
    return all;
}

}  // namespace

class TestLayerFamilies : public QObject {
    Q_OBJECT
    Scratch scratch_;

    static const Family& family_of_row() {
        QFETCH(int, at);
        return all()[std::size_t(at)];
    }
    static void rows() {
        QTest::addColumn<int>("at");
        for (std::size_t at = 0; at < all().size(); ++at) QTest::newRow(all()[at].name) << int(at);
    }
    std::string write(Tensors tensors, const SmallLayer& layer, const std::string& ending) const {
        tensors.emplace_back("x", to_file(layer.x));
        const TensorFile file{std::move(tensors), {}};
        if (ending == "npz") return scratch_.write("layer.npz", encode_npz(file).value());
        return scratch_.write("layer.safetensors", encode_safetensors(file));
    }

    /// What differs between the program's computation of a file and the naive one; empty where nothing does.
    static QString differs_from(const Attention& expected, const LayerFilePtr& file) {
        Request request;
        request.source = WeightSource::File;
        request.file = file;
        request.batch = file->batch;
        request.embed_dim = file->embed_dim;
        request.num_heads = kHeads;
        request.scale = file->scale;
        const auto trace = compute(request);
        if (!trace) return QString::fromStdString(trace.error().message());
        std::vector<double> weights, output;
        for (const Matrix& head : expected.weights)
            for (const Row& row : head) weights.insert(weights.end(), row.begin(), row.end());
        for (const Row& row : expected.output) output.insert(output.end(), row.begin(), row.end());
        const QString wrong = differs(*(*trace)->weights, weights, 1e-5);
        return wrong.isEmpty() ? differs(*(*trace)->output, output, 1e-5) : wrong;
    }

private Q_SLOTS:
    void equals_the_naive_computation_data() { rows(); }
    void equals_the_naive_computation() {
        const Family& row = family_of_row();
        for (const std::string ending : {"safetensors", "npz"}) {
            const auto file = read_layer_file(write(row.tensors, row.layer, ending), std::nullopt);
            VERIFY_RESULT(file);
            QCOMPARE((*file)->family, std::string(row.family));
            QCOMPARE((*file)->group(), std::int64_t(kHeads / row.layer.kv_heads));
            const QString wrong = differs_from(naive_attention(row.layer, row.scale), *file);
            QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
        }
    }

    void what_is_not_computed_is_said_data() { rows(); }
    void what_is_not_computed_is_said() {
        const Family& row = family_of_row();
        const auto file = read_layer_file(write(row.tensors, row.layer, "safetensors"), std::nullopt);
        VERIFY_RESULT(file);
        const std::string said = sentences((*file)->not_computed);
        QCOMPARE(said.empty(), std::string(row.said).empty());
        QVERIFY2(said.find(row.said) != std::string::npos, said.c_str());
        const bool shared = sentences((*file)->assumptions).find("each key/value head serves") != std::string::npos;
        QCOMPARE(shared, row.layer.kv_heads < kHeads);
    }

    /// Whatever lies under the prefix and is not known is refused by its name, in every family.
    void unknown_tensors_are_refused_by_name_data() { rows(); }
    void unknown_tensors_are_refused_by_name() {
        const Family& row = family_of_row();
        const std::string weight = row.tensors.front().first;
        const std::string module = weight.ends_with(".weight") ? weight.substr(0, weight.size() - 7) : weight;
        const auto dot = module.rfind('.');
        const std::string prefix = dot == std::string::npos ? "" : module.substr(0, dot + 1);
        const std::vector<std::string> others = {prefix + "sinks",
                                                 prefix + "q_norm.weight",
                                                 prefix + "k_norm.weight",
                                                 prefix + "rotary_emb.inv_freq",
                                                 prefix + "relative_attention_bias.weight",
                                                 prefix + "bias_k",
                                                 prefix + "bias_v",
                                                 module + ".lora_A.weight",
                                                 module + ".weight_scale",
                                                 prefix + "attention_gate"};
        for (const std::string& other : others) {
            Tensors tensors = row.tensors;
            tensors.insert(tensors.begin(), {other, FileTensor{"F8_E4M3", {2}, {1, 2}}});
            const std::string path = write(tensors, row.layer, "safetensors");
            VERIFY_ERROR(read_layer_file(path, std::nullopt), ErrorCode::Unsupported, path, other);
        }
    }

    void cross_attention_is_refused() {
        const SmallLayer layer(kE, kHeads, kHeads, 1);
        const auto separate = [&](const std::string& prefix, const std::vector<std::string>& modules, const char* out) {
            return layer.separate(prefix, modules, out);
        };
        const std::vector<std::string> proj = {"q_proj", "k_proj", "v_proj"};
        const std::vector<std::pair<std::string, Tensors>> layers = {
            {"EncDecAttention",
             without_biases(separate("decoder.block.0.layer.1.EncDecAttention.", {"q", "k", "v"}, "o"))},
            {"encoder_attn", separate("decoder.layers.0.encoder_attn.", proj, "out_proj")},
            {"cross_attn", separate("decoder.blocks.0.cross_attn.", {"query", "key", "value"}, "out")},
            {"crossattention", separate("layer.0.crossattention.self.", {"query", "key", "value"}, "out_proj")},
        };
        for (const auto& [name, tensors] : layers)
            VERIFY_ERROR(read_layer_file(write(tensors, layer, "safetensors"), std::nullopt), ErrorCode::Unsupported,
                         name, "is cross-attention");
        // Of two that lie beside each other the second is.
        Tensors both = separate("attn1.", {"to_q", "to_k", "to_v"}, "to_out.0");
        both = joined(both, separate("attn2.", {"to_q", "to_k", "to_v"}, "to_out.0"));
        const std::string path = write(both, layer, "safetensors");
        VERIFY_RESULT(read_layer_file(path, std::nullopt, "attn1"));
        VERIFY_ERROR(read_layer_file(path, std::nullopt, "attn2"), ErrorCode::Unsupported, "attn2", "cross-attention");
    }

    /// T5 keeps one bias for all layers of a stack in the first of them.
    void a_relative_bias_of_another_layer_is_named() {
        const SmallLayer layer(kE, kHeads, kHeads, 1, false);
        const auto at = [&](const std::string& block) {
            return without_biases(
                layer.separate("encoder.block." + block + ".layer.0.SelfAttention.", {"q", "k", "v"}, "o"));
        };
        const std::string bias = "encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight";
        Tensors tensors = joined(at("0"), at("1"));
        tensors.emplace_back(bias, to_file(Matrix(32, Row(kHeads, 1))));
        const std::string path = write(tensors, layer, "safetensors");
        for (const std::string number : {"0", "1"})
            VERIFY_ERROR(read_layer_file(path, std::nullopt, number), ErrorCode::Unsupported, path, bias);
    }

    void heads_that_share_key_value_heads_divide_num_heads() {
        const SmallLayer layer(kE, kHeads, 2, 1, false);
        const std::string path =
            write(without_biases(layer.separate("", {"q_proj", "k_proj", "v_proj"}, "o_proj")), layer, "safetensors");
        const auto file = read_layer_file(path, std::nullopt);
        VERIFY_RESULT(file);
        QCOMPARE(legal_num_heads(**file), (std::vector<std::int64_t>{2, 4, 6, 12}));
        VERIFY_ERROR(layer_from_file(**file, 3), ErrorCode::InvalidPair, path, "it must be a multiple of 2");
        VERIFY_RESULT(layer_from_file(**file, 6));
    }

    void heads_saved_as_a_number() {
        const SmallLayer layer(kE, kHeads, kHeads, 1);
        Tensors tensors = layer.fused("in_proj", layer.blocks(), layer.block_bias(), "out_proj");
        tensors[0].first = "in_proj_weight";
        tensors[1].first = "in_proj_bias";
        tensors.emplace_back("num_heads", FileTensor::from_i64({}, {4}));
        const auto file = read_layer_file(write(tensors, layer, "npz"), std::nullopt);
        VERIFY_RESULT(file);
        QCOMPARE((*file)->num_heads, std::optional<std::int64_t>(4));
    }

    void weights_in_other_forms_are_named() {
        const FileTensor any{"F32", {1}, bytes_of<float>({1})};
        for (const std::string name : {"h.0.attn.q_proj.base_layer.weight", "h.0.self_attn.q_proj.lora_A.weight",
                                       "h.0.self_attn.q_proj.qweight"}) {
            const std::string path = scratch_.write("other.safetensors", encode_safetensors({{{name, any}}, {}}));
            VERIFY_ERROR(read_layer_file(path, std::nullopt), ErrorCode::Unsupported, path, name);
        }
    }
};

QTEST_APPLESS_MAIN(TestLayerFamilies)
#include "tst_layer_families.moc"
