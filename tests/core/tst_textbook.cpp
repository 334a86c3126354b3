// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/attention/compute.h"
#include "core/weights/textbook.h"
#include "support.h"

using namespace headscope;

namespace {

using Row = std::vector<double>;

/// One sequence of `length` words, of which every third returns.
Batch sentence(std::int64_t length) {
    std::vector<std::string> words;
    for (std::int64_t i = 0; i < length; ++i) words.push_back("word" + std::to_string(i % 3 == 0 ? i % 6 : i));
    return {{words}, std::vector<std::uint8_t>(static_cast<std::size_t>(length), 1)};
}

/// q, k or v of one head for every token, as float32: y = x Wᵀ + b on the interleaved rows.
std::vector<std::vector<float>> project(const Layer& layer, const Tensor& x, std::int64_t head, int part) {
    const std::int64_t embed_dim = layer.embed_dim, head_dim = embed_dim / layer.num_heads;
    std::vector<std::vector<float>> result(std::size_t(x.dim(1)));
    for (std::int64_t i = 0; i < head_dim; ++i) {
        const std::int64_t row = (head * 3 + part) * head_dim + i;
        const float* weight = layer.qkv_weight.data<float>() + row * embed_dim;
        std::vector<std::int64_t> used;  // nearly all weights are 0
        for (std::int64_t e = 0; e < embed_dim; ++e)
            if (weight[e] != 0) used.push_back(e);
        for (std::size_t s = 0; s < result.size(); ++s) {
            float sum = layer.qkv_bias.data<float>()[row];
            for (const std::int64_t e : used) sum += weight[e] * x.data<float>()[std::int64_t(s) * embed_dim + e];
            result[s].push_back(sum);
        }
    }
    return result;
}

/// softmax(q kᵀ/√Dh) of one head.
std::vector<Row> attention(const Layer& layer, const Tensor& x, std::int64_t head) {
    const auto q = project(layer, x, head, 0), k = project(layer, x, head, 1);
    const float scale = 1 / std::sqrt(static_cast<float>(layer.embed_dim / layer.num_heads));
    std::vector<Row> weights;
    for (const auto& query : q) {
        Row& row = weights.emplace_back();
        for (const auto& key : k) {
            float score = 0;
            for (std::size_t i = 0; i < query.size(); ++i) score += query[i] * key[i];
            row.push_back(static_cast<double>(score * scale));
        }
        const double largest = *std::max_element(row.begin(), row.end());
        double sum = 0;
        for (double& score : row) sum += score = std::exp(score - largest);
        for (double& weight : row) weight /= sum;
    }
    return weights;
}

/// Where query i's target stands, or nothing inside the sequence.
std::int64_t target(TextbookRole role, std::int64_t i) {
    switch (role) {
        case TextbookRole::Previous:
            return i - 1;
        case TextbookRole::Next:
            return i + 1;
        case TextbookRole::TwoBack:
            return i - 2;
        case TextbookRole::First:
            return 0;
        default:
            return i;
    }
}

/// Checks one head of a sequence against what its role promises; an empty sentence where it keeps it.
QString broken_promise(TextbookRole role, const std::vector<Row>& weights, const std::vector<std::string>& words) {
    const auto length = static_cast<std::int64_t>(weights.size());
    for (std::int64_t i = 0; i < length; ++i) {
        const Row& row = weights[static_cast<std::size_t>(i)];
        const auto at = [&](std::int64_t j) { return row[static_cast<std::size_t>(j)]; };
        const auto say = [&](double value) {
            return QStringLiteral("%1, row %2 of %3: %4").arg(int(role)).arg(i).arg(length).arg(value);
        };
        if (role == TextbookRole::Everything) {
            for (const double weight : row)
                if (static_cast<float>(weight) != 1.0F / static_cast<float>(length)) return say(weight);
        } else if (role == TextbookRole::SameWord) {
            double share = 0, least = 1, most = 0;
            for (std::int64_t j = 0; j < length; ++j) {
                if (words[static_cast<std::size_t>(j)] != words[static_cast<std::size_t>(i)]) continue;
                share += at(j);
                least = std::min(least, at(j));
                most = std::max(most, at(j));
            }
            if (share < 0.95 || most - least > 1e-6) return say(share);
        } else if (role == TextbookRole::Neighbourhood) {
            const auto largest = std::max_element(row.begin(), row.end()) - row.begin();
            if (largest != i) return say(static_cast<double>(largest));
        } else {
            const std::int64_t wanted = target(role, i);
            if (wanted >= 0 && wanted < length && at(wanted) < 0.9) return say(at(wanted));
        }
    }
    return {};
}

}  // namespace

