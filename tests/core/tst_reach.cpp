// SPDX-License-Identifier: GPL-3.0-or-later
// Reach through several layers against naive boolean powers and paths.
#include <QTest>
#include <random>

#include "core/explain/reach.h"
#include "support.h"

using namespace headscope;

namespace {

using Cells = std::vector<std::vector<bool>>;

BitMatrix mask_of(const std::string& expression, std::int64_t size, std::int64_t padding = 0) {
    std::vector<std::uint8_t> real(static_cast<std::size_t>(size), 1);
    std::fill(real.end() - padding, real.end(), 0);
    return BitMatrix(parse_mask(expression).value(), real);
}

BitMatrix random_mask(std::int64_t size, double allowed, bool diagonal, std::mt19937& random) {
    std::bernoulli_distribution draw(allowed);
    BitMatrix mask(size, size);
    for (std::int64_t i = 0; i < size; ++i)
        for (std::int64_t j = 0; j < size; ++j) mask.set(i, j, draw(random) || (diagonal && i == j));
    return mask;
}

/// By the definition, three loops.
BitMatrix naive_product(const BitMatrix& a, const BitMatrix& b) {
    BitMatrix product(a.queries(), b.keys());
    for (std::int64_t i = 0; i < a.queries(); ++i)
        for (std::int64_t j = 0; j < b.keys(); ++j) {
            bool any = false;
            for (std::int64_t k = 0; k < a.keys(); ++k) any = any || (a.at(i, k) && b.at(k, j));
            product.set(i, j, any);
        }
    return product;
}

}  // namespace

class TestReach : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aWindowReachesOneTokenMoreALayer() {
        const Reach reach(mask_of("causal,local:1:0", 10), 3);
        QCOMPARE(reach.count(9, 1), 2);
        QCOMPARE(reach.count(9, 2), 3);
        QCOMPARE(reach.count(9, 3), 4);
        QCOMPARE(reach.count(1, 3), 2);
        QCOMPARE(reach.path(9, 6), (std::vector<std::int64_t>{9, 8, 7, 6}));
        QVERIFY(!reach.reaches(9, 5) && reach.path(9, 5).empty());
    }

    void fiftyRandomMasksAgainstThePower() {
        std::mt19937 random(20);
        for (int round = 0; round < 50; ++round) {
            const auto size = 1 + static_cast<std::int64_t>(random() % 70);
            const bool diagonal = round % 2 == 0;
            const BitMatrix mask = random_mask(size, 1.5 / static_cast<double>(size), diagonal, random);
            const Reach reach(mask, 6);
            BitMatrix power = mask, within = mask;
            for (int layers = 1; layers <= 6; ++layers) {
                if (layers > 1) {
                    QVERIFY(boolean_product(power, mask) == naive_product(power, mask));
                    power = naive_product(power, mask);
                    within |= power;
                }
                QVERIFY(reach.within(layers) == within);
                if (diagonal) QVERIFY(reach.within(layers) == power);
                for (std::int64_t i = 0; i < size; ++i) {
                    std::int64_t count = 0;
                    for (std::int64_t j = 0; j < size; ++j) count += within.at(i, j);
                    QCOMPARE(reach.count(i, layers), count);
                }
            }
        }
    }

    void pathsAreShortestAndAllowed() {
        std::mt19937 random(21);
        for (int round = 0; round < 20; ++round) {
            const BitMatrix mask = random_mask(40, 0.05, true, random);
            const Reach reach(mask, 12);
            for (std::int64_t i = 0; i < 40; ++i)
                for (std::int64_t j = 0; j < 40; ++j) {
                    const auto path = reach.path(i, j);
                    QCOMPARE(path.empty(), !reach.reaches(i, j));
                    if (path.empty()) continue;
                    QCOMPARE(std::ssize(path), reach.steps(i, j) + 1);
                    QVERIFY(path.front() == i && path.back() == j);
                    for (std::size_t n = 1; n < path.size(); ++n) QVERIFY(mask.at(path[n - 1], path[n]));
                    if (reach.steps(i, j) > 1) QVERIFY(!reach.within(reach.steps(i, j) - 1).at(i, j));
                }
        }
    }

    void documentsNeverMix() {
        for (const char* expression :
             {"documents:4:3:5", "causal,documents:4:3:5", "documents:4:3:5,local:1:1", "block:5"}) {
            const BitMatrix mask = mask_of(expression, 20);
            const BitMatrix forbidden = forbidden_pairs(mask);
            for (const int layers : {1, 2, 3, 7, 12, Reach::kMostLayers}) {
                const BitMatrix reached = Reach(mask, layers).within(layers);
                QVERIFY(reached.is_within(
                    mask_of(std::string(expression).starts_with("block") ? "block:5" : "documents:4:3:5", 20)));
                QCOMPARE((reached & forbidden).count(), 0);
            }
        }
    }

    /// One cell between two documents: all pairs behind it leak.
    void aLeakSpreadsWithDepth() {
        BitMatrix mask = mask_of("causal,documents:4:4,local:1:0", 8);
        mask.set(4, 3, true);
        const BitMatrix forbidden = forbidden_pairs(mask_of("causal,documents:4:4", 8));
        const Reach reach(mask, 12);
        QCOMPARE((reach.within(1) & forbidden).count(), 1);
        QCOMPARE((reach.within(2) & forbidden).count(), 3);
        QCOMPARE((reach.within(12) & forbidden).count(), 16);
        QCOMPARE(reach.path(6, 2), (std::vector<std::int64_t>{6, 5, 4, 3, 2}));
    }

    void whatAnExpressionForbidsAtAnyDepth() {
        const auto text = [](const char* expression) {
            return to_string(intention_of(parse_mask(expression).value()));
        };
        QCOMPARE(text("causal,local:4:0"), std::string("causal"));
        QCOMPARE(text("padding,causal,documents:4:3"), std::string("padding,causal,documents:4:3"));
        QCOMPARE(text("documents:4:3+global:1"), std::string("documents:4:3"));
        QCOMPARE(text("causal+prefix:3"), std::string("none"));
        QCOMPARE(text("local:2:2,strided:3"), std::string("none"));
        const BitMatrix padded = mask_of("padding,causal", 10, 3);
        const BitMatrix forbidden = forbidden_pairs(padded);
        for (std::int64_t i = 0; i < 10; ++i)
            for (std::int64_t j = 0; j < 10; ++j) QCOMPARE(forbidden.at(i, j), j > i || j >= 7);
    }

    void edges() {
        QCOMPARE(Reach().size(), 0);
        const Reach one(mask_of("causal", 1), 0);
        QVERIFY(one.layers() == 1 && one.steps(0, 0) == 1);
        const Reach none(BitMatrix(3, 3), 12);
        for (std::int64_t i = 0; i < 3; ++i) QCOMPARE(none.count(i, 12), 0);
        const std::atomic<bool> cancelled{true};
        QCOMPARE(Reach(mask_of("causal", 5), 3, &cancelled).count(4, 3), 0);
    }

    void aThousandTokens() {
        std::mt19937 random(22);
        for (const BitMatrix& mask : {mask_of("causal,local:4:0", 1024), mask_of("none", 1024),
                                      mask_of("local:1:1", 1024), random_mask(1024, 0.01, true, random)}) {
            const Reach reach(mask, 12);
            QVERIFY(reach.count(1023, 12) > 1 && forbidden_pairs(mask).queries() == 1024);
        }
    }
};

QTEST_GUILESS_MAIN(TestReach)
#include "tst_reach.moc"
