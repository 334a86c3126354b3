// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "core/matmul.h"

using namespace headscope;

namespace {

constexpr std::int64_t kGuard = 3;  // numbers between the rows that must stay as they were

template <typename T>
struct Case {
    std::int64_t m, n, k, lda, ldb, ldc;
    bool transpose_b;
    std::vector<T> a, b, c;

    Case(std::int64_t rows, std::int64_t columns, std::int64_t inner, bool transposed, std::uint32_t seed)
        : m(rows), n(columns), k(inner), transpose_b(transposed) {
        lda = k + kGuard;
        ldb = (transposed ? k : n) + kGuard;
        ldc = n + kGuard;
        std::mt19937 engine(seed);
        std::uniform_real_distribution<T> draw(-1, 1);
        a.resize(static_cast<std::size_t>(m * lda));
        b.resize(static_cast<std::size_t>((transposed ? n : k) * ldb));
        c.assign(static_cast<std::size_t>(m * ldc), T(77));
        for (auto* numbers : {&a, &b})
            for (auto& value : *numbers) value = draw(engine);
    }
    T& at_a(std::int64_t i, std::int64_t p) { return a[static_cast<std::size_t>(i * lda + p)]; }
    T& at_b(std::int64_t p, std::int64_t j) {
        return b[static_cast<std::size_t>(transpose_b ? j * ldb + p : p * ldb + j)];
    }
    T at_c(std::int64_t i, std::int64_t j) const { return c[static_cast<std::size_t>(i * ldc + j)]; }
    void run() { matmul(a.data(), lda, b.data(), ldb, transpose_b, c.data(), ldc, m, n, k); }

    /// Largest error over its bound k·eps·Σ|a||b| (Higham 2002, 3.5), and whether the gaps were left alone.
    void check() {
        const double eps = std::numeric_limits<T>::epsilon();
        for (std::int64_t i = 0; i < m; ++i) {
            for (std::int64_t j = 0; j < n; ++j) {
                double sum = 0, size = 0;
                for (std::int64_t p = 0; p < k; ++p) {
                    const double term = static_cast<double>(at_a(i, p)) * static_cast<double>(at_b(p, j));
                    sum += term;
                    size += std::abs(term);
                }
                const double error = std::abs(static_cast<double>(at_c(i, j)) - sum);
                const double bound = static_cast<double>(k + 1) * eps * size;
                QVERIFY2(error <= bound, qPrintable(QStringLiteral("(%1,%2): off by %3").arg(i).arg(j).arg(error)));
            }
            for (std::int64_t j = n; j < ldc; ++j) QCOMPARE(at_c(i, j), T(77));
        }
    }
};

}  // namespace

class TestMatmul : public QObject {
    Q_OBJECT

    template <typename T>
    void everyShape() {
        std::uint32_t seed = 1;
        for (const std::int64_t m : {1, 3, 16, 65, 130})
            for (const std::int64_t n : {1, 2, 31, 64, 129})
                for (const std::int64_t k : {1, 5, 64, 200})
                    for (const bool transposed : {false, true}) {
                        Case<T> one(m, n, k, transposed, ++seed);
                        one.run();
                        one.check();
                        if (QTest::currentTestFailed()) return;
                    }
    }

private Q_SLOTS:
    void agreesWithTheSum() {
        everyShape<float>();
        everyShape<double>();
    }

    /// Nothing that isn't in row i of a or column j of b may reach c(i,j).
    void notFiniteStaysInItsRowAndColumn() {
        for (const bool transposed : {false, true}) {
            Case<float> one(37, 29, 23, transposed, 5);
            one.at_a(4, 7) = std::numeric_limits<float>::quiet_NaN();
            one.at_b(9, 11) = std::numeric_limits<float>::infinity();
            one.run();
            for (std::int64_t i = 0; i < one.m; ++i)
                for (std::int64_t j = 0; j < one.n; ++j) {
                    QCOMPARE(std::isnan(one.at_c(i, j)), i == 4);
                    if (i != 4) QCOMPARE(std::isinf(one.at_c(i, j)), j == 11);
                }
        }
    }

    void emptySumIsZero() {
        Case<double> one(3, 4, 0, false, 9);
        one.run();
        for (std::int64_t i = 0; i < 3; ++i)
            for (std::int64_t j = 0; j < 4; ++j) QCOMPARE(one.at_c(i, j), 0.0);
    }
};

QTEST_APPLESS_MAIN(TestMatmul)
#include "tst_matmul.moc"