class TestTextbook : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void every_head_does_its_role_data() {
        QTest::addColumn<int>("embed_dim");
        QTest::addColumn<int>("num_heads");
        QTest::addColumn<QList<int>>("lengths");
        const QList<int> classroom = {1, 2, 3, 8, 13, 21, 40, 64};
        for (const int heads : {1, 2, 4, 8, 16, 32}) QTest::addRow("512, %d heads", heads) << 512 << heads << classroom;
        for (const auto& [embed, heads] : {std::pair{64, 4}, {96, 6}, {129, 3}, {1024, 16}, {1024, 64}})
            QTest::addRow("%d, %d heads", embed, heads) << embed << heads << classroom;
        QTest::addRow("4096, 256 heads") << 4096 << 256 << QList<int>{20};
        QTest::addRow("512 at length") << 512 << 8 << QList<int>{1025};
        QTest::addRow("96 at length") << 96 << 4 << QList<int>{1000};
    }
    void every_head_does_its_role() {
        QFETCH(int, embed_dim);
        QFETCH(int, num_heads);
        QFETCH(QList<int>, lengths);
        QVERIFY(!textbook_limit(embed_dim, num_heads));
        const Layer layer = textbook_layer(embed_dim, num_heads);
        for (const int length : lengths) {
            const Batch batch = sentence(length);
            const Tensor x = textbook_x(batch, 0, embed_dim);
            QCOMPARE(x.shape(), (Shape{1, length, embed_dim}));
            for (std::int64_t head = 0; head < std::min(num_heads, 16); ++head) {
                const QString broken =
                    broken_promise(textbook_role(head), attention(layer, x, head), batch.tokens.front());
                QVERIFY2(broken.isEmpty(), qPrintable(broken));
            }
        }
    }

    void a_row_without_a_target_looks_at_the_nearest_token() {
        for (const int num_heads : {8, 16}) {
            const Layer layer = textbook_layer(512, num_heads);
            for (const std::int64_t length : {1, 8, 64, 1000}) {
                const Tensor x = textbook_x(sentence(length), 0, 512);
                QVERIFY(attention(layer, x, 0).front().front() > 0.8);  // previous token of the first
                QVERIFY(attention(layer, x, 1).back().back() > 0.8);    // next token of the last
                QVERIFY(attention(layer, x, 5).front().front() > 0.8);  // two back of the first
            }
        }
    }

    void the_whole_program_keeps_the_promises_data() {
        QTest::addColumn<int>("num_heads");
        for (const int heads : {1, 2, 4, 8, 16}) QTest::addRow("%d heads", heads) << heads;
    }
    void the_whole_program_keeps_the_promises() {
        QFETCH(int, num_heads);
        for (const std::int64_t length : {8, 9, 31, 64}) {
            Request request;
            request.batch = sentence(length);
            request.num_heads = num_heads;
            const auto trace = compute(request);
            VERIFY_RESULT(trace);
            for (std::int64_t head = 0; head < num_heads; ++head) {
                const MatrixView matrix = (*trace)->matrix(Stage::Weights, 0, head);
                std::vector<Row> weights;
                for (std::int64_t i = 0; i < length; ++i) {
                    Row& row = weights.emplace_back();
                    for (std::int64_t j = 0; j < length; ++j) row.push_back(matrix.at(i, j));
                }
                const QString broken = broken_promise(textbook_role(head), weights, request.batch.tokens.front());
                QVERIFY2(broken.isEmpty(), qPrintable(broken));
            }
        }
    }

    void what_the_first_start_shows() {
        // Head 0 of the article's sizes: 28 at the target, a little at its neighbours.
        const Tensor x = textbook_x(sentence(10), 0, 512);
        const auto weights = attention(textbook_layer(512, 8), x, 0);
        QVERIFY(std::abs(weights[5][4] - 0.916) < 0.0005);
    }

    void a_limit_says_which_roles_and_what_would_do() {
        const auto limit = textbook_limit(32, 8);
        QVERIFY(limit);
        QCOMPARE(limit->unclear,
                 (std::vector{TextbookRole::Previous, TextbookRole::Next, TextbookRole::Itself, TextbookRole::First,
                              TextbookRole::SameWord, TextbookRole::TwoBack, TextbookRole::Neighbourhood}));
        QCOMPARE(limit->tokens, 64);
        QCOMPARE(limit->clear_embed_dim, 128);
        // Positions need 8 numbers, words 16; a layer whose heads have neither role is not blamed.
        QCOMPARE(textbook_limit(64, 8)->unclear, std::vector{TextbookRole::SameWord});
        QVERIFY(textbook_limit(16, 16));
        QVERIFY(!textbook_limit(32, 4));
    }

    void no_limit_is_kept_silent() {
        // Where textbook_limit() has nothing to say, 64 tokens come out; small sizes are where it matters.
        for (int embed_dim = 1; embed_dim <= 72; ++embed_dim) {
            const Batch batch = sentence(64);
            const Tensor x = textbook_x(batch, 3, embed_dim);
            for (int num_heads = 1; num_heads <= embed_dim; ++num_heads) {
                if (embed_dim % num_heads != 0) continue;
                const auto limit = textbook_limit(embed_dim, num_heads);
                const auto unclear = limit ? limit->unclear : std::vector<TextbookRole>();
                const Layer layer = textbook_layer(embed_dim, num_heads);
                for (std::int64_t head = 0; head < std::min(num_heads, 8); ++head) {
                    const TextbookRole role = textbook_role(head);
                    if (std::find(unclear.begin(), unclear.end(), role) != unclear.end()) continue;
                    const QString broken = broken_promise(role, attention(layer, x, head), batch.tokens.front());
                    QVERIFY2(broken.isEmpty(), qPrintable(broken));
                }
            }
        }
    }

    void any_legal_pair_gives_finite_weights() {
        for (int embed_dim = 1; embed_dim <= 40; ++embed_dim) {
            const Tensor x = textbook_x(sentence(9), 1, embed_dim);
            for (std::int64_t i = 0; i < x.size(); ++i) QVERIFY(std::abs(x.value(i)) <= 1);
            for (int num_heads = 1; num_heads <= embed_dim; ++num_heads) {
                if (embed_dim % num_heads != 0) continue;
                const Layer layer = textbook_layer(embed_dim, num_heads);
                for (const Tensor& tensor : {layer.qkv_weight, layer.qkv_bias, layer.out_weight, layer.out_bias})
                    for (std::int64_t i = 0; i < tensor.size(); ++i) QVERIFY(std::isfinite(tensor.value(i)));
            }
        }
    }

    void content_is_the_texts_and_v_passes_it_on() {
        const Batch batch{{{"a", "b", "a", "[PAD]"}}, {1, 1, 1, 0}};
        const std::int64_t embed_dim = 64, content = 32, head_dim = 16;
        const Tensor x = textbook_x(batch, 5, embed_dim);
        const float* a = x.data<float>();
        const float* b = a + embed_dim;
        QVERIFY(std::equal(a, a + content, a + 2 * embed_dim));  // the same word wherever it stands
        QVERIFY(!std::equal(a, a + content, b));
        QVERIFY(!std::equal(a + content, a + embed_dim, a + 2 * embed_dim + content));        // another position
        QVERIFY(!std::equal(a, a + content, textbook_x(batch, 6, embed_dim).data<float>()));  // another seed
        for (std::int64_t pair = 0; pair < content; pair += 2)
            QVERIFY(std::abs(std::hypot(a[pair], a[pair + 1]) - 1.0F) < 1e-6F);

        const Layer layer = textbook_layer(embed_dim, embed_dim / head_dim);
        const auto v = project(layer, x, 1, 2);
        QVERIFY(std::equal(v[1].begin(), v[1].end(), b + head_dim));  // head 1 passes the second slice
        for (std::int64_t i = 0; i < embed_dim * embed_dim; ++i)
            QCOMPARE(layer.out_weight.data<float>()[i], i % (embed_dim + 1) == 0 ? 1.0F : 0.0F);
    }

    void an_empty_batch_has_no_vectors() { QCOMPARE(textbook_x(Batch{}, 0, 8).shape(), (Shape{0, 0, 8})); }
};

QTEST_APPLESS_MAIN(TestTextbook)
#include "tst_textbook.moc"
