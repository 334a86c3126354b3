// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/layer_file.h"

#include <map>

#include "core/base/memory.h"
#include "core/files/safetensors_file.h"
#include "scratch.h"
#include "support.h"

using namespace headscope;
using headscope::testing::random_tensor;
using Type = Tensor::Type;

namespace {

constexpr std::int64_t kE = 6, kHeads = 3;

std::string assumptions(const LayerFile& file) {
    std::string all;
    for (const Sentence& said : file.assumptions) all += said.str() + "; ";
    return all;
}

/// (in, out) of (out, in), and back.
Tensor turned(const Tensor& matrix) {
    const std::int64_t rows = matrix.dim(0), columns = matrix.dim(1);
    return headscope::testing::filled(matrix.type(), {columns, rows},
                                      [&](std::int64_t n) { return matrix.value(n % rows * columns + n / rows); });
}

/// Rows first ... first + count - 1.
Tensor rows(const Tensor& tensor, std::int64_t first, std::int64_t count) {
    const std::int64_t width = tensor.size() / tensor.dim(0);
    Shape shape = tensor.shape();
    shape.front() = count;
    return headscope::testing::filled(tensor.type(), shape,
                                      [&](std::int64_t n) { return tensor.value(first * width + n); });
}

/// The rows of an interleaved weight or bias as [Q; K; V] blocks, by the definition: part, head, number.
Tensor in_blocks(const Tensor& interleaved) {
    const std::int64_t width = interleaved.size() / interleaved.dim(0), dh = kE / kHeads;
    return headscope::testing::filled(interleaved.type(), interleaved.shape(), [&](std::int64_t n) {
        const std::int64_t row = n / width, part = row / kE, head = row % kE / dh, i = row % dh;
        return interleaved.value(((head * 3 + part) * dh + i) * width + n % width);
    });
}

using Tensors = std::vector<std::pair<std::string, FileTensor>>;

struct Example {
    Tensor weight, bias, out_weight, out_bias;  ///< interleaved

    explicit Example(Type type = Type::Float32) {
        std::mt19937 random(1);
        weight = random_tensor(type, {3 * kE, kE}, random);
        bias = random_tensor(type, {3 * kE}, random);
        out_weight = random_tensor(type, {kE, kE}, random);
        out_bias = random_tensor(type, {kE}, random);
    }

    Tensors article() const {
        return named("", weight, "qkv_proj.weight", "qkv_proj.bias", bias, "out_proj", out_weight);
    }
    Tensors torch(const std::string& prefix = "") const {
        return named(prefix, in_blocks(weight), "in_proj_weight", "in_proj_bias", in_blocks(bias), "out_proj",
                     out_weight);
    }
    Tensors gpt2(const std::string& prefix = "") const {
        return named(prefix, turned(in_blocks(weight)), "c_attn.weight", "c_attn.bias", in_blocks(bias), "c_proj",
                     turned(out_weight));
    }
    Tensors separate(const std::vector<std::string>& names, const std::string& out = "out_proj") const {
        Tensors tensors;
        for (std::size_t part = 0; part < 3; ++part) {
            const auto first = static_cast<std::int64_t>(part) * kE;
            tensors.emplace_back(names[part] + ".weight", FileTensor::from(rows(in_blocks(weight), first, kE)));
            tensors.emplace_back(names[part] + ".bias", FileTensor::from(rows(in_blocks(bias), first, kE)));
        }
        tensors.emplace_back(out + ".weight", FileTensor::from(out_weight));
        tensors.emplace_back(out + ".bias", FileTensor::from(out_bias));
        return tensors;
    }

private:
    Tensors named(const std::string& prefix, const Tensor& fused, const std::string& weight_name,
                  const std::string& bias_name, const Tensor& fused_bias, const std::string& out,
                  const Tensor& out_matrix) const {
        return {{prefix + weight_name, FileTensor::from(fused)},
                {prefix + bias_name, FileTensor::from(fused_bias)},
                {prefix + out + ".weight", FileTensor::from(out_matrix)},
                {prefix + out + ".bias", FileTensor::from(out_bias)}};
    }
};

/// The tensors without those whose name ends so.
Tensors without(Tensors tensors, const std::string& ending) {
    std::erase_if(tensors, [&](const auto& tensor) { return tensor.first.ends_with(ending); });
    return tensors;
}

Tensors with(Tensors tensors, const std::string& name, const FileTensor& tensor) {
    tensors.emplace_back(name, tensor);
    return tensors;
}

FileTensor zeros(const std::string& dtype, const Shape& shape) {
    FileTensor tensor{dtype, shape, {}};
    tensor.bytes.resize(static_cast<std::size_t>(tensor.size()) * dtype_size(dtype));
    return tensor;
}

}  // namespace

