// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/config.h"

#include <Eigen/Core>
#include <QTest>
#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include "core/engine/rounding.h"
#include "support.h"

using namespace headscope;
using namespace headscope::testing;

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

/// Eigen's own conversions, written by others: what round_all() must agree with.
float by_eigen(Precision precision, float value) {
    return precision == Precision::BFloat16 ? static_cast<float>(static_cast<Eigen::bfloat16>(value))
                                            : static_cast<float>(static_cast<Eigen::half>(value));
}

bool same(float a, float b) {
    return (std::isnan(a) && std::isnan(b)) || std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
}

}  // namespace

class TestConfig : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void wordsReadBack() {
        for (const auto p : {Precision::Float32, Precision::Float64, Precision::BFloat16, Precision::Float16}) {
            QCOMPARE(parse_precision(to_string(p)).value(), p);
        }
        for (const auto f : {Fill::Safe, Fill::Inf, Fill::MinusBillion}) QCOMPARE(parse_fill(to_string(f)).value(), f);
        for (const auto l : {Layout::Interleaved, Layout::Blocks, Layout::Transposed, Layout::Separate}) {
            QCOMPARE(parse_layout(to_string(l)).value(), l);
        }
        QCOMPARE(to_string(Fill::MinusBillion), std::string_view("1e9"));
        QCOMPARE(to_string(WeightSource::Textbook), std::string_view("textbook"));
    }

    void unknownWordsNameTheLegalOnes() {
        for (const char* word : {"float", "Float32", "", " float32", "float32 "}) {
            const auto precision = parse_precision(word);
            QVERIFY(!precision);
            QCOMPARE(code_of(precision), ErrorCode::InvalidValue);
            for (const char* legal : {"float32", "float64", "bfloat16", "float16"}) {
                QVERIFY(precision.error().message().find(legal) != std::string::npos);
            }
        }
        QCOMPARE(parse_fill("zero").error().message(),
                 std::string("fill 'zero' is unknown; it is one of safe, inf and 1e9"));
        QCOMPARE(code_of(parse_layout("x")), ErrorCode::InvalidValue);
        // What is typed is an argument, never part of the sentence's own syntax.
        QVERIFY(parse_fill("{}{9}").error().message().find("{}{9}") != std::string::npos);
    }

    void headsAreRefusedWithBothNumbers_data() {
        QTest::addColumn<qint64>("embed_dim");
        QTest::addColumn<qint64>("num_heads");
        QTest::addColumn<ErrorCode>("code");
        QTest::addColumn<QString>("sentence");
        const auto row = [](qint64 e, qint64 h, ErrorCode code, const char* sentence) {
            QTest::addRow("%lld/%lld", static_cast<long long>(e), static_cast<long long>(h))
                << e << h << code << QString::fromUtf8(sentence);
        };
        row(512, 7, ErrorCode::InvalidPair,
            "embed_dim 512 is not divisible by num_heads 7; the nearest legal num_heads is 8, the nearest legal "
            "embed_dim is 511");
        row(96, 7, ErrorCode::InvalidPair,
            "embed_dim 96 is not divisible by num_heads 7; the nearest legal num_heads is 6, the nearest legal "
            "embed_dim is 98");
        row(8, 16, ErrorCode::InvalidPair,
            "num_heads 16 is more than embed_dim 8; the nearest legal num_heads is 8, the nearest legal embed_dim is "
            "16");
        row(0, 8, ErrorCode::InvalidValue, "embed_dim is 0, with num_heads 8; it must be at least 1");
        row(-512, 8, ErrorCode::InvalidValue, "embed_dim is -512, with num_heads 8; it must be at least 1");
        row(512, 0, ErrorCode::InvalidValue, "num_heads is 0, with embed_dim 512; it must be at least 1");
        row(512, -3, ErrorCode::InvalidValue, "num_heads is -3, with embed_dim 512; it must be at least 1");
        row(std::numeric_limits<qint64>::max(), 8, ErrorCode::InvalidValue,
            "embed_dim is 9223372036854775807, with num_heads 8; it can be 1048576 at most");
        row(512, std::numeric_limits<qint64>::max(), ErrorCode::InvalidPair,
            "num_heads 9223372036854775807 is more than embed_dim 512; it can be 512 at most");
        row(std::numeric_limits<qint64>::min(), 1, ErrorCode::InvalidValue,
            "embed_dim is -9223372036854775808, with num_heads 1; it must be at least 1");
    }
    void headsAreRefusedWithBothNumbers() {
        QFETCH(qint64, embed_dim);
        QFETCH(qint64, num_heads);
        QFETCH(ErrorCode, code);
        QFETCH(QString, sentence);
        const auto result = check_heads(embed_dim, num_heads);
        QVERIFY(!result);
        QCOMPARE(code_of(result), code);
        QCOMPARE(QString::fromStdString(result.error().message()), sentence);
    }

    void everyPairUpTo64() {
        for (std::int64_t e = 1; e <= 64; ++e) {
            std::vector<std::int64_t> divisors;
            for (std::int64_t h = 1; h <= 70; ++h) {
                const auto result = check_heads(e, h);
                QCOMPARE(result.has_value(), e % h == 0);
                if (result) {
                    divisors.push_back(h);
                    continue;
                }
                // The two proposals are legal, and nothing legal is nearer.
                const std::int64_t heads = std::stoll(result.error().args[2]);
                const std::int64_t embed = std::stoll(result.error().args[3]);
                QVERIFY(check_heads(e, heads).has_value());
                QVERIFY(check_heads(embed, h).has_value());
                for (std::int64_t other = 1; other <= 140; ++other) {
                    if (e % other == 0) QVERIFY(std::abs(other - h) >= std::abs(heads - h));
                    if (other % h == 0) QVERIFY(std::abs(other - e) >= std::abs(embed - e));
                }
            }
            QCOMPARE(legal_num_heads(e), divisors);
        }
        QVERIFY(legal_num_heads(0).empty());
        QVERIFY(legal_num_heads(-4).empty());
        QVERIFY(legal_num_heads(std::numeric_limits<std::int64_t>::max()).empty());
        QCOMPARE(legal_num_heads(kLargestEmbedDim).size(), std::size_t{21});
    }

    void roundingOfFloats() {
        for (const auto precision : {Precision::BFloat16, Precision::Float16}) {
            // Every number of both formats with what lies around it and half way to the next: every kind of tie.
            for (std::uint32_t high = 0; high < 0x10000; ++high) {
                for (const std::uint32_t low :
                     {0x0U, 0x1U, 0xfffU, 0x1000U, 0x1001U, 0x2fffU, 0x3000U, 0x7fffU, 0x8000U, 0x8001U, 0xffffU}) {
                    const auto value = std::bit_cast<float>(high << 16 | low);
                    float rounded = value;
                    round_all(&rounded, 1, precision);
                    const float expected = by_eigen(precision, value);
                    if (!same(rounded, expected)) {
                        QFAIL(qPrintable(
                            QStringLiteral("%1 became %2, but expected %3").arg(value).arg(rounded).arg(expected)));
                    }
                    const auto again = static_cast<float>(round_to(precision, static_cast<double>(value)));
                    if (!same(again, expected)) {
                        QFAIL(qPrintable(
                            QStringLiteral("round_to(%1) is %2, but expected %3").arg(value).arg(again).arg(expected)));
                    }
                }
            }
        }
    }

    void roundingIsDoneOnce() {
        // Just above half way between 1 and the next bfloat16; float would call it half way and go to the even 1.
        const double above = 1 + 0x1p-8 + 0x1p-40;
        QCOMPARE(round_to(Precision::BFloat16, above), 1 + 0x1p-7);
        QCOMPARE(round_to(Precision::Float16, 1 + 0x1p-11 + 0x1p-40), 1 + 0x1p-10);
        QCOMPARE(
            in_precision(filled(Tensor::Type::Float64, {1}, [&](auto) { return above; }), Precision::BFloat16).value(0),
            1 + 0x1p-7);
        QCOMPARE(round_to(Precision::Float32, 1 + 0x1p-24), 1.0);
        QCOMPARE(round_to(Precision::Float32, 0.1), static_cast<double>(0.1F));
        QCOMPARE(round_to(Precision::Float64, 0.1), 0.1);
        std::mt19937 random(1);
        std::normal_distribution<double> normal;
        for (int n = 0; n < 10000; ++n) {
            const double value = std::ldexp(normal(random), static_cast<int>(random() % 320) - 170);
            QCOMPARE(round_to(Precision::Float32, value), static_cast<double>(static_cast<float>(value)));
        }
    }

    void roundingAtTheEnds() {
        QCOMPARE(round_to(Precision::Float16, 65504), 65504.0);
        QCOMPARE(round_to(Precision::Float16, 65519.999), 65504.0);
        QCOMPARE(round_to(Precision::Float16, 65520), kInf);
        QCOMPARE(round_to(Precision::Float16, -65520), -kInf);
        QCOMPARE(round_to(Precision::Float16, 0x1p-24), 0x1p-24);
        QCOMPARE(round_to(Precision::Float16, 0x1p-25), 0.0);
        QVERIFY(std::signbit(round_to(Precision::Float16, -0x1p-25)));
        QCOMPARE(round_to(Precision::BFloat16, 3.5e38), kInf);
        for (const auto p : {Precision::Float32, Precision::Float64, Precision::BFloat16, Precision::Float16}) {
            QVERIFY(std::isnan(round_to(p, std::numeric_limits<double>::quiet_NaN())));
            QCOMPARE(round_to(p, kInf), kInf);
            QVERIFY(std::signbit(round_to(p, -0.0)));
        }
    }

    void tensorsChangeTheirType() {
        const Tensor floats = filled(Tensor::Type::Float32, {2}, [](auto n) { return n + 0.1; });
        QCOMPARE(in_precision(floats, Precision::Float32).data<float>(), floats.data<float>());  // not copied
        QCOMPARE(in_precision(floats, Precision::Float64).type(), Tensor::Type::Float64);
        QCOMPARE(in_precision(floats, Precision::Float64).value(1), static_cast<double>(1.1F));
        QCOMPARE(in_precision(floats, Precision::BFloat16).value(1), 1.1015625);
        QCOMPARE(floats.value(1), static_cast<double>(1.1F));
    }

    void minusBillion() {
        QCOMPARE(effective_fill(Fill::MinusBillion, Precision::Float32), -1e9);
        QCOMPARE(effective_fill(Fill::MinusBillion, Precision::Float64), -1e9);
        QCOMPARE(effective_fill(Fill::MinusBillion, Precision::BFloat16), -998244352.0);
        QCOMPARE(effective_fill(Fill::MinusBillion, Precision::Float16), -kInf);
        QCOMPARE(effective_fill(Fill::Safe, Precision::Float16), -kInf);
        QCOMPARE(effective_fill(Fill::Inf, Precision::BFloat16), -kInf);
        QCOMPARE(effective_mode(Fill::MinusBillion, Precision::Float16), Fill::Inf);
        QCOMPARE(effective_mode(Fill::MinusBillion, Precision::BFloat16), Fill::MinusBillion);
        QCOMPARE(effective_mode(Fill::Safe, Precision::Float16), Fill::Safe);
    }
};

QTEST_APPLESS_MAIN(TestConfig)
#include "tst_config.moc"
