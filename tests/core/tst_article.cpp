// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <nlohmann/json.hpp>

#include "core/base/memory.h"
#include "core/measure/article.h"

using namespace headscope;

namespace {

std::string plain_text(const Sentence& sentence) {
    return sentence.str();
}

}  // namespace

class TestArticle : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cleanup() { set_memory_limit_for_tests(0); }

    /// The claims are the article's, and each row was measured as it says.
    void rows() {
        const Bench bench = Bench::make(16, 2, 1).value();
        std::vector<int> steps;
        const auto rows = measure_article(bench, 300, 1, [&](int done) { steps.push_back(done); });
        QVERIFY(rows.has_value());
        QCOMPARE(steps, (std::vector<int>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}));
        QCOMPARE(rows->size(), std::size_t{3});
        const double claims[][2] = {{1.5, 3}, {2, 1.5}, {3, 4}};
        const std::string names[] = {"memory-efficient", "mixed precision", "sparse"};
        for (std::size_t i = 0; i < 3; ++i) {
            const ArticleRow& row = (*rows)[i];
            QCOMPARE(std::string(row.claim.name), names[i]);
            QCOMPARE(row.claim.speed, claims[i][0]);
            QCOMPARE(row.claim.memory, claims[i][1]);
            QCOMPARE(row.plain.name, std::string("weights"));
            QCOMPARE(row.plain.precision, Precision::Float32);
            QCOMPARE(row.way.precision, i == 1 ? Precision::BFloat16 : Precision::Float32);
            QCOMPARE(row.way.sequence_length, std::int64_t{300});
            QCOMPARE(row.way.threads, 1);
            QCOMPARE(row.speed(), row.plain.median_ms / row.way.median_ms);
            QCOMPARE(row.memory() * static_cast<double>(row.way.peak_bytes), static_cast<double>(row.plain.peak_bytes));
            QVERIFY(!row.why.str().empty());
        }
        // What plain attention holds and the others don't: the weights of two heads.
        QVERIFY(rows->front().plain.peak_bytes > rows->front().way.peak_bytes);
    }

    /// A reason says what is so: an emulated precision, a window that holds everything or leaves a share.
    void reasons() {
        const Bench bench = Bench::make(16, 2, 1).value();
        const auto small = measure_article(bench, 20, 1).value(), large = measure_article(bench, 512, 1).value();
        QVERIFY(small[2].why.str().find("nothing to skip") != std::string::npos);
        QVERIFY(large[2].why.str().find("nothing to skip") == std::string::npos);
        // 257 cells a row but for the first 256 rows: (257·512 − 256·257/2) / 512²
        QVERIFY2(large[2].why.str().find("37.6 %") != std::string::npos, large[2].why.str().c_str());
        QCOMPARE(small[1].why.str().find("simulated") != std::string::npos, small[1].way.emulated);
    }

    void json() {
        const Bench bench = Bench::make(16, 2, 1).value();
        const auto row = measure_article(bench, 12, 2).value()[2];
        const auto json = nlohmann::json::parse(to_json(row));
        QCOMPARE(json["case"].get<std::string>(), std::string("sparse"));
        QCOMPARE(json["measured"].get<std::string>(), std::string("local:256:0"));
        QCOMPARE(json["sequence_length"].get<int>(), 12);
        QCOMPARE(json["threads"].get<int>(), 2);
        QCOMPARE(json["claimed_speed"].get<double>(), 3.0);
        QCOMPARE(json["claimed_memory"].get<double>(), 4.0);
        QCOMPARE(json["speed"].get<double>(), row.speed());
        QCOMPARE(json["memory"].get<double>(), row.memory());
        QCOMPARE(json["why"].get<std::string>(), row.why.str());
    }

    /// A reason may hold anything: commas and quotes are quoted, nothing else is.
    void csv() {
        ArticleRow row{kArticleClaims[0], {}, {}, say("a, \"b\"; c")};
        row.plain.median_ms = 3;
        row.way = {"full", 8, 2, Precision::Float32, 2, 1, 50, false};
        row.plain.peak_bytes = 100;
        QCOMPARE(article_csv({row}, plain_text),
                 std::string("case,measured,sequence_length,threads,claimed_speed,speed,claimed_memory,memory,plain_ms,"
                             "median_ms,plain_bytes,peak_bytes,why\r\n"
                             "memory-efficient,full,8,2,1.5,1.5,3.0,2.0,3.0,2.0,100,50,\"a, \"\"b\"\"; c\"\r\n"));
        QCOMPARE(article_csv({}, plain_text), std::string());
    }

    void errors() {
        const Bench bench = Bench::make(16, 2, 1).value();
        const std::atomic<bool> cancel{true};
        QCOMPARE(measure_article(bench, 8, 1, {}, &cancel).error().code, ErrorCode::Cancelled);
        set_memory_limit_for_tests(1000);
        QCOMPARE(measure_article(bench, 512, 1).error().code, ErrorCode::OutOfMemory);
    }
};

QTEST_APPLESS_MAIN(TestArticle)
#include "tst_article.moc"