class TestLayerFile : public QObject {
    Q_OBJECT
    Scratch scratch_;
    using Metadata = std::map<std::string, std::string>;

    std::string write(const Tensors& tensors, const Metadata& metadata = {}) const {
        return scratch_.write("layer.safetensors", encode_safetensors({tensors, metadata}));
    }
    Result<LayerFilePtr> read(const Tensors& tensors, const Metadata& metadata = {},
                              std::optional<Layout> layout = std::nullopt) const {
        return read_layer_file(write(tensors, metadata), layout);
    }

    /// What differs between the layer of a file and the example it was made from; empty where nothing does.
    QString differs(const Result<LayerFilePtr>& file, const Example& example, double tolerance = 0) const {
        if (!file) return QString::fromStdString(file.error().message());
        const auto layer = layer_from_file(**file, kHeads);
        if (!layer) return QString::fromStdString(layer.error().message());
        if (layer->embed_dim != kE || layer->num_heads != kHeads) return QStringLiteral("embed_dim or num_heads");
        const std::vector<std::pair<const Tensor*, const Tensor*>> pairs = {{&layer->qkv_weight, &example.weight},
                                                                            {&layer->qkv_bias, &example.bias},
                                                                            {&layer->out_weight, &example.out_weight},
                                                                            {&layer->out_bias, &example.out_bias}};
        for (const auto& [actual, expected] : pairs) {
            if (actual->type() != expected->type()) return QStringLiteral("type");
            const QString difference = headscope::testing::differs(*actual, *expected, tolerance);
            if (!difference.isEmpty()) return difference;
        }
        return {};
    }

private Q_SLOTS:
    void every_family_of_names_gives_the_same_layer() {
        for (const Type type : {Type::Float32, Type::Float64}) {
            const Example example(type);
            const std::map<std::string, Tensors> files = {
                {"article", example.article()},
                {"torch", example.torch()},
                {"torch behind a prefix", example.torch("encoder.layers.0.self_attn.")},
                {"gpt2", example.gpt2("transformer.h.0.attn.")},
                {"separate", example.separate({"query", "key", "value"})},
                {"projections", example.separate({"attn.q_proj", "attn.k_proj", "attn.v_proj"}, "attn.o_proj")},
                {"bert", example.separate({"attention.self.query", "attention.self.key", "attention.self.value"},
                                          "attention.output.dense")},
            };
            for (const auto& [name, tensors] : files) {
                const QString difference = differs(read(tensors), example);
                QVERIFY2(difference.isEmpty(), qPrintable(QString::fromStdString(name) + difference));
            }
        }
    }

    void the_layout_is_said() {
        const Example example;
        const auto check = [&](const Tensors& tensors, Layout layout, const std::string& part) {
            const auto file = read(tensors);
            VERIFY_RESULT(file);
            QCOMPARE((*file)->layout, layout);
            const std::string told = assumptions(**file);
            QVERIFY2(told.find(part) != std::string::npos, told.c_str());
        };
        check(example.article(), Layout::Interleaved, "qkv_proj.weight: rows are interleaved by head");
        check(example.torch(), Layout::Blocks, "in_proj_weight: rows are [Q; K; V] blocks");
        check(example.gpt2(), Layout::Transposed,
              "c_attn.weight: columns are [Q K V] blocks, as in GPT-2 (by its name)");
        check(example.gpt2(), Layout::Transposed, "c_proj.weight is stored as (in, out), too");
        check(example.separate({"query", "key", "value"}), Layout::Separate, "query.weight, key.weight, value.weight");
        check(without(example.torch(), "bias"), Layout::Blocks, "missing biases are zeros");
    }

