// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/memory.h"

#include <QTest>
#include <limits>

#include "core/base/tensor.h"
#include "support.h"

using namespace headscope;

class TestMemory : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void cleanup() {
        set_memory_limit_for_tests(0);
        qunsetenv("HEADSCOPE_MEMORY_LIMIT");
    }

    void productsAreChecked() {
        const std::int64_t most = std::numeric_limits<std::int64_t>::max();
        QCOMPARE(checked_product({}).value(), 1);
        QCOMPARE(checked_product({2, 8, 10, 64}).value(), 10240);
        QCOMPARE(checked_product({most, 1}).value(), most);
        QCOMPARE(checked_product({most, most, 0}).value(), 0);
        QCOMPARE(checked_product({-5, 0}).value(), 0);
        QCOMPARE(checked_product({1LL << 31, 1LL << 31}).value(), 1LL << 62);
        for (const auto& product : {checked_product({1LL << 32, 1LL << 31}), checked_product({most, 2}),
                                    checked_product({-1, 3}), checked_product({-1, -3})}) {
            QVERIFY(!product);
            QCOMPARE(product.error().code, ErrorCode::OutOfMemory);
        }
        QVERIFY(checked_product({most, 2}).error().message().find("9223372036854775807 x 2") != std::string::npos);
    }

    void bytesInWords_data() {
        QTest::addColumn<quint64>("bytes");
        QTest::addColumn<QString>("text");
        const std::pair<quint64, const char*> cases[] = {{0, "0 B"},
                                                         {999, "999 B"},
                                                         {1000, "1.0 KB"},
                                                         {6400, "6.4 KB"},
                                                         {9949, "9.9 KB"},
                                                         {9950, "10 KB"},
                                                         {99499, "99 KB"},
                                                         {999499, "999 KB"},
                                                         {999500, "1.0 MB"},
                                                         {64000000, "64 MB"},
                                                         {1234567890, "1.2 GB"},
                                                         {17592186044416, "18 TB"},
                                                         {~quint64{0}, "18 EB"}};
        for (const auto& [bytes, text] : cases) QTest::newRow(text) << bytes << QString::fromUtf8(text);
    }
    void bytesInWords() {
        QFETCH(quint64, bytes);
        QFETCH(QString, text);
        QCOMPARE(QString::fromStdString(format_bytes(bytes)), text);
    }

    void theSystemHasALimit() {
        const std::uint64_t limit = memory_limit();
        QVERIFY(limit > 0);
        QVERIFY(limit < std::uint64_t{1} << 50);  // read from this machine, not the unknown
    }

    void theLimitCanBeSet() {
        qputenv("HEADSCOPE_MEMORY_LIMIT", "123456");
        QCOMPARE(memory_limit(), std::uint64_t{123456});
        set_memory_limit_for_tests(1000);
        QCOMPARE(memory_limit(), std::uint64_t{1000});
        set_memory_limit_for_tests(0);
        QCOMPARE(memory_limit(), std::uint64_t{123456});
        qputenv("HEADSCOPE_MEMORY_LIMIT", "words");  // not a number: as if it weren't set
        QVERIFY(memory_limit() > 123456);
    }

    void refusalsHoldBothFigures() {
        set_memory_limit_for_tests(2'000'000);
        QVERIFY(require_memory(2'000'000, "the scores").has_value());
        const auto refused = require_memory(6'400'000'000, "the scores");
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, ErrorCode::OutOfMemory);
        QCOMPARE(refused.error().message(),
                 std::string("the scores would take 6.4 GB, and 2.0 MB can be had; fewer tokens or a smaller layer "
                             "would fit"));
    }

    void tensorsShareTheirNumbers() {
        const Tensor whole = headscope::testing::filled(Tensor::Type::Float32, {3, 2, 2}, [](auto n) { return n; });
        QCOMPARE(to_string(whole.shape()), std::string("(3, 2, 2)"));
        QCOMPARE(whole.bytes(), 48);
        QVERIFY(reinterpret_cast<std::uintptr_t>(whole.data<float>()) % 64 == 0);
        const Tensor part = whole.part(1, 2);
        QCOMPARE(part.shape(), (Shape{2, 2, 2}));
        QCOMPARE(part.data<float>(), whole.data<float>() + 4);
        QCOMPARE(part.value(7), 11.0);
        QCOMPARE(whole.part(3, 0).size(), 0);
        const Tensor flat = whole.reshaped({12});
        QCOMPARE(flat.data<float>(), whole.data<float>());
        QCOMPARE(whole.converted(Tensor::Type::Float64).value(11), 11.0);
        QCOMPARE(whole.converted(Tensor::Type::Float32).data<float>(), whole.data<float>());
        // A part keeps the numbers alive when the whole is gone.
        Tensor tail = headscope::testing::filled(Tensor::Type::Float64, {4}, [](auto n) { return n; }).part(3, 1);
        QCOMPARE(tail.value(0), 3.0);
    }
};

QTEST_APPLESS_MAIN(TestMemory)
#include "tst_memory.moc"
