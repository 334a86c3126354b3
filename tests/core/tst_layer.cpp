// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "core/files/safetensors_file.h"
#include "core/weights/layer.h"
#include "core/weights/torch_random.h"
#include "support.h"

using namespace headscope;

namespace {

std::vector<float> numbers(const Tensor& tensor) {
    return {tensor.data<float>(), tensor.data<float>() + tensor.size()};
}

}  // namespace

class TestLayer : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // torch.manual_seed(3); nn.Linear(3,9); nn.Linear(3,3), printed by PyTorch 1.13.1
    void seeded_layer_is_torchs() {
        const Layer layer = seeded_layer(3, 3, 1);
        QCOMPARE(numbers(layer.qkv_weight),
                 (std::vector<float>{-0.572427154F,  -0.455449253F, -0.247287795F, -0.546225488F, -0.0327769108F,
                                     -0.507933974F,  0.313923627F,  0.281399786F,  0.10902822F,   0.447858274F,
                                     -0.0565441512F, 0.345821977F,  -0.404328912F, -0.113774009F, -0.514792144F,
                                     -0.0468747877F, -0.374578804F, 0.518671691F,  0.401049018F,  0.432846695F,
                                     0.171254128F,   -0.329369396F, 0.518812716F,  -0.56336838F,  -0.368491262F,
                                     -0.360595465F,  -0.239317805F}));
        QCOMPARE(numbers(layer.qkv_bias),
                 (std::vector<float>{0.115122095F, -0.437336713F, -0.444795489F, -0.276112407F, 0.352382153F,
                                     -0.416428775F, -0.517823279F, -0.500394344F, -0.284105539F}));
        QCOMPARE(numbers(layer.out_weight),
                 (std::vector<float>{-0.151697695F, -0.57235682F, -0.270308226F, 0.0111068552F, 0.095172815F,
                                     -0.082768321F, -0.0654629767F, -0.375609249F, 0.295779973F}));
        QCOMPARE(numbers(layer.out_bias), (std::vector<float>{-0.139086515F, -0.394744068F, -0.139039993F}));
    }

    void reference_layers_and_vectors_data() {
        QTest::addColumn<quint64>("seed");
        QTest::addColumn<int>("embed_dim");
        QTest::addColumn<int>("num_heads");
        QTest::addRow("seed_0_e512_h8") << quint64{0} << 512 << 8;
        QTest::addRow("seed_42_e512_h8") << quint64{42} << 512 << 8;
        QTest::addRow("seed_2026_e96_h12") << quint64{2026} << 96 << 12;
        QTest::addRow("seed_7_e8_h8") << quint64{7} << 8 << 8;
        QTest::addRow("seed_5000000000_e20_h4") << quint64{5000000000} << 20 << 4;
    }
    void reference_layers_and_vectors() {
        QFETCH(quint64, seed);
        QFETCH(int, embed_dim);
        QFETCH(int, num_heads);
        const auto file = read_safetensors(fmt::format("{}/{}.safetensors", REFERENCE_DIR, QTest::currentDataTag()));
        VERIFY_RESULT(file);
        const Layer layer = seeded_layer(seed, embed_dim, num_heads);
        const auto first_row = [&](const Tensor& weight) {
            return std::vector<double>(weight.data<float>(), weight.data<float>() + embed_dim);
        };
        // Uniform numbers are exact.
        QCOMPARE(first_row(layer.qkv_weight), file->find("qkv_proj.weight[0]")->values());
        QCOMPARE(first_row(layer.out_weight), file->find("out_proj.weight[0]")->values());
        COMPARE_NUMBERS(layer.qkv_bias, file->find("qkv_proj.bias")->values(), 0);
        COMPARE_NUMBERS(layer.out_bias, file->find("out_proj.bias")->values(), 0);

        const auto tokens =
            nlohmann::json::parse(file->metadata.at("tokens")).get<std::vector<std::vector<std::string>>>();
        Tensor x(Tensor::Type::Float32, file->find("x")->shape);
        float* row = x.data<float>();
        for (const auto& sequence : tokens) {
            for (const auto& token : sequence) {
                token_vector(token, seed, embed_dim, row);
                row += embed_dim;
            }
        }
        COMPARE_NUMBERS(x, file->find("x")->values(), 5e-7);  // torch's float32 functions round on their own
    }

    void one_number_is_a_layer_too() {
        const Layer layer = seeded_layer(9, 1, 1);
        QCOMPARE(numbers(layer.qkv_weight), (std::vector<float>{0.311568975F, -0.395954609F, -0.0402071476F}));
        QCOMPARE(numbers(layer.qkv_bias), (std::vector<float>{0.554747224F, 0.835928679F, 0.862067223F}));
        QCOMPARE(numbers(layer.out_weight), (std::vector<float>{-0.47927916F}));
        QCOMPARE(numbers(layer.out_bias), (std::vector<float>{0.906847715F}));
    }

    void shapes_follow_embed_dim_and_numbers_dont_follow_num_heads() {
        const Layer eight = seeded_layer(0, 64, 8), one = seeded_layer(0, 64, 1);
        QCOMPARE(eight.qkv_weight.shape(), (Shape{192, 64}));
        QCOMPARE(eight.qkv_bias.shape(), (Shape{192}));
        QCOMPARE(eight.out_weight.shape(), (Shape{64, 64}));
        QCOMPARE(eight.out_bias.shape(), (Shape{64}));
        QCOMPARE(eight.num_heads, 8);
        QCOMPARE(numbers(eight.qkv_weight), numbers(one.qkv_weight));
        QCOMPARE(numbers(eight.out_bias), numbers(one.out_bias));
    }

    void block_row_by_hand() {
        // E = 4, H = 2: q0 q0 k0 k0 v0 v0 q1 q1 k1 k1 v1 v1
        const std::vector<std::int64_t> expected = {0, 1, 4, 5, 8, 9, 2, 3, 6, 7, 10, 11};
        for (std::int64_t row = 0; row < 12; ++row) QCOMPARE(block_row(row, 4, 2), expected[std::size_t(row)]);
    }

    void block_row_is_a_permutation() {
        for (const auto& [embed_dim, num_heads] : {std::pair{1, 1}, {6, 1}, {6, 6}, {12, 3}, {512, 8}}) {
            std::set<std::int64_t> rows;
            for (std::int64_t row = 0; row < 3 * embed_dim; ++row) rows.insert(block_row(row, embed_dim, num_heads));
            QCOMPARE(std::int64_t(rows.size()), std::int64_t(3 * embed_dim));
            QCOMPARE(*rows.begin(), 0);
            QCOMPARE(*rows.rbegin(), std::int64_t(3 * embed_dim - 1));
        }
    }
};

QTEST_APPLESS_MAIN(TestLayer)
#include "tst_layer.moc"