    void gpt2s_names_on_linear_layers() {
        Example example;  // nanoGPT: c_attn (3E,E) and c_proj (out,in)
        Tensors tensors = example.torch();
        tensors[0].first = "attn.c_attn.weight";
        tensors[1].first = "attn.c_attn.bias";
        tensors[2].first = "attn.c_proj.weight";
        tensors[3].first = "attn.c_proj.bias";
        const auto file = read(tensors);
        QCOMPARE(differs(file, example), QString());
        QCOMPARE((*file)->layout, Layout::Blocks);
    }

    void every_other_tensor_of_the_attention_is_refused_by_name() {
        const Example e;
        struct Case {
            Tensors layer;
            std::vector<std::string> others;
        };
        const std::string self = "model.layers.0.self_attn.";
        const Tensors separate = e.separate({self + "q_proj", self + "k_proj", self + "v_proj"}, self + "o_proj");
        const Tensors bert = e.separate({"attention.self.query", "attention.self.key", "attention.self.value"},
                                        "attention.output.dense");
        const std::vector<Case> cases = {
            {e.torch(), {"bias_k", "bias_v"}},
            {e.torch("encoder.layers.0.self_attn."), {"encoder.layers.0.self_attn.bias_k"}},
            {separate, {self + "q_proj.lora_A.weight", self + "q_proj.lora_B.weight"}},
            {separate, {self + "q_norm.weight", self + "k_norm.weight"}},
            {separate, {self + "sinks"}},
            {separate, {self + "rotary_emb.inv_freq"}},
            {separate, {self + "q_proj.weight_scale", self + "q_proj.input_scale"}},
            {separate, {self + "gate_proj.weight"}},
            {separate, {self + "o_proj.lora_A.weight"}},
            {separate, {self + "something.new"}},
            {bert, {"attention.self.distance_embedding.weight"}},
            {bert, {"attention.output.dense.weight_scale"}},
            {e.article(), {"relative_attention_bias.weight"}},
            {e.gpt2("h.0.attn."), {"h.0.attn.mask"}},
        };
        for (const Case& each : cases) {
            Tensors tensors = each.layer;
            // Of any type, also one that can't be read.
            for (const std::string& name : each.others)
                tensors.insert(tensors.begin(), {name, FileTensor{"F8_E4M3", {2}, {1, 2}}});
            const auto file = read(tensors);
            for (const std::string& name : each.others)
                VERIFY_ERROR(file, ErrorCode::Unsupported, name, "does not compute with");
        }
    }

    void tensors_elsewhere_dont_matter_whatever_their_type() {
        const Example e;
        Tensors tensors = e.torch("model.layers.0.self_attn.");
        for (const char* name : {"model.layers.0.self_attn_norm.weight", "model.layers.0.mlp.weight", "lm_head.weight",
                                 "model.layers.0.self_attention.bias_k", "bias_k", "model.sinks"})
            tensors.insert(tensors.begin(), {name, FileTensor{"F8_E4M3", {2, 2}, {1, 2, 3}}});
        QCOMPARE(differs(read(tensors), e), QString());
        // A large model takes the memory of its layer alone.
        tensors.insert(tensors.begin(), {"embedding.weight", zeros("F32", {1000, 1000})});
        set_memory_limit_for_tests(1'000'000);
        const auto file = read(tensors);
        set_memory_limit_for_tests(0);
        QCOMPARE(differs(file, e), QString());
    }

    void results_beside_a_layer_are_said_to_be_unread() {
        const Example e;
        Tensors tensors = e.article();
        for (const char* name : {"scores", "weights", "output", "exact_output"})
            tensors.emplace_back(name, zeros("F32", {1, 1}));
        const auto file = read(tensors);
        QCOMPARE(differs(file, e), QString());
        const std::string said = assumptions(**file);
        QVERIFY2(
            said.find("not read, because they are results: exact_output, output, scores, weights") != std::string::npos,
            said.c_str());
    }

