// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <nlohmann/json.hpp>

#include "core/base/memory.h"
#include "core/engine/product.h"
#include "core/measure/bench.h"

using namespace headscope;

class TestBench : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cleanup() { set_memory_limit_for_tests(0); }

    void cases() {
        const auto parsed =
            parse_bench_cases("full,causal,local:256:0,weights,chunk:256,bfloat16,causal\\,local:4:0,stages");
        QVERIFY(parsed.has_value());
        QCOMPARE(parsed->size(), std::size_t{8});
        const auto way = [&](std::size_t i) { return (*parsed)[i].way; };
        QCOMPARE(way(0), BenchCase::Way::Tiled);
        QVERIFY((*parsed)[0].mask.empty());
        QCOMPARE(to_string((*parsed)[1].mask), std::string("causal"));
        QCOMPARE(to_string((*parsed)[2].mask), std::string("local:256:0"));
        QCOMPARE(way(3), BenchCase::Way::Weights);
        QCOMPARE(way(4), BenchCase::Way::Chunked);
        QCOMPARE((*parsed)[4].chunk_size, std::int64_t{256});
        QCOMPARE((*parsed)[5].precision, Precision::BFloat16);
        QCOMPARE(to_string((*parsed)[6].mask), std::string("causal,local:4:0"));
        QCOMPARE((*parsed)[6].name, std::string("causal,local:4:0"));
        QCOMPARE(way(7), BenchCase::Way::Stages);
    }

    void faultyCases_data() {
        QTest::addColumn<QByteArray>("text");
        for (const char* text :
             {"", "full,", "fast", "chunk:0", "chunk:", "chunk:x", "chunk:-4", "local:1", "full,,causal"})
            QTest::newRow(*text ? text : "nothing") << QByteArray(text);
    }
    void faultyCases() {
        QFETCH(QByteArray, text);
        const auto parsed = parse_bench_cases(text.constData());
        QVERIFY(!parsed.has_value());
        QCOMPARE(parsed.error().code, ErrorCode::InvalidValue);
    }

    void numbers() {
        QCOMPARE(parse_bench_numbers("512,1,99", "--sizes").value(), (std::vector<std::int64_t>{512, 1, 99}));
        for (const char* text : {"", "0", "-1", "1,", "two", "1.5", "99999999999999999999", "1 "}) {
            const auto parsed = parse_bench_numbers(text, "--sizes");
            QVERIFY2(!parsed.has_value(), text);
            QVERIFY(parsed.error().message().find("--sizes") != std::string::npos);
        }
    }

    /// Every way measures something, and says which precision and how many bytes.
    void measures() {
        const Bench bench = Bench::make(32, 4, 3).value();
        const auto cases = parse_bench_cases("full,weights,stages,chunk:7,float16,float64,causal").value();
        for (const auto& what : cases) {
            const auto line = bench.measure(what, 40, 2);
            QVERIFY2(line.has_value(), what.name.c_str());
            QVERIFY(line->min_ms > 0 && line->median_ms >= line->min_ms);
            const auto json = nlohmann::json::parse(to_json(*line));
            QCOMPARE(json["case"].get<std::string>(), what.name);
            QCOMPARE(json["sequence_length"].get<int>(), 40);
            QCOMPARE(json["threads"].get<int>(), 2);
            QCOMPARE(json["precision"].get<std::string>(), std::string(to_string(what.precision)));
            QVERIFY(json["peak_bytes"].get<std::uint64_t>() >= 40 * 32 * 4);  // the output at least
            QCOMPARE(json.contains("emulated"), what.precision == Precision::Float16);
        }
    }

    /// Chunks and stages round what float products gave, whatever the processor has; the fast way says what it has.
    void halvesAreEmulatedWhereTheyAre() {
        const Bench bench = Bench::make(32, 4, 1).value();
        const auto cases = parse_bench_cases("full,chunk:7,stages").value();
        for (BenchCase what : cases)
            for (const Precision precision : {Precision::Float32, Precision::BFloat16, Precision::Float16}) {
                what.precision = precision;
                const bool staged = what.way != BenchCase::Way::Tiled;
                const bool emulated = precision == Precision::Float16 ||
                                      (precision == Precision::BFloat16 && (staged || !has_native_bfloat16()));
                QCOMPARE(bench.measure(what, 24, 1)->emulated, emulated);
            }
    }

    /// What the weights cost is in the bytes.
    void weightsTakeBytes() {
        const Bench bench = Bench::make(32, 4, 1).value();
        const auto full = bench.measure(parse_bench_case("full").value(), 128, 1);
        const auto weights = bench.measure(parse_bench_case("weights").value(), 128, 1);
        QVERIFY(weights->peak_bytes >= full->peak_bytes + 4 * 128 * 128 * 4 - 128 * 1024);
    }

    void errors() {
        QCOMPARE(Bench::make(30, 4, 1).error().code, ErrorCode::InvalidPair);
        const Bench bench = Bench::make(32, 4, 1).value();
        for (const char* text : {"full", "weights", "stages", "chunk:8"}) {
            const BenchCase what = parse_bench_case(text).value();
            const auto huge = bench.measure(what, std::int64_t{1} << 45, 1);
            QVERIFY2(!huge.has_value(), text);
            QCOMPARE(huge.error().code, ErrorCode::OutOfMemory);
            const std::atomic<bool> cancel{true};
            QCOMPARE(bench.measure(what, 16, 1, &cancel).error().code, ErrorCode::Cancelled);
        }
        QCOMPARE(bench.measure(parse_bench_case("stages").value(), std::int64_t{1} << 20, 1).error().code,
                 ErrorCode::OutOfMemory);
    }
};

QTEST_APPLESS_MAIN(TestBench)
#include "tst_bench.moc"
