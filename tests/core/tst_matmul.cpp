// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "core/engine/matmul.h"
#include "core/engine/product.h"

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
    void cleanup() { set_product_backend_for_tests({}); }

    void agreesWithTheSum() {
        for (const auto backend : {ProductBackend::Eigen, ProductBackend::OneDnn}) {
            set_product_backend_for_tests(backend);
            everyShape<float>();
        }
        everyShape<double>();
    }

    /// Large enough for oneDNN: whole blocks of rows, ragged ones, few rows.
    void largeAgreesWithTheSum() {
        for (const auto backend : {ProductBackend::Eigen, ProductBackend::OneDnn}) {
            set_product_backend_for_tests(backend);
            for (const std::int64_t m : {16, 100, 300}) {
                for (const bool transposed : {false, true}) {
                    Case<float> one(m, 18'000'000 / m / 130, 131, transposed, 3);
                    one.run();
                    one.check();
                    if (QTest::currentTestFailed()) return;
                }
            }
        }
    }

    /// Contiguous sides take another way than those with gaps.
    void contiguousIsTheSame() {
        for (const auto backend : {ProductBackend::Eigen, ProductBackend::OneDnn}) {
            set_product_backend_for_tests(backend);
            for (const std::int64_t m : {272, 275}) {
                Case<float> gaps(m, 520, 128, true, 4), none(m, 520, 128, true, 4);
                none.lda = none.ldb = none.k;
                none.ldc = none.n;
                for (std::int64_t p = 0; p < none.k; ++p) {
                    for (std::int64_t i = 0; i < m; ++i) none.at_a(i, p) = gaps.at_a(i, p);
                }
                none.b.assign(static_cast<std::size_t>(none.n * none.ldb), 0);
                for (std::int64_t j = 0; j < none.n; ++j) {
                    for (std::int64_t p = 0; p < none.k; ++p) none.at_b(p, j) = gaps.at_b(p, j);
                }
                none.run();
                none.check();
            }
        }
    }

    /// A product that falls off oneDNN's fast kernels would be hundreds of times slower and no test would see it.
    void fastKernels() {
        if (!fit_panels(64, Element::Float32)) QSKIP("no oneDNN, or a processor below AVX-512");
        for (const auto right : {RightSide::Plain, RightSide::Transposed, RightSide::Panels}) {
            for (const bool add : {false, true}) {
                const std::string name = onednn_kernel({.m = 128,
                                                        .n = 512,
                                                        .k = 64,
                                                        .right = right,
                                                        .ldb = right == RightSide::Plain ? 512 : 64,
                                                        .ldc = 512,
                                                        .add = add});
                QVERIFY2(name.starts_with("brg"), name.c_str());
            }
        }
        const ProductShape gaps{.m = 272, .n = 520, .k = 128, .right = RightSide::Transposed, .ldb = 131, .ldc = 523};
        QVERIFY(!onednn_kernel(gaps).empty());
    }

    /// The panels hold what the plain matrix holds.
    void panels() {
        if (!fit_panels(64, Element::Float32)) QSKIP("no oneDNN, or a processor below AVX-512");
        constexpr std::int64_t kRows = 33, kColumns = 192, kInner = 48;
        Case<float> one(kRows, kColumns, kInner, false, 6);
        std::vector<float> a, panels(kColumns * kInner), c(kRows * kColumns, 1.0F);
        for (std::int64_t i = 0; i < kRows; ++i) {
            for (std::int64_t p = 0; p < kInner; ++p) a.push_back(one.at_a(i, p));
        }
        for (std::int64_t p = 0; p < kInner; ++p) {
            for (std::int64_t j = 0; j < kColumns; ++j)
                panels[static_cast<std::size_t>((j / 64 * kInner + p) * 64 + j % 64)] = one.at_b(p, j);
        }
        QVERIFY(onednn_product(
            {.m = kRows, .n = kColumns, .k = kInner, .right = RightSide::Panels, .ldc = kColumns, .add = true},
            a.data(), panels.data(), c.data()));
        one.run();
        for (std::int64_t i = 0; i < kRows; ++i) {
            for (std::int64_t j = 0; j < kColumns; ++j) {
                const float error = c[static_cast<std::size_t>(i * kColumns + j)] - 1.0F - one.at_c(i, j);
                QVERIFY(std::abs(error) <= 48 * 48 * std::numeric_limits<float>::epsilon());
            }
        }
    }

    /// Nothing that isn't in row i of a or column j of b may reach c(i,j).
    void notFiniteStaysInItsRowAndColumn() {
        for (const int which : {0, 1, 2, 3}) {
            set_product_backend_for_tests(which < 2 ? ProductBackend::Eigen : ProductBackend::OneDnn);
            Case<float> one(37, 29, 23, which % 2 == 1, 5);
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