    /// GPT-2's own files hold a causal mask and a fill value as buffers of the attention.
    void gpt2s_buffers_are_its_mask_and_fill() {
        const Example e;
        const std::vector<float> triangle = {1, 0, 0, 1, 1, 0, 1, 1, 1};
        const auto with_buffers = [&](const FileTensor& bias, float fill) {
            return with(with(e.gpt2("h.0.attn."), "h.0.attn.bias", bias), "h.0.attn.masked_bias",
                        {"F32", {}, bytes_of<float>({fill})});
        };
        const FileTensor causal{"F32", {1, 1, 3, 3}, bytes_of(triangle)};
        const auto file = read(with_buffers(causal, -1e4F));
        QCOMPARE(differs(file, e), QString());
        QCOMPARE((*file)->mask.value_or(""), std::string("causal"));
        QVERIFY(assumptions(**file).find("h.0.attn.bias is a causal mask") != std::string::npos);
        QCOMPARE(read(with_buffers(causal, -1e4F), {{"mask", "none"}}).value()->mask.value_or(""), std::string("none"));

        FileTensor other = causal;
        other.bytes[2 * sizeof(float) + 3] = 0x3F;
        VERIFY_ERROR(read(with_buffers(other, -1e4F)), ErrorCode::Unsupported, "h.0.attn.bias", "not a causal mask");
        VERIFY_ERROR(read(with_buffers({"F32", {6}, zeros("F32", {6}).bytes}, -1e4F)), ErrorCode::Unsupported,
                     "h.0.attn.bias", "not a causal mask");
        VERIFY_ERROR(read(with_buffers(causal, 3)), ErrorCode::Unsupported, "h.0.attn.masked_bias", "fill value");
    }

    void tokens_nested_without_end_are_an_error() {
        const Tensors tensors = with(Example().article(), "x", zeros("F32", {3, 6}));
        const std::string open(400'000, '['), close(400'000, ']');
        for (const std::string& tokens : {open, open + close, std::string("[") + open + close + "]"})
            VERIFY_ERROR(read(tensors, {{"tokens", tokens}}), ErrorCode::FileContent, "layer.safetensors",
                         "metadata tokens: its JSON is nested more than 64 deep");
        // In another entry it is a text as any other.
        QVERIFY(read(tensors, {{"config", open}}));
    }

    void a_mlp_beside_the_attention_doesnt_confuse() {
        const Example example;
        const Tensors tensors = with(example.gpt2("h.0.attn."), "h.0.mlp.c_proj.weight", zeros("F32", {24, 6}));
        QCOMPARE(differs(read(tensors), example), QString());
    }

    void the_persons_word_comes_first_then_the_metadata_then_the_names() {
        const Example example;
        Tensors as_blocks = example.torch();  // blocks under the article's names
        as_blocks[0].first = "qkv_proj.weight";
        as_blocks[1].first = "qkv_proj.bias";
        QVERIFY(!differs(read(as_blocks), example).isEmpty());
        QCOMPARE(differs(read(as_blocks, {{"layout", "blocks"}}), example), QString());
        QCOMPARE(differs(read(as_blocks, {}, Layout::Blocks), example), QString());
        const auto chosen = read(as_blocks, {{"layout", "interleaved"}}, Layout::Blocks);
        QCOMPARE(differs(chosen, example), QString());
        QVERIFY(assumptions(**chosen).find("(as chosen)") != std::string::npos);

        as_blocks[0].second = FileTensor::from(turned(in_blocks(example.weight)));  // out_proj stays (out, in)
        QCOMPARE(differs(read(as_blocks, {}, Layout::Transposed), example), QString());
    }

    void other_types_of_weights() {
        const Example example;
        for (const std::string dtype : {"F16", "BF16"}) {
            Tensors tensors = example.article();
            for (auto& [name, tensor] : tensors) tensor = zeros(dtype, tensor.shape);
            tensors[0].second.bytes[1] = 0x40;  // 2 in either format
            const auto file = read(tensors);
            VERIFY_RESULT(file);
            QCOMPARE((*file)->fused_weight.type(), Type::Float32);
            QCOMPARE((*file)->fused_weight.value(0), 2.0);
            QCOMPARE((*file)->fused_weight.value(1), 0.0);
        }
        Tensors mixed = example.article();  // one tensor in float64 makes all of them so
        mixed[3].second = FileTensor::from(example.out_bias.converted(Type::Float64));
        const auto file = read(mixed);
        VERIFY_RESULT(file);
        QCOMPARE((*file)->fused_weight.type(), Type::Float64);
        QCOMPARE((*file)->out_bias.type(), Type::Float64);
    }

    void missing_biases_are_zeros() {
        Example example;
        for (Tensor* bias : {&example.bias, &example.out_bias})
            *bias = headscope::testing::filled(Type::Float32, bias->shape(), [](std::int64_t) { return 0.0; });
        for (const Tensors& tensors :
             {example.article(), example.torch(), example.gpt2(), example.separate({"query", "key", "value"})})
            QCOMPARE(differs(read(without(tensors, "bias")), example), QString());
    }

    void num_heads_must_divide() {
        const auto file = read(Example().torch(), {{"num_heads", "4"}});
        VERIFY_RESULT(file);
        QCOMPARE(*(*file)->num_heads, 4);
        const auto layer = layer_from_file(**file, 4);
        QVERIFY(!layer);
        QCOMPARE(layer.error().code, ErrorCode::InvalidPair);
        QVERIFY(!layer_from_file(**file, 0));
        QVERIFY(layer_from_file(**file, 1));
        QVERIFY(!(*read(Example().torch()))->num_heads);
    }

    void x_with_labels_and_lengths() {
        std::mt19937 random(2);
        const Tensor x = random_tensor(Type::Float64, {2, 3, kE}, random);
        const Tensors layer = with(Example().article(), "x", FileTensor::from(x));
        auto file = read(layer, {{"mask", "causal,padding"}});
        VERIFY_RESULT(file);
        COMPARE_NUMBERS(*(*file)->x, x, 0);
        QCOMPARE((*file)->x->type(), Type::Float64);
        QCOMPARE(*(*file)->mask, std::string("causal,padding"));
        QCOMPARE((*file)->batch, (Batch{{{"0", "1", "2"}, {"0", "1", "2"}}, {1, 1, 1, 1, 1, 1}}));

        file = read(with(layer, "lengths", FileTensor::from_i64({2}, {3, 1})));
        VERIFY_RESULT(file);
        QCOMPARE((*file)->batch, (Batch{{{"0", "1", "2"}, {"0", "[PAD]", "[PAD]"}}, {1, 1, 1, 1, 0, 0}}));

        file = read(layer, {{"tokens", R"([["a","b","c"],["[PAD]","d","e"]])"}});
        VERIFY_RESULT(file);
        QCOMPARE((*file)->batch, (Batch{{{"a", "b", "c"}, {"[PAD]", "d", "e"}}, {1, 1, 1, 0, 1, 1}}));

        file = read(with(layer, "lengths", FileTensor::from_i64({2}, {2, 0})),
                    {{"tokens", R"([["a","[PAD]"],["d","e","f"]])"}});
        VERIFY_RESULT(file);
        QCOMPARE((*file)->batch, (Batch{{{"a", "[PAD]", "[PAD]"}, {"d", "e", "f"}}, {1, 1, 0, 0, 0, 0}}));
    }

    void one_sequence_may_do_without_the_batch() {
        const Tensors layer = with(Example().article(), "x", zeros("BF16", {2, kE}));
        for (const std::string tokens : {R"(["a","b"])", R"([["a","b"]])"}) {
            const auto file = read(layer, {{"tokens", tokens}});
            VERIFY_RESULT(file);
            QCOMPARE((*file)->x->shape(), (Shape{1, 2, kE}));
            QCOMPARE((*file)->x->type(), Type::Float32);
            QCOMPARE((*file)->batch, (Batch{{{"a", "b"}}, {1, 1}}));
        }
        QVERIFY(!(*read(Example().article(), {{"tokens", "nonsense"}}))->x);  // labels go with an x only
    }

    void one_of_several_layers_is_chosen() {
        const Example e;
        const Example other(Type::Float64);
        Tensors two = e.torch("layers.2.attn.");
        for (const auto& tensor : other.torch("layers.10.attn.")) two.push_back(tensor);
        const std::string path = write(two);
        for (const std::string layer : {"0", "layers.2.attn", "layers.2.attn."})
            QCOMPARE(differs(read_layer_file(path, std::nullopt, layer), e), QString());
        for (const std::string layer : {"1", "layers.10.attn"}) {
            const auto file = read_layer_file(path, std::nullopt, layer);
            QCOMPARE(differs(file, other), QString());
            QCOMPARE((*file)->title, std::string("layers.10.attn"));
        }
        VERIFY_ERROR(read_layer_file(path, std::nullopt), ErrorCode::InvalidValue, path,
                     "from layers.2.attn.in_proj_weight to layers.10.attn.in_proj_weight");
        for (const std::string layer : {"2", "-1", "1.0", "layers.3.attn", " 0"})
            VERIFY_ERROR(read_layer_file(path, std::nullopt, layer), ErrorCode::InvalidValue, path,
                         "layer is '" + layer + "'");
        QCOMPARE(differs(read_layer_file(write(e.torch()), std::nullopt, "0"), e), QString());
        VERIFY_ERROR(read_layer_file(write(e.torch()), std::nullopt, "1"), ErrorCode::InvalidValue, "", "layer is '1'");
    }

    void contradictions_data() {
        QTest::addColumn<QByteArray>("file");
        QTest::addColumn<QString>("part");
        const Example e;
        const auto row = [](const char* name, const Tensors& tensors, const char* part, const Metadata& metadata = {}) {
            const auto bytes = encode_safetensors({tensors, metadata});
            QTest::newRow(name) << QByteArray(reinterpret_cast<const char*>(bytes.data()), qsizetype(bytes.size()))
                                << QString::fromUtf8(part);
        };
        const auto replaced = [](Tensors tensors, std::size_t at, const FileTensor& tensor) {
            tensors[at].second = tensor;
            return tensors;
        };
        const auto x = [&](const Shape& shape) { return with(e.article(), "x", zeros("F32", shape)); };

        row("nothing at all", {}, "it holds nothing");
        row("no attention", {{"conv.weight", zeros("F32", {3, 3})}}, "it holds conv.weight");
        row("a name inside another", {{"myqkv_proj.weight", zeros("F32", {18, 6})}}, "holds no attention layer");
        row("no key", without(e.separate({"query", "key", "value"}), "key.weight"), "but not key.weight");
        row("no output", without(e.gpt2("h."), "c_proj.weight"), "h.out_proj.weight was expected");
        row("whole numbers", replaced(e.article(), 0, zeros("I32", {18, 6})), "qkv_proj.weight is of type I32");
        row("fused of another shape", replaced(e.article(), 0, zeros("F32", {17, 6})), "(17, 6); (18, 6) was expected");
        row("fused turned", replaced(e.article(), 0, zeros("F32", {6, 18})), "(6, 18); (54, 18) was expected");
        row("fused a vector", replaced(e.article(), 0, zeros("F32", {18})), "a matrix of embed_dim columns");
        row("fused without numbers", replaced(e.article(), 0, zeros("F32", {0, 0})), "(0, 0)");
        row("gpt2 of another shape", replaced(e.gpt2(), 0, zeros("F32", {6, 6})), "(6, 6); (6, 18) was expected");
        row("bias of another size", replaced(e.article(), 1, zeros("F32", {6})),
            "qkv_proj.bias has the shape (6); (18)");
        row("bias a matrix", replaced(e.article(), 1, zeros("F32", {18, 1})), "(18, 1); (18)");
        row("output of another shape", replaced(e.article(), 2, zeros("F32", {6, 5})),
            "out_proj.weight has the shape (6, 5)");
        row("output bias of another size", replaced(e.article(), 3, zeros("F32", {5})),
            "out_proj.bias has the shape (5)");
        row("keys that no number of heads can share",
            replaced(e.separate({"q_proj", "k_proj", "v_proj"}), 2, zeros("F32", {4, 6})),
            "k_proj.weight has the shape (4, 6); (6, 6)");
        row("fewer keys than values", replaced(e.separate({"q_proj", "k_proj", "v_proj"}), 2, zeros("F32", {2, 6})),
            "v_proj.weight has the shape (6, 6); (2, 6)");
        row("wider heads", replaced(e.separate({"q_proj", "k_proj", "v_proj"}), 0, zeros("F32", {12, 6})),
            "q_proj.weight has the shape (12, 6); (6, 6) was expected in layout separate: the heads together have");
        row("unknown layout", e.article(), "metadata layout is \"diagonal\"", {{"layout", "diagonal"}});
        row("separate layout, fused names", e.article(), "layout separate doesn't go with qkv_proj.weight",
            {{"layout", "separate"}});
        row("fused layout, separate names", e.separate({"query", "key", "value"}), "separate already",
            {{"layout", "blocks"}});
        row("heads in words", e.article(), "metadata num_heads is \"eight\"", {{"num_heads", "eight"}});
        row("no heads", e.article(), "metadata num_heads is \"0\"", {{"num_heads", "0"}});
        row("another embed_dim", e.article(), "metadata embed_dim is 512", {{"embed_dim", "512"}});
        row("x of another width", x({3, 5}), "x has the shape (3, 5); (S, 6) or (B, S, 6)");
        row("x a vector", x({6}), "x has the shape (6)");
        row("x a number", x({}), "x has the shape ()");
        row("x of four axes", x({1, 1, 1, 6}), "x has the shape (1, 1, 1, 6)");
        row("x without tokens", x({2, 0, 6}), "one token at least");
        row("x without sequences", x({0, 2, 6}), "one token at least");
        row("x of whole numbers", with(e.article(), "x", zeros("I64", {2, 6})), "x is of type I64");
        row("lengths of another batch", with(x({2, 3, 6}), "lengths", zeros("I64", {3})),
            "lengths has the shape (3); (2)");
        row("lengths a matrix", with(x({2, 3, 6}), "lengths", zeros("I64", {2, 1})), "lengths has the shape (2, 1)");
        row("lengths too long", with(x({2, 3, 6}), "lengths", FileTensor::from_i64({2}, {0, 4})),
            "lengths holds 4; 0 to 3");
        row("lengths below nothing", with(x({2, 3, 6}), "lengths", FileTensor::from_i64({2}, {-1, 3})),
            "lengths holds -1");
        row("lengths in floats", with(x({2, 3, 6}), "lengths", zeros("F32", {2})), "lengths is of type F32");
        row("tokens no JSON", x({3, 6}), "metadata tokens: invalid JSON at byte 0", {{"tokens", "a b c"}});
        row("tokens an object", x({3, 6}), "isn't a JSON list", {{"tokens", "{}"}});
        row("tokens too few", x({3, 6}), "sequence 0 of metadata tokens has the length 2, and x has 3",
            {{"tokens", R"(["a","b"])"}});
        row("tokens too many", x({1, 6}), "sequence 0 of metadata tokens has the length 2, and x has 1",
            {{"tokens", R"([["a","b"]])"}});
        row("tokens numbers", x({2, 6}), "list of texts", {{"tokens", "[[1,2]]"}});
        row("tokens of fewer sequences", x({2, 1, 6}), "is for a batch of 1, and x for one of 2",
            {{"tokens", R"([["a"]])"}});
        row("tokens a plain list for a batch", x({2, 1, 6}), "sequence 0 isn't", {{"tokens", R"(["a","b"])"}});
    }
    void contradictions() {
        QFETCH(QByteArray, file);
        QFETCH(QString, part);
        const std::string path = scratch_.write("bad.safetensors", file.toStdString());
        VERIFY_ERROR(read_layer_file(path, std::nullopt), ErrorCode::FileContent, path, part.toStdString());
    }

    void a_chosen_layout_that_the_shape_forbids() {
        const std::string path = write(Example().torch());
        VERIFY_ERROR(read_layer_file(path, Layout::Transposed), ErrorCode::FileContent, path, "in layout transposed");
        VERIFY_ERROR(read_layer_file(path, Layout::Separate), ErrorCode::FileContent, path, "this weight is fused");
    }

    void faults_of_the_file_itself_come_through() {
        const std::string missing = scratch_.path("none.safetensors");
        VERIFY_ERROR(read_layer_file(missing, std::nullopt), ErrorCode::FileMissing, missing, "");
        const std::string text = scratch_.write("text.safetensors", "not a layer");
        VERIFY_ERROR(read_layer_file(text, std::nullopt), ErrorCode::FileFormat, text, "");
    }

    void reference_files_hold_layers() {
        const auto file =
            read_layer_file(std::string(REFERENCE_DIR) + "/nn_multihead_attention_padding.safetensors", std::nullopt);
        VERIFY_RESULT(file);
        QCOMPARE((*file)->embed_dim, 32);
        QCOMPARE(*(*file)->num_heads, 4);
        QCOMPARE((*file)->layout, Layout::Blocks);
        QCOMPARE((*file)->x->shape(), (Shape{2, 7, 32}));
        QVERIFY((*file)->batch.is_real(1, 3) && !(*file)->batch.is_real(1, 4));
    }
};

QTEST_APPLESS_MAIN(TestLayerFile)
#include "tst_layer_file.moc"
